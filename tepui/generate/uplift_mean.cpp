#include "tepui/generate/uplift_mean.h"

#include <algorithm>
#include <cmath>

#include "tepui/generate/disc_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/generate/uplift_mean.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_GENERATE_UPLIFT_MEAN_TYPES
#define TEPUI_GENERATE_UPLIFT_MEAN_TYPES

namespace tepui {

/// One cone in one row, and the columns [begin, end) that it may lift.
struct ConeRow {
  FloatPair x;
  float dy_squared;
  float height;
  int64_t begin, end;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds the cones in their order to `sums`, the columns from `first` on of a row.
void add_cones(const std::vector<ConeRow>& cones, float ruggedness, const float* x_high, const float* x_low,
               int64_t first, int64_t count, float* HWY_RESTRICT sums) {
  const hn::CappedTag<float, widest_vector> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(d), slope = hn::Set(d, ruggedness);
  x_high += first;
  x_low += first;
  for (const ConeRow& cone : cones) {
    const int64_t begin = std::max<int64_t>(cone.begin - first, 0) / widest_vector * widest_vector;
    const int64_t end = std::min(cone.end - first, count);
    const auto high = hn::Set(d, cone.x.high), low = hn::Set(d, cone.x.low);
    const auto dy_squared = hn::Set(d, cone.dy_squared), height = hn::Set(d, cone.height);
    for (int64_t x = begin; x < end; x += lanes) {
      const auto dx = hn::Add(hn::Sub(hn::Load(d, x_high + x), high), hn::Sub(hn::Load(d, x_low + x), low));
      const auto distance = hn::Sqrt(hn::Add(hn::Mul(dx, dx), dy_squared));
      const auto lift = hn::Max(hn::Sub(height, hn::Mul(slope, distance)), zero);
      hn::Store(hn::Add(hn::Load(d, sums + x), lift), d, sums + x);
    }
  }
}

/// Sets (or adds to) the row, then divides. `sums` is padded to whole vectors.
void store_mean(const float* sums, int64_t count, bool add, float divisor, float* HWY_RESTRICT row) {
  const hn::CappedTag<float, widest_vector> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto by = hn::Set(d, divisor);
  int64_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto sum = hn::Load(d, sums + x);
    hn::StoreU(hn::Div(add ? hn::Add(hn::LoadU(d, row + x), sum) : sum, by), d, row + x);
  }
  for (; x < count; ++x) row[x] = (add ? row[x] + sums[x] : sums[x]) / divisor;
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(add_cones);
HWY_EXPORT(store_mean);

namespace {

constexpr int64_t peaks_per_batch = 4096;

/// The discs that hold all samples a cone can lift in float: without the room to spare, whether a sample at the foot is
/// lifted by a rounding error would be up to where a vector begins, and so to the tile. A peak of height 0 lifts
/// nothing.
std::vector<Disc> feet(const std::vector<UpliftPeak>& peaks, double ruggedness, double longer_side) {
  std::vector<Disc> discs;
  for (const auto& [place, height] : peaks)
    discs.push_back({place, height > 0 ? height / ruggedness * (1 + 0x1p-20) + longer_side * 0x1p-44 : 0});
  return discs;
}

/// The sum of one batch of peaks, row by row.
class ConeSum {
 public:
  ConeSum(const Frame& frame, const DiscColumns& columns, double ruggedness, std::vector<UpliftPeak> peaks)
      : frame_(frame),
        columns_(columns),
        ruggedness_(static_cast<float>(ruggedness)),
        peaks_(std::move(peaks)),
        feet_(feet(peaks_, ruggedness, frame.longer_side())),
        bins_(bin_by_rows(feet_, frame)) {}

  /// Sets (or adds to) the rows of a block, then divides them.
  void block(int64_t block, bool add, float divisor, Grid<float>& sums) const {
    std::vector<ConeRow> cones;
    const int64_t end = std::min((block + 1) * rows_per_block, frame_.height);
    for (int64_t y = block * rows_per_block; y < end; ++y) {
      cut(block, y, cones);
      for (int64_t x = 0; x < frame_.width; x += block_columns) {
        alignas(64) float part[block_columns];
        const int64_t count = std::min(block_columns, frame_.width - x);
        std::fill(part, part + (count + widest_vector - 1) / widest_vector * widest_vector, 0.0f);
        HWY_DYNAMIC_DISPATCH(add_cones)(cones, ruggedness_, columns_.high(), columns_.low(), x, count, part);
        HWY_DYNAMIC_DISPATCH(store_mean)(part, count, add, divisor, sums.row(y) + x);
      }
    }
  }

 private:
  /// The cones of the block that row y meets.
  void cut(int64_t block, int64_t y, std::vector<ConeRow>& cones) const {
    cones.clear();
    const double north = static_cast<double>(frame_.first_y + y) * frame_.cell.y;
    for (size_t i = bins_.starts[static_cast<size_t>(block)]; i < bins_.starts[static_cast<size_t>(block) + 1]; ++i) {
      const auto index = static_cast<size_t>(bins_.discs[i]);
      const auto& [centre, radius] = feet_[index];
      const double dy = north - centre.y, half_squared = (radius - dy) * (radius + dy);
      if (!(half_squared > 0)) continue;
      const double half = std::sqrt(half_squared);
      const IndexRange range =
          covered(centre.x - half, centre.x + half, 1 / frame_.cell.x, frame_.first_x, frame_.width);
      if (range.begin >= range.end) continue;
      const auto rise = static_cast<float>(dy);
      cones.push_back(
          {float_pair(centre.x), rise * rise, static_cast<float>(peaks_[index].height), range.begin, range.end});
    }
  }

  const Frame& frame_;
  const DiscColumns& columns_;
  float ruggedness_;
  std::vector<UpliftPeak> peaks_;
  std::vector<Disc> feet_;
  DiscBins bins_;
};

}  // namespace

std::vector<UpliftPeak> draw_uplift_peaks(const Frame& world, const UpliftParams& params, int64_t first,
                                          int64_t count) {
  const double low = params.peak_height.low.in(world), high = params.peak_height.high.in(world);
  if (low > high)
    refuse(fmt::format("'peak_height' goes from high to low: {:g} m to {:g} m in this world", low, high),
           "write the smaller value first");
  const Stream stream = params.seed.stream("uplift");
  std::vector<UpliftPeak> peaks(static_cast<size_t>(count));
  for (size_t i = 0; i < peaks.size(); ++i) {
    const auto index = static_cast<uint64_t>(first) + i;
    peaks[i].place = {stream.uniform(index, 0, 0, world.size.x), stream.uniform(index, 1, 0, world.size.y)};
    peaks[i].height = stream.uniform(index, 2, low, high);
  }
  return peaks;
}

Grid<float> mean_uplift(const Frame& frame, int64_t peaks, double ruggedness, const PeakSource& source,
                        const Context& context) {
  const DiscColumns columns(frame, 1);
  const int64_t blocks = (frame.height + rows_per_block - 1) / rows_per_block;
  const auto all = static_cast<double>(std::max<int64_t>(peaks, 1));
  Grid<float> sums(frame.width, frame.height);
  int64_t first = 0;
  do {
    const int64_t count = std::min(peaks_per_batch, peaks - first);
    const bool last = first + count >= peaks;
    const ConeSum batch(frame, columns, ruggedness, source(first, count));
    const Context stage =
        context.stage("peaks", static_cast<double>(first) / all, static_cast<double>(first + count) / all);
    parallel_chunks(blocks, 1, stage, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block)
        batch.block(block, first > 0, last ? static_cast<float>(all) : 1.0f, sums);
    });
    first += count;
  } while (first < peaks);
  return sums;
}

Grid<float> mean_uplift(const Frame& frame, const UpliftParams& params, const Context& context) {
  const PeakSource draw = [&](int64_t first, int64_t count) { return draw_uplift_peaks(frame, params, first, count); };
  return mean_uplift(frame, params.peaks, params.ruggedness, draw, context);
}

}  // namespace tepui

#endif
