#include "tepui/erode/exposure.h"

#include <algorithm>
#include <bit>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/erode/exposure.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_ERODE_EXPOSURE_TYPES
#define TEPUI_ERODE_EXPOSURE_TYPES

namespace tepui {

constexpr uint32_t scrambled(uint32_t key) {
  key = (key ^ (key >> 16)) * 0x7feb352du;
  key = (key ^ (key >> 15)) * 0x846ca68bu;
  return key ^ (key >> 16);
}

inline constexpr float least_draw = 0x1p-24f;

struct Columns {
  int64_t begin, end;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Uints = hn::RebindToUnsigned<Floats>;
using FloatVec = hn::Vec<Floats>;

/// Exposure to one side of the cells from column x on.
HWY_INLINE FloatVec side(FloatVec h, const FootGround& ground, const FootReach& reach, int64_t x) {
  const Floats d;
  const auto zero = hn::Zero(d);
  if (ground.next == nullptr) return zero;
  auto foot = hn::LoadU(d, ground.near + x);
  if (reach.share > 0) {
    const auto next = hn::LoadU(d, ground.next + x);
    foot = hn::Add(foot, hn::Mul(hn::Sub(next, foot), hn::Set(d, reach.share)));
    if (reach.edge > 0 && ground.far != nullptr) {
      const auto beyond = hn::Abs(hn::Sub(next, hn::LoadU(d, ground.far + x)));
      const auto step = hn::Max(hn::Sub(hn::Max(hn::Sub(h, next), zero), beyond), zero);
      foot = hn::Sub(foot, hn::Mul(step, hn::Set(d, reach.edge)));
    }
  }
  return hn::Max(hn::Sub(h, foot), zero);
}

/// To the four sides of a row, in pairs.
struct Sides {
  FloatVec east, west, south, north;
};
HWY_INLINE Sides sides(const WallRow& row, FloatVec h, int64_t x) {
  const float* at = row.ground;
  const int64_t near = row.along.cells, next = row.along.next(), far = row.along.far();
  return {side(h, {at + near, at + next, at + far}, row.along, x),
          side(h, {at - near, at - next, at - far}, row.along, x), side(h, row.south, row.across, x),
          side(h, row.north, row.across, x)};
}

HWY_INLINE FloatVec draws(hn::Vec<Uints> key) {
  const Floats d;
  const Uints du;
  const hn::RebindToSigned<Floats> di;
  key = hn::Mul(hn::Xor(key, hn::ShiftRight<16>(key)), hn::Set(du, 0x7feb352du));
  key = hn::Mul(hn::Xor(key, hn::ShiftRight<15>(key)), hn::Set(du, 0x846ca68bu));
  key = hn::ShiftRight<8>(hn::Xor(key, hn::ShiftRight<16>(key)));
  const auto count = hn::ConvertTo(d, hn::BitCast(di, key));
  return hn::Mul(hn::Add(count, hn::Set(d, 1.0f)), hn::Set(d, least_draw));
}

template <class Mask>
HWY_INLINE void append(Mask mask, int64_t x, std::vector<int64_t>& columns) {
  const Floats d;
  uint8_t bytes[HWY_MAX_BYTES / 8 + 8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  for (uint32_t bits = bytes[0] | uint32_t{bytes[1]} << 8; bits != 0; bits &= bits - 1)
    columns.push_back(x + std::countr_zero(bits));
}

/// Numbers of a list from `x` on; those from `end` on are not read, for they are not there or being written.
template <class D>
HWY_INLINE hn::Vec<D> load_before(D d, const hn::TFromD<D>* list, int64_t x, int64_t end) {
  if (x + static_cast<int64_t>(hn::Lanes(d)) <= end) return hn::LoadU(d, list + x);
  hn::TFromD<D> last[16] = {};
  std::copy_n(list + x, end - x, last);
  return hn::LoadU(d, last);
}

/// Where a vector of the cells from `x` to `end` begins: at `x`, or earlier where it would go beyond `end`, but not
/// before `begin`.
HWY_INLINE int64_t vector_begin(int64_t x, int64_t begin, int64_t end) {
  return std::max(begin, std::min(x, end - static_cast<int64_t>(hn::Lanes(Floats()))));
}

/// The lanes of a vector at `begin` that hold cells from x to `end`.
HWY_INLINE hn::Mask<Floats> lanes_of(int64_t begin, int64_t x, int64_t end) {
  const Floats d;
  return hn::AndNot(hn::FirstN(d, static_cast<size_t>(x - begin)), hn::FirstN(d, static_cast<size_t>(end - begin)));
}

/// In the columns of one tile. Returns those that can fall, and perhaps some around them.
HWY_INLINE Columns falls_in_tile(const WallRow& row, Columns part, const FallRule& rule,
                                 std::vector<int64_t>& columns) {
  const Floats d;
  const Uints du;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  Columns all{part.end, part.begin};
  for (int64_t x = part.begin; x < part.end; x += lanes) {
    const int64_t at = vector_begin(x, part.begin, part.end);
    const auto h = load_before(d, row.rock, at, part.end);
    const Sides free = sides(row, h, at);
    const auto largest = hn::Max(hn::Max(free.east, free.west), hn::Max(free.south, free.north));
    const auto chance = hn::Mul(hn::Mul(largest, largest), hn::Set(d, rule.scale));
    auto can = hn::Ge(chance, hn::Set(d, least_draw));
    if (hn::AllFalse(d, can)) continue;
    can = hn::And(can, lanes_of(at, x, part.end));
    if (hn::AllFalse(d, can)) continue;
    all = {std::min(all.begin, at), std::min(at + lanes, part.end)};
    const auto key = hn::Add(load_before(du, rule.keys, at, part.end), hn::Set(du, rule.step_key));
    const auto happens = hn::And(can, hn::Le(draws(key), chance));
    if (!hn::AllFalse(d, happens)) append(happens, at, columns);
  }
  return all;
}

void falls(const WallRow& row, Columns part, int64_t y, const FallRule& rule, const RowBoxes& can,
           std::vector<int64_t>& columns) {
  TileCells* box = can.first;
  for (int64_t begin = part.begin, end = can.first_end; begin < part.end; begin = end, end += can.tile_width, ++box) {
    const Columns all = falls_in_tile(row, {begin, std::min(end, part.end)}, rule, columns);
    if (all.begin < all.end) box->add({all.begin, all.end, y, y + 1});
  }
}

void exposed(const WallRow& row, Columns part, float least, std::vector<int64_t>& columns) {
  const Floats d;
  for (int64_t x = part.begin; x < part.end; x += static_cast<int64_t>(hn::Lanes(d))) {
    const int64_t at = vector_begin(x, part.begin, part.end);
    const auto h = load_before(d, row.rock, at, part.end);
    const Sides free = sides(row, h, at);
    const auto sum = hn::Add(hn::Add(free.east, free.west), hn::Add(free.south, free.north));
    const auto stands = hn::And(hn::Ge(sum, hn::Set(d, least)), lanes_of(at, x, part.end));
    if (!hn::AllFalse(d, stands)) append(stands, at, columns);
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(falls);
HWY_EXPORT(exposed);

namespace {

/// Runs `cells` where a foot along the row may lie outside of all that can be read, `vectors` between.
template <class Cells, class Vectors>
void along_row(const WallRow& row, const Cells& cells, const Vectors& vectors) {
  const int64_t margin = row.along.far() > row.walls ? row.along.far() : 0;
  const int64_t begin = std::clamp(margin, row.begin, row.end), end = std::clamp(row.width - margin, begin, row.end);
  for (int64_t x = row.begin; x < begin; ++x) cells(x);
  vectors(Columns{begin, end});
  for (int64_t x = end; x < row.end; ++x) cells(x);
}

}  // namespace

float draw(uint32_t key) { return (static_cast<float>(scrambled(key) >> 8) + 1.0f) * least_draw; }

Exposure exposure(const WallRow& row, int64_t x) {
  Exposure e;
  const float h = row.rock[x];
  const auto look = [&](const FootGround& ground, const FootReach& reach, int64_t at) {
    if (ground.next == nullptr) return 0.0f;
    const float near = ground.near[at], next = ground.next[at], between = near + (next - near) * reach.share;
    // What goes on outside the land is taken for a slope.
    const bool may_be_step = reach.share > 0 && ground.far != nullptr;
    const float step = may_be_step ? step_below(reach.cells > 0 ? near : h, next, ground.far[at]) : 0.0f;
    const float free = std::max(h - (between - step * reach.edge), 0.0f);
    const float low = between - step * (1 - reach.share), high = between + step * reach.share;
    // Of two that are as large, the lower: then it does not matter which comes first.
    if (free > e.largest || (free == e.largest && std::pair(low, high) < std::pair(e.low, e.high))) {
      e.low = low;
      e.high = high;
      e.share = reach.share;
    }
    e.largest = std::max(e.largest, free);
    return free;
  };
  const auto cell = [&](int64_t u) { return u >= 0 && u < row.width ? row.ground + u : nullptr; };
  const int64_t near = row.along.cells, next = row.along.next(), far = row.along.far();
  const float east = look({cell(x + near), cell(x + next), cell(x + far)}, row.along, 0);
  const float west = look({cell(x - near), cell(x - next), cell(x - far)}, row.along, 0);
  const float south = look(row.south, row.across, x), north = look(row.north, row.across, x);
  e.sum = (east + west) + (south + north);
  return e;
}

void find_falls(const WallRow& row, int64_t y, const FallRule& rule, const RowBoxes& can,
                std::vector<int64_t>& columns) {
  const auto cell = [&](int64_t x) {
    const float largest = exposure(row, x).largest, chance = largest * largest * rule.scale;
    if (chance < least_draw) return;
    can.at(x).add({x, x + 1, y, y + 1});
    if (draw(rule.keys[x] + rule.step_key) <= chance) columns.push_back(x);
  };
  along_row(row, cell, [&](Columns part) {
    RowBoxes boxes = can;
    for (; boxes.first_end <= part.begin; boxes.first_end += boxes.tile_width) ++boxes.first;
    HWY_DYNAMIC_DISPATCH(falls)(row, part, y, rule, boxes, columns);
  });
}

void find_exposed(const WallRow& row, float least, std::vector<int64_t>& columns) {
  const auto cell = [&](int64_t x) {
    if (exposure(row, x).sum >= least) columns.push_back(x);
  };
  along_row(row, cell, [&](Columns part) { HWY_DYNAMIC_DISPATCH(exposed)(row, part, least, columns); });
}

}  // namespace tepui

#endif
