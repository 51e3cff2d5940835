#include "tepui/erode/weathering_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/exposure.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// The rim of a bare wall of even rock wears back by factor L n^power, where L is the distance over which walls stand
/// free and n the number of falls of full thickness that a cell of the first rim would have had by then.
struct RimLaw {
  double factor, power;
};
/// Measured on cliffs and blocks with chance and pace at their defaults and no talus, n from 1 to 350: within 15 %.
RimLaw rim_law(WeatheringMode mode) { return mode == WeatheringMode::block ? RimLaw{1.2, 0.625} : RimLaw{1.4, 0.52}; }

/// What the law was measured with: debris slides once a step for so many falls.
constexpr double falls_a_slide = 0.05 * 0.25;

/// Falls of full thickness in a step, of a wall as high as the land.
double falls_a_step(const WeatheringParams& p) {
  return p.mode == WeatheringMode::block ? p.chance * p.pace : p.pace / 16;
}

double reach_in(const WeatheringParams& p, const Frame& frame) {
  const double reach = p.reach.in(frame);
  return reach > 0 ? reach : std::sqrt(frame.cell.x * frame.cell.y);
}

/// In cells. A run that is counted in steps is not fitted to its walls, which would hardly stand free over less than
/// one.
double least_reach(const WeatheringParams& p) { return p.steps ? 1 : 0.05; }

/// What chance and pace are multiplied by where `reach` is so many cells, so that coarse land wears as fine land does:
/// for `all` walls, and for steps in addition, of which the strip that falls is at least a cell wide. Land that looks
/// like steps only here and there has slopes about a cell wide rather than steps among gentle slopes: hence a `power`
/// of the steps' share. Measured on blocks, on round tables with walls 0 to 20 m wide, on faults and on mesas, for 0.5
/// to 2.5 cells.
struct CoarseCells {
  double all, steps, power;
};
CoarseCells coarse_cells(WeatheringMode mode, double cells) {
  const double steps = math::pow(std::min(cells, 1.0), 0.7);
  if (mode == WeatheringMode::smooth) return {1 + 0.15 * std::max(1 - cells, 0.0), steps, 1.2};
  const double all = cells < 1 ? std::clamp(1.13 - 0.26 * cells, 0.915, 1.0) : std::min(0.575 + 0.34 * cells, 1.0);
  return {all, steps, 3};
}

FootReach reach_along(double length, double cell, int64_t count, double least) {
  const double cells = std::clamp(length / cell, least, static_cast<double>(std::max<int64_t>(count, 1)));
  // A hair more, so that whole numbers of cells come out whole.
  const double whole = std::floor(cells + 1e-6);
  const double share = std::max(cells - whole, 0.0);
  const double edge = whole < 1 ? std::sqrt(share) - share : 0;
  return {static_cast<int64_t>(whole), static_cast<float>(share), static_cast<float>(edge)};
}

/// The sum of eight random bytes as a bell curve about 1, cut off at 0.
double bell(int sum, double spread) {
  constexpr double mean = 8 * 127.5, deviation = 209.02153;
  return std::max(0.0, 1 + spread * (sum - mean) / deviation);
}

}  // namespace

double bell_mean(double spread) {
  constexpr size_t sums = 8 * 255 + 1;
  std::vector<double> share(sums, 0.0);
  share[0] = 1;
  for (size_t bytes = 1; bytes <= 8; ++bytes) {
    std::vector<double> next(sums, 0.0);
    double window = 0;
    for (size_t i = 0; i <= bytes * 255; ++i) {
      window += share[i];
      if (i >= 256) window -= share[i - 256];
      next[i] = window / 256;
    }
    share = next;
  }
  double mean = 0;
  for (size_t i = 0; i < sums; ++i) mean += share[i] * bell(static_cast<int>(i), spread);
  return mean;
}

WeatheringRule::WeatheringRule(const WeatheringParams& params, const Frame& frame, float relief)
    : frame_(frame),
      params_(params),
      reach_(reach_in(params, frame)),
      relief_(static_cast<double>(relief)),
      along_(reach_along(reach_, frame.cell.x, frame.width, least_reach(params))),
      across_(reach_along(reach_, frame.cell.y, frame.height, least_reach(params))),
      slides_a_step_(reach_ * reach_ / (frame.cell.x * frame.cell.y)),
      thickness_(params.pace / bell_mean(params.spread)),
      stream_(params.seed.stream("weathering")) {
  // Of a run that is counted in metres, only how even it is depends on chance and pace, not how far debris slides.
  if (!params.steps) slides_a_step_ *= falls_a_step(params) / falls_a_slide;
  smooth_pace_ = params.pace;
  chance_ = params.chance;
  chance_scale_ = static_cast<float>(chance_ / (relief_ * relief_));
}

void WeatheringRule::fit_walls(const Grid<float>& rock, const Grid<float>& ground, const Context& context) {
  // Powers of the largest exposure E, what a step takes from the rock there, and how much of that from steps: rock from
  // which it goes down a cell away, and no further beyond.
  struct Walls {
    double squares = 0, cubes = 0, loss = 0, steps = 0;
  };
  const auto row_of = [&](int64_t y, FootReach along, FootReach across) {
    return wall_row([&](int64_t v) { return rock.row(v); }, [&](int64_t v) { return ground.row(v); }, y, rock.width(),
                    rock.height(), along, across);
  };
  const auto look = [&](int64_t begin, int64_t end) {
    Walls walls;
    for (int64_t y = begin; y < end; ++y) {
      const WallRow row = row_of(y, along_, across_), near = row_of(y, {1}, {1}), far = row_of(y, {2}, {2});
      for (int64_t x = 0; x < rock.width(); ++x) {
        const Exposure e = exposure(row, x);
        const double share = static_cast<double>(e.largest) / relief_,
                     height = static_cast<double>(row.rock[x]) / relief_;
        walls.squares += share * share;
        walls.cubes += share * share * share;
        if (!(share > 0)) continue;
        const double loss = params_.mode == WeatheringMode::block
                                ? params_.chance * share * share * std::min(share, params_.pace * height * height)
                                : worn_thickness(e.sum) / relief_ * params_.pace / smooth_pace_;
        walls.loss += loss;
        const double first = static_cast<double>(exposure(near, x).largest);
        const double both = static_cast<double>(exposure(far, x).largest);
        // With a high power, because a slope that is steep for a cell is not yet a step.
        const double step = first > 0 ? std::max(1 - std::abs(both / first - 1), 0.0) : 0;
        walls.steps += loss * (step * step * step);
      }
    }
    return walls;
  };
  const Walls walls =
      parallel_reduce(rock.height(), rows_per_chunk(rock.width()), context, Walls{}, look, [](Walls a, const Walls& b) {
        return Walls{a.squares + b.squares, a.cubes + b.cubes, a.loss + b.loss, a.steps + b.steps};
      });
  if (!(walls.loss > 0)) return;
  // Of walls that are all alike, squares^2 / cubes is their height times their number.
  const double speed = walls.loss * walls.cubes / (walls.squares * walls.squares);
  double hurry = std::clamp(falls_a_step(params_) / speed, 1e-3, 1e6);
  const CoarseCells coarse = coarse_cells(params_.mode, reach_ / std::sqrt(frame_.cell.x * frame_.cell.y));
  hurry *= coarse.all * math::pow(coarse.steps, math::pow(walls.steps / walls.loss, coarse.power));
  chance_ *= hurry;
  smooth_pace_ *= hurry;
  chance_scale_ = static_cast<float>(chance_ / (relief_ * relief_));
}

/// The key of the block that holds this place, metres from the world's corner.
uint32_t WeatheringRule::block_at(double x, double y) const {
  const double u = x / reach_, v = y / reach_;
  const double column = std::floor(u), row = std::floor(v);
  double nearest = std::numeric_limits<double>::max();
  uint64_t block = 0;
  for (double j = row - 1; j <= row + 1; ++j)
    for (double i = column - 1; i <= column + 1; ++i) {
      const uint64_t bits = stream_.bits(static_cast<uint64_t>(static_cast<int64_t>(i)),
                                         static_cast<uint64_t>(static_cast<int64_t>(j)) + 3);
      const double dx = i + static_cast<double>(bits >> 48) * 0x1p-16 - u;
      const double dy = j + static_cast<double>(bits >> 32 & 0xffff) * 0x1p-16 - v;
      const double distance = dx * dx + dy * dy;
      if (distance < nearest) nearest = distance, block = bits;
    }
  return static_cast<uint32_t>(mix_bits(block));
}

Grid<uint32_t> WeatheringRule::cell_keys(const Context& context) const {
  Grid<uint32_t> keys(frame_.width, frame_.height);
  const bool blocks = reach_ > std::max(frame_.cell.x, frame_.cell.y);
  parallel_chunks(frame_.height, rows_per_chunk(frame_.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < frame_.width; ++x) {
        const int64_t column = frame_.first_x + x, row = frame_.first_y + y;
        keys(x, y) =
            blocks ? block_at(static_cast<double>(column) * frame_.cell.x, static_cast<double>(row) * frame_.cell.y)
                   : static_cast<uint32_t>(stream_.bits(static_cast<uint64_t>(column), static_cast<uint64_t>(row) + 3));
      }
  });
  return keys;
}

int64_t WeatheringRule::slides_until(int64_t steps) const {
  // A hair more, so that whole numbers of slides a step come out whole.
  return static_cast<int64_t>(std::min(std::floor(static_cast<double>(steps) * slides_a_step_ * (1 + 1e-12)), 0x1p62));
}

double WeatheringRule::block_thickness(float height, uint32_t cell_key, uint64_t step_key) const {
  const double h = static_cast<double>(height);
  const uint64_t bits = mix_bits(step_key ^ uint64_t{cell_key} << 32);
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += static_cast<int>(bits >> (8 * i) & 255);
  return thickness_ * h * h / relief_ * bell(sum, params_.spread);
}

double WeatheringRule::worn_thickness(float exposures) const {
  const double free = static_cast<double>(exposures) / 4;
  return smooth_pace_ * free * free / relief_;
}

float WeatheringRule::least_exposures() const { return static_cast<float>(3.999 * std::sqrt(relief_ / smooth_pace_)); }

int64_t weathering_steps(const WeatheringParams& params, double retreat, const Frame& frame) {
  const RimLaw law = rim_law(params.mode);
  const double falls = math::pow(retreat / (law.factor * reach_in(params, frame)), 1 / law.power);
  const double steps = std::floor(falls / falls_a_step(params) + 0.5);
  if (!(steps <= most_steps_of_retreat))
    refuse(fmt::format("a retreat of {} m would take {:.3g} steps; at most {:.0f} are allowed", retreat, steps,
                       most_steps_of_retreat),
           "use a longer 'reach', or a higher 'chance' or 'pace'");
  return static_cast<int64_t>(steps);
}

}  // namespace tepui
