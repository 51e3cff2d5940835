#include "tepui/generate/linear_fault_count.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/generate/linear_fault_count.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_GENERATE_LINEAR_FAULT_COUNT_TYPES
#define TEPUI_GENERATE_LINEAR_FAULT_COUNT_TYPES

namespace tepui {

/// The lanes of a vector at most; the arrays of a batch are padded to whole vectors.
inline constexpr int64_t crossing_lanes = 8;

/// Faults side by side, those that lift the east first.
struct FaultBatch {
  std::vector<double> foot_x, foot_y, slope;
  int64_t east = 0, count = 0;
};

/// The samples of a row: position = index * cell for the indices from `first` on.
struct RowSamples {
  double y, cell;
  int64_t first, count;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// For each fault the first of the row's samples east of it, `row.count` if there is none. Dividing by the cell may
/// miss it by one; comparing the positions themselves settles it, so that no tile or resolution decides otherwise.
void cross_row(const FaultBatch& faults, const RowSamples& row, int32_t* HWY_RESTRICT columns) {
  const hn::CappedTag<double, crossing_lanes> d;
  const hn::Rebind<int32_t, decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto y = hn::Set(d, row.y), cell = hn::Set(d, row.cell), per_metre = hn::Set(d, 1 / row.cell);
  const auto first = hn::Set(d, static_cast<double>(row.first)), one = hn::Set(d, 1.0);
  const auto low = hn::Set(d, static_cast<double>(row.first - 2)),
             high = hn::Set(d, static_cast<double>(row.first + row.count));
  const auto none = hn::Zero(di), last = hn::Set(di, static_cast<int32_t>(row.count));
  for (int64_t i = 0; i < faults.count; i += lanes) {
    const auto rise = hn::Sub(y, hn::LoadU(d, faults.foot_y.data() + i));
    const auto crossing =
        hn::Add(hn::LoadU(d, faults.foot_x.data() + i), hn::Mul(rise, hn::LoadU(d, faults.slope.data() + i)));
    const auto index = hn::Min(hn::Max(hn::Floor(hn::Mul(crossing, per_metre)), low), high);
    const auto next = hn::Add(index, one);
    const auto step = hn::IfThenElseZero(hn::Le(hn::Mul(index, cell), crossing), one);
    const auto second = hn::IfThenElseZero(hn::Le(hn::Mul(next, cell), crossing), one);
    const auto column = hn::DemoteTo(di, hn::Sub(hn::Add(hn::Add(index, step), second), first));
    hn::StoreU(hn::Min(hn::Max(column, none), last), di, columns + i);
  }
}

/// Sets (or adds to) the samples the counts as floats.
void store_counts(const int32_t* counts, int64_t count, bool add, float* HWY_RESTRICT row) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto v = hn::ConvertTo(d, hn::LoadU(di, counts + x));
    hn::StoreU(add ? hn::Add(hn::LoadU(d, row + x), v) : v, d, row + x);
  }
  for (; x < count; ++x) row[x] = static_cast<float>(counts[x]) + (add ? row[x] : 0.0f);
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(cross_row);
HWY_EXPORT(store_counts);

namespace {

constexpr int64_t faults_per_batch = 1 << 15;
constexpr int64_t columns_per_block = 1 << 14;
constexpr int64_t rows_per_chunk = 8;

/// Lines nearer to the x axis than this are as good as along it.
constexpr double least_north = 0x1p-60;

FaultBatch gather(const std::vector<LinearFault>& faults) {
  FaultBatch batch;
  batch.count = static_cast<int64_t>(faults.size());
  for (const bool east : {true, false}) {
    for (const LinearFault& fault : faults) {
      if (fault.lifts_east != east) continue;
      batch.foot_x.push_back(fault.foot.x);
      batch.foot_y.push_back(fault.foot.y);
      batch.slope.push_back(fault.slope);
    }
    if (east) batch.east = static_cast<int64_t>(batch.slope.size());
  }
  const size_t padded = (faults.size() + crossing_lanes - 1) / crossing_lanes * crossing_lanes;
  for (std::vector<double>* array : {&batch.foot_x, &batch.foot_y, &batch.slope}) array->resize(padded, 0.0);
  return batch;
}

/// Counts the faults of one batch, block after block; keeps its buffers.
class RowCounter {
 public:
  explicit RowCounter(const FaultBatch& faults) : faults_(faults), columns_(faults.slope.size()) {}

  void count(const RowSamples& samples, bool add, float* row) {
    HWY_DYNAMIC_DISPATCH(cross_row)(faults_, samples, columns_.data());
    steps_.assign(static_cast<size_t>(samples.count) + 1, 0);
    // West of every crossing only those faults lift that lift the west.
    steps_[0] = static_cast<int32_t>(faults_.count - faults_.east);
    for (int64_t i = 0; i < faults_.east; ++i) ++steps_[static_cast<size_t>(columns_[static_cast<size_t>(i)])];
    for (int64_t i = faults_.east; i < faults_.count; ++i)
      --steps_[static_cast<size_t>(columns_[static_cast<size_t>(i)])];
    int32_t sum = 0;
    for (int32_t& step : steps_) step = sum += step;
    HWY_DYNAMIC_DISPATCH(store_counts)(steps_.data(), samples.count, add, row);
  }

 private:
  const FaultBatch& faults_;
  std::vector<int32_t> columns_, steps_;
};

}  // namespace

std::vector<LinearFault> draw_linear_faults(const Frame& world, const LinearFaultsParams& params, int64_t first,
                                            int64_t count) {
  const Stream stream = params.seed.stream("linear_faults");
  const double width = world.size.x, height = world.size.y;
  std::vector<LinearFault> faults(static_cast<size_t>(count));
  for (size_t i = 0; i < faults.size(); ++i) {
    const auto index = static_cast<uint64_t>(first) + i;
    // Once around the extent: south, north, west, east.
    const double along = stream.uniform(index, 0, 0, 2 * (width + height)), upright = along - 2 * width;
    const double sine = stream.uniform(index, 1, -1, 1), cosine = std::sqrt(1 - sine * sine);
    const bool level = upright < 0;
    if (level)
      faults[i].foot = along < width ? Vec2{along, 0} : Vec2{along - width, height};
    else
      faults[i].foot = upright < height ? Vec2{0, upright} : Vec2{width, upright - height};
    const Vec2 direction = level ? Vec2{sine, cosine} : Vec2{cosine, sine};
    faults[i].slope = direction.x / (std::abs(direction.y) < least_north ? least_north : direction.y);
    faults[i].lifts_east = (stream.bits(index, 2) >> 63) != 0;
  }
  return faults;
}

Grid<float> count_linear_faults(const Frame& frame, const LinearFaultsParams& params, const Context& context) {
  Grid<float> counts(frame.width, frame.height);
  const auto share = [&](int64_t done) {
    return static_cast<double>(done) / static_cast<double>(std::max<int64_t>(params.faults, 1));
  };
  int64_t first = 0;
  do {
    const int64_t count = std::min(faults_per_batch, params.faults - first);
    const FaultBatch batch = gather(draw_linear_faults(frame, params, first, count));
    const Context stage = context.stage("faults", share(first), share(first + count));
    parallel_chunks(frame.height, rows_per_chunk, stage, [&](int64_t begin, int64_t end) {
      RowCounter counter(batch);
      for (int64_t y = begin; y < end; ++y)
        for (int64_t x = 0; x < frame.width; x += columns_per_block)
          counter.count({static_cast<double>(frame.first_y + y) * frame.cell.y, frame.cell.x, frame.first_x + x,
                         std::min(columns_per_block, frame.width - x)},
                        first > 0, counts.row(y) + x);
    });
    first += count;
  } while (first < params.faults);
  return counts;
}

}  // namespace tepui

#endif
