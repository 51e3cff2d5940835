#include "tepui/terrain/accessibility.h"

#include <algorithm>
#include <vector>

#include "tepui/terrain/sight_lines.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/terrain/accessibility.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_TERRAIN_ACCESSIBILITY_TYPES
#define TEPUI_TERRAIN_ACCESSIBILITY_TYPES

namespace tepui {

/// Some steps of a line of sight that are passed over where even the highest land near them stays below the horizon.
/// The square of samples that they look at has its south-western corner at (x, y), counted from the viewer.
struct SightBlock {
  int64_t x = 0, y = 0;
  float per_distance = 0;  ///< of the nearest
};

/// A line goes one sample along an axis and at most one along the other with each step and looks at two: a square of 8
/// samples holds 7 steps, one of 64 holds 63.
inline constexpr int64_t few_steps = 7, many_steps = 63;

/// A line of sight with its blocks.
struct BlockedLine {
  SightLine line;
  std::vector<SightBlock> few, many;
};

/// Heights with room on both sides, and the highest of squares of 8 and of 64 samples: of a square for each column,
/// from there to the east, and for each 8 or 64 rows.
struct SightField {
  Grid<float> height, squares_8, squares_64;
  int64_t room = 0;  ///< columns before the first sample
};

/// Far below all land.
inline constexpr float no_land = -1e30f, highest_land = 1e29f;
/// Nothing is seen of the sky below so steep a horizon, and its square is still a float.
inline constexpr float steepest = 1e18f;

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// Whether nothing in the block rises above the horizons of all lanes. Rounding keeps the order of numbers, so what is
/// passed over would not have changed a bit.
HWY_INLINE bool is_hidden(const Grid<float>& squares, int64_t side, const SightBlock& block, int64_t x, int64_t y,
                          V here, V horizon) {
  const D d;
  // The rows of the block lie in those of two squares.
  const int64_t south = y + block.y > 0 ? y + block.y : 0;
  const int64_t low = south / side, next = (south + side - 1) / side, last = squares.height() - 1;
  const V top = hn::Max(hn::LoadU(d, squares.row(low) + x + block.x),
                        hn::LoadU(d, squares.row(next < last ? next : last) + x + block.x));
  return hn::AllTrue(d, hn::Le(hn::Mul(hn::Sub(top, here), hn::Set(d, block.per_distance)), horizon));
}

/// The tangents of the horizon along the first `count` steps of a line, for a vector of samples from column x of the
/// field on.
HWY_INLINE V horizon_at(const SightField& field, const BlockedLine& blocked, int64_t count, int64_t x, int64_t y) {
  const D d;
  const SightLine& line = blocked.line;
  const int64_t aside = line.along_x ? field.height.width() : 1;
  const V here = hn::LoadU(d, field.height.row(y) + x);
  V horizon = hn::Zero(d);
  for (int64_t far = 0; far < count; far += many_steps) {
    const int64_t far_end = far + many_steps < count ? far + many_steps : count;
    if (!blocked.many.empty() &&
        is_hidden(field.squares_64, 64, blocked.many[static_cast<size_t>(far / many_steps)], x, y, here, horizon))
      continue;
    size_t block = static_cast<size_t>(far / few_steps);
    for (int64_t first = far; first < far_end; first += few_steps) {
      if (is_hidden(field.squares_8, 8, blocked.few[block++], x, y, here, horizon)) continue;
      const int64_t end = first + few_steps < far_end ? first + few_steps : far_end;
      for (int64_t i = first; i < end; ++i) {
        const SightStep& step = line.steps[static_cast<size_t>(i)];
        const float* at = field.height.row(y + step.y) + x + step.x;
        V seen = hn::LoadU(d, at);
        if (step.rest > 0) {
          const V next = hn::LoadU(d, at + aside);
          // Not above both, however it is rounded.
          seen = hn::Min(hn::Add(seen, hn::Mul(hn::Set(d, step.rest), hn::Sub(next, seen))), hn::Max(seen, next));
        }
        horizon = hn::Max(horizon, hn::Mul(hn::Sub(seen, here), hn::Set(d, step.per_distance)));
      }
    }
  }
  return hn::Min(horizon, hn::Set(d, steepest));
}

/// Adds what is seen of the sky along a line to `sums`, which have room for a vector more than `width`.
void add_sky(const SightField& field, const BlockedLine& blocked, int64_t count, int64_t first, int64_t y,
             int64_t width, bool light, float* sums) {
  const D d;
  const V one = hn::Set(d, 1.0f);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t x = 0; x < width; x += lanes) {
    const V t = horizon_at(field, blocked, count, field.room + first + x, y);
    const V square = hn::Add(one, hn::Mul(t, t));
    const V sky = light ? hn::Div(one, square) : hn::Sub(one, hn::Div(t, hn::Sqrt(square)));
    hn::StoreU(hn::Add(hn::LoadU(d, sums + x), sky), d, sums + x);
  }
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

HWY_EXPORT(add_sky);

/// A vector's length at most.
constexpr int64_t slack = 64;
/// Samples of a row that are looked at together, so that the rows around them stay near.
constexpr int64_t tile = 256;

/// The highest of each eight rows, and of eight entries that are `apart` from each other, from west to east.
Grid<float> highest_of_eight(const Grid<float>& field, int64_t apart, const Context& context) {
  const int64_t width = field.width(), rows = (field.height() + 7) / 8;
  Grid<float> result(width, rows);
  const auto raise = [](float* row, const float* other, int64_t count) {
    for (int64_t i = 0; i < count; ++i) row[i] = row[i] < other[i] ? other[i] : row[i];
  };
  parallel_chunks(rows, 4, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      float* row = result.row(y);
      std::copy_n(field.row(8 * y), width, row);
      for (int64_t from = 8 * y + 1; from < std::min(8 * y + 8, field.height()); ++from)
        raise(row, field.row(from), width);
      for (int64_t s = apart; s < 8 * apart; s *= 2) raise(row, row + s, width - s);
    }
  });
  return result;
}

SightField sight_field(const Grid<float>& z, Halo reach, bool far, const Context& context) {
  SightField field;
  field.room = reach.x + 2;
  field.height = Grid<float>(z.width() + 2 * field.room + slack, z.height(), no_land);
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x)
      field.height(field.room + x, y) = std::clamp(z(x, y), -highest_land, highest_land);
  field.squares_8 = highest_of_eight(field.height, 1, context.stage("look ahead", 0, 0.5));
  if (far) field.squares_64 = highest_of_eight(field.squares_8, 8, context.stage("look ahead", 0.5, 1));
  return field;
}

std::vector<SightBlock> blocks_of(const SightLine& line, int64_t steps) {
  std::vector<SightBlock> blocks;
  for (size_t i = 0; i < line.steps.size(); ++i) {
    const SightStep& step = line.steps[i];
    if (i % static_cast<size_t>(steps) == 0) blocks.push_back({step.x, step.y, step.per_distance});
    blocks.back().x = std::min(blocks.back().x, step.x);
    blocks.back().y = std::min(blocks.back().y, step.y);
  }
  return blocks;
}

/// How many steps of a line from row y stay on land of so many rows.
int64_t steps_on_land(const SightLine& line, int64_t y, int64_t rows) {
  const auto beyond = [&](const SightStep& step) {
    const int64_t other = line.along_x && step.rest > 0 ? 1 : 0;
    return y + step.y < 0 || y + step.y + other >= rows;
  };
  return std::ranges::find_if(line.steps, beyond) - line.steps.begin();
}

}  // namespace

void describe(Fields<AccessibilityParams>& f) {
  f.about("Measure how much of the sky a place sees: the layer 'accessibility', from 0 to 1");
  f.window([](const AccessibilityParams& p, const Frame& frame) { return sight_halo(frame, p.radius.in(frame)); },
           "radius");
  f.example("circular_faults | {}");
  f("measure", &AccessibilityParams::measure, {"share", "light"},
    "the share of the sky above the horizon, or the light that an even sky sends on level ground");
  f("radius", &AccessibilityParams::radius, open_range(0, 1e9),
    "how far away land may hide the sky; at least the next samples")
      .slider(0, 2000)
      .sweep("1%", "5%", "30%");
  f("directions", &AccessibilityParams::directions, Range{4, 256}, "in which the horizon is looked for").slider(8, 64);
}

Terrain accessibility(const Terrain& in, const AccessibilityParams& params, const Context& context) {
  const Frame& frame = in.frame();
  const double radius = params.radius.in(frame);
  std::vector<BlockedLine> lines;
  bool far = false;
  for (SightLine& line : sight_lines(frame, radius, params.directions)) {
    lines.push_back({std::move(line), {}, {}});
    BlockedLine& blocked = lines.back();
    blocked.few = blocks_of(blocked.line, few_steps);
    if (static_cast<int64_t>(blocked.line.steps.size()) >= many_steps)
      blocked.many = blocks_of(blocked.line, many_steps);
    far = far || !blocked.many.empty();
  }
  const SightField field =
      sight_field(in.height(), sight_halo(frame, radius), far, context.stage("look ahead", 0, 0.1));
  const auto add = HWY_DYNAMIC_DISPATCH(add_sky);
  const bool light = params.measure == AccessibilityMeasure::light;
  const float part = 1 / static_cast<float>(params.directions);
  Grid<float> values(frame.width, frame.height);
  parallel_chunks(frame.height, 8, context.stage("look around", 0.1, 1), [&](int64_t begin, int64_t end) {
    std::vector<float> sums(static_cast<size_t>(tile + slack));
    for (int64_t first = 0; first < frame.width; first += tile)
      for (int64_t y = begin; y < end; ++y) {
        context.check();
        const int64_t width = std::min(tile, frame.width - first);
        std::ranges::fill(sums, 0.0f);
        for (const BlockedLine& line : lines)
          add(field, line, steps_on_land(line.line, y, frame.height), first, y, width, light, sums.data());
        for (int64_t x = 0; x < width; ++x)
          values(first + x, y) = std::clamp(sums[static_cast<size_t>(x)] * part, 0.0f, 1.0f);
      }
  });
  return in.with(make_layer("accessibility", "", LayerKind::continuous, std::move(values)));
}

}  // namespace tepui

#endif
