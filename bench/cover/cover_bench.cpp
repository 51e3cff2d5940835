#include <memory>

#include "bench/bench.h"
#include "reference/climate.h"
#include "reference/snow.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/cover/climate.h"
#include "tepui/cover/snow.h"
#include "tepui/cover/sunlight.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

/// Ridged mountains of 1.1 km, with cells of about 8 m.
Terrain mountains(int64_t side) {
  const double size = 7.8125 * static_cast<double>(side - 1);
  const Frame frame = make_world({size, size}, side);
  NoiseSpec spec;
  spec.sum = NoiseSum::ridged, spec.scale = 2500, spec.octaves = 8, spec.gain = 0.42, spec.key = 5;
  const Noise noise(spec);
  Grid<float> z(side, side);
  std::vector<double> xs;
  for (int64_t x = 0; x < side; ++x) xs.push_back(frame.x(x));
  std::vector<float> row(xs.size());
  for (int64_t y = 0; y < side; ++y) {
    noise.row(xs, frame.y(y), row);
    for (int64_t x = 0; x < side; ++x) z(x, y) = 1950 + 550 * row[static_cast<size_t>(x)];
  }
  return Terrain(frame, {1400, 2500}, std::move(z));
}

ClimateParams alpine() {
  ClimateParams p;
  p.latitude = {46.5}, p.temperature = 14.2, p.seasons = 8.8, p.rain = 1700;
  return p;
}

SnowWeather weather_of(const Terrain& land) {
  const auto cells = [&](const char* name) { return land.layer(name).grid().data(); };
  return {cells("temperature"),
          cells("temperature_summer"),
          cells("temperature_winter"),
          cells("sun"),
          cells("sun_summer"),
          cells("sun_winter"),
          cells("rain"),
          nullptr,
          1,
          0};
}

bench::Row snow_row(int64_t side, int64_t plain_side) {
  struct State {
    Terrain land, small, result;
  };
  const auto state = std::make_shared<State>(State{climate(mountains(side), alpine(), Context()),
                                                   climate(mountains(plain_side), alpine(), Context()), Terrain()});
  bench::Row row;
  row.fast = [=] { state->result = snow(state->land, nullptr, {}, Context()); };
  row.reference = [=] {
    const SnowRest rest;
    const SnowHold hold = snow_hold(state->small, rest, Context());
    reference::snow_year(state->small, weather_of(state->small), hold, rest, math::radians(270), 0.5, 4);
  };
  row.reference_part = static_cast<double>(plain_side * plain_side) / static_cast<double>(side * side);
  row.hash = [=] { return state->result.only("snow").hash(); };
  row.size = std::to_string(side) + "x" + std::to_string(side);
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

}  // namespace

TEPUI_BENCH("cover/climate/2049x2049") {
  constexpr int64_t side = 2049, plain_side = 33;
  struct State {
    Terrain land, small, result;
  };
  const auto state = std::make_shared<State>(State{mountains(side), mountains(plain_side), Terrain()});
  bench::Row row;
  row.fast = [=] { state->result = climate(state->land, alpine(), Context()); };
  row.reference = [=] {
    const Gradient slope = gradient(state->small, Context());
    reference::yearly_sun(state->small.height(), state->small.frame().cell, slope.east, slope.north,
                          math::radians(46.5));
  };
  row.reference_part = static_cast<double>(plain_side * plain_side) / static_cast<double>(side * side);
  row.hash = [=] { return state->result.hash(); };
  row.size = "2049x2049";
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

TEPUI_BENCH("cover/snow/1025x1025") { return snow_row(1025, 129); }
TEPUI_BENCH("cover/snow/2049x2049") { return snow_row(2049, 129); }

}  // namespace tepui
