#include "tepui/erode/debris.h"

#include <algorithm>

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

/// What moved in a tile: anything, and anything so close to a side of it that cells beyond may move next.
namespace moves {
constexpr uint8_t any = 1, south = 2, north = 4, west = 8, east = 16, all = 31;
}

/// A cell's next ground depends on neighbours so many cells away: on what they give, which depends on theirs.
constexpr int64_t dependence = 2;

/// Of a row of a tile where something moved.
inline uint8_t borders_moved(const SlidingGround& g, const Debris::Cells& run, int64_t y, int64_t begin, int64_t end) {
  uint8_t moved = moves::any;
  if (y < run.y0 + dependence) moved |= moves::south;
  if (y >= run.y1 - dependence) moved |= moves::north;
  const float *now = g.ground + y * g.stride, *next = g.next + y * g.stride;
  for (int64_t x = begin; x < std::min(begin + dependence, end); ++x)
    if (next[x] != now[x]) moved |= moves::west;
  for (int64_t x = std::max(begin, end - dependence); x < end; ++x)
    if (next[x] != now[x]) moved |= moves::east;
  return moved;
}

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

/// The next ground of a row; shares of the row and of those south and north of it begin one cell before `begin`.
/// Returns whether anything moved.
bool slide_row(const SlidingGround& g, int64_t y, int64_t begin, int64_t end, const float* HWY_RESTRICT south,
               const float* HWY_RESTRICT row, const float* HWY_RESTRICT north) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t up = g.stride;
  const auto zero = hn::Zero(d);
  auto moved = zero;
  for (int64_t x = begin, i = 1; x < end; x += lanes, i += lanes) {
    const float* m = g.ground + y * g.stride + x;
    const auto here = hn::LoadU(d, m), share = hn::LoadU(d, row + i);
    const auto from = [&](int64_t to, const float* their_share)
                          HWY_ATTR { return gain(m, here, to, share, hn::LoadU(d, their_share)); };
    auto sum = hn::Add(from(1, row + i + 1), from(-1, row + i - 1));
    sum = hn::Add(sum, hn::Add(from(up, north + i), from(-up, south + i)));
    sum = hn::Add(sum, hn::Add(from(up + 1, north + i + 1), from(-up - 1, south + i - 1)));
    sum = hn::Add(sum, hn::Add(from(up - 1, north + i - 1), from(1 - up, south + i + 1)));
    const auto now = hn::Add(here, sum);
    float* next = g.next + y * g.stride + x;
    if (x + lanes <= end) {
      moved = hn::Max(moved, hn::Abs(sum));
      hn::StoreU(now, d, next);
    } else {
      const auto inside = hn::FirstN(d, static_cast<size_t>(end - x));
      moved = hn::Max(moved, hn::IfThenElseZero(inside, hn::Abs(sum)));
      hn::BlendedStore(now, inside, d, next);
    }
  }
  return !hn::AllTrue(d, hn::Eq(moved, zero));
}

/// Sets `moved` of the run's tiles where something did, and at which of their borders.
template <bool with_talus>
void slide_run(const SlidingGround& g, const Debris::Cells& run, int64_t tile_width, float* buffer, uint8_t* moved) {
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
      for (int64_t x = 0, tile = 0; x < width; x += tile_width, ++tile) {
        const int64_t begin = run.x0 + x, end = std::min(begin + tile_width, run.x1);
        if (slide_row(g, y, begin, end, share[0] + x, share[1] + x, share[2] + x))
          moved[tile] |= borders_moved(g, run, y, begin, end);
      }
    } else {
      std::copy_n(g.ground + y * g.stride + run.x0, width, g.next + y * g.stride + run.x0);
    }
    std::rotate(share, share + 1, share + 3);
    std::rotate(gives, gives + 1, gives + 3);
  }
}

void slide_any_run(const SlidingGround& g, const Debris::Cells& run, int64_t tile_width, float* buffer,
                   uint8_t* moved) {
  const bool with_talus = g.talus.slope > 0;
  with_talus ? slide_run<true>(g, run, tile_width, buffer, moved) : slide_run<false>(g, run, tile_width, buffer, moved);
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(slide_any_run);

namespace {

/// Higher than any ground, so that nothing flows over the border; without debris, so that nothing comes from there.
constexpr float wall = 0x1p30f;

/// Tiles.
constexpr int64_t longest_run = 16;

}  // namespace

Debris::Debris(int64_t width, int64_t height, TileSize tile)
    : width_(width),
      height_(height),
      stride_((left_pad + width + right_pad + widest - 1) / widest * widest),
      tile_{std::max<int64_t>(tile.width, 2), std::max<int64_t>(tile.height, 2)},
      tiles_across_((width + tile_.width - 1) / tile_.width),
      tiles_down_((height + tile_.height - 1) / tile_.height),
      rock_(stride_, height + 2, wall),
      ground_(stride_, height + 2, wall),
      active_(static_cast<size_t>(tiles_across_ * tiles_down_), 0) {
  for (int64_t y = 0; y < height; ++y) {
    std::fill_n(rock(y), width, 0.0f);
    std::fill_n(first_ground(y), width, 0.0f);
  }
}

Debris::Cells Debris::cells(int64_t tile) const {
  const int64_t x = tile % tiles_across_ * tile_.width, y = tile / tiles_across_ * tile_.height;
  return {x, std::min(x + tile_.width, width_), y, std::min(y + tile_.height, height_)};
}

Debris::Cells Debris::cells(const Run& run) const {
  Cells c = cells(run.first);
  c.x1 = cells(run.last).x1;
  return c;
}

void Debris::add_to_runs(int64_t tile, std::vector<Run>& runs) const {
  const bool goes_on = !runs.empty() && runs.back().last == tile - 1 && tile % tiles_across_ != 0 &&
                       tile - runs.back().first < longest_run;
  if (goes_on)
    runs.back().last = tile;
  else
    runs.push_back({tile, tile});
}

void Debris::touch(int64_t tile) { active_[static_cast<size_t>(tile)] = moves::all; }

void Debris::touch_all() { std::ranges::fill(active_, moves::all); }

bool Debris::is_active() const {
  return std::ranges::any_of(active_, [](uint8_t active) { return active != 0; });
}

/// Those in which something changed or next to which it did, where they lie side by side together.
std::vector<Debris::Run> Debris::runs_to_slide() const {
  using namespace moves;
  /// What must have moved in the tile at (x - 1, y - 1), (x, y - 1), ...
  constexpr uint8_t there[3][3] = {
      {north | east, north, north | west}, {east, any, west}, {south | east, south, south | west}};
  std::vector<Run> list;
  for (int64_t y = 0; y < tiles_down_; ++y)
    for (int64_t x = 0; x < tiles_across_; ++x) {
      bool near = false;
      for (int64_t v = std::max<int64_t>(y - 1, 0); v < std::min(y + 2, tiles_down_); ++v)
        for (int64_t u = std::max<int64_t>(x - 1, 0); u < std::min(x + 2, tiles_across_); ++u) {
          const uint8_t needed = there[v - y + 1][u - x + 1];
          near |= (active_[static_cast<size_t>(v * tiles_across_ + u)] & needed) == needed;
        }
      if (near) add_to_runs(y * tiles_across_ + x, list);
    }
  return list;
}

bool Debris::slide(const Talus& talus, std::vector<uint8_t>& moved, const Context& context) {
  if (next_.empty()) next_ = ground_.clone();
  const std::vector<Run> list = runs_to_slide();
  if (list.empty()) return false;
  std::ranges::fill(active_, uint8_t{0});
  const SlidingGround g{rock(0), ground(0), next_.data() + offset(0), stride_, height_, talus};
  parallel_chunks(static_cast<int64_t>(list.size()), 1, context, [&](int64_t begin, int64_t end) {
    thread_local std::vector<float> buffer;
    for (int64_t i = begin; i < end; ++i) {
      const auto [first, last] = list[static_cast<size_t>(i)];
      const Cells run = cells(Run{first, last});
      buffer.resize(static_cast<size_t>(3 * (run.x1 - run.x0 + 2 + widest)));
      uint8_t* flags = active_.data() + first;
      HWY_DYNAMIC_DISPATCH(slide_any_run)(g, run, tile_.width, buffer.data(), flags);
      for (int64_t tile = first; tile <= last; ++tile)
        if (active_[static_cast<size_t>(tile)] != 0) moved[static_cast<size_t>(tile)] = 1;
    }
  });
  std::swap(ground_, next_);
  return true;
}

}  // namespace tepui

#endif
