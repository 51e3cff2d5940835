#include "tepui/erode/exposure.h"

#include <algorithm>

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

/// Exposure to one side; a foot outside the land exposes nothing.
HWY_INLINE FloatVec side(FloatVec h, const float* near, const float* far, float share, int64_t x) {
  const Floats d;
  if (near == nullptr) return hn::Zero(d);
  auto foot = hn::LoadU(d, near + x);
  if (share > 0) foot = hn::Add(foot, hn::Mul(hn::Sub(hn::LoadU(d, far + x), foot), hn::Set(d, share)));
  return hn::Max(hn::Sub(h, foot), hn::Zero(d));
}

/// To the four sides of a row, in pairs.
struct Sides {
  FloatVec east, west, south, north;
};
HWY_INLINE Sides sides(const WallRow& row, FloatVec h, int64_t x) {
  const int64_t near = row.along.cells, far = row.along.far();
  return {side(h, row.ground + near, row.ground + far, row.along.share, x),
          side(h, row.ground - near, row.ground - far, row.along.share, x),
          side(h, row.south, row.south_far, row.across.share, x),
          side(h, row.north, row.north_far, row.across.share, x)};
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
  uint8_t bits[HWY_MAX_BYTES / 8 + 8] = {};
  hn::StoreMaskBits(d, mask, bits);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    if ((bits[i / 8] >> (i % 8) & 1) != 0) columns.push_back(x + static_cast<int64_t>(i));
}

/// Numbers of a list from `x` on; those from `end` on are not read, for they are not there or being written.
template <class D>
HWY_INLINE hn::Vec<D> load_before(D d, const hn::TFromD<D>* list, int64_t x, int64_t end) {
  if (x + static_cast<int64_t>(hn::Lanes(d)) <= end) return hn::LoadU(d, list + x);
  hn::TFromD<D> last[16] = {};
  std::copy_n(list + x, end - x, last);
  return hn::LoadU(d, last);
}

/// The lanes from column x on that belong to the part of the row.
HWY_INLINE hn::Mask<Floats> lanes_inside(const WallRow& row, int64_t x) {
  return hn::FirstN(Floats(), static_cast<size_t>(row.end - x));
}

/// Returns the columns that can fall, and perhaps some around them; they are in one tile.
HWY_INLINE Columns falls_in_tile(const WallRow& row, float scale, const uint32_t* keys, uint32_t step_key,
                                 std::vector<int64_t>& columns) {
  const Floats d;
  const Uints du;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto least = hn::Set(d, least_draw);
  Columns all{row.end, row.begin};
  for (int64_t x = row.begin; x < row.end; x += lanes) {
    const auto h = load_before(d, row.rock, x, row.end);
    const Sides free = sides(row, h, x);
    const auto largest = hn::Max(hn::Max(free.east, free.west), hn::Max(free.south, free.north));
    const auto chance = hn::Mul(hn::Mul(largest, largest), hn::Set(d, scale));
    const auto can = hn::And(hn::Ge(chance, least), lanes_inside(row, x));
    if (hn::AllFalse(d, can)) continue;
    all = {std::min(all.begin, x), std::min(x + lanes, row.end)};
    const auto key = hn::Add(load_before(du, keys, x, row.end), hn::Set(du, step_key));
    const auto happens = hn::And(can, hn::Le(draws(key), chance));
    if (!hn::AllFalse(d, happens)) append(happens, x, columns);
  }
  return all;
}

void falls(const WallRow& row, int64_t y, float scale, const uint32_t* keys, uint32_t step_key, TileCells* can,
           int64_t tile_width, std::vector<int64_t>& columns) {
  WallRow part = row;
  for (; part.begin < row.end; part.begin = part.end, ++can) {
    part.end = std::min((part.begin / tile_width + 1) * tile_width, row.end);
    const Columns all = falls_in_tile(part, scale, keys, step_key, columns);
    can->add({all.begin, all.end, y, y + 1});
  }
}

void exposed(const WallRow& row, float least, std::vector<int64_t>& columns) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t x = row.begin; x < row.end; x += lanes) {
    const auto h = load_before(d, row.rock, x, row.end);
    const Sides free = sides(row, h, x);
    const auto sum = hn::Add(hn::Add(free.east, free.west), hn::Add(free.south, free.north));
    const auto stands = hn::And(hn::Ge(sum, hn::Set(d, least)), lanes_inside(row, x));
    if (!hn::AllFalse(d, stands)) append(stands, x, columns);
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
  WallRow part = row;
  part.begin = std::clamp(margin, row.begin, row.end);
  part.end = std::clamp(row.width - margin, part.begin, row.end);
  for (int64_t x = row.begin; x < part.begin; ++x) cells(x);
  vectors(part);
  for (int64_t x = part.end; x < row.end; ++x) cells(x);
}

}  // namespace

float draw(uint32_t key) { return (static_cast<float>(scrambled(key) >> 8) + 1.0f) * least_draw; }

Exposure exposure(const WallRow& row, int64_t x) {
  Exposure e;
  const float h = row.rock[x];
  const auto look = [&](const float* near, const float* far, float share) {
    const float foot = foot_between(*near, *far, share), free = std::max(h - foot, 0.0f);
    if (free > e.largest) e.foot = foot;
    e.largest = std::max(e.largest, free);
    return free;
  };
  const float* at = row.ground + x;
  const int64_t cells = row.along.cells, far = row.along.far();
  const float east = x + far < row.width ? look(at + cells, at + far, row.along.share) : 0.0f;
  const float west = x >= far ? look(at - cells, at - far, row.along.share) : 0.0f;
  const float south = row.south != nullptr ? look(row.south + x, row.south_far + x, row.across.share) : 0.0f;
  const float north = row.north != nullptr ? look(row.north + x, row.north_far + x, row.across.share) : 0.0f;
  e.sum = (east + west) + (south + north);
  return e;
}

void find_falls(const WallRow& row, int64_t y, float scale, const uint32_t* keys, uint32_t step_key, TileCells* can,
                int64_t tile_width, std::vector<int64_t>& columns) {
  const auto box = [&](int64_t x) { return can + (x / tile_width - row.begin / tile_width); };
  const auto cell = [&](int64_t x) {
    const float largest = exposure(row, x).largest, chance = largest * largest * scale;
    if (chance < least_draw) return;
    box(x)->add({x, x + 1, y, y + 1});
    if (draw(keys[x] + step_key) <= chance) columns.push_back(x);
  };
  along_row(row, cell, [&](const WallRow& part) {
    HWY_DYNAMIC_DISPATCH(falls)(part, y, scale, keys, step_key, box(part.begin), tile_width, columns);
  });
}

void find_exposed(const WallRow& row, float least, std::vector<int64_t>& columns) {
  const auto cell = [&](int64_t x) {
    if (exposure(row, x).sum >= least) columns.push_back(x);
  };
  along_row(row, cell, [&](const WallRow& part) { HWY_DYNAMIC_DISPATCH(exposed)(part, least, columns); });
}

}  // namespace tepui

#endif
