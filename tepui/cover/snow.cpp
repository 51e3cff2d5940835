#include "tepui/cover/snow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/climate.h"
#include "tepui/cover/snow_year.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// The ground without the snow that is on it.
Terrain bare_ground(const Terrain& in, const Context& context) {
  const Layer* const old = in.find("snow");
  if (old == nullptr) return in;
  Grid<float> ground = in.height().clone();
  parallel_chunks(ground.size(), 65536, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ground.data()[i] -= old->grid().data()[i];
  });
  return in.with_height(std::move(ground));
}

void flood(const Terrain& in, std::optional<double> sea_level, SnowHold& hold) {
  const Grid<float>& z = in.height();
  const Layer* const water = in.find("water");
  for (int64_t i = 0; i < z.size(); ++i)
    if ((water != nullptr && water->grid().data()[i] > 0) ||
        (sea_level && static_cast<double>(z.data()[i]) < *sea_level))
      hold.most.data()[i] = SnowHold::wet;
}

/// Where snow lies without a climate; nothing where there is one.
std::optional<double> line_of(const Terrain& in, const SnowParams& p) {
  if (p.snow_line) return *p.snow_line;
  if (in.find("temperature") != nullptr || !p.season) return std::nullopt;
  const double warm = snow_month(season_end[static_cast<size_t>(*p.season)]).warm;
  const Angle middle{45};
  return (usual_temperature(middle) + warm * usual_seasons(middle) + p.warmer) / 6.5 * 1000;
}

SnowResult snow_above(double line, const Terrain& ground, const Grid<float>* mask, const SnowParams& p,
                      const SnowWork& work, const Context& context) {
  const Grid<float>& z = ground.height();
  const double density = snow_month(season_end[static_cast<size_t>(p.season.value_or(Season::winter))]).density;
  const double full = p.depth.in(ground.frame()) * density * snow_quanta * p.snowfall;
  Grid<int64_t> fall(z.width(), z.height());
  parallel_chunks(z.size(), 65536, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double share = math::smoothstep(line - 150, line + 150, static_cast<double>(z.data()[i]));
      if (mask != nullptr) share *= static_cast<double>(std::clamp(mask->data()[i], 0.0f, 1.0f));
      fall.data()[i] = static_cast<int64_t>(full * share);
    }
  });
  return snow_once(std::move(fall), work, density, context);
}

SnowWeather weather_of(const Terrain& in, const Grid<float>* mask, const SnowParams& p) {
  const auto cells = [&](const char* name) {
    const Layer* const layer = in.find(name);
    if (layer == nullptr)
      refuse(fmt::format("snow falls and melts by the climate, and the land has no layer '{}'", name),
             "put 'climate' between them; or give 'snow_line' (metres) or 'season', which need none");
    return layer->grid().data();
  };
  return {cells("temperature"),
          cells("temperature_summer"),
          cells("temperature_winter"),
          cells("sun"),
          cells("sun_summer"),
          cells("sun_winter"),
          cells("rain"),
          mask != nullptr ? mask->data() : nullptr,
          static_cast<float>(p.snowfall),
          static_cast<float>(p.warmer)};
}

int last_month(const SnowParams& p) {
  // January is the third after October; autumn's months are those of the second year.
  if (p.month) return *p.month + 2;
  return season_end[static_cast<size_t>(p.season.value_or(Season::winter))];
}

/// Depths, which raise the height, and avalanches.
Terrain with_snow(const Terrain& in, const Terrain& ground, const SnowResult& result, const Context& context) {
  const Vec2 cell = in.frame().cell;
  // As if samples were 10 m apart: as much snow through a gully is deeper on narrower samples.
  const double per_passed = std::sqrt(cell.x * cell.y) / 10 / snow_quanta,
               per_snow = 1 / (result.density * snow_quanta);
  const int64_t w = ground.height().width(), h = ground.height().height();
  Grid<float> height(w, h), depth(w, h), passed(w, h);
  parallel_chunks(height.size(), 65536, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      depth.data()[i] = to_cell(static_cast<double>(result.snow.data()[i]) * per_snow);
      passed.data()[i] = to_cell(static_cast<double>(result.passed.data()[i]) * per_passed);
      height.data()[i] = ground.height().data()[i] + depth.data()[i];
    }
  });
  const double volume = cell.x * cell.y / snow_quanta;
  const auto& [fell, melted, left] = result.ledger;
  context.tell("fell", static_cast<double>(fell) * volume, "m3");
  context.tell("melted", static_cast<double>(melted) * volume, "m3");
  context.tell("left the land", static_cast<double>(left) * volume, "m3");
  context.tell("lies", static_cast<double>(fell - melted - left) * volume, "m3");
  return in.with_height(std::move(height))
      .with(make_layer("snow", "m", LayerKind::continuous, std::move(depth)))
      .with(make_layer("avalanches", "m", LayerKind::continuous, std::move(passed)));
}

}  // namespace

void describe(Fields<SnowParams>& f) {
  using P = SnowParams;
  f.about("Let the snow of a year fall, drift, slide off what is steep and melt");
  f.reach(Reach::whole);
  f.example("linear_faults height=900 | adjust offset=1500 | climate latitude=46 | {}");
  f("season", &P::season, season_names(), "at whose end the snow is shown; auto: winter")
      .sweep("winter", "spring", "summer");
  f("month", &P::month, Range{1, 12},
    "at whose end the snow is shown instead, January being midwinter's on any half; auto: by 'season'");
  f("snow_line", &P::snow_line, Range{-1e7, 1e7},
    "height above which snow lies, without a climate; auto: by the climate")
      .unit("m")
      .slider(0, 4000);
  f("depth", &P::depth, Range{0, 1e5}, "how deep it is above the snow line").slider(0, 10);
  f("snowfall", &P::snowfall, Range{0, 100}, "how much more snow falls than the climate says").slider(0, 4);
  f("warmer", &P::warmer, Range{-100, 100}, "added to the climate's temperatures").unit("K").slider(-10, 10);
  f("wind", &P::wind, Range{-360, 360}, "where the wind that moves snow comes from: 0 is north, 90 east");
  f("drift", &P::drift, Range{0, 4},
    "how readily wind takes snow from crests and lays it down behind them; 0: no wind");
  f("settle", &P::settle, "let it slide off what is steep");
  f("steepest", &P::steepest, Range{0, 89}, "slope on which no snow holds").slider(35, 70);
  f("rest", &P::rest, Range{0, 80}, "slope of the surface of deep snow that lies at rest").slider(5, 45);
  f("deep", &P::deep, open_range(0, 1e5), "how deep snow is that slides to its slope of rest").slider(1, 20);
  f("sea_level", &P::sea_level, Range{-1e7, 1e7},
    "snow melts in the sea, which covers land below it; auto: the world's")
      .sea_level();
}

Terrain snow(const Terrain& in, const Terrain* mask, const SnowParams& p, const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  const Grid<float>* const shares = mask != nullptr ? &mask_layer(*mask).grid() : nullptr;
  const std::optional<double> line = line_of(in, p);
  SnowWeather weather{};
  if (!line) weather = weather_of(in, shares, p);
  const Context quiet = context.told_to(nullptr);
  const Terrain ground = bare_ground(in, quiet);
  const double wind = math::radians(p.wind.degrees);
  const SnowRest rest{p.steepest.degrees, p.rest.degrees, p.deep.in(in.frame())};
  SnowHold hold = snow_hold(ground, rest, quiet);
  flood(in, p.sea_level, hold);
  context.progress(0.05);
  std::unique_ptr<SnowDrift> drift;
  if (p.drift > 0) drift = std::make_unique<SnowDrift>(ground, wind, p.drift, quiet);
  context.progress(0.1);
  SnowSettle settle(ground, std::move(hold), rest, quiet);
  const SnowWork work{drift.get(), p.settle ? &settle : nullptr, &settle.hold()};
  const SnowResult result = line ? snow_above(*line, ground, shares, p, work, quiet)
                                 : snow_year(weather, work, ground.height().width(), ground.height().height(),
                                             last_month(p), context.stage("months", 0.1, 1));
  return with_snow(in, ground, result, context);
}

}  // namespace tepui
