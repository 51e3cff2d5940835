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

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
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

/// From row.begin on, as far as whole vectors go; returns where they end. Tiles are counted from column `origin`.
int64_t falls(const WallRow& row, float scale, const uint32_t* keys, uint32_t step_key, TileFlags can, int64_t origin,
              std::vector<int64_t>& columns) {
  const Floats d;
  const Uints du;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = row.begin;
  for (; x + lanes <= row.end; x += lanes) {
    const auto h = hn::LoadU(d, row.rock + x);
    const Sides free = sides(row, h, x);
    const auto largest = hn::Max(hn::Max(free.east, free.west), hn::Max(free.south, free.north));
    const auto chance = hn::Mul(hn::Mul(largest, largest), hn::Set(d, scale));
    if (hn::AllTrue(d, hn::Lt(chance, hn::Set(d, least_draw)))) continue;
    for (int64_t tile = (x - origin) / can.width; tile <= (x + lanes - 1 - origin) / can.width; ++tile)
      can.set[tile] = 1;
    const auto key = hn::Add(hn::LoadU(du, keys + x), hn::Set(du, step_key));
    const auto happens = hn::Le(draws(key), chance);
    if (!hn::AllFalse(d, happens)) append(happens, x, columns);
  }
  return x;
}

int64_t exposed(const WallRow& row, float least, std::vector<int64_t>& columns) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = row.begin;
  for (; x + lanes <= row.end; x += lanes) {
    const auto h = hn::LoadU(d, row.rock + x);
    const Sides free = sides(row, h, x);
    const auto sum = hn::Add(hn::Add(free.east, free.west), hn::Add(free.south, free.north));
    const auto stands = hn::Ge(sum, hn::Set(d, least));
    if (!hn::AllFalse(d, stands)) append(stands, x, columns);
  }
  return x;
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(falls);
HWY_EXPORT(exposed);

namespace {

/// Runs `cells` where a foot along the row lies outside the land and at the ends, `vectors` between.
template <class Cells, class Vectors>
void along_row(const WallRow& row, const Cells& cells, const Vectors& vectors) {
  WallRow part = row;
  const int64_t first = std::min(std::max(row.begin, row.along.far()), row.end);
  for (int64_t x = row.begin; x < first; ++x) cells(x);
  part.begin = first;
  part.end = std::max(std::min(row.end, row.width - row.along.far()), first);
  for (int64_t x = part.begin < part.end ? vectors(part) : first; x < row.end; ++x) cells(x);
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

void find_falls(const WallRow& row, float scale, const uint32_t* keys, uint32_t step_key, TileFlags can,
                std::vector<int64_t>& columns) {
  const auto cell = [&](int64_t x) {
    const float largest = exposure(row, x).largest, chance = largest * largest * scale;
    if (chance < least_draw) return;
    can.set[(x - row.begin) / can.width] = 1;
    if (draw(keys[x] + step_key) <= chance) columns.push_back(x);
  };
  along_row(row, cell, [&](const WallRow& part) {
    return HWY_DYNAMIC_DISPATCH(falls)(part, scale, keys, step_key, can, row.begin, columns);
  });
}

void find_exposed(const WallRow& row, float least, std::vector<int64_t>& columns) {
  const auto cell = [&](int64_t x) {
    if (exposure(row, x).sum >= least) columns.push_back(x);
  };
  along_row(row, cell, [&](const WallRow& part) { return HWY_DYNAMIC_DISPATCH(exposed)(part, least, columns); });
}

}  // namespace tepui

#endif
