// What lies on land that has nothing to offer: every operator of cover, one after the other, on the ends of the world.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tepui/cover/climate.h"
#include "tepui/cover/dunes.h"
#include "tepui/cover/plants.h"
#include "tepui/cover/scatter.h"
#include "tepui/cover/snow.h"
#include "tepui/cover/soil.h"
#include "tests/cover/any_plant_land.h"
#include "tests/support/support.h"

namespace tepui::extremes_test {
namespace {

Terrain ground(int64_t w, int64_t h, double cell, const std::function<double(int64_t, int64_t)>& z) {
  Terrain land = test::sample_land(w, h, 1, cell);
  Grid<float> cells(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) cells(x, y) = static_cast<float>(z(x, y));
  const auto [low, high] = std::ranges::minmax(cells.cells());
  return Terrain(land.frame(), {static_cast<double>(low), static_cast<double>(high)}, std::move(cells));
}

Terrain level(int64_t w, int64_t h) {
  return ground(w, h, 10, [](int64_t, int64_t) { return 300.0; });
}
/// A wall of 84 degrees.
Terrain cliffs() {
  return ground(10, 8, 10, [](int64_t x, int64_t) { return 100.0 * static_cast<double>(x); });
}
Terrain hills() { return test::sample_land(12, 10, 7, 10, {200, 260}); }

ClimateParams weather(double latitude, double temperature, double rain = 1200) {
  ClimateParams params;
  params.latitude = {latitude}, params.temperature = temperature, params.rain = rain;
  return params;
}

/// The layers that an operator adds are numbers, none of them below 0 but temperatures.
void expect_sound(const Terrain& land) {
  for (const Layer& layer : land.layers())
    for (const float v : layer.grid().cells()) {
      ASSERT_TRUE(std::isfinite(v)) << layer.name;
      if (layer.name != "height" && !layer.name.starts_with("temperature")) {
        ASSERT_GE(v, 0) << layer.name;
      }
    }
  for (int64_t i = 0; i < land.height().size() && land.find("grass") != nullptr; ++i) {
    float sum = 0;
    for (const char* plant : {"grass", "shrub", "conifer", "broadleaf"}) sum += land.layer(plant).grid().data()[i];
    ASSERT_LE(sum, 1 + 1e-5f);
  }
}

float most(const Terrain& land, const char* name) { return std::ranges::max(land.layer(name).grid().cells()); }

/// All of cover, in the order of a recipe.
Terrain covered(const Terrain& land, const ClimateParams& params) {
  Terrain result = soil(climate(land, params, {}), nullptr, nullptr, {}, {});
  expect_sound(result);
  SnowParams year;
  year.season = Season::winter;
  result = snow(result, nullptr, year, {});
  expect_sound(result);
  result = plants(result, nullptr, {}, {});
  expect_sound(result);
  return result;
}

size_t standing(const Terrain& land) { return scatter(land, nullptr, {}, {}).features(); }

TEST(Extremes, EveryLandInEveryWeatherIsDefined) {
  const Terrain lands[] = {level(1, 1),
                           level(1, 9),
                           level(9, 1),
                           level(9, 7),
                           cliffs(),
                           hills(),
                           test::with_even(hills(), "water", 50),
                           test::with_even(hills(), "water_level", 1000)};
  DunesParams breeze;
  breeze.years = 1, breeze.size = percent(100);
  for (const Terrain& land : lands) expect_sound(dunes(land, nullptr, breeze, {}));
  const ClimateParams weathers[] = {weather(90, -20), weather(-90, -60),  weather(46, -80),
                                    weather(0, 60),   weather(30, 25, 0), weather(60, 5, 12000)};
  for (const Terrain& land : lands)
    for (const ClimateParams& params : weathers) {
      const Terrain result = covered(land, params);
      const Lines points = scatter(result, nullptr, {}, {});
      for (const Vec3& place : points.vertices())
        ASSERT_TRUE(std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z));
    }
}

TEST(Extremes, NothingGrowsUnderWaterOrInFrostThatLasts) {
  const Terrain drowned = covered(test::with_even(hills(), "water", 50), weather(46, 10));
  const Terrain frozen = covered(hills(), weather(90, -40));
  for (const char* plant : {"grass", "shrub", "conifer", "broadleaf"}) EXPECT_EQ(most(drowned, plant), 0) << plant;
  for (const char* tree : {"conifer", "broadleaf"}) EXPECT_LT(most(frozen, tree), 0.02f) << tree;
  EXPECT_EQ(standing(drowned), 0u);
}

TEST(Extremes, CliffsHoldNoSnowNoSoilAndNoTrees) {
  const Terrain result = covered(cliffs(), weather(46, 0));
  // What fell slid to the foot.
  for (int64_t y = 0; y < 8; ++y)
    for (int64_t x = 2; x < 10; ++x) EXPECT_LT(result.layer("snow").grid()(x, y), 1e-3f) << x << ", " << y;
  EXPECT_LT(most(result, "soil"), 0.05f);
  for (const char* tree : {"conifer", "broadleaf"}) EXPECT_LT(most(result, tree), 0.05f) << tree;
}

TEST(Extremes, WithoutSoilThereAreFewTreesAndHeatLeavesNoSnow) {
  const Terrain warm = climate(hills(), weather(46, 10), {});
  const auto trees_on = [&](double depth) {
    const Terrain result = plants(test::with_even(warm, "soil", depth), nullptr, {}, {});
    expect_sound(result);
    double sum = 0;
    for (const char* tree : {"conifer", "broadleaf"})
      for (const float share : result.layer(tree).grid().cells()) sum += static_cast<double>(share);
    return sum / static_cast<double>(result.height().size());
  };
  EXPECT_LT(trees_on(0), 0.5 * trees_on(1));
  EXPECT_EQ(most(covered(hills(), weather(0, 60)), "snow"), 0);
}

TEST(Extremes, WhatIsMissingIsNamed) {
  const Terrain land = hills(), warm = climate(land, {}, {});
  EXPECT_NE(test::error_of([&] { plants(land, nullptr, {}, {}); }).find("climate"), std::string::npos);
  EXPECT_NE(test::error_of([&] { plants(warm, nullptr, {}, {}); }).find("soil"), std::string::npos);
  EXPECT_NE(test::error_of([&] { snow(land, nullptr, {}, {}); }).find("climate"), std::string::npos);
  EXPECT_NE(test::error_of([&] { scatter(land, nullptr, {}, {}); }).find("plants"), std::string::npos);
}

}  // namespace
}  // namespace tepui::extremes_test
