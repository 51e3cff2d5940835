#include "tepui/cover/soil.h"

#include <cmath>
#include <limits>

#include "reference/soil.h"
#include "tepui/core/error.h"
#include "tepui/cover/smoothed.h"
#include "tests/cover/any_plant_land.h"
#include "tests/support/beds.h"
#include "tests/support/contains.h"

namespace tepui::soil_test {

namespace {

const Context quiet;

SoilParams any_soil() {
  SoilParams p;
  p.age = *rc::gen::element(0.0, 500.0, 12000.0, 60000.0);
  p.production = *rc::gen::element(0.0, 0.15, 1.0);
  p.creep = *rc::gen::element(0.0, 3.0, 20.0);
  p.steepest = {*rc::gen::element(15.0, 42.0, 80.0)};
  p.smoothing = metres(*rc::gen::element(20.0, 50.0, 200.0));
  return p;
}

Terrain heights(int64_t w, int64_t h, double cell, const std::function<double(double, double)>& z) {
  Grid<float> cells(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x)
      cells(x, y) = static_cast<float>(z(cell * static_cast<double>(x), cell * static_cast<double>(y)));
  const double side = cell * static_cast<double>(std::max(w, h) - 1);
  Frame frame = make_world({std::max(side, 1.0), std::max(side, 1.0)}, std::max(w, h));
  frame.cell = {cell, cell}, frame.width = w, frame.height = h;
  return Terrain(frame, {0, 1000}, std::move(cells));
}

float at(const Terrain& land, const char* layer, int64_t x, int64_t y) { return land.layer(layer).grid()(x, y); }

double sum(const Grid<float>& cells) {
  double total = 0;
  for (const float c : cells.cells()) total += static_cast<double>(c);
  return total;
}

}  // namespace

RC_GTEST_PROP(Soil, AgreesWithTheReference, ()) {
  Terrain land = test::any_hills();
  if (*rc::gen::arbitrary<bool>()) land = test::with_any(land, "sediment", 0, 9, *rc::gen::inRange<uint64_t>(0, 99));
  if (*rc::gen::arbitrary<bool>()) land = test::with_any(land, "talus", 0, 1, *rc::gen::inRange<uint64_t>(0, 99));
  if (*rc::gen::arbitrary<bool>()) land = test::with_any(land, "hardness", 0, 1, *rc::gen::inRange<uint64_t>(0, 99));
  static const Geology beds = test::sample_rock();
  const Geology* rock = *rc::gen::element<const Geology*>(nullptr, &beds);
  const SoilParams p = any_soil();
  const Terrain made = soil(land, nullptr, rock, p, quiet), plain = reference::soil(land, rock, p);
  // Heights are floats here and doubles there: what a small error of a bend makes of it in the time.
  const double bound = 2e-4 + p.age * p.creep / 1000 * 8e-5;
  RC_ASSERT(test::max_difference(made.layer("soil").grid(), plain.layer("soil").grid()) < bound);
  RC_ASSERT(test::max_difference(made.layer("talus").grid(), plain.layer("talus").grid()) < 1e-4);
  RC_ASSERT(test::same_cells(made.height(), land.height()));
}

RC_GTEST_PROP(Soil, IsNeverNegativeNorEndlessWhateverTheLand, ()) {
  const double huge = *rc::gen::element(1e5, 1e30, 3e38);
  Terrain land = test::with_any(test::any_hills(), "height", -huge, huge, 3);
  for (const char* layer : {"sediment", "water", "drainage"})
    if (*rc::gen::arbitrary<bool>()) land = test::with_any(land, layer, 0, huge, 5);
  const Terrain made = soil(land, nullptr, nullptr, any_soil(), quiet);
  for (const char* layer : {"soil", "talus", "gravel", "mud"})
    for (const float depth : made.layer(layer).grid().cells()) RC_ASSERT(depth >= 0 && std::isfinite(depth));
}

TEST(Soil, LiesThinOnCrestsDeepInHollowsAndNotOnWalls) {
  const auto tents = [](double x, double) { return 0.5 * std::abs(std::fmod(x, 400) - 200); };
  const Terrain made = soil(heights(201, 40, 4, tents), nullptr, nullptr, {}, quiet);
  EXPECT_LT(at(made, "soil", 100, 20), 0.7f * at(made, "soil", 75, 20));  // a crest, and the slope below it
  EXPECT_GT(at(made, "soil", 50, 20), 1.5f * at(made, "soil", 75, 20));   // a hollow
  const auto wall = [](double x, double) { return x < 200 ? 0 : x < 260 ? 2 * (x - 200) : 120; };
  const Terrain cliff = soil(heights(101, 20, 4, wall), nullptr, nullptr, {}, quiet);
  EXPECT_EQ(at(cliff, "soil", 57, 10), 0);
  EXPECT_GT(at(cliff, "soil", 10, 10), 0.7f);
}

TEST(Soil, OfALevelLandIsWhatWeatheringAloneMakes) {
  const Terrain land = heights(20, 9, 5, [](double, double) { return 100; });
  // H = h* ln u, u = 1 + P0 t / h*, nearly
  const auto depth = [&](double age) {
    SoilParams p;
    p.age = age;
    return static_cast<double>(at(soil(land, nullptr, nullptr, p, quiet), "soil", 3, 4));
  };
  EXPECT_EQ(depth(0), 0);
  EXPECT_NEAR(depth(12000), 0.5 * std::log(4.6), 0.02);
  EXPECT_NEAR(depth(1e6), 0.5 * std::log(301), 1e-4);
}

TEST(Soil, ComesFasterFromWeakRock) {
  const Terrain land = heights(20, 9, 5, [](double x, double) { return 0.3 * x; });
  double before = 1e9;
  for (const double hardness : {0.0, 0.5, 0.9, 1.0}) {
    const double depth = static_cast<double>(
        at(soil(test::with_even(land, "hardness", hardness), nullptr, nullptr, {}, quiet), "soil", 9, 4));
    EXPECT_LT(depth, before);
    before = depth;
  }
  EXPECT_LT(before, 1e-5);
  // A bed of granite above 100 m, of shale from 0 to 50 m.
  const Geology rock = test::sample_rock();
  const auto of = [&](double z) {
    return at(soil(heights(9, 9, 5, [&](double, double) { return z; }), nullptr, &rock, {}, quiet), "soil", 4, 4);
  };
  EXPECT_GT(of(30), of(70));
}

TEST(Soil, BlocksLieWhereDebrisIsSteepAndFinesWhereItIsLevel) {
  const auto foot = [](double x, double) { return x < 200 ? 0 : 0.65 * (x - 200); };
  const Terrain land = test::with_even(heights(101, 20, 4, foot), "sediment", 4);
  const Terrain made = soil(land, nullptr, nullptr, {}, quiet);
  EXPECT_EQ(at(made, "talus", 20, 10), 0);
  EXPECT_FLOAT_EQ(at(made, "soil", 20, 10), 1.5f);
  EXPECT_FLOAT_EQ(at(made, "talus", 80, 10), 4);
  EXPECT_EQ(at(made, "soil", 80, 10), 0);
}

TEST(Soil, RiversLayGravelWhereTheyAreFastAndMudWhereTheyAreSlow) {
  for (const double slope : {0.02, 0.0003}) {
    Terrain land = heights(81, 41, 5, [&](double x, double) { return slope * x; });
    Grid<float> drainage(81, 41, 25.0f);
    for (int64_t x = 0; x < 81; ++x) drainage(x, 20) = 3e8f;
    land = land.with(make_layer("drainage", "m2", LayerKind::continuous, std::move(drainage)));
    const Terrain made = soil(land, nullptr, nullptr, {}, quiet);
    const char *bed = slope > 0.01 ? "gravel" : "mud", *other = slope > 0.01 ? "mud" : "gravel";
    EXPECT_GT(at(made, bed, 40, 20), 0.5f);
    EXPECT_GT(at(made, bed, 40, 21), 0.1f);
    EXPECT_EQ(at(made, bed, 40, 30), 0);
    EXPECT_EQ(at(made, other, 40, 20), 0);
    EXPECT_EQ(at(made, "soil", 40, 20), 0);
    EXPECT_GT(at(made, "soil", 40, 35), 0.5f);
    // As much runoff as there is discharge gives the same river.
    Grid<float> discharge(81, 41, 0.0f);
    for (int64_t x = 0; x < 81; ++x) discharge(x, 20) = static_cast<float>(3e8 * 0.5 / 31556952);
    const Terrain told = land.with(make_layer("discharge", "m3/s", LayerKind::continuous, std::move(discharge)));
    EXPECT_LT(test::max_difference(soil(told, nullptr, nullptr, {}, quiet).layer(bed).grid(), made.layer(bed).grid()),
              1e-4);
  }
}

TEST(Soil, LakesHaveFloorsOfMudAndShores) {
  const auto bowl = [](double x, double) { return 0.03 * std::abs(x - 200); };
  Terrain land = heights(81, 21, 5, bowl);
  Grid<float> water(81, 21, 0.0f);
  for (int64_t y = 0; y < 21; ++y)
    for (int64_t x = 0; x < 81; ++x) water(x, y) = std::max(3 - land.height()(x, y), 0.0f);
  land = land.with(make_layer("water", "m", LayerKind::continuous, std::move(water)));
  const Terrain made = soil(land, nullptr, nullptr, {}, quiet);
  EXPECT_GT(at(made, "mud", 40, 10), 0.6f);
  EXPECT_GT(at(made, "mud", 40, 10), at(made, "mud", 22, 10));
  EXPECT_GT(at(made, "mud", 19, 10), 0.05f);  // the shore, 15 cm above
  EXPECT_EQ(at(made, "mud", 10, 10), 0);
  EXPECT_EQ(at(made, "soil", 40, 10), 0);
  EXPECT_EQ(sum(made.layer("gravel").grid()), 0);
}

RC_GTEST_PROP(Soil, WhatFallsIsWhatLies, ()) {
  const Terrain land = test::with_any(test::any_hills(), "height", 0, *rc::gen::element(5.0, 100.0, 900.0), 7);
  SoilParams p;
  p.rockfall = *rc::gen::element(0.1, 2.0, 40.0);
  const Terrain made = soil(land, nullptr, nullptr, p, quiet);
  double lies = 0, rises = 0, most = 0;
  for (int64_t i = 0; i < land.height().size(); ++i) {
    const double depth = static_cast<double>(made.layer("talus").grid().data()[i]);
    RC_ASSERT(depth >= 0 && depth * 1024 == std::round(depth * 1024));
    const double rise = static_cast<double>(made.height().data()[i]) - static_cast<double>(land.height().data()[i]);
    // What a sample lost is a whole number of grains, too.
    RC_ASSERT(rise - depth >= -p.rockfall - 1e-3 && rise - depth <= 1e-3);
    lies += depth, rises += rise, most = std::max(most, depth);
  }
  // Heights are rounded to floats.
  RC_ASSERT(std::abs(rises) < 1e-4 * static_cast<double>(land.height().size()) + 1e-6 * lies);
}

TEST(Soil, ScreeLiesAtTheFootOfWallsAndNotOnThem) {
  const auto wall = [](double x, double) {
    return x < 200 ? 0.3 * x : x < 260 ? 60 + 2 * (x - 200) : 180 + 0.1 * (x - 260);
  };
  SoilParams p;
  p.rockfall = 2;
  const Terrain made = soil(heights(121, 20, 4, wall), nullptr, nullptr, p, quiet);
  EXPECT_EQ(at(made, "talus", 57, 10), 0);
  EXPECT_EQ(at(made, "talus", 90, 10), 0);
  EXPECT_GT(at(made, "talus", 45, 10), 1);
  EXPECT_GT(sum(made.layer("talus").grid()), 100);
}

TEST(Soil, ScreeFillsAPitNoSteeperThanItRests) {
  // All of the walls of a funnel fall to one place.
  const auto funnel = [](double x, double y) { return 1.2 * std::hypot(x - 160, y - 160); };
  SoilParams p;
  p.rockfall = 3;
  const Terrain made = soil(heights(81, 81, 4, funnel), nullptr, nullptr, p, quiet);
  EXPECT_GT(at(made, "talus", 40, 40), 3);
  for (int64_t y = 0; y < 81; ++y)
    for (int64_t x = 1; x < 81; ++x)
      if (at(made, "talus", x, y) > 0 && at(made, "talus", x - 1, y) > 0) {
        EXPECT_LT(std::abs(made.height()(x, y) - made.height()(x - 1, y)), 4 * 0.81 + 3.2) << x << " " << y;
      }
  EXPECT_LT(std::abs(made.height()(40, 40) - made.height()(44, 40)), 4 * 4 * 0.82);
}

TEST(Soil, AMaskScalesIt) {
  const Terrain land = test::with_even(test::sample_land(30, 20, 3), "sediment", 2);
  const Terrain made = soil(land, nullptr, nullptr, {}, quiet);
  const Terrain half = test::with_even(land, "mask", 0.5).only("mask");
  const Terrain scaled = soil(land, &half, nullptr, {}, quiet);
  for (const char* layer : {"soil", "talus"})
    for (int64_t i = 0; i < 600; ++i)
      EXPECT_NEAR(scaled.layer(layer).grid().data()[i], 0.5f * made.layer(layer).grid().data()[i], 1e-6);
}

TEST(Soil, IsTheSameAtHalfTheResolution) {
  const auto waves = [](double x, double y) { return 60 * std::cos(x / 70) * std::sin(y / 90) + 0.2 * x; };
  const Terrain fine = soil(heights(257, 257, 4, waves), nullptr, nullptr, {}, quiet);
  const Terrain coarse = soil(heights(129, 129, 8, waves), nullptr, nullptr, {}, quiet);
  double off = 0;
  for (int64_t y = 0; y < 129; ++y)
    for (int64_t x = 0; x < 129; ++x) off += std::abs(at(fine, "soil", 2 * x, 2 * y) - at(coarse, "soil", x, y));
  EXPECT_LT(off / (129 * 129), 0.02);
}

TEST(Smoothed, LeavesPlanesAndTakesAwayGrain) {
  const Terrain plane = heights(40, 60, 3, [](double x, double y) { return 2 * x - 0.7 * y + 100; });
  EXPECT_LT(test::max_difference(smoothed(plane.height(), plane.frame(), 30, quiet), plane.height()), 1e-3);
  EXPECT_TRUE(test::same_cells(smoothed(plane.height(), plane.frame(), 0, quiet), plane.height()));
  const Terrain grain = heights(41, 41, 3, [](double x, double y) { return std::fmod(x + y, 6) < 3 ? 1 : -1; });
  const Grid<float> smooth = smoothed(grain.height(), grain.frame(), 30, quiet);
  EXPECT_LT(std::abs(smooth(20, 20)), 0.02);
}

TEST(Soil, SameBitsOnAnyMachine) {
  Terrain land = test::with_any(test::sample_land(217, 60, 4), "drainage", 0, 1e9, 1);
  land = test::with_any(test::with_any(land, "sediment", 0, 5, 2), "water", 0, 2, 3);
  SoilParams p;
  p.rockfall = 1;
  test::expect_same_bits([&] { return soil(land, nullptr, nullptr, p, quiet).hash(); });
}

TEST(Soil, BadRequestsAreRefusedAndWorkStops) {
  const Terrain land = test::sample_land(9, 9, 1), other = test::sample_land(8, 9, 1);
  EXPECT_CONTAINS(test::error_of([&] { soil(land, &other, nullptr, {}, quiet); }), "'mask'");
  const CancelFlag cancel = true;
  EXPECT_THROW(soil(land, nullptr, nullptr, {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::soil_test
