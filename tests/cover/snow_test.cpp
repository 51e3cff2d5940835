#include "tepui/cover/snow.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/snow.h"
#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/cover/climate.h"
#include "tepui/terrain/derivatives.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::snow_test {

namespace {

const Context quiet;

Terrain land_of(int64_t w, int64_t h, Vec2 cell, Grid<float> z) {
  Frame frame;
  frame.cell = cell;
  frame.width = w, frame.height = h;
  frame.size = {cell.x * static_cast<double>(std::max<int64_t>(w - 1, 1)),
                cell.y * static_cast<double>(std::max<int64_t>(h - 1, 1))};
  return Terrain(frame, {0, 1}, std::move(z));
}

/// Rough land of any shape, about so high.
Terrain any_land(double height = 1800) {
  const auto side =
      rc::gen::weightedOneOf<int64_t>({{1, rc::gen::just<int64_t>(1)}, {6, rc::gen::inRange<int64_t>(2, 26)}});
  const int64_t w = *side, h = *side;
  const double steep = *rc::gen::element(0.0, 30.0, 200.0, 700.0);
  const Terrain rough = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>(), 10, {height, height + steep});
  const Vec2 cell = *rc::gen::element(Vec2{10, 10}, Vec2{4, 4}, Vec2{10, 23}, Vec2{90, 90});
  Grid<float> z = rough.height().clone();
  // A terrace and a wall, on which ground is level and vertical.
  for (int64_t x = 0; x < w / 2; ++x) z(x, h / 2) = static_cast<float>(height + steep / 3);
  return land_of(w, h, cell, std::move(z));
}

Terrain with_climate(const Terrain& land, double rain = 1700) {
  ClimateParams p;
  p.latitude = {46.5}, p.temperature = 14.2, p.seasons = 8.8, p.rain = rain;
  return climate(land, p, quiet);
}

Terrain with_water(const Terrain& land) {
  Grid<float> water(land.height().width(), land.height().height(), 0.0f);
  for (int64_t i = 0; i < water.size(); i += 5) water.data()[i] = 2;
  return land.with(make_layer("water", "m", LayerKind::continuous, std::move(water)));
}

SnowWeather weather_of(const Terrain& land, double warmer = 0, double snowfall = 1) {
  const auto cells = [&](const char* name) { return land.layer(name).grid().data(); };
  return {cells("temperature"),
          cells("temperature_summer"),
          cells("temperature_winter"),
          cells("sun"),
          cells("sun_summer"),
          cells("sun_winter"),
          cells("rain"),
          nullptr,
          static_cast<float>(snowfall),
          static_cast<float>(warmer)};
}

SnowHold hold_of(const Terrain& land, const SnowRest& rest = {}) {
  SnowHold hold = snow_hold(land, rest, quiet);
  if (const Layer* const water = land.find("water"))
    for (int64_t i = 0; i < hold.most.size(); ++i)
      if (water->grid().data()[i] > 0) hold.most.data()[i] = SnowHold::wet;
  return hold;
}
SnowHold copy(const SnowHold& hold) { return {hold.most.clone(), hold.stop.clone()}; }

int64_t total(const Grid<int64_t>& snow) {
  return std::accumulate(snow.cells().begin(), snow.cells().end(), int64_t{0});
}
bool same(const Grid<int64_t>& a, const Grid<int64_t>& b) { return std::ranges::equal(a.cells(), b.cells()); }

Grid<int64_t> any_snow(const Terrain& land, double most) {
  const Stream stream(*rc::gen::arbitrary<uint64_t>());
  Grid<int64_t> snow(land.height().width(), land.height().height());
  for (int64_t i = 0; i < snow.size(); ++i)
    snow.data()[i] = static_cast<int64_t>(most * snow_quanta * stream.uniform(static_cast<uint64_t>(i)));
  return snow;
}

/// Where deep snow stands steeper than it may above a neighbour with room: by how many metres at most.
double too_steep(const Terrain& land, const SnowHold& hold, const SnowRest& rest, double density,
                 const Grid<int64_t>& snow) {
  const Grid<float>& z = land.height();
  const double scale = density * snow_quanta, slope = math::tan(math::radians(rest.rest));
  const Vec2 cell = land.frame().cell;
  double most = 0;
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      const double depth = static_cast<double>(snow(x, y)) / scale;
      if (depth <= rest.deep + 1e-3) continue;
      for (int64_t v = std::max<int64_t>(y - 1, 0); v <= std::min(y + 1, z.height() - 1); ++v)
        for (int64_t u = std::max<int64_t>(x - 1, 0); u <= std::min(x + 1, z.width() - 1); ++u) {
          if (hold.most(u, v) <= snow(u, v)) continue;
          const double far = std::hypot(static_cast<double>(u - x) * cell.x, static_cast<double>(v - y) * cell.y);
          const double there = static_cast<double>(z(u, v)) + static_cast<double>(snow(u, v)) / scale;
          most = std::max(most, static_cast<double>(z(x, y)) + depth - there - slope * far);
        }
    }
  return most;
}

double mean(const Grid<float>& cells) {
  double sum = 0;
  for (const float v : cells.cells()) sum += static_cast<double>(v);
  return sum / static_cast<double>(cells.size());
}

/// Peaks and valleys, the same at any resolution.
Terrain mountains(int64_t side) {
  const Frame frame = make_world({4000, 4000}, side);
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) {
      const double u = frame.x(x), v = frame.y(y);
      z(x, y) = static_cast<float>(1900 + 350 * math::sin(u / 420) * math::sin(v / 380 + 1) +
                                   120 * math::sin(u / 130 + v / 260) + 30 * math::sin(u / 45) * math::sin(v / 51));
    }
  return with_climate(Terrain(frame, {0, 1}, std::move(z)));
}

}  // namespace

RC_GTEST_PROP(Snow, WhatFellLiesOrMeltedOrLeftTheLand, ()) {
  Terrain land = with_climate(any_land());
  if (*rc::gen::element(false, true)) land = with_water(land);
  const SnowRest rest;
  const SnowDrift drift(land, *rc::gen::element(0.0, 1.0, 2.7, 4.712389, 5.0), 0.5, quiet);
  SnowSettle settle(land, hold_of(land), rest, quiet);
  const SnowWork work{*rc::gen::element<const SnowDrift*>(nullptr, &drift),
                      *rc::gen::element<SnowSettle*>(nullptr, &settle), &settle.hold()};
  const int last = *rc::gen::inRange(0, 15);
  const SnowResult result = snow_year(weather_of(land, *rc::gen::element(0.0, -8.0, 4.0)), work, land.height().width(),
                                      land.height().height(), last, quiet);
  RC_ASSERT(result.ledger.fell == total(result.snow) + result.ledger.melted + result.ledger.left);
  RC_ASSERT(result.ledger.melted >= 0 && result.ledger.left >= 0);
  for (int64_t i = 0; i < result.snow.size(); ++i) {
    RC_ASSERT(result.snow.data()[i] >= 0);
    RC_ASSERT(result.passed.data()[i] >= 0);
    if (settle.hold().most.data()[i] == SnowHold::wet) RC_ASSERT(result.snow.data()[i] == 0);
  }
}

RC_GTEST_PROP(Snow, ColderOrWetterIsNeverLessSnowAnywhereBeforeItSettles, ()) {
  const Terrain land = with_climate(any_land());
  const SnowDrift drift(land, *rc::gen::element(0.3, 4.712389), *rc::gen::element(0.5, 2.0), quiet);
  const SnowHold hold = hold_of(land);
  const SnowWork work{*rc::gen::element<const SnowDrift*>(nullptr, &drift), nullptr, &hold};
  const int last = *rc::gen::inRange(0, 13);
  const double warm = *rc::gen::inRange(-60, 60) / 10.0, colder = *rc::gen::inRange(0, 30) / 10.0;
  const double wet = *rc::gen::element(1.0, 1.001, 1.7);
  const int64_t w = land.height().width(), h = land.height().height();
  const SnowResult less = snow_year(weather_of(land, warm), work, w, h, last, quiet);
  const SnowResult more = snow_year(weather_of(land, warm - colder, wet), work, w, h, last, quiet);
  for (int64_t i = 0; i < less.snow.size(); ++i) RC_ASSERT(less.snow.data()[i] <= more.snow.data()[i]);
}

RC_GTEST_PROP(Snow, NoSampleHoldsMoreThanItsSlopeAllowsAndDeepSnowIsAtRest, ()) {
  Terrain land = any_land();
  if (*rc::gen::element(false, true)) land = with_water(land);
  SnowRest rest;
  rest.steepest = *rc::gen::element(56.0, 40.0), rest.rest = *rc::gen::element(20.0, 5.0, 40.0);
  rest.deep = *rc::gen::element(4.0, 0.5, 30.0);
  const SnowHold hold = hold_of(land, rest);
  SnowSettle settle(land, copy(hold), rest, quiet);
  Grid<int64_t> snow = any_snow(land, *rc::gen::element(0.3, 3.0, 40.0)), passed(snow.width(), snow.height(), 0);
  const int64_t before = total(snow);
  const double density = *rc::gen::element(0.25, 0.5);
  const SnowLost lost = settle.settle(density, quiet, snow, passed);
  RC_ASSERT(before == total(snow) + lost.melted + lost.left);
  for (int64_t i = 0; i < snow.size(); ++i) {
    RC_ASSERT(snow.data()[i] >= 0);
    RC_ASSERT(snow.data()[i] <= std::max<int64_t>(hold.most.data()[i], 0));
  }
  RC_ASSERT(too_steep(land, hold, rest, density, snow) <= 2e-3);
  // At rest, it stays.
  Grid<int64_t> again = snow.clone();
  if (rest.deep <= 4) {
    settle.settle(density, quiet, again, passed);
    RC_ASSERT(too_steep(land, hold, rest, density, again) <= 2e-3);
  }
}

RC_GTEST_PROP(Snow, NothingLiesOnWallsAndAnythingInPits, ()) {
  const Terrain land = any_land();
  const SnowHold hold = snow_hold(land, {}, quiet);
  const Grid<float> slope = slope_grid(land, 10, quiet);
  const Grid<float>& z = land.height();
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      bool pit = true;
      for (int64_t v = std::max<int64_t>(y - 1, 0); v <= std::min(y + 1, z.height() - 1); ++v)
        for (int64_t u = std::max<int64_t>(x - 1, 0); u <= std::min(x + 1, z.width() - 1); ++u)
          pit = pit && !(z(u, v) < z(x, y));
      const double degrees = math::degrees(math::atan(static_cast<double>(slope(x, y))));
      if (degrees > 56 && !pit) RC_ASSERT(hold.most(x, y) == 0);
      if (pit || degrees < 16) RC_ASSERT(hold.most(x, y) == SnowHold::unlimited);
    }
}

RC_GTEST_PROP(Snow, SettlesAsInTheReference, ()) {
  Terrain land = any_land();
  if (*rc::gen::element(false, true)) land = with_water(land);
  SnowRest rest;
  rest.rest = *rc::gen::element(20.0, 5.0), rest.deep = *rc::gen::element(4.0, 1.0);
  const SnowHold hold = hold_of(land, rest);
  SnowSettle settle(land, copy(hold), rest, quiet);
  Grid<int64_t> snow = any_snow(land, *rc::gen::element(0.3, 3.0, 12.0)), passed(snow.width(), snow.height(), 0);
  Grid<int64_t> plain = snow.clone(), plain_passed = passed.clone();
  const SnowLost lost = settle.settle(0.4, quiet, snow, passed);
  const SnowLost wanted = reference::settle(land, hold, rest, 0.4, plain, plain_passed);
  RC_ASSERT(lost.melted == wanted.melted && lost.left == wanted.left);
  RC_ASSERT(same(snow, plain));
  RC_ASSERT(same(passed, plain_passed));
}

RC_GTEST_PROP(Snow, DriftsAsInTheReference, ()) {
  const Terrain land = any_land();
  const double from = *rc::gen::inRange(0, 63) / 10.0, wind = *rc::gen::element(0.3, 1.0);
  Grid<int64_t> snow = any_snow(land, 1), plain = snow.clone();
  const SnowDrift drift(land, from, 0.5, quiet);
  const int64_t left = drift.blow(wind, quiet, snow);
  const int64_t wanted = reference::blow(land, reference::wind_exposure(land, from), from, 0.5, wind, plain);
  RC_ASSERT(left + total(snow) == wanted + total(plain));
  // Shares are rounded to 65536ths, exposures are floats; shares are kept of what many samples gave.
  const int64_t tolerance = 40 + total(plain) / 20000;
  RC_ASSERT(std::abs(left - wanted) <= tolerance);
  for (int64_t i = 0; i < snow.size(); ++i) RC_ASSERT(std::abs(snow.data()[i] - plain.data()[i]) <= tolerance);
}

TEST(Snow, AYearIsThatOfTheReference) {
  const Terrain land = mountains(40);
  const SnowRest rest;
  const double from = math::radians(250);
  const SnowDrift drift(land, from, 0.5, quiet);
  const SnowHold hold = hold_of(land);
  SnowSettle settle(land, copy(hold), rest, quiet);
  const SnowWork work{&drift, &settle, &hold};
  for (const int last : {4, 7}) {
    const SnowResult fast = snow_year(weather_of(land), work, 40, 40, last, quiet);
    const SnowResult plain = reference::snow_year(land, weather_of(land), hold, rest, from, 0.5, last);
    EXPECT_NEAR(static_cast<double>(fast.ledger.melted), static_cast<double>(plain.ledger.melted),
                1e-3 * static_cast<double>(plain.ledger.fell));
    int64_t apart = 0;
    for (int64_t i = 0; i < fast.snow.size(); ++i) apart += std::abs(fast.snow.data()[i] - plain.snow.data()[i]);
    EXPECT_LT(static_cast<double>(apart), 2e-3 * static_cast<double>(total(plain.snow)) + 100) << last;
  }
}

TEST(Snow, WindTakesItFromACrestAndLaysItDownBehind) {
  const int64_t n = 81;
  Grid<float> z(n, 9);
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 0; x < n; ++x)
      z(x, y) = static_cast<float>(2000 + std::max<int64_t>(0, 60 - 4 * std::abs(x - 40)));
  const Terrain ridge = land_of(n, 9, {10, 10}, std::move(z));
  const SnowDrift drift(ridge, math::radians(270), 0.5, quiet);
  Grid<int64_t> snow(n, 9, 4096);
  drift.blow(1, quiet, snow);
  EXPECT_LT(snow(40, 4), 3500);
  EXPECT_GT(snow(44, 4), 4500);
  EXPECT_EQ(snow(8, 4), 4096);
  // The other way round with the other wind.
  const SnowDrift back(ridge, math::radians(90), 0.5, quiet);
  Grid<int64_t> other(n, 9, 4096);
  back.blow(1, quiet, other);
  for (int64_t x = 0; x < n; ++x)
    EXPECT_NEAR(static_cast<double>(other(x, 4)), static_cast<double>(snow(n - 1 - x, 4)), 2);
}

TEST(Snow, SunnySlopesMeltFirst) {
  double lies[2];
  for (int k = 0; k < 2; ++k) {
    Grid<float> z(9, 9);
    for (int64_t y = 0; y < 9; ++y)
      for (int64_t x = 0; x < 9; ++x) z(x, y) = static_cast<float>(2000 + (k == 0 ? 5 : -5) * static_cast<double>(y));
    const Terrain land = with_climate(land_of(9, 9, {10, 10}, std::move(z)));
    SnowParams p;
    p.month = 4, p.drift = 0;
    lies[k] = mean(snow(land, nullptr, p, quiet).layer("snow").grid());
  }
  EXPECT_LT(lies[0], 0.75 * lies[1]);
}

TEST(Snow, RaisesTheHeightByItsDepthAndReplacesWhatWasThere) {
  const Terrain land = mountains(60);
  const Terrain winter = snow(land, nullptr, {}, quiet);
  const Grid<float>& depth = winter.layer("snow").grid();
  for (int64_t i = 0; i < depth.size(); ++i)
    EXPECT_FLOAT_EQ(winter.height().data()[i], land.height().data()[i] + depth.data()[i]);
  EXPECT_EQ(winter.layer("snow").unit, "m");
  EXPECT_EQ(winter.layer("avalanches").unit, "m");
  // Of the whole year, whatever season is shown.
  SnowParams summer;
  summer.season = Season::summer;
  EXPECT_TRUE(test::same_cells(snow(land, nullptr, summer, quiet).layer("avalanches").grid(),
                               winter.layer("avalanches").grid()));
  const Terrain again = snow(winter, nullptr, {}, quiet);
  EXPECT_LT(test::max_difference(again.height(), winter.height()), 0.01);
}

TEST(Snow, SeasonsComeInTheirOrder) {
  const Terrain land = mountains(80);
  double lies[4];
  for (int k = 0; k < 4; ++k) {
    SnowParams p;
    p.season = static_cast<Season>(k);
    lies[k] = mean(snow(land, nullptr, p, quiet).layer("snow").grid());
  }
  EXPECT_GT(lies[0], 0.5);
  EXPECT_LT(lies[1], lies[0]);
  EXPECT_LT(lies[2], 0.5 * lies[1]);
  EXPECT_GT(lies[3], lies[2]);
  SnowParams may;
  may.month = 5;
  EXPECT_EQ(mean(snow(land, nullptr, may, quiet).layer("snow").grid()), lies[1]);
}

TEST(Snow, IsAlikeAtHalfTheResolution) {
  const Terrain fine = mountains(401), coarse = mountains(201);
  for (const Season season : {Season::winter, Season::spring}) {
    SnowParams p;
    p.season = season;
    const Terrain a = snow(fine, nullptr, p, quiet), b = snow(coarse, nullptr, p, quiet);
    const auto cover = [](const Terrain& land) {
      const auto cells = land.layer("snow").grid().cells();
      return static_cast<double>(std::ranges::count_if(cells, [](float v) { return v > 0.1f; })) /
             static_cast<double>(cells.size());
    };
    EXPECT_NEAR(mean(a.layer("snow").grid()), mean(b.layer("snow").grid()),
                0.04 * mean(a.layer("snow").grid()) + 0.002);
    EXPECT_NEAR(cover(a), cover(b), 0.03);
  }
}

TEST(Snow, ALineNeedsNoClimate) {
  const Terrain land = mountains(80).without("temperature").without("rain");
  SnowParams line;
  line.snow_line = 1900, line.drift = 0;
  const Terrain lined = snow(land, nullptr, line, quiet);
  for (int64_t i = 0; i < land.height().size(); ++i) {
    const float z = land.height().data()[i], depth = lined.layer("snow").grid().data()[i];
    if (z < 1700 && depth > 0) {
      EXPECT_GT(lined.layer("avalanches").grid().data()[i], 0.0f);
    }
    if (z > 2060) {
      EXPECT_LE(depth, 1.5f + 12);
    }
  }
  EXPECT_GT(mean(lined.layer("snow").grid()), 0.3);
  double before = 1e9;
  for (const Season season : {Season::winter, Season::spring, Season::summer}) {
    SnowParams p;
    p.season = season, p.warmer = -6;
    const double now = mean(snow(land, nullptr, p, quiet).layer("snow").grid());
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(Snow, RefusesLandWithoutAClimateOrWithAnotherMask) {
  const Terrain land = mountains(9);
  EXPECT_CONTAINS(test::error_of([&] { snow(land.without("sun_winter"), nullptr, {}, quiet); }),
                  "put 'climate' between them");
  EXPECT_CONTAINS(test::error_of([&] { snow(land.without("temperature"), nullptr, {}, quiet); }), "'temperature'");
  const Terrain other = mountains(10);
  EXPECT_THROW(snow(land, &other, {}, quiet), Error);
}

TEST(Snow, FallsOnlyWhereTheMaskLetsIt) {
  const Terrain land = mountains(40);
  Grid<float> half(40, 40, 0.0f);
  for (int64_t y = 0; y < 40; ++y) std::fill_n(half.row(y), 20, 1.0f);
  const Terrain mask = Terrain(land.frame(), {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(half)));
  SnowParams p;
  p.drift = 0, p.settle = false;
  const Terrain out = snow(land, &mask, p, quiet);
  const Grid<float>& lies = out.layer("snow").grid();
  EXPECT_GT(lies(5, 5), 0.1f);
  EXPECT_EQ(lies(30, 5), 0.0f);
}

TEST(Snow, StaysDefinedInPolarNightHeatAndUnderWater) {
  for (const double latitude : {90.0, -90.0, 0.0}) {
    ClimateParams p;
    p.latitude = {latitude};
    const Terrain out = snow(climate(mountains(20), p, quiet), nullptr, {}, quiet);
    for (const float v : out.layer("snow").grid().cells()) EXPECT_TRUE(std::isfinite(v) && v >= 0);
    if (latitude != 0) {
      EXPECT_GT(mean(out.layer("snow").grid()), 0.3);
    }
  }
  const Terrain land = mountains(20);
  SnowParams p;
  p.warmer = 60;
  EXPECT_EQ(mean(snow(land, nullptr, p, quiet).layer("snow").grid()), 0);
  p.warmer = 0, p.sea_level = 1e5;
  EXPECT_EQ(mean(snow(land, nullptr, p, quiet).layer("snow").grid()), 0);
}

TEST(Snow, SameBitsForAnyThreadsAndLevel) {
  const Terrain land = mountains(150);
  test::expect_same_bits([&] { return snow(land, nullptr, {}, quiet).hash(); });
}

TEST(Snow, StopsWhenCancelled) {
  const CancelFlag stop{true};
  EXPECT_THROW(snow(mountains(20), nullptr, {}, Context(nullptr, &stop)), Error);
}

}  // namespace tepui::snow_test
