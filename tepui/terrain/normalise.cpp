#include "tepui/terrain/normalise.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/terrain/normalise.cpp"
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

/// A division rather than a factor: the highest sample becomes `height` exactly. Where the range is next to nothing,
/// samples far outside it stay finite.
void rescale(float* cells, int64_t count, float low, float span, float height) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto v_low = hn::Set(d, low), v_span = hn::Set(d, span), v_height = hn::Set(d, height);
  constexpr float largest = std::numeric_limits<float>::max();
  const auto held = [&](auto v) { return hn::Min(hn::Max(v, hn::Set(d, -largest)), hn::Set(d, largest)); };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto unit = held(hn::Div(hn::Sub(hn::LoadU(d, cells + i), v_low), v_span));
    hn::StoreU(held(hn::Mul(unit, v_height)), d, cells + i);
  }
  for (; i < count; ++i)
    cells[i] = std::clamp(std::clamp((cells[i] - low) / span, -largest, largest) * height, -largest, largest);
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

HWY_EXPORT(range_of);
HWY_EXPORT(rescale);

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

Terrain normalised_land(const Frame& world, Grid<float> raw, MinMax range, double height, const Context& context) {
  const float span = range.high - range.low;
  parallel_chunks(raw.size(), cells_per_chunk, context, [&](int64_t begin, int64_t end) {
    if (span > 0)
      HWY_DYNAMIC_DISPATCH(rescale)(raw.data() + begin, end - begin, range.low, span, to_cell(height));
    else
      std::fill(raw.data() + begin, raw.data() + end, 0.0f);
  });
  return Terrain(world, {0, height}, std::move(raw));
}

LandStages land_stages(const Frame& world, bool on_lattice, const Context& context) {
  const auto count = [](const Frame& frame) {
    return static_cast<double>(frame.width) * static_cast<double>(frame.height);
  };
  constexpr double measured = 0.97;
  double computed = 0.9;
  if (on_lattice) computed = measured * count(world) / (count(world) + count(world.measuring_lattice()));
  return {context.stage("samples", 0, computed), context.stage("measure", computed, measured),
          context.stage("scale", measured, 1)};
}

}  // namespace tepui

#endif
