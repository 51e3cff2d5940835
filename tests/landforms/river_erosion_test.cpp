#include "tepui/landforms/river_erosion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/math.h"
#include "tepui/geology/rock_planes.h"
#include "tepui/landforms/river_ways.h"
#include "tepui/volume/implicitize.h"
#include "tests/support/support.h"

namespace tepui::river_erosion_test {

namespace {

const Frame world = make_world({200, 120}, 201);

/// Where the river's middle is.
double way(double x) { return 60 + 18 * math::sin(x / 16); }

/// A winding slot, 12 m wide and 40 m deep, whose floor falls towards the east.
Terrain canyon() {
  Grid<float> z(world.width, world.height);
  for (int64_t j = 0; j < world.height; ++j)
    for (int64_t i = 0; i < world.width; ++i) {
      const double x = world.x(i), y = world.y(j);
      double near = 1e9;
      for (double s = x - 30; s <= x + 30; s += 0.5) near = std::min(near, std::hypot(s - x, way(s) - y));
      const double wall = 1 / (1 + std::exp((6 - near) / 0.5));
      z(i, j) = static_cast<float>(40 * wall + 0.1 * (200 - x) * (1 - wall) * 0.2 + 0.02 * near * (1 - wall));
    }
  return Terrain(world, {0, 40}, std::move(z));
}

Lines river() {
  Polyline line;
  for (double x = 0; x <= 200; x += 2) line.points.push_back({x, way(x), 0.02 * (200 - x)});
  return Lines({line});
}

Geology one_rock(double resistance) {
  RockPlanesParams params;
  params.base = resistance;
  params.roughness = 0;
  params.planes = {};
  return rock_planes(world, params, Context());
}

RiverErosionParams usual() {
  RiverErosionParams params;
  params.depth = metres(3.4);
  return params;
}

Volume solid(const Geology& rock) { return implicitize(canyon(), nullptr, &rock, {.floor = metres(30)}, Context()); }

/// How far the wall is from the river's middle at a bend, to the side of its middle or away from it.
double wall(const Volume& volume, double x, double side, double z) {
  return volume.cast({x, way(x), z}, {0, side, 0}, 50, 0.2).value_or(50);
}

}  // namespace

TEST(RiverErosion, TakesTheOuterBankMoreThanTheInner) {
  const Volume before = solid(one_rock(0.4));
  const Lines line = river();
  const Volume after = river_erosion(world, before, nullptr, &line, nullptr, nullptr, nullptr, usual(), Context());
  double outer = 0, inner = 0;
  int count = 0;
  // Bends are sharpest where the sine is at its ends.
  for (const int bend : {1, 2, 3}) {
    const double x = 16 * math::pi * (bend - 0.5), side = bend % 2 == 1 ? 1 : -1;
    for (double z = 4.5; z <= 8; z += 0.5)
      for (double aside = -3; aside <= 3; aside += 1, ++count) {
        outer += wall(after, x + aside, side, z) - wall(before, x + aside, side, z);
        inner += wall(after, x + aside, -side, z) - wall(before, x + aside, -side, z);
      }
  }
  EXPECT_GT(inner / count, 1);
  EXPECT_GE(outer, 1.4 * inner);
  RecordProperty("ratio", fmt::format("{:.2f}", outer / inner));
}

TEST(RiverErosion, FindsTheRiverOfTheLandItself) {
  const Volume before = solid(one_rock(0.1));
  RiverErosionParams params = usual();
  params.power = 0;
  const Volume after = river_erosion(world, before, nullptr, nullptr, nullptr, nullptr, nullptr, params, Context());
  double sum = 0;
  for (double x = 40; x <= 160; x += 10) sum += wall(after, x, 1, 6) - wall(before, x, 1, 6);
  EXPECT_GT(sum / 13, 2);
  ASSERT_EQ(after.made().size(), 1u);
  EXPECT_GT(after.made()[0].numbers[0].value, 100);
  // The rim, 30 m higher, stays in hard rock.
  const Lines line = river();
  const Volume hard = solid(one_rock(0.7));
  const Volume cut = river_erosion(world, hard, nullptr, &line, nullptr, nullptr, nullptr, params, Context());
  for (double x = 40; x <= 160; x += 10) EXPECT_EQ(wall(cut, x, 1, 37), wall(hard, x, 1, 37));
}

TEST(RiverErosion, HasThePapersRule) {
  const Volume before = solid(one_rock(0.3));
  RiverErosionParams params = usual();
  params.form = CarvingForm::paper;
  const Volume after = river_erosion(world, before, nullptr, nullptr, nullptr, nullptr, nullptr, params, Context());
  EXPECT_GT(after.made()[0].numbers[0].value, 100);
  EXPECT_NE(after.hash(), before.hash());
}

TEST(RiverErosion, NeverTakesRockOfResistanceOneAndNeedsARiver) {
  const Volume before = solid(one_rock(1));
  const Lines line = river();
  for (const CarvingForm form : {CarvingForm::metres, CarvingForm::paper}) {
    RiverErosionParams params = usual();
    params.form = form;
    const Volume after = river_erosion(world, before, nullptr, &line, nullptr, nullptr, nullptr, params, Context());
    EXPECT_EQ(after.made()[0].numbers[0].value, 0);
  }
  const Volume none = river_erosion(
      world, before, nullptr, nullptr, nullptr, nullptr, nullptr,
      [] {
        RiverErosionParams p = usual();
        p.source = 1e12;
        return p;
      }(),
      Context());
  EXPECT_EQ(none.made()[0].numbers[0].value, 0);
  Primitive ball;
  ball.skeleton = {{100, 60, 0}};
  ball.falloff = 40;
  ball.energy = 30;
  const Volume heap(with_primitives(empty_solid(7.5), {ball}, 7.5), 7.5);
  EXPECT_NE(test::error_of([&] {
              river_erosion(world, heap, nullptr, nullptr, nullptr, nullptr, nullptr, usual(), Context());
            }).find("not made of land"),
            std::string::npos);
  EXPECT_EQ(river_erosion(world, Volume(), nullptr, &line, nullptr, nullptr, nullptr, usual(), Context())
                .made()[0]
                .numbers[0]
                .value,
            0);
}

TEST(RiverErosion, LeavesLandWithoutARiverAsItIs) {
  const Geology rock = one_rock(0.2);
  const auto points = [](const Volume& volume) { return volume.made().back().numbers[0].value; };
  const Terrain flat(world, {0, 40}, Grid<float>(world.width, world.height, 20));
  const Volume plain = implicitize(flat, nullptr, &rock, {.floor = metres(30)}, Context());
  const Volume walls = solid(rock);
  Polyline away;
  away.points = {{5000, 5000, 10}, {5200, 5000, 0}};
  const Lines outside({away}), none;
  for (const CarvingForm form : {CarvingForm::metres, CarvingForm::paper}) {
    RiverErosionParams params = usual();
    params.form = form;
    // Level land has no walls.
    EXPECT_EQ(points(river_erosion(world, plain, nullptr, nullptr, nullptr, nullptr, nullptr, params, Context())), 0);
    // Land under the sea has no rivers.
    params.sea_level = 100;
    const Volume sunk = river_erosion(world, walls, nullptr, nullptr, nullptr, nullptr, nullptr, params, Context());
    EXPECT_TRUE(std::isfinite(points(sunk)));
    if (form == CarvingForm::metres) {
      EXPECT_EQ(points(sunk), 0);
    }
  }
  for (const Lines* lines : {&outside, &none}) {
    const Volume after = river_erosion(world, walls, nullptr, lines, nullptr, nullptr, nullptr, usual(), Context());
    EXPECT_EQ(points(after), 0);
    EXPECT_EQ(wall(after, 100, 1, 6), wall(walls, 100, 1, 6));
  }
}

TEST(RiverErosion, RefusesAMaskOfAnotherFrameAndFindsDrainageItself) {
  const Volume before = solid(one_rock(0.2));
  const Lines line = river();
  const Frame coarse = make_world({200, 120}, 51);
  const auto all = [](const Frame& frame) {
    return Terrain(frame, {0, 1}, Grid<float>(frame.width, frame.height, 0))
        .with(make_layer("mask", "", LayerKind::mask, Grid<float>(frame.width, frame.height, 1)));
  };
  const Terrain other = all(coarse), same = all(world);
  EXPECT_NE(test::error_of([&] {
              river_erosion(world, before, nullptr, &line, nullptr, &other, nullptr, usual(), Context());
            }).find("the mask"),
            std::string::npos);
  const Volume masked = river_erosion(world, before, nullptr, &line, nullptr, &same, nullptr, usual(), Context());
  EXPECT_GT(wall(masked, 75, 1, 6), wall(before, 75, 1, 6) + 1);
  // The drainage is found where the land does not have it.
  const Terrain land = canyon();
  EXPECT_GT(river_erosion(world, before, &land, nullptr, nullptr, nullptr, nullptr, usual(), Context())
                .made()[0]
                .numbers[0]
                .value,
            100);
  RiverErosionParams params = usual();
  params.weak = {0.6, 0.2};
  EXPECT_NE(test::error_of([&] {
              river_erosion(world, before, nullptr, &line, nullptr, nullptr, nullptr, params, Context());
            }).find("'weak' ends below"),
            std::string::npos);
}

TEST(RiverErosion, IsTheSameForAnyNumberOfThreads) {
  const Volume before = solid(one_rock(0.2));
  RiverErosionParams params = usual();
  params.passes = 1;
  test::expect_same_bits([&] {
    return river_erosion(world, before, nullptr, nullptr, nullptr, nullptr, nullptr, params, Context()).hash();
  });
}

TEST(RiverWays, BendTowardsTheMiddleOfACircle) {
  Polyline circle;
  for (int i = 0; i <= 200; ++i)
    circle.points.push_back({50 * math::cos(i * 0.02), 50 * math::sin(i * 0.02), 20 - 0.05 * i});
  const RiverWays ways(Lines({circle}), 1, 12, 30);
  ASSERT_GT(ways.points().size(), 150u);
  double distance = 0;
  const WayPoint* near = ways.nearest({60 * math::cos(2.0), 60 * math::sin(2.0)}, distance);
  ASSERT_NE(near, nullptr);
  EXPECT_NEAR(distance, 10, 0.7);
  EXPECT_NEAR(near->level, 15, 0.3);
  // L^2 / 2r over 0.15 L, a little less for the smoothing.
  EXPECT_NEAR(std::hypot(near->bend.x, near->bend.y), 0.8, 0.05);
  EXPECT_LT(near->bend.x * math::cos(2.0) + near->bend.y * math::sin(2.0), -0.75);
  EXPECT_EQ(ways.nearest({200, 0}, distance), nullptr);
  EXPECT_FALSE(ways.may({300, 0}, {400, 100}));
  EXPECT_TRUE(ways.may({60, -10}, {100, 10}));
  EXPECT_TRUE(RiverWays(Lines(), 1, 12, 30).empty());
}

RC_GTEST_PROP(RiverWays, FindTheNearestPointAsLookingAtAllDoes, ()) {
  const double reach = 3 + *rc::gen::inRange(0, 40);
  const RiverWays ways(river(), 1.5, 12, reach);
  for (int i = 0; i < 30; ++i) {
    const Vec2 at{*rc::gen::inRange(-100, 3000) / 10.0, *rc::gen::inRange(-100, 1500) / 10.0};
    double best = reach, distance = 0;
    for (const WayPoint& p : ways.points()) best = std::min(best, std::hypot(p.at.x - at.x, p.at.y - at.y));
    const WayPoint* found = ways.nearest(at, distance);
    RC_ASSERT((found != nullptr) == (best < reach));
    if (found != nullptr) RC_ASSERT(std::abs(distance - best) < 1e-9);
    RC_ASSERT(found == nullptr || ways.may(at, at));
  }
}

}  // namespace tepui::river_erosion_test
