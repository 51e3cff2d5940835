#include "tepui/cover/climate.h"

#include <algorithm>
#include <cmath>

#include "reference/climate.h"
#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/cover/orographic_rain.h"
#include "tepui/cover/sunlight.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/resample.h"
#include "tests/support/support.h"

namespace tepui::climate_test {

namespace {

const Context quiet;

Terrain flat(int64_t width, int64_t height, float z = 0, double cell = 10) {
  Frame frame;
  frame.cell = {cell, cell};
  frame.width = width, frame.height = height;
  frame.size = {cell * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                cell * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  return Terrain(frame, {0, 1}, Grid<float>(width, height, z));
}

Terrain sloping(double gx, double gy) {
  const Terrain level = flat(9, 9);
  Grid<float> z(9, 9);
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 0; x < 9; ++x)
      z(x, y) = static_cast<float>(10 * (gx * static_cast<double>(x) + gy * static_cast<double>(y)));
  return level.with_height(std::move(z));
}

double mean(const Grid<float>& cells) {
  double sum = 0;
  for (const float v : cells.cells()) sum += static_cast<double>(v);
  return sum / static_cast<double>(cells.size());
}
double mean(const Terrain& land, const char* layer) { return mean(land.layer(layer).grid()); }

constexpr const char* names[] = {
    "temperature", "temperature_summer", "temperature_winter", "sun", "sun_summer", "sun_winter", "rain"};

ClimateParams at(double latitude) {
  ClimateParams p;
  p.latitude = {latitude};
  return p;
}

/// Waves of hills, the same at any resolution.
Terrain hills(int64_t side, double world = 6000) {
  const Frame frame = make_world({world, world}, side);
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x)
      z(x, y) = static_cast<float>(600 + 300 * math::sin(frame.x(x) / 400) * math::sin(frame.y(y) / 300 + 1) +
                                   300 * math::sin((frame.x(x) + frame.y(y)) / 900));
  return Terrain(frame, {0, 1200}, std::move(z));
}

}  // namespace

RC_GTEST_PROP(Climate, HasEveryLayerFiniteOnLandOfAnyShape, ()) {
  const auto w = *rc::gen::element<int64_t>(1, 2, 9, 30), h = *rc::gen::element<int64_t>(1, 2, 9, 30);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>());
  ClimateParams p = at(*rc::gen::inRange(-90, 91));
  p.wind = {static_cast<double>(*rc::gen::inRange(-360, 361))};
  p.windward = *rc::gen::element(0.0, 1.0, 10.0);
  p.carry = *rc::gen::element(metres(0.001), metres(1e6), percent(15));
  const Terrain out = climate(land, p, quiet);
  for (const char* name : names) {
    const Grid<float>& cells = out.layer(name).grid();
    RC_ASSERT(cells.width() == w && cells.height() == h);
    for (const float v : cells.cells()) RC_ASSERT(std::isfinite(v));
  }
  for (const char* name : {"sun", "sun_summer", "sun_winter", "rain"})
    RC_ASSERT(*std::ranges::min_element(out.layer(name).grid().cells()) >= 0.0f);
  RC_ASSERT(std::abs(mean(out, "rain") - 1200) < 0.1);
  RC_ASSERT(out.height().data() == land.height().data());
}

TEST(Climate, TemperatureFallsWithHeightAndSwingsWithTheSeasons) {
  ClimateParams p = at(46.5);
  p.temperature = 14.2, p.seasons = 8.8;
  const Terrain out = climate(flat(3, 2, 2000), p, quiet);
  EXPECT_NEAR(mean(out, "temperature"), 1.2, 1e-5);
  EXPECT_NEAR(mean(out, "temperature_summer"), 10, 1e-5);
  EXPECT_NEAR(mean(out, "temperature_winter"), -7.6, 1e-5);
  // Of the Earth, roughly: the tropics, the Alps reduced to the sea, the edge of the tundra, the poles.
  EXPECT_NEAR(usual_temperature({0}), 27, 2);
  EXPECT_NEAR(usual_temperature({-46.5}), 12, 2);
  EXPECT_NEAR(usual_temperature({65}), -2, 2);
  EXPECT_NEAR(usual_temperature({90}), -17, 4);
  EXPECT_NEAR(usual_seasons({46.5}), 8.8, 0.3);
}

TEST(Climate, SunOfOpenLevelGroundIsThatOfAClearSky) {
  // W/m2: a clear day's mean of the longest and the shortest day as measured about there, roughly.
  const Terrain middle = climate(flat(4, 4), at(46.5), quiet);
  EXPECT_NEAR(mean(middle, "sun_summer"), 345, 15);
  EXPECT_NEAR(mean(middle, "sun_winter"), 60, 12);
  EXPECT_NEAR(mean(middle, "sun"), 200, 15);
}

TEST(Climate, PolarNightIsDarkAndPolarDayIsNot) {
  for (const double latitude : {70.0, 90.0, -80.0, -90.0}) {
    const Terrain out = climate(flat(4, 4), at(latitude), quiet);
    EXPECT_EQ(mean(out, "sun_winter"), 0) << latitude;
    EXPECT_GT(mean(out, "sun_summer"), 250) << latitude;
    EXPECT_GT(mean(out, "sun"), 50) << latitude;
  }
}

TEST(Climate, SlopesThatFaceTheNoonSunGetMoreOnBothHemispheres) {
  for (const double latitude : {46.5, -46.5}) {
    const double to_equator = latitude > 0 ? 1 : -1;
    const double sunny = mean(climate(sloping(0, 0.5 * to_equator), at(latitude), quiet), "sun");
    const double shady = mean(climate(sloping(0, -0.5 * to_equator), at(latitude), quiet), "sun");
    const double level = mean(climate(sloping(0, 0), at(latitude), quiet), "sun");
    EXPECT_GT(sunny, 1.1 * level);
    EXPECT_LT(shady, 0.75 * level);
  }
  // Morning and evening are alike.
  EXPECT_NEAR(mean(climate(sloping(0.5, 0), at(46.5), quiet), "sun"),
              mean(climate(sloping(-0.5, 0), at(46.5), quiet), "sun"), 0.5);
}

TEST(Climate, AMountainCastsAShadow) {
  const int64_t n = 41;
  Grid<float> z(n, n, 0.0f);
  for (int64_t x = 0; x < n; ++x) z(x, 10) = 200;
  const Terrain out = climate(flat(n, n).with_height(std::move(z)), at(46.5), quiet);
  const Grid<float>& sun = out.layer("sun_winter").grid();
  // North of the wall is dark in winter but for the sky; south of it is not.
  EXPECT_LT(sun(20, 14), 0.3f * sun(20, 3));
  EXPECT_LT(sun(20, 14), 20.0f);
}

TEST(Climate, SunEqualsRaysWalkedInTheReference) {
  for (const int64_t side : {17, 40}) {
    const Terrain land = hills(side, 90 * static_cast<double>(side));
    const Gradient slope = gradient(land, quiet);
    const Vec2 cell = land.frame().cell;
    const Sunlight light = sunlight(land.height(), cell, slope.east, slope.north, math::radians(46.5), quiet);
    const Grid<float> plain = reference::yearly_sun(land.height(), cell, slope.east, slope.north, math::radians(46.5));
    double difference = 0;
    for (int64_t i = 0; i < plain.size(); ++i)
      difference += std::abs(static_cast<double>(plain.data()[i]) - static_cast<double>(light.year.data()[i]));
    // Between the 24 horizons it is their mean; 30 W/m2 next to a crest's edge, and far less nearly everywhere.
    EXPECT_LT(difference / static_cast<double>(plain.size()), 2.5);
    EXPECT_LT(test::max_difference(light.year, plain), 30);
  }
}

RC_GTEST_PROP(Climate, RainAlongTheWindEqualsTheSumsOfTheReference, ()) {
  const auto count = *rc::gen::inRange<int64_t>(1, 60);
  const Terrain rough = test::sample_land(count, 1, *rc::gen::arbitrary<uint64_t>(), 50, {100, 140});
  OrographicRain p;
  p.carry = *rc::gen::element(20.0, 150.0, 4000.0);
  p.strength = *rc::gen::element(0.3, 1.0, 3.0);
  std::vector<double> z;
  for (const float v : rough.height().cells()) z.push_back(static_cast<double>(v));
  const std::vector<double> plain = reference::rain_along(z, 50, p);
  // Five winds are averaged; on land that is even across, each crosses it at a longer step.
  constexpr double turns[] = {-30, -15, 0, 15, 30}, weights[] = {0.125, 0.225, 0.3, 0.225, 0.125};
  std::vector<double> wanted(z.size(), 0.0);
  for (size_t k = 0; k < 5; ++k) {
    const std::vector<double> one = reference::rain_along(z, 50 / math::cos(math::radians(turns[k])), p);
    for (size_t i = 0; i < z.size(); ++i) wanted[i] += weights[k] * math::log(one[i]);
  }
  Grid<float> surface(count, 120);
  for (int64_t y = 0; y < 120; ++y) std::ranges::copy(rough.height().cells(), surface.row(y));
  p.from = math::radians(270);
  const Grid<float> rain = orographic_rain(surface, {50, 50}, p, quiet);
  for (int64_t i = 1; i < count; ++i) {
    const double found = math::log(static_cast<double>(rain(i, 60)) / static_cast<double>(rain(0, 60)));
    RC_ASSERT(std::abs(found - (wanted[static_cast<size_t>(i)] - wanted[0])) < 1e-4);
  }
}

TEST(Climate, WindwardSidesAreWetAndLeeSidesDry) {
  const int64_t n = 80;
  Grid<float> z(n, n);
  for (int64_t y = 0; y < n; ++y)
    for (int64_t x = 0; x < n; ++x) z(x, y) = static_cast<float>(800 - 40 * std::abs(x - 40));
  const Terrain ridge = flat(n, n, 0, 100).with_height(std::move(z));
  ClimateParams p = at(45);
  const Terrain west = climate(ridge, p, quiet);
  const Grid<float>& rain = west.layer("rain").grid();
  EXPECT_GT(rain(36, 40), 1.5f * rain(50, 40));
  p.wind = {90};
  const Terrain east = climate(ridge, p, quiet);
  for (int64_t x = 5; x < 75; ++x)
    EXPECT_NEAR(rain(x, 40), east.layer("rain").grid()(80 - x, 40), 0.05f * rain(x, 40)) << x;
  p.windward = 0;
  for (const float v : climate(ridge, p, quiet).layer("rain").grid().cells()) EXPECT_NEAR(v, 1200, 0.01f);
}

TEST(Climate, IsAlikeAtAnyResolution) {
  const Terrain coarse = climate(hills(257), at(46.5), quiet), fine = climate(hills(769), at(46.5), quiet);
  for (const char* name : names) {
    const Grid<float>&a = coarse.layer(name).grid(), &b = fine.layer(name).grid();
    double difference = 0;
    for (int64_t y = 0; y < a.height(); ++y)
      for (int64_t x = 0; x < a.width(); ++x)
        difference += std::abs(static_cast<double>(a(x, y)) - static_cast<double>(b(3 * x, 3 * y)));
    difference /= static_cast<double>(a.size());
    EXPECT_LT(difference, 0.02 * std::abs(mean(a)) + 0.01) << name;
  }
}

TEST(Climate, WaterIsTheSurfaceOverDeepGround) {
  // A lake that fills a pit to the brim, and the sea, have the light of level ground.
  Grid<float> pit(9, 9, 0.0f);
  for (int64_t y = 2; y < 7; ++y)
    for (int64_t x = 2; x < 7; ++x) pit(x, y) = -60;
  Grid<float> water(9, 9);
  for (int64_t i = 0; i < 81; ++i) water.data()[i] = -pit.data()[i];
  const Terrain land = flat(9, 9).with_height(std::move(pit));
  const double open = mean(climate(flat(9, 9), at(45), quiet), "sun");
  EXPECT_LT(mean(climate(land, at(45), quiet), "sun"), 0.9 * open);
  const Terrain lake = land.with(make_layer("water", "m", LayerKind::continuous, std::move(water)));
  EXPECT_EQ(mean(climate(lake, at(45), quiet), "sun"), open);
  ClimateParams sea = at(45);
  sea.sea_level = 0;
  EXPECT_EQ(mean(climate(land, sea, quiet), "sun"), open);
}

TEST(Climate, SameBitsForAnyThreadsAndLevel) {
  const Terrain land = test::sample_land(67, 45, 3), large = test::sample_land(600, 25, 3);
  test::expect_same_bits([&] { return climate(land, at(30), quiet).hash(); });
  test::expect_same_bits([&] { return climate(large, at(30), quiet).hash(); });
}

TEST(Climate, StopsWhenCancelled) {
  const CancelFlag stop{true};
  EXPECT_THROW(climate(hills(40), {}, Context(nullptr, &stop)), Error);
}

}  // namespace tepui::climate_test
