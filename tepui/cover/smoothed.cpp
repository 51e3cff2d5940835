#include "tepui/cover/smoothed.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/cover/smoothed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// The mean of rows: `rows` are the middle, then pairs, with the weights of each pair's numbers.
void mean_of_rows(const float* const* rows, const float* weight, int64_t pairs, int64_t count, float* out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    auto sum = hn::Mul(hn::Set(d, weight[0]), hn::LoadU(d, rows[0] + x));
    for (int64_t k = 1; k <= pairs; ++k) {
      const auto pair = hn::Add(hn::LoadU(d, rows[2 * k - 1] + x), hn::LoadU(d, rows[2 * k] + x));
      sum = hn::Add(sum, hn::Mul(hn::Set(d, weight[k]), pair));
    }
    hn::StoreU(sum, d, out + x);
  }
  for (; x < count; ++x) {
    float sum = weight[0] * rows[0][x];
    for (int64_t k = 1; k <= pairs; ++k) sum += weight[k] * (rows[2 * k - 1][x] + rows[2 * k][x]);
    out[x] = sum;
  }
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

HWY_EXPORT(mean_of_rows);

constexpr double most_taps = 24;

/// Samples of a row of `count` around `middle`, as far as the land goes to both sides.
int64_t within(int64_t offset, int64_t middle, int64_t count) { return std::min({offset, middle, count - 1 - middle}); }

class Smoother {
 public:
  Smoother(const Grid<float>& map, const Frame& frame, double radius)
      : map_(map), across_(radius, frame.cell.x), along_(radius, frame.cell.y) {}

  void row(int64_t y, std::vector<float>& buffer, float* out) const {
    const int64_t w = map_.width();
    buffer.resize(static_cast<size_t>(w));
    std::vector<const float*> rows{map_.row(y)};
    const auto pairs = static_cast<int64_t>(along_.weight.size()) - 1;
    for (int64_t k = 1; k <= pairs; ++k) {
      const int64_t off = within(k * along_.step, y, map_.height());
      rows.push_back(map_.row(y - off));
      rows.push_back(map_.row(y + off));
    }
    const auto mean = HWY_DYNAMIC_DISPATCH(mean_of_rows);
    mean(rows.data(), along_.weight.data(), pairs, w, buffer.data());
    across(buffer.data(), rows, out);
  }

 private:
  void across(const float* from, std::vector<const float*>& rows, float* out) const {
    const int64_t w = map_.width(), reach = across_.reach(), begin = std::min(reach, w),
                  end = std::max(w - reach, begin);
    const auto pairs = static_cast<int64_t>(across_.weight.size()) - 1;
    const auto one = [&](int64_t x) {
      float sum = across_.weight[0] * from[x];
      for (int64_t k = 1; k <= pairs; ++k) {
        const int64_t off = within(k * across_.step, x, w);
        sum += across_.weight[static_cast<size_t>(k)] * (from[x - off] + from[x + off]);
      }
      out[x] = sum;
    };
    for (int64_t x = 0; x < begin; ++x) one(x);
    rows.assign(1, from + begin);
    for (int64_t k = 1; k <= pairs; ++k) {
      rows.push_back(from + begin - k * across_.step);
      rows.push_back(from + begin + k * across_.step);
    }
    if (end > begin)
      HWY_DYNAMIC_DISPATCH(mean_of_rows)(rows.data(), across_.weight.data(), pairs, end - begin, out + begin);
    for (int64_t x = end; x < w; ++x) one(x);
  }

  const Grid<float>& map_;
  SmoothingTaps across_, along_;
};

}  // namespace

SmoothingTaps::SmoothingTaps(double radius, double cell) {
  const double cells = std::min(radius / cell, 0x1p40);
  step = std::max<int64_t>(static_cast<int64_t>(std::ceil(cells / (most_taps + 1))), 1);
  std::vector<double> shares;
  double sum = 0;
  for (int64_t k = 0; k == 0 || static_cast<double>(k * step) < cells; ++k) {
    const double d = k == 0 ? 0 : static_cast<double>(k * step) / cells, share = (1 - d * d) * (1 - d * d);
    shares.push_back(share);
    sum += k == 0 ? share : 2 * share;
  }
  for (const double share : shares) weight.push_back(static_cast<float>(share / sum));
}

Grid<float> smoothed(const Grid<float>& map, const Frame& frame, double radius, const Context& context) {
  Grid<float> out(map.width(), map.height());
  const Smoother smoother(map, frame, radius);
  parallel_chunks(map.height(), rows_per_chunk(map.width()), context, [&](int64_t begin, int64_t end) {
    thread_local std::vector<float> buffer;
    for (int64_t y = begin; y < end; ++y) smoother.row(y, buffer, out.row(y));
  });
  return out;
}

Halo smoothing_halo(const Frame& frame, double radius) {
  return {SmoothingTaps(radius, frame.cell.x).reach(), SmoothingTaps(radius, frame.cell.y).reach()};
}

}  // namespace tepui

#endif
