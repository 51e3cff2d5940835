#include "tepui/generate/circular_fault_sum.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/generate/circular_fault_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_GENERATE_CIRCULAR_FAULT_SUM_TYPES
#define TEPUI_GENERATE_CIRCULAR_FAULT_SUM_TYPES

namespace tepui {

/// One fault in one row: the chord [left, right] and the columns [begin, end) that hold it.
struct Chord {
  FloatPair left, right;
  float inverse_radius;
  int64_t begin, end;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds the chords in their order to `sums`, the columns from `first` on of a row. With s = (right - x)(x - left) both
/// factors keep their precision up to the fault's edge, where r^2 - d^2 would lose it.
void add_chords(const std::vector<Chord>& chords, const float* x_high, const float* x_low, int64_t first, int64_t count,
                float* HWY_RESTRICT sums) {
  const hn::CappedTag<float, widest_vector> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(d);
  x_high += first;
  x_low += first;
  for (const Chord& chord : chords) {
    const int64_t begin = std::max<int64_t>(chord.begin - first, 0) / widest_vector * widest_vector;
    const int64_t end = std::min(chord.end - first, count);
    const auto right_high = hn::Set(d, chord.right.high), right_low = hn::Set(d, chord.right.low);
    const auto left_high = hn::Set(d, chord.left.high), left_low = hn::Set(d, chord.left.low);
    const auto inverse_radius = hn::Set(d, chord.inverse_radius);
    for (int64_t x = begin; x < end; x += lanes) {
      const auto high = hn::Load(d, x_high + x), low = hn::Load(d, x_low + x);
      const auto to_right = hn::Add(hn::Sub(right_high, high), hn::Sub(right_low, low));
      const auto to_left = hn::Add(hn::Sub(high, left_high), hn::Sub(low, left_low));
      const auto s = hn::Max(hn::Mul(to_right, to_left), zero);
      const auto lift = hn::Mul(hn::Sqrt(s), inverse_radius);
      hn::Store(hn::Add(hn::Load(d, sums + x), lift), d, sums + x);
    }
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(add_chords);

namespace {

constexpr int64_t faults_per_batch = 4096;

/// The sum of one batch of faults, row by row.
class BatchSum {
 public:
  BatchSum(const Frame& frame, const DiscColumns& columns, double unit, std::vector<CircularFault> faults)
      : frame_(frame), columns_(columns), unit_(unit), faults_(std::move(faults)), bins_(bin_by_rows(faults_, frame)) {}

  /// Sets (or adds to) the rows of a block.
  void block(int64_t block, bool add, Grid<float>& sums) const {
    std::vector<Chord> chords;
    const int64_t end = std::min((block + 1) * rows_per_block, frame_.height);
    for (int64_t y = block * rows_per_block; y < end; ++y) {
      cut(block, y, chords);
      for (int64_t x = 0; x < frame_.width; x += block_columns)
        columns(chords, x, std::min(block_columns, frame_.width - x), add, sums.row(y) + x);
    }
  }

 private:
  /// The chords in which row y cuts the faults of its block.
  void cut(int64_t block, int64_t y, std::vector<Chord>& chords) const {
    chords.clear();
    const double y_metres = static_cast<double>(frame_.first_y + y) * frame_.cell.y;
    for (size_t i = bins_.starts[static_cast<size_t>(block)]; i < bins_.starts[static_cast<size_t>(block) + 1]; ++i) {
      const CircularFault& fault = faults_[static_cast<size_t>(bins_.discs[i])];
      const double dy = y_metres - fault.centre.y;
      const double half_squared = (fault.radius - dy) * (fault.radius + dy);
      if (!(half_squared > 0)) continue;
      const double half = std::sqrt(half_squared);
      const double left = fault.centre.x - half, right = fault.centre.x + half;
      const IndexRange range = covered(left, right, 1 / frame_.cell.x, frame_.first_x, frame_.width);
      if (range.begin >= range.end) continue;
      chords.push_back({float_pair(left * unit_), float_pair(right * unit_),
                        static_cast<float>(1 / (fault.radius * unit_)), range.begin, range.end});
    }
  }

  void columns(const std::vector<Chord>& chords, int64_t first, int64_t count, bool add, float* row) const {
    alignas(64) float sums[block_columns];
    std::fill(sums, sums + (count + widest_vector - 1) / widest_vector * widest_vector, 0.0f);
    HWY_DYNAMIC_DISPATCH(add_chords)(chords, columns_.high(), columns_.low(), first, count, sums);
    if (add)
      for (int64_t x = 0; x < count; ++x) row[x] += sums[x];
    else
      std::copy(sums, sums + count, row);
  }

  const Frame& frame_;
  const DiscColumns& columns_;
  double unit_;
  std::vector<CircularFault> faults_;
  DiscBins bins_;
};

/// A point drawn evenly where the limit allows.
Vec2 draw_centre(const Stream& stream, uint64_t index, Vec2 size, FaultLimit limit, double distance) {
  const Vec2 half = size * 0.5;
  Vec2 box = half;
  if (limit != FaultLimit::none) box.y = std::min(box.y, distance);
  if (limit == FaultLimit::around_centre) box.x = std::min(box.x, distance);
  // The disc is cut out of its box by drawing again; more than three quarters of the draws hit.
  for (uint64_t attempt = 0; attempt < 64; ++attempt) {
    const Vec2 offset{box.x * stream.uniform(index, 1 + 2 * attempt, -1, 1),
                      box.y * stream.uniform(index, 2 + 2 * attempt, -1, 1)};
    if (limit != FaultLimit::around_centre || offset.x * offset.x + offset.y * offset.y <= distance * distance)
      return half + offset;
  }
  return half;
}

}  // namespace

std::vector<CircularFault> draw_circular_faults(const Frame& world, const CircularFaultsParams& params, int64_t first,
                                                int64_t count) {
  const double low = params.radius.low.in(world), high = params.radius.high.in(world);
  if (low > high)
    refuse(fmt::format("'radius' goes from high to low: {:g} m to {:g} m in this world", low, high),
           "write the smaller value first");
  const Stream stream = params.seed.stream("circular_faults");
  const double distance = params.distance.in(world), longer = world.longer_side();
  std::vector<CircularFault> faults(static_cast<size_t>(count));
  for (size_t i = 0; i < faults.size(); ++i) {
    const auto index = static_cast<uint64_t>(first) + i;
    const double radius = std::min(stream.uniform(index, 0, low, high), longer * 0x1p40);
    faults[i].radius = radius < longer * 0x1p-48 ? 0 : radius;
    faults[i].centre = draw_centre(stream, index, world.size, params.limit, distance);
  }
  return faults;
}

Grid<float> sum_circular_faults(const Frame& frame, const CircularFaultsParams& params, const Context& context) {
  int exponent = 0;
  std::frexp(frame.longer_side(), &exponent);
  const double unit = std::ldexp(1.0, -exponent);
  const DiscColumns columns(frame, unit);
  const int64_t blocks = (frame.height + rows_per_block - 1) / rows_per_block;

  Grid<float> sums(frame.width, frame.height);
  int64_t first = 0;
  do {
    const int64_t count = std::min(faults_per_batch, params.faults - first);
    const double done = static_cast<double>(first) / static_cast<double>(std::max<int64_t>(params.faults, 1));
    const double then = static_cast<double>(first + count) / static_cast<double>(std::max<int64_t>(params.faults, 1));
    const BatchSum batch(frame, columns, unit, draw_circular_faults(frame, params, first, count));
    parallel_chunks(blocks, 1, context.stage("faults", done, then), [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block) batch.block(block, first > 0, sums);
    });
    first += count;
  } while (first < params.faults);
  return sums;
}

}  // namespace tepui

#endif
