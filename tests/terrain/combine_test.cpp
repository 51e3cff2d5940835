#include "tepui/terrain/combine.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::combine_test {

namespace {

struct Pair {
  Terrain in, with;
};

Pair any_pair(uint64_t seed) {
  const int64_t w = *rc::gen::inRange<int64_t>(1, 40), h = *rc::gen::inRange<int64_t>(1, 40);
  return {test::sample_land(w, h, seed), test::sample_land(w, h, seed + 1, 10, {-50, 300})};
}

CombineParams by(CombineMode mode, double amount = 1) {
  CombineParams p;
  p.mode = mode;
  p.amount = amount;
  return p;
}

constexpr CombineMode all_modes[] = {CombineMode::add, CombineMode::subtract, CombineMode::multiply,
                                     CombineMode::min, CombineMode::max,      CombineMode::mix};

Terrain layer_of(const Terrain& land, const char* name, LayerKind kind, Grid<float> cells) {
  return Terrain(land.frame(), {0, 1}).with(make_layer(name, "", kind, std::move(cells)));
}

Terrain mask_of(const Terrain& land, float value) {
  return layer_of(land, "mask", LayerKind::mask, Grid<float>(land.frame().width, land.frame().height, value));
}

}  // namespace

RC_GTEST_PROP(Combine, SubtractUndoesAddWithinRounding, (uint64_t seed)) {
  const auto [in, with] = any_pair(seed);
  const Terrain sum = combine(in, with, nullptr, by(CombineMode::add), Context());
  const Terrain back = combine(sum, with, nullptr, by(CombineMode::subtract), Context());
  RC_ASSERT(test::max_difference(back.height(), in.height()) < 1e-4);
}

RC_GTEST_PROP(Combine, MinIsNeverAboveAndMaxNeverBelowEither, (uint64_t seed)) {
  const auto [in, with] = any_pair(seed);
  const Terrain low = combine(in, with, nullptr, by(CombineMode::min), Context());
  const Terrain high = combine(in, with, nullptr, by(CombineMode::max), Context());
  for (size_t i = 0; i < in.height().cells().size(); ++i) {
    const float a = in.height().cells()[i], b = with.height().cells()[i];
    RC_ASSERT(low.height().cells()[i] == std::min(a, b));
    RC_ASSERT(high.height().cells()[i] == std::max(a, b));
  }
}

RC_GTEST_PROP(Combine, MasksOfZeroAndOneGiveExactlyEither, (uint64_t seed)) {
  const auto [in, with] = any_pair(seed);
  const Terrain none = mask_of(in, 0), all = mask_of(in, 1);
  for (const CombineMode mode : all_modes) {
    const Terrain unmasked = combine(in, with, nullptr, by(mode), Context());
    RC_ASSERT(test::same_cells(combine(in, with, &none, by(mode), Context()).height(), in.height()));
    RC_ASSERT(test::same_cells(combine(in, with, &all, by(mode), Context()).height(), unmasked.height()));
    RC_ASSERT(test::same_cells(combine(in, with, nullptr, by(mode, 0), Context()).height(), in.height()));
    RC_ASSERT(combine(in, with, nullptr, by(mode, 0), Context()).relief() == in.relief());
  }
  RC_ASSERT(test::same_cells(combine(in, with, &all, by(CombineMode::mix), Context()).height(), with.height()));
}

RC_GTEST_PROP(Combine, MixLiesBetweenBoth, (uint64_t seed)) {
  const auto [in, with] = any_pair(seed);
  const double amount = *rc::gen::inRange(0, 101) / 100.0;
  const Terrain mixed = combine(in, with, nullptr, by(CombineMode::mix, amount), Context());
  for (size_t i = 0; i < in.height().cells().size(); ++i) {
    const double a = in.height().cells()[i], b = with.height().cells()[i];
    RC_ASSERT(std::abs(mixed.height().cells()[i] - (a + amount * (b - a))) < 1e-4);
  }
}

RC_GTEST_PROP(Combine, HeightsWithinTheReliefsStayWithinTheResults, (uint64_t seed)) {
  const auto [in, with] = any_pair(seed);
  Grid<float> weights = in.height().clone();
  for (float& v : weights.cells()) v = std::clamp((v - 150) / 200, 0.0f, 1.0f);
  const Terrain mask = layer_of(in, "mask", LayerKind::mask, std::move(weights));
  const double amount = *rc::gen::inRange(0, 101) / 100.0;
  for (const CombineMode mode : all_modes)
    for (const Terrain* m : {static_cast<const Terrain*>(nullptr), &mask}) {
      // Ground that lies exactly within its relief.
      const auto inside = [](const Terrain& land) {
        Grid<float> z = land.height().clone();
        for (float& v : z.cells())
          v = std::clamp(v, static_cast<float>(land.relief().base), static_cast<float>(land.relief().top));
        return land.with_height(std::move(z));
      };
      const Terrain out = combine(inside(in), inside(with), m, by(mode, amount), Context());
      RC_ASSERT(out.relief().span() > 0);
      for (const float z : out.height().cells())
        RC_ASSERT(z >= out.relief().base - 1e-3 && z <= out.relief().top + 1e-3);
    }
}

TEST(Combine, ReliefsFollowTheHeights) {
  const Terrain a = test::sample_land(5, 5, 1, 10, {100, 500}), b = test::sample_land(5, 5, 2, 10, {0, 50});
  const auto relief = [&](CombineMode mode) { return combine(a, b, nullptr, by(mode), Context()).relief(); };
  EXPECT_EQ(relief(CombineMode::add), (Relief{100, 550}));
  EXPECT_EQ(relief(CombineMode::subtract), (Relief{50, 500}));
  EXPECT_EQ(relief(CombineMode::multiply), (Relief{100, 500}));
  EXPECT_EQ(relief(CombineMode::min), (Relief{0, 50}));
  EXPECT_EQ(relief(CombineMode::max), (Relief{100, 500}));
  EXPECT_EQ(relief(CombineMode::mix), (Relief{0, 50}));
  EXPECT_EQ(combine(a, b, nullptr, by(CombineMode::mix, 0.5), Context()).relief(), (Relief{50, 275}));
  const Terrain mask = mask_of(a, 0.5f);
  EXPECT_EQ(combine(a, b, &mask, by(CombineMode::mix), Context()).relief(), (Relief{0, 500}));
}

TEST(Combine, MultiplyScalesAboveTheBaseByTheShareOfRelief) {
  Terrain a = test::sample_land(3, 1, 1, 10, {100, 500}), b = test::sample_land(3, 1, 2, 10, {-50, 350});
  Grid<float> za(3, 1, 300.0f), zb(3, 1);
  zb(0, 0) = -50;
  zb(1, 0) = 150;
  zb(2, 0) = 350;
  a = a.with_height(std::move(za));
  b = b.with_height(std::move(zb));
  const Terrain out = combine(a, b, nullptr, by(CombineMode::multiply), Context());
  EXPECT_EQ(out.height()(0, 0), 100);
  EXPECT_EQ(out.height()(1, 0), 200);
  EXPECT_EQ(out.height()(2, 0), 300);
  // By another layer: its numbers are the factors.
  const Terrain half = layer_of(a, "hardness", LayerKind::continuous, Grid<float>(3, 1, 0.5f));
  const Terrain halved = combine(a, half, nullptr, by(CombineMode::multiply), Context());
  EXPECT_EQ(halved.height()(1, 0), 200);
  EXPECT_EQ(halved.relief(), a.relief());
  const Terrain flat = b.with_relief({5, 5});
  EXPECT_NE(test::error_of([&] { combine(a, flat, nullptr, by(CombineMode::multiply), Context()); }).find("adjust"),
            std::string::npos);
}

TEST(Combine, OtherLayersOfInAreKept) {
  const Terrain a =
      test::sample_land(4, 4, 1).with(make_layer("hardness", "", LayerKind::continuous, Grid<float>(4, 4, 0.3f)));
  const Terrain b = test::sample_land(4, 4, 2);
  const Terrain out = combine(a, b, nullptr, by(CombineMode::add), Context());
  EXPECT_EQ(out.layer("hardness").data, a.layer("hardness").data);
  CombineParams p = by(CombineMode::add);
  p.layer = "hardness";
  const Terrain more =
      combine(a, layer_of(a, "other", LayerKind::continuous, Grid<float>(4, 4, 0.5f)), nullptr, p, Context());
  EXPECT_EQ(more.layer("hardness").grid()(2, 2), 0.8f);
  EXPECT_EQ(more.layer("height").data, a.layer("height").data);
  EXPECT_EQ(more.relief(), a.relief());
}

TEST(Combine, MasksStayWithinZeroAndOne) {
  const Terrain land = test::sample_land(4, 4, 1);
  const Terrain a = mask_of(land, 0.75f), b = mask_of(land, 0.5f);
  CombineParams p = by(CombineMode::add);
  p.layer = "mask";
  EXPECT_EQ(combine(a, b, nullptr, p, Context()).layer("mask").grid()(0, 0), 1);
  p.mode = CombineMode::multiply;
  EXPECT_EQ(combine(a, b, nullptr, p, Context()).layer("mask").grid()(0, 0), 0.375f);
  p.mode = CombineMode::subtract;
  EXPECT_EQ(combine(b, a, nullptr, p, Context()).layer("mask").grid()(0, 0), 0);
}

TEST(Combine, ClassesArePickedNeverComputedWith) {
  const Terrain land = test::sample_land(8, 8, 1);
  const Terrain a = layer_of(land, "material", LayerKind::category, Grid<float>(8, 8, 2.0f));
  const Terrain b = layer_of(land, "material", LayerKind::category, Grid<float>(8, 8, 7.0f));
  Grid<float> weights(8, 8);
  for (int64_t i = 0; i < 64; ++i) weights.data()[i] = static_cast<float>(i) / 63;
  const Terrain mask = layer_of(land, "mask", LayerKind::mask, std::move(weights));
  CombineParams p = by(CombineMode::mix);
  p.layer = "material";
  const Terrain out = combine(a, b, &mask, p, Context());
  EXPECT_EQ(out.layer("material").grid()(0, 0), 2);
  EXPECT_EQ(out.layer("material").grid()(7, 7), 7);
  for (const float c : out.layer("material").grid().cells()) EXPECT_TRUE(c == 2 || c == 7);
  p.mode = CombineMode::add;
  EXPECT_NE(test::error_of([&] { combine(a, b, nullptr, p, Context()); }).find("holds classes"), std::string::npos);
  p.mode = CombineMode::max;
  EXPECT_EQ(combine(a, b, nullptr, p, Context()).layer("material").grid()(3, 3), 7);
  p.layer = "height";
  EXPECT_NE(test::error_of([&] { combine(land, a, nullptr, p, Context()); }).find("does not"), std::string::npos);
}

TEST(Combine, OtherSamplesAreRefused) {
  const Terrain a = test::sample_land(5, 4, 1), b = test::sample_land(4, 5, 1);
  EXPECT_NE(test::error_of([&] { combine(a, b, nullptr, {}, Context()); }).find("'with'"), std::string::npos);
  EXPECT_NE(test::error_of([&] { combine(a, a, &b, {}, Context()); }).find("'mask'"), std::string::npos);
  CombineParams p;
  p.layer = "heigth";
  EXPECT_NE(test::error_of([&] { combine(a, a, nullptr, p, Context()); }).find("did you mean 'height'"),
            std::string::npos);
}

TEST(Combine, HasTheSameBitsAtAnyThreadCountAndStopsWhenCancelled) {
  const Terrain a = test::sample_land(300, 500, 1), b = test::sample_land(300, 500, 2);
  const Terrain mask = mask_of(a, 0.3f);
  for (const CombineMode mode : all_modes)
    test::expect_same_bits([&] { return combine(a, b, &mask, by(mode, 0.7), Context()).hash(); });
  const CancelFlag cancel = true;
  EXPECT_EQ(test::error_of([&] { combine(a, b, nullptr, {}, Context(nullptr, &cancel)); }), "cancelled");
}

}  // namespace tepui::combine_test
