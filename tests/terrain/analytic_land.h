#pragma once

#include <algorithm>
#include <utility>

#include "tests/support/support.h"

namespace tepui::test {

/// From a single sample to some dozens, short sides often.
inline int64_t any_side() {
  return *rc::gen::weightedOneOf<int64_t>(
      {{1, rc::gen::just<int64_t>(1)}, {1, rc::gen::inRange<int64_t>(2, 5)}, {4, rc::gen::inRange<int64_t>(5, 60)}});
}

/// Land whose height is a function of the place.
template <class Height>
Terrain land_of(int64_t width, int64_t height, Vec2 cell, const Height& z) {
  Frame frame;
  frame.cell = cell;
  frame.width = width;
  frame.height = height;
  frame.size = {cell.x * static_cast<double>(width), cell.y * static_cast<double>(height)};
  Grid<float> cells(width, height);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) cells(x, y) = static_cast<float>(z(frame.x(x), frame.y(y)));
  return Terrain(frame, {0, 1}, std::move(cells));
}

/// Rough land with cells that need not be square.
inline Terrain rough_land(int64_t width, int64_t height, uint64_t seed, Vec2 cell) {
  const Terrain land = sample_land(width, height, seed);
  Frame frame = land.frame();
  frame.cell = cell;
  frame.size = {cell.x * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                cell.y * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  return Terrain(frame, land.relief(), land.height().clone());
}

/// The cells from east to west, and from north to south.
inline Grid<float> flipped(const Grid<float>& z, bool east_west, bool north_south) {
  Grid<float> result(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x)
      result(x, y) = z(east_west ? z.width() - 1 - x : x, north_south ? z.height() - 1 - y : y);
  return result;
}

/// Whether the operator, which adds `layer`, gives a part of the land the very cells that it gives all of it, provided
/// that the part comes with so many samples around it.
template <class Operate>
bool crop_equals_whole(const Terrain& land, Halo halo, const char* layer, const Operate& operate) {
  const Frame& frame = land.frame();
  const auto x0 = *rc::gen::resize(100, rc::gen::inRange<int64_t>(0, frame.width));
  const auto y0 = *rc::gen::resize(100, rc::gen::inRange<int64_t>(0, frame.height));
  const int64_t west = std::max<int64_t>(x0 - halo.x, 0), south = std::max<int64_t>(y0 - halo.y, 0);
  const int64_t east = std::min(x0 + 3 + halo.x, frame.width), north = std::min(y0 + 3 + halo.y, frame.height);
  Grid<float> part(east - west, north - south);
  for (int64_t y = south; y < north; ++y) std::copy_n(land.height().row(y) + west, part.width(), part.row(y - south));
  const Terrain whole = operate(land);
  const Frame lies = frame.window(west, south, part.width(), part.height());
  const Terrain of_part = operate(Terrain(lies, land.relief(), std::move(part)));
  const int64_t x1 = std::min(x0 + 3, frame.width), y1 = std::min(y0 + 3, frame.height);
  for (int64_t y = y0; y < y1; ++y)
    for (int64_t x = x0; x < x1; ++x)
      if (whole.layer(layer).grid()(x, y) != of_part.layer(layer).grid()(x - west, y - south)) return false;
  return true;
}

}  // namespace tepui::test
