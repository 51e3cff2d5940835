#include "tepui/erode/weathering_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

// The rim of a bare wall of even rock wears back by rim_factor L n^rim_power, where L is the distance over which walls
// stand free and n the number of falls of full thickness that a cell of the first rim would have had by then: measured
// on blocks with L from 1/60 to 1/15 of their height, and n from 1 to 125, to within 15 %.
constexpr double rim_factor = 1.2, rim_power = 0.625;

/// Falls of full thickness in a step, of a wall as high as the land.
double falls_a_step(const WeatheringParams& p) {
  return p.mode == WeatheringMode::block ? p.chance * p.pace : p.pace / 16;
}

double reach_in(const WeatheringParams& p, const Frame& frame) {
  const double reach = p.reach.in(frame);
  return reach > 0 ? reach : std::sqrt(frame.cell.x * frame.cell.y);
}

int64_t cells_in(double length, double cell, int64_t count) {
  return static_cast<int64_t>(
      std::clamp(std::floor(length / cell + 0.5), 1.0, static_cast<double>(std::max<int64_t>(count, 1))));
}

/// The sum of eight random bytes as a bell curve of mean 1, cut off at 0.
double bell(uint64_t bits, double spread) {
  constexpr double mean = 8 * 127.5, deviation = 209.02153;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += static_cast<int>(bits >> (8 * i) & 255);
  return std::max(0.0, 1 + spread * (sum - mean) / deviation);
}

}  // namespace

WeatheringRule::WeatheringRule(const WeatheringParams& params, const Frame& frame, float relief)
    : frame_(frame),
      reach_(reach_in(params, frame)),
      pace_(params.pace),
      spread_(params.spread),
      relief_(static_cast<double>(relief)),
      reach_x_(cells_in(reach_, frame.cell.x, frame.width)),
      reach_y_(cells_in(reach_, frame.cell.y, frame.height)),
      slides_a_step_(reach_ * reach_ / (frame.cell.x * frame.cell.y)),
      stream_(params.seed.stream("weathering")),
      column_keys_(static_cast<size_t>(frame.width)) {
  // A wall's face is a whole number of cells wide, which may be more or less than `reach`: then it falls more rarely or
  // more often, so that it wears back as fast.
  const double face =
      0.5 * (static_cast<double>(reach_x_) * frame.cell.x + static_cast<double>(reach_y_) * frame.cell.y);
  const double hurry = math::pow(reach_ / face, 1 / rim_power);
  smooth_pace_ = params.pace * hurry;
  chance_scale_ = static_cast<float>(std::min(1.0, params.chance * hurry) / (relief_ * relief_));
  for (int64_t x = 0; x < frame.width; ++x)
    column_keys_[static_cast<size_t>(x)] =
        static_cast<uint32_t>(stream_.bits(static_cast<uint64_t>(block(frame.first_x + x, frame.cell.x)), 1));
}

/// The square of `reach` that a sample lies in, or its own index where squares are smaller than cells.
int64_t WeatheringRule::block(int64_t index, double cell) const {
  return reach_ > cell ? static_cast<int64_t>(std::floor(static_cast<double>(index) * cell / reach_)) : index;
}

int64_t WeatheringRule::slides_until(int64_t steps) const {
  // A hair more, so that whole numbers of slides a step come out whole.
  return static_cast<int64_t>(std::floor(static_cast<double>(steps) * slides_a_step_ * (1 + 1e-12)));
}

uint64_t WeatheringRule::row_key(int64_t step, int64_t y) const {
  return stream_.bits(static_cast<uint64_t>(step), static_cast<uint64_t>(block(frame_.first_y + y, frame_.cell.y)) + 2);
}

double WeatheringRule::block_thickness(float height, uint64_t row_key, int64_t x) const {
  const double h = static_cast<double>(height);
  const uint64_t bits = mix_bits(row_key ^ uint64_t{column_keys_[static_cast<size_t>(x)]} << 32);
  return pace_ * h * h / relief_ * bell(bits, spread_);
}

double WeatheringRule::worn_thickness(float exposures) const {
  const double free = static_cast<double>(exposures) / 4;
  return smooth_pace_ * free * free / relief_;
}

float WeatheringRule::least_exposures() const { return static_cast<float>(3.999 * std::sqrt(relief_ / smooth_pace_)); }

int64_t weathering_steps(const WeatheringParams& params, double retreat, const Frame& frame) {
  const double falls = math::pow(retreat / (rim_factor * reach_in(params, frame)), 1 / rim_power);
  const double steps = std::floor(falls / falls_a_step(params) + 0.5);
  if (!(steps <= most_weathering_steps))
    refuse(fmt::format("a retreat of {} m would take {:.3g} steps; at most {:.0f} are allowed", retreat, steps,
                       most_weathering_steps),
           "a longer 'reach', more 'chance' or a faster 'pace' needs fewer");
  return static_cast<int64_t>(steps);
}

}  // namespace tepui
