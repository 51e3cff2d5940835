#include "tepui/hydrology/lakes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/hydrology.h"
#include "tepui/hydrology/breach.h"
#include "tepui/hydrology/lake_shores.h"
#include "tepui/hydrology/pits.h"
#include "tepui/hydrology/river_beds.h"
#include "tepui/hydrology/rivers.h"
#include "tests/hydrology/water_lands.h"
#include "tests/support/support.h"

namespace tepui::lakes_test {
namespace {

using test::any_land;

/// A hollow shaped like a cone, with a trench to the west that drains it at 100 m, `radius` above its lowest point.
Terrain crater(double radius) {
  Grid<float> z(101, 101);
  for (int64_t y = 0; y < 101; ++y)
    for (int64_t x = 0; x < 101; ++x) z(x, y) = static_cast<float>(100 + std::hypot(x - 50, y - 50) - radius);
  for (int64_t x = 0; x < 21; ++x) z(x, 50) = 100;
  return Terrain(make_world({100, 100}, 101), {0, 150}, std::move(z));
}

RC_GTEST_PROP(Lakes, AreWhatFillingAddsAndLevelsHold, ()) {
  const Terrain land = any_land();
  LakesParams params;
  params.depth = 0;
  params.area = 0;
  const Terrain out = lakes(land, params, Context());
  const Grid<float> filled = reference::fill(land.height());
  const Grid<float>&depth = out.layer("water").grid(), &level = out.layer("water_level").grid();
  for (int64_t i = 0; i < filled.size(); ++i) {
    const float z = land.height().data()[i];
    RC_ASSERT(depth.data()[i] == filled.data()[i] - z);
    RC_ASSERT(depth.data()[i] == std::max(0.0f, level.data()[i] - z));
  }
}

TEST(Lakes, BesideWaterTheLevelIsTheWaters) {
  const Terrain out = lakes(crater(30), {}, Context());
  EXPECT_EQ(out.layer("water_level").grid()(50, 50), 100);
  EXPECT_EQ(out.layer("water").grid()(50, 50), 30);
  EXPECT_EQ(out.layer("water_level").grid()(71, 72), 100);
  EXPECT_EQ(out.layer("water_level").grid()(90, 50), out.height()(90, 50));
}

TEST(Lakes, ShallowAndSmallOnesAreLeftOut) {
  LakesParams deep;
  deep.depth = 31;
  const Terrain dry = lakes(crater(30), deep, Context());
  for (float d : dry.layer("water").grid().cells()) EXPECT_EQ(d, 0);
  LakesParams large;
  large.area = 3000;
  const Terrain still_dry = lakes(crater(30), large, Context());
  for (float d : still_dry.layer("water").grid().cells()) EXPECT_EQ(d, 0);
}

TEST(LakeShores, OfACraterAreACircle) {
  const Lines shores = lake_shores(crater(30), {}, Context());
  ASSERT_EQ(shores.features(), 1u);
  EXPECT_NEAR(shores.number("outlet_x")->values[0], 20, 1.5);
  EXPECT_NEAR(shores.number("area")->values[0], std::numbers::pi * 900, 30);
  EXPECT_NEAR(shores.number("volume")->values[0], std::numbers::pi * 900 * 30 / 3, 100);
  EXPECT_EQ(shores.number("level")->values[0], 100);
  for (const Vec3& p : shores.vertices())
    if (p.x > 25) {
      EXPECT_NEAR(std::hypot(p.x - 50, p.y - 50), 30, 0.2);
    }
}

TEST(LakeShores, AnIslandIsAHole) {
  Grid<float> z = crater(30).height().clone();
  for (int64_t y = 47; y < 54; ++y)
    for (int64_t x = 47; x < 54; ++x) z(x, y) = 120;
  const Lines shores = lake_shores(crater(30).with_height(std::move(z)), {}, Context());
  ASSERT_EQ(shores.features(), 1u);
  EXPECT_EQ(shores.parts(), 2u);
}

RC_GTEST_PROP(LakeShores, EveryLakeHasAShoreWithItsOutlet, ()) {
  const Terrain land = any_land();
  LakeShoresParams params;
  params.depth = 0;
  params.area = 0;
  const Lines shores = lake_shores(land, params, Context());
  const Lines points = pits(land, {}, Context());
  RC_ASSERT(shores.features() == points.features());
  for (size_t f = 0; f < shores.features(); ++f) {
    const LineFeature feature = shores.feature(f);
    bool found = false;
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v)
      found = found || (shores.vertices()[v].x == shores.number("outlet_x")->values[f] &&
                        shores.vertices()[v].y == shores.number("outlet_y")->values[f]);
    RC_ASSERT(found);
  }
}

TEST(Lakes, UnderASeaAboveTheTopThereAreNone) {
  LakesParams params;
  params.sea_level = 1e5;
  const Terrain out = lakes(crater(30), params, Context());
  for (float d : out.layer("water").grid().cells()) EXPECT_EQ(d, 0);
  LakeShoresParams shores;
  shores.sea_level = 1e5;
  EXPECT_EQ(lake_shores(crater(30), shores, Context()).features(), 0u);
  PitsParams points;
  points.sea_level = 1e5;
  EXPECT_EQ(pits(crater(30), points, Context()).features(), 0u);
  BreachParams notch;
  notch.sea_level = 1e5;
  EXPECT_TRUE(test::same_cells(breach(crater(30), notch, Context()).height(), crater(30).height()));
}

RC_GTEST_PROP(Breach, LeavesNoPitsAndNothingHigher, ()) {
  const Terrain land = any_land();
  const Terrain out = breach(land, {}, Context());
  for (int64_t i = 0; i < land.height().size(); ++i) RC_ASSERT(out.height().data()[i] <= land.height().data()[i]);
  RC_ASSERT(test::same_cells(out.height(), reference::fill(out.height())));
}

RC_GTEST_PROP(Breach, CutsNoDeeperThanItMay, ()) {
  const Terrain land = any_land();
  BreachParams params;
  params.cut = *rc::gen::element(1.0, 10.0, 40.0);
  const Terrain out = breach(land, params, Context());
  for (int64_t i = 0; i < land.height().size(); ++i)
    RC_ASSERT(out.height().data()[i] >= land.height().data()[i] - *params.cut * 1.0001);
  RC_ASSERT(test::same_cells(out.height(), reference::fill(out.height())));
}

TEST(Breach, TakesTheCheapestNotch) {
  // A pit behind a wall of 50 m with a gap of 10 m in it.
  Grid<float> z(21, 21, 100);
  for (int64_t x = 0; x < 21; ++x) z(x, 15) = 150;
  z(4, 15) = 110;
  for (int64_t y = 16; y < 21; ++y)
    for (int64_t x = 0; x < 21; ++x) z(x, y) = 40;
  for (int64_t i = 0; i < 21; ++i) z(i, 0) = z(0, i) = z(20, i) = 150;
  z(10, 10) = 90;
  const Terrain land(make_world({20, 20}, 21), {0, 150}, std::move(z));
  const Terrain out = breach(land, {}, Context());
  EXPECT_LT(out.height()(4, 15), 90);
  EXPECT_EQ(out.height()(12, 15), 150);
}

TEST(RiverBeds, CutTheLandAndHoldWater) {
  const Terrain land = test::rough_land(200, 200, 6);
  RiversParams params;
  params.source = 50000;
  const Lines lines = rivers(land, params, Context());
  RiverBedsParams wide;
  wide.scale = 20;
  const Terrain out = river_beds(land, &lines, wide, Context());
  int64_t wet = 0;
  for (int64_t i = 0; i < land.height().size(); ++i) {
    const float depth = out.layer("water").grid().data()[i];
    EXPECT_EQ(depth, std::max(0.0f, out.layer("water_level").grid().data()[i] - out.height().data()[i]));
    wet += depth > 0;
  }
  EXPECT_GT(wet, 100);
  EXPECT_LT(wet, 20000);
}

TEST(RiverBeds, NeedWidths) {
  Polyline line;
  line.points = {{0, 0, 0}, {100, 100, 0}};
  const Lines lines({line});
  EXPECT_NE(test::error_of([&] { river_beds(test::rough_land(20, 20, 1), &lines, {}, Context()); }).find("'width'"),
            std::string::npos);
}

}  // namespace
}  // namespace tepui::lakes_test
