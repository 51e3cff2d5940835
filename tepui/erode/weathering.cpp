#include "tepui/erode/weathering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/exposure.h"
#include "tepui/erode/weak_bed.h"
#include "tepui/erode/weathering_rule.h"
#include "tepui/erode/worn_land.h"

namespace tepui {

namespace {

/// A shorter reach cannot promise that finer land ages alike: no grid tells a step from a slope as wide as a cell.
constexpr double least_reach_in_cells = 0.6;

/// Share of a block's thickness that the weak rock loses when what stands on it falls: a ledge right on top of it would
/// hide it from the wall behind.
constexpr double under_cap = 0.25;

class Weathering {
 public:
  Weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params, TileSize tile,
             const Context& context)
      : mode_(params.mode),
        land_(in, {.cover = params.cover.in(in.frame()), .resumed = params.from > 0}, tile, context),
        rule_(params, in.frame(), land_.relief),
        talus_(land_.talus(params.talus, in.frame())),
        beds_(in, rock, land_.quanta, land_.relief),
        changed_(land_.debris.tiling()),
        exposed_(land_.debris.tiling()),
        looked_at_(land_.debris.tiling()) {
    changed_.add_all();
    const Context quiet = context.told_to(nullptr);
    if (!params.steps) rule_.fit_walls(land_.first_rock(in, quiet), land_.first_ground(in, quiet), quiet);
    if (mode_ == WeatheringMode::block) keys_ = rule_.cell_keys(quiet);
  }

  Terrain run(const Terrain& in, int64_t from, int64_t to, const Context& context) {
    const Context quiet = context.told_to(nullptr);
    for (int64_t step = from; step < to; ++step) {
      const bool stands = shed(step, quiet);
      const int64_t last = rule_.slides_until(step + 1);
      bool moves = false;
      for (int64_t i = rule_.slides_until(step); i < last; ++i) {
        context.check();
        if (!land_.debris.slide(talus_, changed_, quiet)) break;
        moves = true;
      }
      context.check();
      context.progress(static_cast<double>(step + 1 - from) / static_cast<double>(to - from));
      const bool settled = !stands && !moves && last > 0 && !land_.debris.is_active();
      if (settled) break;
    }
    context.tell("steps", static_cast<double>(to));
    keys_ = {};
    return land_.finish(in, context);
  }

 private:
  /// Turns rock into debris where it stands. Returns whether any wall can still fall.
  bool shed(int64_t step, const Context& context) {
    std::swap(looked_at_, exposed_);
    looked_at_.add_near(changed_, rule_.along().far(), rule_.across().far());
    looked_at_.runs(list_);
    changed_.clear();
    exposed_.clear();
    const auto count = static_cast<int64_t>(list_.size());
    parallel_chunks(count, looked_at_.runs_at_once(list_), context, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) shed_run(list_[static_cast<size_t>(i)], step);
    });
    return !exposed_.empty();
  }

  void shed_run(const TileRun& run, int64_t step) {
    thread_local std::vector<int64_t> columns;
    const uint64_t key = rule_.step_key(step);
    const RowBoxes can{&exposed_.box(run.first), run.first_end, land_.debris.tiling().tile().width};
    for (int64_t y = run.cells.y0; y < run.cells.y1; ++y) {
      const WallRow row = part_of_row(y, run.cells.x0, run.cells.x1);
      columns.clear();
      if (mode_ == WeatheringMode::block) {
        find_falls(row, y, {rule_.chance_scale(), keys_.row(y), static_cast<uint32_t>(key)}, can, columns);
        for (const int64_t x : columns) drop_block(row, x, y, key);
      } else {
        find_exposed(row, rule_.least_exposures(), columns);
        for (const int64_t x : columns) {
          exposed_.add(x, y);
          wear(row, x, y);
        }
      }
    }
  }

  WallRow part_of_row(int64_t y, int64_t begin, int64_t end) const {
    const Debris& d = land_.debris;
    WallRow row = wall_row([&](int64_t v) { return d.rock(v); }, [&](int64_t v) { return d.ground(v); }, y, d.width(),
                           d.height(), rule_.along(), rule_.across());
    row.walls = Debris::walls;
    row.begin = begin;
    row.end = end;
    return row;
  }

  /// The weakest rock of a wall above its lower and its higher foot, and how much the lower one counts.
  struct Face {
    WeakBed low, high;
    float of_low = 1;
  };
  Face face(const Exposure& e, int64_t x, int64_t y, float rim) const {
    const WeakBed low = beds_.find(x, y, rim, e.low);
    if (!beds_.lie_in_layers() || !(e.low < e.high && e.high < rim)) return {low, low};
    const float below = e.share * (rim - e.low), above = (1 - e.share) * (rim - e.high);
    return {low, beds_.find(x, y, rim, e.high), below / (below + above)};
  }

  void drop_block(const WallRow& row, int64_t x, int64_t y, uint64_t step_key) {
    const Exposure e = exposure(row, x);
    WeakBed bed{1, 0, e.largest};
    if (beds_.vary()) {
      const Face f = face(e, x, y, row.rock[x]);
      const float chance = e.largest * e.largest * rule_.chance_scale();
      const float of_low = chance * (f.of_low * f.low.softness), of_high = chance * ((1 - f.of_low) * f.high.softness);
      const float drawn = draw(keys_(x, y) + static_cast<uint32_t>(step_key));
      if (!(drawn <= of_low + of_high)) return;
      bed = drawn <= of_low ? f.low : f.high;
    }
    const double thickness = rule_.block_thickness(row.rock[x], keys_(x, y), step_key);
    const double with_cap = static_cast<double>(bed.top) + under_cap * thickness;
    lower(x, y, std::max(thickness, with_cap), std::min(e.largest, bed.bottom));
  }

  void wear(const WallRow& row, int64_t x, int64_t y) {
    const Exposure e = exposure(row, x);
    double thickness = rule_.worn_thickness(e.sum);
    if (beds_.vary()) {
      const Face f = face(e, x, y, row.rock[x]);
      const auto worn = [&](const WeakBed& bed) {
        return std::min(thickness * static_cast<double>(bed.softness), static_cast<double>(bed.bottom));
      };
      const auto of_low = static_cast<double>(f.of_low);
      thickness = of_low * worn(f.low) + (1 - of_low) * worn(f.high);
    }
    lower(x, y, thickness, e.largest);
  }

  void lower(int64_t x, int64_t y, double thickness, float most) {
    const auto whole = static_cast<float>(std::floor(std::min(thickness, static_cast<double>(most))));
    if (whole < 1) return;
    land_.debris.rock(y)[x] -= whole;
    land_.debris.touch(x, y);
    changed_.add(x, y);
  }

  WeatheringMode mode_;
  WornLand land_;
  WeatheringRule rule_;
  Talus talus_;
  WeakBeds beds_;
  Grid<uint32_t> keys_;
  TileBoxes changed_;          ///< since walls were last looked at
  TileBoxes exposed_;          ///< walls that can fall
  TileBoxes looked_at_;        ///< where walls are looked for
  std::vector<TileRun> list_;  ///< of that
};

}  // namespace

Terrain weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params, const Context& context) {
  return weathering_in_tiles(in, rock, params, {}, context);
}

Terrain weathering_in_tiles(const Terrain& in, const Geology* rock, const WeatheringParams& params, TileSize tile,
                            const Context& context) {
  const bool counted = params.steps.has_value();
  const double end = counted ? static_cast<double>(*params.steps) : params.retreat.in(in.frame());
  const double start = counted ? params.from : Length{params.from, params.retreat.percent}.in(in.frame());
  if (start > end)
    refuse(fmt::format("the run would start 'from' {} and end at {}", start, end),
           "'from' is the age of the land at the start");
  if (counted && start != std::floor(start))
    refuse(fmt::format("'from' is {} steps", start), "it must be a whole number, like 'steps'");
  const auto steps_at = [&](double age) {
    return counted ? static_cast<int64_t>(age) : weathering_steps(params, age, in.frame());
  };
  const double reach = params.reach.in(in.frame());
  if (!counted && end > 0 && end < 0.4 * reach)
    context.warn(
        fmt::format("a retreat of {} m is hardly visible with blocks {} m wide; use a shorter 'reach'", end, reach));
  const double cell = std::max(in.frame().cell.x, in.frame().cell.y);
  if (!counted && end > start && reach > 0 && reach < least_reach_in_cells * cell)
    context.warn(
        fmt::format("a 'reach' of {:.3g} m is short for cells of {:.3g} m: a finer grid may give a third more or less "
                    "erosion; use a longer 'reach' or more samples",
                    reach, cell));
  Weathering run(in, rock, params, tile, context);
  return run.run(in, steps_at(start), steps_at(end), context);
}

}  // namespace tepui
