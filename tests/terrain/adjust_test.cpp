#include "tepui/terrain/adjust.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::adjust_test {

namespace {

Terrain any_land(uint64_t seed) {
  return test::sample_land(*rc::gen::inRange<int64_t>(1, 40), *rc::gen::inRange<int64_t>(1, 40), seed);
}

Terrain mask_of(const Terrain& land, float value) {
  return Terrain(land.frame(), {0, 1})
      .with(make_layer("mask", "", LayerKind::mask, Grid<float>(land.frame().width, land.frame().height, value)));
}

/// One column of heights, within a relief of 100 to 500 m.
Terrain column(std::vector<float> heights) {
  Terrain land = test::sample_land(static_cast<int64_t>(heights.size()), 1, 1);
  Grid<float> z(land.frame().width, 1);
  std::ranges::copy(heights, z.data());
  return land.with_height(std::move(z));
}

std::vector<float> heights_of(const Terrain& land) {
  return {land.height().cells().begin(), land.height().cells().end()};
}

AdjustParams any_steps() {
  AdjustParams p;
  p.scale = *rc::gen::element(1.0, 0.5, 2.0, -1.0, 0.0);
  p.offset = metres(*rc::gen::inRange(-100, 100));
  if (*rc::gen::inRange(0, 2) == 1) p.curve.points = {{0, 0.1}, {0.4, 0.2}, {1, 0.9}};
  p.terraces = *rc::gen::inRange(0, 9);
  p.sharpness = *rc::gen::inRange(0, 101) / 100.0;
  p.clamp = *rc::gen::element(AdjustClamp::off, AdjustClamp::relief, AdjustClamp::between);
  p.between = {metres(50), metres(250)};
  p.relief = *rc::gen::element(AdjustRelief::keep, AdjustRelief::set, AdjustRelief::stretch);
  p.to = {metres(-20), metres(900)};
  return p;
}

}  // namespace

RC_GTEST_PROP(Adjust, IsTheIdentityUnlessTold, (uint64_t seed)) {
  const Terrain land = any_land(seed), mask = mask_of(land, 0.4f);
  RC_ASSERT(adjust(land, nullptr, {}, Context()).hash() == land.hash());
  RC_ASSERT(adjust(land, &mask, {}, Context()).hash() == land.hash());
}

RC_GTEST_PROP(Adjust, AMaskOfZeroLeavesTheGround, (uint64_t seed)) {
  const Terrain land = any_land(seed), none = mask_of(land, 0), all = mask_of(land, 1);
  const AdjustParams p = any_steps();
  RC_ASSERT(test::same_cells(adjust(land, &none, p, Context()).height(), land.height()));
  RC_ASSERT(test::same_cells(adjust(land, &all, p, Context()).height(), adjust(land, nullptr, p, Context()).height()));
}

RC_GTEST_PROP(Adjust, ScaleAndOffsetKeepSharesOfRelief, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  AdjustParams p;
  p.scale = *rc::gen::element(0.25, 1.0, 3.0);
  p.offset = *rc::gen::element(metres(0), metres(-70), percent(5));
  const Terrain out = adjust(land, nullptr, p, Context());
  const auto share = [](const Terrain& t, size_t i) {
    return (static_cast<double>(t.height().cells()[i]) - t.relief().base) / t.relief().span();
  };
  for (size_t i = 0; i < land.height().cells().size(); ++i) RC_ASSERT(std::abs(share(out, i) - share(land, i)) < 1e-5);
  RC_ASSERT(std::abs(out.relief().base - (100 + p.offset.in(land.frame()))) < 1e-9);
  RC_ASSERT(std::abs(out.relief().span() - 400 * p.scale) < 1e-9);
}

TEST(Adjust, ANegativeScaleTurnsLandUpsideDown) {
  AdjustParams p;
  p.scale = -1;
  const Terrain out = adjust(column({100, 200, 500}), nullptr, p, Context());
  EXPECT_EQ(heights_of(out), (std::vector<float>{100, 0, -300}));
  EXPECT_EQ(out.relief(), (Relief{-300, 100}));
  p.scale = 0;
  const Terrain flat = adjust(column({100, 200, 500}), nullptr, p, Context());
  EXPECT_EQ(heights_of(flat), (std::vector<float>{100, 100, 100}));
  EXPECT_EQ(flat.relief(), (Relief{100, 500}));
}

RC_GTEST_PROP(Adjust, ClampBoundsTheHeights, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  AdjustParams p = any_steps();
  p.clamp = AdjustClamp::between;
  p.relief = AdjustRelief::keep;
  const Terrain out = adjust(land, nullptr, p, Context());
  for (const float z : out.height().cells()) RC_ASSERT(z >= 50 && z <= 250);
  p.clamp = AdjustClamp::relief;
  const Terrain within = adjust(land, nullptr, p, Context());
  for (const float z : within.height().cells())
    RC_ASSERT(z >= static_cast<float>(within.relief().base) && z <= static_cast<float>(within.relief().top));
}

TEST(Adjust, StepsAreTakenInTheirOrder) {
  AdjustParams p;
  p.scale = 2;                                     // 300 -> 500, relief 100..900
  p.offset = metres(-100);                         // -> 400, relief 0..800
  p.curve.points = {{0, 0}, {0.5, 0.25}, {1, 1}};  // share 0.5 -> 0.25: 200
  p.terraces = 5;                                  // share 0.25 -> 1.25 steps: level 1 of 160 m
  p.sharpness = 1;
  p.clamp = AdjustClamp::between;
  p.between = {metres(0), metres(150)};  // -> 150
  p.relief = AdjustRelief::stretch;      // 0..800 -> 1000..1400: 150 -> 1075
  p.to = {metres(1000), metres(1400)};
  const Terrain out = adjust(column({300}), nullptr, p, Context());
  EXPECT_EQ(heights_of(out), (std::vector<float>{1075}));
  EXPECT_EQ(out.relief(), (Relief{1000, 1400}));
}

RC_GTEST_PROP(Adjust, TerracesAreMonotoneAndKeepBaseAndTop, ()) {
  std::vector<float> rising;
  for (int z = 60; z <= 560; ++z) rising.push_back(static_cast<float>(z));
  AdjustParams p;
  p.terraces = *rc::gen::inRange(1, 30);
  p.sharpness = *rc::gen::inRange(0, 101) / 100.0;
  const Terrain land = column(rising);
  const std::vector<float> out = heights_of(adjust(land, nullptr, p, Context()));
  for (size_t i = 1; i < out.size(); ++i) RC_ASSERT(out[i] >= out[i - 1]);
  RC_ASSERT(std::abs(out[40] - 100) < 1e-4);   // the base
  RC_ASSERT(std::abs(out[440] - 500) < 1e-4);  // the top
  RC_ASSERT(std::abs(out[0] - 60) < 1e-4);     // and ground beyond them
  RC_ASSERT(std::abs(out[500] - 560) < 1e-4);
  const double step = 400.0 / p.terraces;
  for (size_t i = 0; i < out.size(); ++i) RC_ASSERT(std::abs(out[i] - rising[i]) <= step / 2 * p.sharpness + 1e-3);
}

TEST(Adjust, SharpTerracesAreLevelsAndBluntOnesLeaveTheSlope) {
  const Terrain land = column({100, 140, 160, 240, 299, 301, 350, 500});
  AdjustParams p;
  p.terraces = 2;
  p.sharpness = 1;
  EXPECT_EQ(heights_of(adjust(land, nullptr, p, Context())),
            (std::vector<float>{100, 100, 100, 300, 300, 300, 300, 500}));
  p.sharpness = 0;
  EXPECT_LT(test::max_difference(adjust(land, nullptr, p, Context()).height(), land.height()), 1e-4);
}

RC_GTEST_PROP(Adjust, ARisingCurveKeepsTheOrderOfHeights, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  AdjustParams p;
  p.curve.points = {{0, 0}, {0.3, 0.7}, {0.6, 0.8}, {1, 1}};
  const Terrain out = adjust(land, nullptr, p, Context());
  std::vector<size_t> order(land.height().cells().size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](size_t i) { return land.height().cells()[i]; });
  for (size_t i = 1; i < order.size(); ++i)
    RC_ASSERT(out.height().cells()[order[i]] >= out.height().cells()[order[i - 1]]);
  RC_ASSERT(out.relief() == land.relief());
}

RC_GTEST_PROP(Adjust, SettingTheReliefChangesNothingElse, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  AdjustParams p;
  p.relief = AdjustRelief::set;
  p.to = {metres(-5), percent(50)};
  const Terrain out = adjust(land, nullptr, p, Context());
  RC_ASSERT(out.relief() == (Relief{-5, 0.5 * land.frame().shorter_side()}));
  RC_ASSERT(out.with_relief(land.relief()).hash() == land.hash());
}

TEST(Adjust, StretchMovesTheGroundWithTheRelief) {
  AdjustParams p;
  p.relief = AdjustRelief::stretch;
  p.to = {metres(0), metres(100)};
  const Terrain out = adjust(column({100, 200, 300, 500, 520}), nullptr, p, Context());
  EXPECT_EQ(heights_of(out), (std::vector<float>{0, 25, 50, 100, 105}));
  EXPECT_EQ(out.relief(), (Relief{0, 100}));
}

TEST(Adjust, MaskedReliefSpansOldAndNew) {
  AdjustParams p;
  p.offset = metres(50);
  const Terrain land = column({100, 500}), half = mask_of(land, 0.5f);
  EXPECT_EQ(adjust(land, &half, p, Context()).relief(), (Relief{100, 550}));
  EXPECT_EQ(heights_of(adjust(land, &half, p, Context())), (std::vector<float>{125, 525}));
}

TEST(Adjust, OtherLayersCountFromZeroToOne) {
  const Terrain land = column({100, 300})
                           .with(make_layer("hardness", "", LayerKind::continuous, Grid<float>(2, 1, 0.4f)))
                           .with(make_layer("mask", "", LayerKind::mask, Grid<float>(2, 1, 0.75f)))
                           .with(make_layer("material", "", LayerKind::category, Grid<float>(2, 1, 3.0f)));
  AdjustParams p;
  p.scale = 2;
  p.layer = "hardness";
  const Terrain out = adjust(land, nullptr, p, Context());
  EXPECT_EQ(out.layer("hardness").grid()(0, 0), 0.8f);
  EXPECT_EQ(out.relief(), land.relief());
  EXPECT_EQ(out.layer("height").data, land.layer("height").data);
  p.layer = "mask";
  EXPECT_EQ(adjust(land, nullptr, p, Context()).layer("mask").grid()(0, 0), 1);
  p.layer = "material";
  EXPECT_NE(test::error_of([&] { adjust(land, nullptr, p, Context()); }).find("holds classes"), std::string::npos);
  p.layer = "hardness";
  p.relief = AdjustRelief::set;
  EXPECT_NE(test::error_of([&] { adjust(land, nullptr, p, Context()); }).find("no relief"), std::string::npos);
}

TEST(Adjust, WhatMeansNothingIsRefused) {
  const Terrain land = column({100, 300}), flat = land.with_relief({7, 7});
  AdjustParams p;
  p.terraces = 3;
  EXPECT_NE(test::error_of([&] { adjust(flat, nullptr, p, Context()); }).find("relief=set"), std::string::npos);
  p = {};
  p.relief = AdjustRelief::set;
  p.to = {metres(3), metres(3)};
  EXPECT_NE(test::error_of([&] { adjust(land, nullptr, p, Context()); }).find("above its base"), std::string::npos);
  p.to = {metres(3), percent(0)};
  EXPECT_NE(test::error_of([&] { adjust(land, nullptr, p, Context()); }).find("smaller value"), std::string::npos);
  const Terrain other = test::sample_land(3, 3, 1);
  EXPECT_NE(test::error_of([&] { adjust(land, &other, {}, Context()); }).find("'mask'"), std::string::npos);
}

TEST(Adjust, StaysFinite) {
  AdjustParams p;
  p.scale = 1e6;
  for (const float z : heights_of(adjust(column({3e38f, -3e38f}), nullptr, p, Context())))
    EXPECT_TRUE(std::isfinite(z));
}

TEST(Adjust, HasTheSameBitsAtAnyThreadCountAndStopsWhenCancelled) {
  const Terrain land = test::sample_land(400, 300, 1);
  AdjustParams p;
  p.scale = 1.7;
  p.curve.points = {{0, 0.1}, {0.4, 0.2}, {1, 0.9}};
  p.terraces = 7;
  test::expect_same_bits([&] { return adjust(land, nullptr, p, Context()).hash(); });
  const CancelFlag cancel = true;
  EXPECT_EQ(test::error_of([&] { adjust(land, nullptr, p, Context(nullptr, &cancel)); }), "cancelled");
}

}  // namespace tepui::adjust_test
