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

HWY_EXPORT(rescale);

namespace {

constexpr int64_t cells_per_chunk = 1 << 18;

}  // namespace

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
