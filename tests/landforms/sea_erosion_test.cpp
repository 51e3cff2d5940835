#include "tepui/landforms/sea_erosion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tepui/core/random.h"
#include "tepui/geology/rock_planes.h"
#include "tepui/geology/strata.h"
#include "tepui/landforms/carving.h"
#include "tepui/volume/implicitize.h"
#include "tests/support/support.h"

namespace tepui::sea_erosion_test {

namespace {

/// Land that stands 40 m above a sea 20 m deep, its cliff at x = 60 of 120 m.
constexpr double wide = 120, cliff = 60;
const Frame world = make_world({wide, wide}, 121);

Terrain coast(double top = 40, double bottom = -20, const Frame& frame = world) {
  Grid<float> z(121, 121);
  for (int64_t y = 0; y < 121; ++y)
    for (int64_t x = 0; x < 121; ++x)
      z(x, y) = static_cast<float>(bottom + (top - bottom) / (1 + std::exp((cliff - static_cast<double>(x)) / 1.2)));
  return Terrain(frame, {bottom, top}, std::move(z));
}

/// Rock of one resistance in the south and another in the north.
Geology two_rocks(double south, double north) {
  RockPlanesParams params;
  params.base = south;
  params.roughness = 0;
  // Upright, so wide that it covers the north; its middle third is as hard as its middle, nearly.
  params.planes = {{.elevation = metres(0),
                    .thickness = metres(90),
                    .resistance = north - south,
                    .dip = {90},
                    .direction = {0},
                    .y = metres(60)}};
  return rock_planes(world, params, Context());
}
Geology one_rock(double resistance) {
  RockPlanesParams params;
  params.base = resistance;
  params.roughness = 0;
  params.planes = {};
  return rock_planes(world, params, Context());
}

Volume solid(const Geology& rock, const Terrain& land = coast()) {
  return implicitize(land, nullptr, &rock, {.floor = metres(20)}, Context());
}

SeaErosionParams usual() {
  SeaErosionParams params;
  params.depth = metres(5.5);
  return params;
}

Volume eroded(const Volume& in, const SeaErosionParams& params) {
  return sea_erosion(world, in, nullptr, nullptr, nullptr, params, Context());
}

/// The x of the cliff's face at a place along the coast, from the sea.
double face(const Volume& volume, double y, double z) {
  const auto hit = volume.cast({20, y, z}, {1, 0, 0}, 100, 0.25);
  return hit ? 20 + *hit : wide;
}
double retreat(const Volume& before, const Volume& after, double from, double to) {
  double sum = 0;
  int count = 0;
  for (double y = from; y <= to; y += 1)
    for (double z = -1; z <= 4; z += 1, ++count) sum += face(after, y, z) - face(before, y, z);
  return sum / count;
}

}  // namespace

TEST(SeaErosion, TakesWeakRockAtLeastTwoAndAHalfTimesAsFarAsHard) {
  const Geology rock = two_rocks(0.8, 0.1);
  const Volume before = solid(rock), after = eroded(before, usual());
  const double hard = retreat(before, after, 12, 24), weak = retreat(before, after, 100, 112);
  EXPECT_GT(hard, 0.2);
  EXPECT_GT(weak, 8);
  EXPECT_GE(weak, 2.5 * hard);
  RecordProperty("weak_over_hard", std::to_string(weak / hard));
}

TEST(SeaErosion, ByThePapersRuleTakesThemNearlyAlike) {
  const Geology rock = two_rocks(0.8, 0.1);
  const Volume before = solid(rock);
  SeaErosionParams params = usual();
  params.form = CarvingForm::paper;
  const Volume after = eroded(before, params);
  const double hard = retreat(before, after, 12, 24), weak = retreat(before, after, 100, 112);
  EXPECT_GT(hard, 1);
  EXPECT_GT(weak, hard);
  const Volume other = eroded(before, usual());
  const double ratio = retreat(before, other, 100, 112) / retreat(before, other, 12, 24);
  EXPECT_LT(weak / hard, ratio);
  std::printf("paper %.1f / %.1f, metres ratio %.2f\n", weak, hard, ratio);
}

TEST(SeaErosion, NeverTakesRockOfResistanceOne) {
  const Geology rock = two_rocks(1, 0.1);
  const Volume before = solid(rock);
  for (const CarvingForm form : {CarvingForm::metres, CarvingForm::paper}) {
    SeaErosionParams params = usual();
    params.form = form;
    const Volume after = eroded(before, params);
    const Stream random(5);
    int hardest = 0;
    for (uint64_t i = 0; i < 4000; ++i) {
      const Vec3 at{random.uniform(i, 0, 50, 80), random.uniform(i, 1, 2, 118), random.uniform(i, 2, -10, 30)};
      if (before.resistance(at) < 1) continue;
      EXPECT_EQ(after.value(at), before.value(at)) << at.y;
      ++hardest;
    }
    EXPECT_GT(hardest, 300);
    EXPECT_NE(after.hash(), before.hash());
  }
  const Volume all = solid(one_rock(1));
  EXPECT_EQ(eroded(all, usual()).made().front().numbers.front().value, 0);
}

TEST(SeaErosion, LeavesHighAndDeepRockAlone) {
  const Volume before = solid(one_rock(0.1)), after = eroded(before, usual());
  // 3.2 times 8 m above the sea, and a falloff more.
  for (double y = 5; y < 115; y += 3) {
    EXPECT_EQ(face(after, y, 38), face(before, y, 38));
    EXPECT_EQ(face(after, y, -18.5), face(before, y, -18.5));
  }
}

TEST(SeaErosion, IsNothingWhereTheSeaDoesNotReach) {
  for (const double level : {-300.0, 500.0}) {
    SeaErosionParams params = usual();
    params.sea_level = level;
    const Volume before = solid(one_rock(0.2)), after = eroded(before, params);
    EXPECT_EQ(after.value({58, 60, 0}), before.value({58, 60, 0}));
    ASSERT_EQ(after.made().size(), 1u);
    EXPECT_EQ(after.made()[0].numbers[0], (Made::Number{"points", 0}));
  }
  const Volume flat = solid(one_rock(0.2), Terrain(world, {0, 1}, Grid<float>(121, 121, -5)));
  const Volume same = eroded(flat, usual());
  EXPECT_EQ(same.value({60, 60, -5.2}), flat.value({60, 60, -5.2}));
  SeaErosionParams none = usual();
  none.passes = 0;
  EXPECT_EQ(eroded(flat, none).share(), flat.share());
  EXPECT_TRUE(eroded(Volume(), usual()).support().empty());
}

TEST(SeaErosion, WorksWithinItsRegionOnly) {
  const Volume before = solid(one_rock(0.1));
  SeaErosionParams params = usual();
  params.falloff = metres(6);
  const Lines north({{"", {{0, 80, 0}, {120, 80, 0}, {120, 130, 0}, {0, 130, 0}}, true, {}}});
  const Volume after = sea_erosion(world, before, nullptr, nullptr, &north, params, Context());
  for (double y = 4; y < 60; y += 4) EXPECT_EQ(face(after, y, 1), face(before, y, 1));
  EXPECT_GT(retreat(before, after, 90, 110), 5);
  // Half the region gives the same within it.
  const Volume whole = eroded(before, params);
  for (double y = 108; y < 118; y += 1) EXPECT_NEAR(face(after, y, 1), face(whole, y, 1), 0.3);
}

TEST(SeaErosion, IsTheSameForAnyNumberOfThreadsAndAnotherOfAnotherSeed) {
  const Volume before = solid(one_rock(0.2));
  SeaErosionParams params = usual();
  params.passes = 2;
  test::expect_same_bits([&] { return eroded(before, params).hash(); });
  SeaErosionParams other = params;
  other.seed.node = 3;
  EXPECT_NE(eroded(before, other).hash(), eroded(before, params).hash());
}

TEST(SeaErosion, LeavesTheCutSidesOfLandAlone) {
  // All land, and the sea around the block: the block's sides are where the map ends, no cliffs.
  const Volume before = solid(one_rock(0.1), Terrain(world, {0, 40}, Grid<float>(121, 121, 30)));
  const Volume after = eroded(before, usual());
  EXPECT_EQ(after.made().front().numbers.front(), (Made::Number{"points", 0}));
  EXPECT_EQ(after.value({1, 60, 1}), before.value({1, 60, 1}));
}

TEST(SeaErosion, WorksFarFromTheOriginAsOnLandInUtm) {
  Frame far = world;
  far.origin = {712000, 3864000};
  const Terrain land = coast(40, -20, far);
  const Geology rock = one_rock(0.1);
  const Volume before = implicitize(land, nullptr, &rock, {.floor = metres(20)}, Context());
  const Volume after = sea_erosion(far, before, nullptr, nullptr, nullptr, usual(), Context());
  const Vec3 from{far.origin.x + 20, far.origin.y + 60, 1};
  const auto a = before.cast(from, {1, 0, 0}, 100, 0.25), b = after.cast(from, {1, 0, 0}, 100, 0.25);
  ASSERT_TRUE(a && b);
  EXPECT_GT(*b, *a + 8);
}

TEST(SeaErosion, TakesWhatIsNoLandAndRefusesMasksOfAnotherFrame) {
  Primitive ball;
  ball.skeleton = {{60, 60, 0}};
  ball.falloff = 40;
  ball.energy = 15;
  const Volume rock(with_primitives(empty_solid(7.5), {ball}, 7.5), 7.5, one_rock(0.1));
  const Volume after = eroded(rock, usual());
  EXPECT_GT(after.made().front().numbers.front().value, 0);
  const Frame other = make_world({wide, wide}, 61);
  const Terrain mask(other, {0, 1}, Grid<float>(61, 61, 1));
  const std::string error =
      test::error_of([&] { sea_erosion(world, solid(one_rock(0.1)), nullptr, &mask, nullptr, usual(), Context()); });
  EXPECT_NE(error.find("mask"), std::string::npos) << error;
}

TEST(SeaErosion, RefusesSizesThatMakeNoSense) {
  const Volume before = solid(one_rock(0.2));
  SeaErosionParams params = usual();
  params.spacing = metres(50);
  EXPECT_NE(test::error_of([&] { eroded(before, params); }).find("spacing"), std::string::npos);
  params = usual();
  params.weak = {0.6, 0.2};
  EXPECT_NE(test::error_of([&] { eroded(before, params); }).find("weak"), std::string::npos);
}

RC_GTEST_PROP(SheetCarving, OfNoStrengthHasNoEffect, ()) {
  const double rho = *rc::gen::inRange(0, 101) / 100.0;
  RC_ASSERT(erosion_effect(rho, 0) == 0);
  RC_ASSERT(std::abs(erosion_effect(1, 1) - 0.1) < 1e-12);
  RC_ASSERT(erosion_effect(rho, 1) >= 0.1 - 1e-12);
}

/// On a wall of deep rock: so large a body that its field is 2T half a metre within.
RC_GTEST_PROP(SheetCarving, TakesTheDepthThatIsWanted, ()) {
  const double threshold = 7.5, radius = 3 + *rc::gen::inRange(0, 40) / 10.0;
  const double wanted = radius * (0.25 + *rc::gen::inRange(0, 46) / 100.0), spacing = 0.44 * radius;
  Primitive body;
  body.shape = PrimitiveShape::box;
  body.skeleton = {{100, 0, 0}};
  body.half = {100, 60, 60};
  body.falloff = 0.5;
  body.energy = 2 * threshold;
  const Volume rock(with_primitives(empty_solid(threshold), {body}, threshold), threshold);
  const SurfaceFilter front{.accept = [](Vec3, Vec3 normal) { return normal.x < -0.9; }};
  const Box3 region{{-2, -25, -25}, {2, 25, 25}};
  // The mean of a few places is off by how many points happen to lie there; of four sheets of points it is not.
  double sum = 0;
  int count = 0;
  for (int sheet = 0; sheet < 4; ++sheet) {
    const Stream random(*rc::gen::arbitrary<uint64_t>());
    const auto samples = sample_surface(rock, region, spacing, random, front, Context());
    RC_ASSERT(!samples.empty());
    std::vector<FieldPoint> points;
    for (const SurfaceSample& s : samples)
      points.push_back({s.at, radius, sheet_energy(threshold, wanted, radius, spacing)});
    const Volume carved = rock.with_root(with_points(rock.share(), points, threshold));
    const double face = samples.front().at.x;
    for (double y = -12; y <= 12; y += 2)
      for (double z = -12; z <= 12; z += 2, ++count)
        sum += carved.cast({-5, y, z}, {1, 0, 0}, 40, 0.1).value_or(40) - 5 - face;
  }
  RC_ASSERT(std::abs(sum / count - wanted) < 0.1 * wanted);
}

}  // namespace tepui::sea_erosion_test
