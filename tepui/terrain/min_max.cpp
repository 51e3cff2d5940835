#include "tepui/terrain/min_max.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/terrain/min_max.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Min and max are exact, so the order of lanes does not matter, save for the sign of zero, which min_max() drops.
MinMax range_of(const float* cells, int64_t count) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  MinMax range{cells[0], cells[0]};
  int64_t i = 0;
  if (count >= lanes) {
    auto low = hn::LoadU(d, cells), high = low;
    for (; i + lanes <= count; i += lanes) {
      const auto v = hn::LoadU(d, cells + i);
      low = hn::Min(low, v);
      high = hn::Max(high, v);
    }
    range = {hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
  }
  for (; i < count; ++i) {
    range.low = cells[i] < range.low ? cells[i] : range.low;
    range.high = cells[i] > range.high ? cells[i] : range.high;
  }
  return range;
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(range_of);

namespace {

constexpr int64_t cells_per_chunk = 1 << 18;

}  // namespace

MinMax min_max(const Grid<float>& grid, const Context& context) {
  if (grid.empty()) return {0, 0};
  const MinMax first{grid.data()[0], grid.data()[0]};
  const MinMax range = parallel_reduce(
      grid.size(), cells_per_chunk, context, first,
      [&](int64_t begin, int64_t end) { return HWY_DYNAMIC_DISPATCH(range_of)(grid.data() + begin, end - begin); },
      [](MinMax a, MinMax b) {
        return MinMax{std::min(a.low, b.low), std::max(a.high, b.high)};
      });
  return {range.low + 0.0f, range.high + 0.0f};
}

}  // namespace tepui

#endif
