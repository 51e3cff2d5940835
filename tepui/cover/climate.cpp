#include "tepui/cover/climate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/orographic_rain.h"
#include "tepui/cover/sunlight.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

constexpr int most_samples = 513;

/// What light falls on and air flows over: the ground, or the water above it.
Terrain surface_of(const Terrain& in, std::optional<double> sea_level, const Context& context) {
  const Grid<float>& z = in.height();
  const Layer* const water = in.find("water");
  const float sea = sea_level ? to_cell(*sea_level) : std::numeric_limits<float>::lowest();
  Grid<float> surface(z.width(), z.height());
  parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * z.width(); i < end * z.width(); ++i) {
      const float wet = water != nullptr ? z.data()[i] + water->grid().data()[i] : z.data()[i];
      surface.data()[i] = std::max(wet, sea);
    }
  });
  return Terrain(in.frame(), in.relief(), std::move(surface));
}

Layer of_temperature(const char* name, const Terrain& in, double at_zero, double lapse, const Context& context) {
  const Grid<float>& z = in.height();
  Grid<float> t(z.width(), z.height());
  parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * z.width(); i < end * z.width(); ++i)
      t.data()[i] = to_cell(at_zero - lapse / 1000 * static_cast<double>(z.data()[i]));
  });
  return make_layer(name, "degC", LayerKind::continuous, std::move(t));
}

/// Cubic interpolation may pass below what is there.
Layer not_negative_cells(const Layer& layer) {
  Grid<float> cells = layer.grid().clone();
  for (float& v : cells.cells()) v = std::max(v, 0.0f);
  return layer.holding(std::move(cells));
}

Terrain sun_and_rain(const Terrain& surface, const ClimateParams& p, const Context& context) {
  const Frame& frame = surface.frame();
  const Gradient slope = gradient(surface, context.stage("slope", 0, 0.02));
  Sunlight light = sunlight(surface.height(), frame.cell, slope.east, slope.north, math::radians(p.latitude.degrees),
                            context.stage("sun", 0.02, 0.9));
  const OrographicRain rain{p.rain, math::radians(p.wind.degrees), p.windward, p.carry.in(frame)};
  Grid<float> fallen = orographic_rain(surface.height(), frame.cell, rain, context.stage("rain", 0.9, 1));
  const auto layer = [](const char* name, const char* unit, Grid<float> cells) {
    return make_layer(name, unit, LayerKind::continuous, std::move(cells));
  };
  return Terrain(frame, surface.relief())
      .with(layer("sun", "W/m2", std::move(light.year)))
      .with(layer("sun_summer", "W/m2", std::move(light.longest)))
      .with(layer("sun_winter", "W/m2", std::move(light.shortest)))
      .with(layer("rain", "mm", std::move(fallen)));
}

}  // namespace

void describe(Fields<ClimateParams>& f) {
  using P = ClimateParams;
  f.about("Tell the climate: temperature by height, sun by slope and shadow, rain by wind");
  f.reach(Reach::whole);
  f.example("linear_faults height=900 | {} | take layer=sun");
  f("latitude", &P::latitude, Range{-90, 90}, "how high the sun stands and how long the days are; south is negative")
      .sweep("0", "45", "70");
  f("temperature", &P::temperature, Range{-100, 60}, "mean of the year at height 0; auto: as on Earth at the latitude")
      .unit("degC")
      .slider(-20, 30);
  f("seasons", &P::seasons, Range{0, 60},
    "how much warmer the warmest month is than the mean of the year; auto: as on Earth at the latitude")
      .unit("K")
      .slider(0, 25);
  f("lapse", &P::lapse, Range{-20, 20}, "how much colder it gets upwards").unit("K/km").slider(0, 10);
  f("rain", &P::rain, Range{0, 1e5}, "rain and snow of a year, mean of the land").unit("mm").slider(0, 4000);
  f("wind", &P::wind, Range{-360, 360}, "where wind that brings rain comes from: 0 is north, 90 east");
  f("windward", &P::windward, Range{0, 10}, "how much more it rains where land rises before the wind; 0: not at all")
      .slider(0, 3);
  f("carry", &P::carry, open_range(0, 1e9),
    "how far air carries water from where it rises to cloud, and cloud to where it rains");
  f("sea_level", &P::sea_level, Range{-1e7, 1e7}, "the sea is the surface of land below it; auto: the world's sea")
      .sea_level();
}

double usual_temperature(Angle latitude) {
  const double s = std::abs(math::sin(math::radians(latitude.degrees)));
  return 28 - 42 * s * s * s;
}

double usual_seasons(Angle latitude) {
  const double s = math::sin(math::radians(latitude.degrees));
  return 1 + 15 * s * s;
}

Terrain climate(const Terrain& in, const ClimateParams& p, const Context& context) {
  const double mean = p.temperature.value_or(usual_temperature(p.latitude));
  const double swing = p.seasons.value_or(usual_seasons(p.latitude));
  const Context quiet = context.told_to(nullptr);
  const Frame& frame = in.frame();
  Terrain surface = surface_of(in, p.sea_level, quiet);
  const bool fine = std::max(frame.width, frame.height) > most_samples;
  if (fine) surface = resample(surface, nullptr, {most_samples, {}}, quiet);
  Terrain broad = sun_and_rain(surface, p, context.stage("climate", 0, 0.9));
  if (fine) broad = resample(broad, &in, {}, context.stage("climate", 0.9, 1));
  Terrain out = in.with(of_temperature("temperature", in, mean, p.lapse, quiet))
                    .with(of_temperature("temperature_summer", in, mean + swing, p.lapse, quiet))
                    .with(of_temperature("temperature_winter", in, mean - swing, p.lapse, quiet));
  for (const Layer& layer : broad.layers()) out = out.with(fine ? not_negative_cells(layer) : layer);
  return out;
}

}  // namespace tepui
