#include "tepui/terrain/mask.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/terrain/crop.h"
#include "tests/support/support.h"

namespace tepui::mask_test {

namespace {

constexpr MaskBy all_criteria[] = {MaskBy::height, MaskBy::relief,    MaskBy::slope,
                                   MaskBy::aspect, MaskBy::curvature, MaskBy::noise};

MaskParams by(MaskBy criterion, Interval range, double falloff) {
  MaskParams p;
  p.by = criterion;
  p.range = range;
  p.falloff = falloff;
  return p;
}

Terrain any_land(uint64_t seed) {
  return test::sample_land(*rc::gen::inRange<int64_t>(1, 40), *rc::gen::inRange<int64_t>(1, 40), seed);
}

Interval any_range() {
  const double low = *rc::gen::inRange(-50, 400);
  return {low, low + *rc::gen::inRange(0, 300)};
}

Grid<float> cells_of(const Terrain& land, const MaskParams& p) {
  return mask(land, p, Context()).layer("mask").grid().clone();
}

/// A plane that rises by `tangent` towards the west: it faces east.
Terrain facing_east(double tangent) {
  Terrain land = test::sample_land(12, 9, 1, 1);
  Grid<float> z(12, 9);
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 0; x < 12; ++x) z(x, y) = static_cast<float>(-tangent * static_cast<double>(x));
  return land.with_height(std::move(z));
}

Terrain one_cell(float height) { return test::sample_land(1, 1, 1).with_height(Grid<float>(1, 1, height)); }

}  // namespace

RC_GTEST_PROP(Mask, IsALayerWithinZeroAndOneBesideTheOthers, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  for (const MaskBy criterion : all_criteria) {
    MaskParams p = by(criterion, any_range(), *rc::gen::inRange(0, 80));
    p.invert = *rc::gen::inRange(0, 2) == 1;
    const Terrain out = mask(land, p, Context());
    const Layer& layer = out.layer("mask");
    RC_ASSERT(layer.kind == LayerKind::mask);
    for (const float m : layer.grid().cells()) RC_ASSERT(m >= 0 && m <= 1);
    RC_ASSERT(out.layer("height").data == land.layer("height").data);
    RC_ASSERT(out.relief() == land.relief());
  }
}

RC_GTEST_PROP(Mask, InvertSelectsTheRest, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  for (const MaskBy criterion : all_criteria) {
    MaskParams p = by(criterion, any_range(), *rc::gen::inRange(0, 80));
    const Grid<float> chosen = cells_of(land, p);
    p.invert = true;
    const Grid<float> rest = cells_of(land, p);
    for (int64_t i = 0; i < rest.size(); ++i) RC_ASSERT(rest.data()[i] == 1 - chosen.data()[i]);
  }
}

RC_GTEST_PROP(Mask, GrowsWithTheRangeAndTheFalloff, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  const double low = *rc::gen::inRange(-50, 200), high = low + *rc::gen::inRange(0, 100);
  for (const MaskBy criterion : all_criteria) {
    const Grid<float> narrow = cells_of(land, by(criterion, {low, high}, 5));
    const Grid<float> wide = cells_of(land, by(criterion, {low - 10, high + 10}, 5));
    const Grid<float> soft = cells_of(land, by(criterion, {low, high}, 15));
    for (int64_t i = 0; i < narrow.size(); ++i) {
      RC_ASSERT(wide.data()[i] >= narrow.data()[i]);
      RC_ASSERT(soft.data()[i] >= narrow.data()[i]);
    }
  }
}

TEST(Mask, HeightIsInMetresWithSoftEdgesOutsideTheRange) {
  const MaskParams p = by(MaskBy::height, {200, 300}, 40);
  const std::pair<float, float> expected[] = {{150, 0}, {160, 0},    {180, 0.5f}, {200, 1}, {250, 1},
                                              {300, 1}, {320, 0.5f}, {340, 0},    {500, 0}};
  for (const auto& [height, weight] : expected) EXPECT_EQ(cells_of(one_cell(height), p)(0, 0), weight) << height;
  EXPECT_NEAR(cells_of(one_cell(190), p)(0, 0), 0.84375, 1e-6);
  const MaskParams hard = by(MaskBy::height, {200, 300}, 0);
  EXPECT_EQ(cells_of(one_cell(200), hard)(0, 0), 1);
  EXPECT_EQ(cells_of(one_cell(199.99f), hard)(0, 0), 0);
}

TEST(Mask, ReliefIsInPerCentFromBaseToTop) {
  const MaskParams p = by(MaskBy::relief, {50, 100}, 10);
  EXPECT_EQ(cells_of(one_cell(300), p)(0, 0), 1);
  EXPECT_EQ(cells_of(one_cell(280), p)(0, 0), 0.5f);
  EXPECT_EQ(cells_of(one_cell(260), p)(0, 0), 0);
  EXPECT_NE(test::error_of([&] {
              mask(one_cell(3).with_relief({2, 2}), p, Context());
            }).find("adjust"),
            std::string::npos);
}

RC_GTEST_PROP(Mask, SlopeIsInDegrees, ()) {
  const double degrees = *rc::gen::inRange(1, 80);
  const Terrain land = facing_east(math::tan(math::radians(degrees)));
  const auto all = [&](Interval range, double falloff, float expected) {
    for (const float m : cells_of(land, by(MaskBy::slope, range, falloff)).cells())
      RC_ASSERT(std::abs(m - expected) < 1e-3);
  };
  all({degrees - 0.1, degrees + 0.1}, 0, 1);
  all({degrees + 0.1, 90}, 0, 0);
  all({0, degrees - 0.1}, 0, 0);
  all({degrees + 2, 90}, 4, 0.5f);
}

TEST(Mask, AspectWrapsRoundTheCompass) {
  const Terrain east = facing_east(0.5);
  for (const Interval range : {Interval{45, 135}, Interval{-315, -225}, Interval{405, 495}, Interval{340, 460},
                               Interval{80, 100}, Interval{0, 360}, Interval{-400, 400}})
    EXPECT_EQ(cells_of(east, by(MaskBy::aspect, range, 0))(5, 5), 1) << range.low;
  for (const Interval range : {Interval{-45, 45}, Interval{100, 420}, Interval{180, 360}})
    EXPECT_EQ(cells_of(east, by(MaskBy::aspect, range, 0))(5, 5), 0) << range.low;
  EXPECT_NEAR(cells_of(east, by(MaskBy::aspect, {-45, 45}, 90))(5, 5), 0.5, 1e-5);
  EXPECT_NEAR(cells_of(east, by(MaskBy::aspect, {135, 225}, 90))(5, 5), 0.5, 1e-5);
  const Terrain level = facing_east(0);
  EXPECT_EQ(cells_of(level, by(MaskBy::aspect, {0, 360}, 10))(5, 5), 0);
}

TEST(Mask, CurvatureIsThePartOfScaleInTheRadiusOfADome) {
  // A dome of radius 400 m seen at a scale of 20 m: 5 %.
  Terrain land = test::sample_land(30, 30, 1, 4);
  Grid<float> z(30, 30);
  for (int64_t y = 0; y < 30; ++y)
    for (int64_t x = 0; x < 30; ++x)
      z(x, y) =
          static_cast<float>(-(land.frame().x(x) * land.frame().x(x) + land.frame().y(y) * land.frame().y(y)) / 800);
  land = land.with_height(std::move(z));
  MaskParams p = by(MaskBy::curvature, {4.9, 5.1}, 0);
  p.scale = metres(20);
  for (const float m : cells_of(land, p).cells()) ASSERT_EQ(m, 1);
  p.range = {-100, 0};
  for (const float m : cells_of(land, p).cells()) ASSERT_EQ(m, 0);
}

TEST(Mask, NoisePerCentsAreSharesOfTheLand) {
  const Terrain land = test::sample_land(200, 200, 1);
  for (const double from : {10.0, 30.0, 50.0, 80.0, 95.0}) {
    double sum = 0;
    int64_t cells = 0;
    for (int seed = 0; seed < 4; ++seed) {
      MaskParams p = by(MaskBy::noise, {from, 100}, 0);
      p.scale = metres(30);
      p.seed.node = seed;
      const Grid<float> m = cells_of(land, p);
      for (const float v : m.cells()) sum += v;
      cells += m.size();
    }
    EXPECT_NEAR(sum / static_cast<double>(cells), 1 - from / 100, 0.02) << from;
  }
}

TEST(Mask, NoiseFollowsItsSeedAndScale) {
  const Terrain land = test::sample_land(50, 50, 1);
  MaskParams p = by(MaskBy::noise, {50, 100}, 10);
  const Grid<float> first = cells_of(land, p);
  EXPECT_TRUE(test::same_cells(first, cells_of(land, p)));
  MaskParams other = p;
  other.seed.recipe = 1;
  EXPECT_FALSE(test::same_cells(first, cells_of(land, other)));
  other = p;
  other.scale = percent(20);
  EXPECT_FALSE(test::same_cells(first, cells_of(land, other)));
  other.scale = metres(0);
  EXPECT_NE(test::error_of([&] { mask(land, other, Context()); }).find("'scale'"), std::string::npos);
}

TEST(Mask, NoiseTooFineForItsPlaceIsRefused) {
  MaskParams p = by(MaskBy::noise, {50, 100}, 10);
  p.scale = metres(1e-12);
  EXPECT_NE(test::error_of([&] { mask(test::sample_land(5, 5, 1), p, Context()); }).find("larger scale"),
            std::string::npos);
}

RC_GTEST_PROP(Mask, OfACropIsTheCropOfTheMaskWhereItLooksAtPoints, (uint64_t seed)) {
  const Terrain land = test::sample_land(30, 20, seed);
  const Terrain part = window(land, 5, 3, 14, 9, Context());
  for (const MaskBy criterion : {MaskBy::height, MaskBy::relief, MaskBy::noise}) {
    const MaskParams p = by(criterion, {40, 250}, 20);
    const Terrain whole = window(mask(land, p, Context()), 5, 3, 14, 9, Context());
    RC_ASSERT(test::same_cells(whole.layer("mask").grid(), cells_of(part, p)));
  }
}

TEST(Mask, HasTheSameBitsAtAnyThreadCountAndSimdLevel) {
  const Terrain land = test::sample_land(211, 333, 1);
  for (const MaskBy criterion : all_criteria)
    test::expect_same_bits([&] { return mask(land, by(criterion, {20, 120}, 30), Context()).hash(); });
}

TEST(Mask, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  const Terrain land = test::sample_land(9, 9, 1);
  for (const MaskBy criterion : all_criteria)
    EXPECT_EQ(test::error_of([&] { mask(land, by(criterion, {0, 1}, 1), Context(nullptr, &cancel)); }), "cancelled");
}

}  // namespace tepui::mask_test
