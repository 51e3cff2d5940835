#include "tepui/erode/debris.h"

#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/erode/debris.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_ERODE_DEBRIS_TYPES
#define TEPUI_ERODE_DEBRIS_TYPES

namespace tepui {

/// Cells of a vector at most; what rows of shares are padded by.
inline constexpr int64_t widest = 16;

/// A little less than what a cell may give, so that rounded parts never add up to more.
inline constexpr float held_back = 1.0f - 0x1p-20f;

/// Pointers are to the south-west cell.
struct SlidingGround {
  const float *rock, *ground;
  float* next;
  int64_t stride, height;
  Talus talus;
};

/// What moves is added to both; `active` has nothing of these tiles yet.
struct SlidingRun {
  TileRun tiles;
  int64_t tile_width;
  TileBoxes *active, *moved;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, widest>;
using FloatVec = hn::Vec<Floats>;

/// How much lower the eight neighbours lie, added up in a fixed order.
HWY_INLINE FloatVec total_drop(const float* m, int64_t stride) {
  const Floats d;
  const auto zero = hn::Zero(d), here = hn::LoadU(d, m);
  const auto drop = [&](int64_t to) HWY_ATTR { return hn::Max(hn::Sub(here, hn::LoadU(d, m + to)), zero); };
  // Rounds alike in a land that is mirrored or turned.
  const auto along = hn::Add(drop(1), drop(-1)), up = hn::Add(drop(stride), drop(-stride));
  const auto rising = hn::Add(drop(stride + 1), drop(-stride - 1));
  const auto falling = hn::Add(drop(stride - 1), drop(1 - stride));
  return hn::Add(hn::Add(along, up), hn::Add(rising, falling));
}

/// The share of what would slide on level ground that does slide: by how much it lies steeper than it rests.
HWY_INLINE FloatVec looseness(const float* m, int64_t stride, const Talus& talus) {
  const Floats d;
  const auto zero = hn::Zero(d), here = hn::LoadU(d, m);
  const auto slope = [&](int64_t to, float per_metre) HWY_ATTR {
    const auto lowest = hn::Min(hn::LoadU(d, m + to), hn::LoadU(d, m - to));
    return hn::Mul(hn::Max(hn::Sub(here, lowest), zero), hn::Set(d, per_metre));
  };
  const auto east = slope(1, talus.per_x), north = slope(stride, talus.per_y);
  const auto steepness = hn::Sqrt(hn::Add(hn::Mul(east, east), hn::Mul(north, north)));
  return hn::Max(hn::Sub(hn::Set(d, 1.0f), hn::Div(hn::Set(d, talus.slope), steepness)), zero);
}

/// What the cells from column `begin` to `end` give away for each quantum of drop. Returns whether any gives.
template <bool with_talus>
bool fill_shares(const SlidingGround& g, int64_t y, int64_t begin, int64_t end, float* HWY_RESTRICT share) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(d);
  auto any = zero;
  for (int64_t x = begin; x < end; x += lanes, share += lanes) {
    const int64_t at = y * g.stride + x;
    const auto debris = hn::Sub(hn::LoadU(d, g.ground + at), hn::LoadU(d, g.rock + at));
    auto part = zero;
    if (!hn::AllTrue(d, hn::Le(debris, zero))) {
      const auto drop = total_drop(g.ground + at, g.stride);
      auto slides = hn::Mul(drop, hn::Set(d, 0.125f));
      if constexpr (with_talus) slides = hn::Mul(slides, looseness(g.ground + at, g.stride, g.talus));
      const auto most = hn::Min(debris, slides);
      const auto held = hn::Mul(most, hn::Set(d, held_back));
      part = hn::IfThenElseZero(hn::Gt(held, zero), hn::Div(held, drop));
    }
    any = hn::Max(any, part);
    hn::StoreU(part, d, share);
  }
  return !hn::AllTrue(d, hn::Eq(any, zero));
}

/// What comes from the neighbour at `to` less what goes there: the same number, but for its sign, at both ends.
HWY_INLINE FloatVec gain(const float* m, FloatVec here, int64_t to, FloatVec share, FloatVec their_share) {
  const Floats d;
  const auto above = hn::Sub(hn::LoadU(d, m + to), here);
  return hn::Trunc(hn::Mul(above, hn::IfThenElse(hn::Gt(above, hn::Zero(d)), their_share, share)));
}

/// Shares of a row and of those south and north of it.
struct ShareRows {
  const float *HWY_RESTRICT south, *HWY_RESTRICT row, *HWY_RESTRICT north;
};

/// The next ground of the cells from `at` on, whose shares begin at `i`. What they gain or lose is added to `moved`.
HWY_INLINE FloatVec slide_cells(const SlidingGround& g, int64_t at, const ShareRows& s, int64_t i, FloatVec& moved) {
  const Floats d;
  const int64_t up = g.stride;
  const float* m = g.ground + at;
  const auto here = hn::LoadU(d, m), share = hn::LoadU(d, s.row + i);
  const auto from = [&](int64_t to, const float* their_share)
                        HWY_ATTR { return gain(m, here, to, share, hn::LoadU(d, their_share)); };
  auto sum = hn::Add(from(1, s.row + i + 1), from(-1, s.row + i - 1));
  sum = hn::Add(sum, hn::Add(from(up, s.north + i), from(-up, s.south + i)));
  sum = hn::Add(sum, hn::Add(from(up + 1, s.north + i + 1), from(-up - 1, s.south + i - 1)));
  sum = hn::Add(sum, hn::Add(from(up - 1, s.north + i - 1), from(1 - up, s.south + i + 1)));
  moved = hn::Max(moved, hn::Abs(sum));
  return hn::Add(here, sum);
}

/// The next ground of `count` cells from `at` on, whose shares begin one cell before. Returns whether anything moved.
HWY_INLINE bool slide_row(const SlidingGround& g, int64_t at, int64_t count, const ShareRows& shares) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto moved = hn::Zero(d);
  if (count < lanes) {
    // Cells beyond belong to others, who may be writing them.
    float next[widest];
    hn::StoreU(slide_cells(g, at, shares, 1, moved), d, next);
    std::copy_n(next, count, g.next + at);
    return !hn::AllFalse(d, hn::And(hn::Gt(moved, hn::Zero(d)), hn::FirstN(d, static_cast<size_t>(count))));
  }
  for (int64_t next = 0; next < count; next += lanes) {
    // For the same reason the last vector rather begins before the end of the one before it.
    const int64_t x = std::min(next, count - lanes);
    hn::StoreU(slide_cells(g, at + x, shares, x + 1, moved), d, g.next + at + x);
  }
  return !hn::AllTrue(d, hn::Eq(moved, hn::Zero(d)));
}

template <bool with_talus>
void slide_run(const SlidingGround& g, const SlidingRun& sliding, float* buffer) {
  const TileCells& run = sliding.tiles.cells;
  const int64_t width = run.x1 - run.x0, length = width + 2 + widest;
  float* share[3] = {buffer, buffer + length, buffer + 2 * length};
  bool gives[3] = {};
  const auto fill = [&](int64_t y, int slot) {
    gives[slot] = y >= 0 && y < g.height && fill_shares<with_talus>(g, y, run.x0 - 1, run.x1 + 1, share[slot]);
    if (!gives[slot]) std::fill_n(share[slot], length, 0.0f);
  };
  fill(run.y0 - 1, 0);
  fill(run.y0, 1);
  for (int64_t y = run.y0; y < run.y1; ++y) {
    fill(y + 1, 2);
    if (gives[0] || gives[1] || gives[2]) {
      int64_t tile = sliding.tiles.first, tile_end = sliding.tiles.first_end;
      for (int64_t x = run.x0; x < run.x1; x = tile_end, ++tile, tile_end += sliding.tile_width) {
        const int64_t end = std::min(tile_end, run.x1), i = x - run.x0;
        if (slide_row(g, y * g.stride + x, end - x, {share[0] + i, share[1] + i, share[2] + i}))
          sliding.active->add_changes(tile, y, x, end, g.ground + y * g.stride, g.next + y * g.stride);
      }
    } else {
      std::copy_n(g.ground + y * g.stride + run.x0, width, g.next + y * g.stride + run.x0);
    }
    share[0] = std::exchange(share[1], std::exchange(share[2], share[0]));
    gives[0] = std::exchange(gives[1], gives[2]);
  }
  int64_t tile = sliding.tiles.first;
  for (int64_t end = sliding.tiles.first_end; end - sliding.tile_width < run.x1; end += sliding.tile_width, ++tile)
    sliding.moved->box(tile).add(sliding.active->box(tile));
}

void slide_any_run(const SlidingGround& g, const SlidingRun& run, float* buffer) {
  g.talus.slope > 0 ? slide_run<true>(g, run, buffer) : slide_run<false>(g, run, buffer);
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(slide_any_run);

namespace {

/// Higher than any ground, so that nothing flows over the border and no wall has its foot beyond it, not even a small
/// part of a cell; without debris, so that nothing comes from there.
constexpr float wall = 0x1p100f;

/// A cell's next ground depends on neighbours so many cells away: on what they give, which depends on theirs.
constexpr int64_t dependence = 2;

}  // namespace

Debris::Debris(int64_t width, int64_t height, TileSize tile)
    : tiling_(width, height, tile),
      stride_((left_pad + width + right_pad + widest - 1) / widest * widest),
      rock_(stride_, height + 2, wall),
      ground_(stride_, height + 2, wall),
      active_(tiling_),
      awake_(tiling_) {
  for (int64_t y = 0; y < height; ++y) {
    std::fill_n(rock(y), width, 0.0f);
    std::fill_n(first_ground(y), width, 0.0f);
  }
}

bool Debris::slide(const Talus& talus, TileBoxes& moved, const Context& context) {
  if (next_.empty()) next_ = ground_.clone();
  awake_.clear();
  awake_.add_near(active_, dependence, dependence);
  awake_.runs(list_);
  if (list_.empty()) return false;
  active_.clear();
  const SlidingGround g{rock(0), ground(0), next_.data() + offset(0), stride_, height(), talus};
  const auto count = static_cast<int64_t>(list_.size());
  parallel_chunks(count, awake_.runs_at_once(list_), context, [&](int64_t begin, int64_t end) {
    thread_local std::vector<float> buffer;
    for (int64_t i = begin; i < end; ++i) {
      const TileRun& run = list_[static_cast<size_t>(i)];
      buffer.resize(static_cast<size_t>(3 * (run.cells.x1 - run.cells.x0 + 2 + widest)));
      HWY_DYNAMIC_DISPATCH(slide_any_run)(g, {run, tiling_.tile().width, &active_, &moved}, buffer.data());
    }
  });
  std::swap(ground_, next_);
  return true;
}

}  // namespace tepui

#endif
