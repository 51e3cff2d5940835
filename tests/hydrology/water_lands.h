#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tepui/core/random.h"
#include "tepui/terrain/terrain.h"

// Lands to let water run on.

namespace tepui::test {

/// Waves and grains, with many pits.
inline Terrain rough_land(int64_t width, int64_t height, uint64_t seed, double cell = 10) {
  Grid<float> z(width, height);
  const Stream draw(seed);
  const double a = 3 + 20 * draw.uniform(1, 1), b = 3 + 20 * draw.uniform(2, 1), grains = 60 * draw.uniform(3, 1);
  for (int64_t i = 0; i < z.size(); ++i) {
    const double x = static_cast<double>(i % width), y = static_cast<double>(i / width);
    z.data()[i] = static_cast<float>(250 + 100 * std::sin(x / a) * std::cos(y / b) +
                                     grains * draw.uniform(static_cast<uint64_t>(i), 2));
  }
  Frame frame = make_world({static_cast<double>(std::max<int64_t>(width, height)) * cell,
                            static_cast<double>(std::max<int64_t>(width, height)) * cell},
                           std::max<int64_t>(width, height) + 1);
  return Terrain(frame.window(0, 0, width, height), {0, 500}, std::move(z));
}

/// The heights in whole steps: flats and ties.
inline Terrain stepped(const Terrain& land, double step) {
  Grid<float> z = land.height().clone();
  for (float& v : z.cells()) v = static_cast<float>(std::floor(v / step) * step);
  return land.with_height(std::move(z));
}

/// Random size and kind: rough, in steps, flat, a cone, a bowl, a checkerboard of pits.
inline Terrain any_land() {
  const int64_t w = *rc::gen::inRange<int64_t>(1, 90), h = *rc::gen::inRange<int64_t>(1, 300);
  Terrain land = rough_land(w, h, *rc::gen::arbitrary<uint64_t>());
  const int kind = *rc::gen::inRange(0, 8);
  if (kind == 1) return stepped(land, 10);
  if (kind == 2) return stepped(land, 60);
  if (kind < 3) return land;
  Grid<float> z = land.height().clone();
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const auto r = static_cast<float>(std::hypot(static_cast<double>(2 * x - w), static_cast<double>(2 * y - h)));
      if (kind == 3) z(x, y) = 70;
      if (kind == 4) z(x, y) = 500 - r;
      if (kind == 5) z(x, y) = r;
      if (kind == 6) z(x, y) = (x + y) % 2 == 0 ? 10 : 20;
    }
  return land.with_height(std::move(z));
}

/// Rough land of at most 1600 samples whose heights are the numbers from 0 on, each once: no two neighbours are equally
/// steep, not even in single precision.
inline Terrain land_without_ties() {
  const Terrain land =
      rough_land(*rc::gen::inRange<int64_t>(1, 41), *rc::gen::inRange<int64_t>(1, 41), *rc::gen::arbitrary<uint64_t>());
  std::vector<int64_t> by_height(static_cast<size_t>(land.height().size()));
  std::iota(by_height.begin(), by_height.end(), 0);
  std::stable_sort(by_height.begin(), by_height.end(),
                   [&](int64_t a, int64_t b) { return land.height().data()[a] < land.height().data()[b]; });
  Grid<float> z(land.frame().width, land.frame().height);
  for (size_t rank = 0; rank < by_height.size(); ++rank) z.data()[by_height[rank]] = static_cast<float>(rank);
  return land.with_height(std::move(z));
}

inline Grid<float> mirrored(const Grid<float>& in) {
  Grid<float> out(in.width(), in.height());
  for (int64_t y = 0; y < in.height(); ++y)
    for (int64_t x = 0; x < in.width(); ++x) out(x, y) = in(in.width() - 1 - x, y);
  return out;
}

/// By a quarter, anticlockwise.
inline Grid<float> turned(const Grid<float>& in) {
  Grid<float> out(in.height(), in.width());
  for (int64_t y = 0; y < in.height(); ++y)
    for (int64_t x = 0; x < in.width(); ++x) out(in.height() - 1 - y, x) = in(x, y);
  return out;
}
inline Terrain turned(const Terrain& land) {
  const Frame frame = rough_land(land.frame().height, land.frame().width, 0).frame();
  return Terrain(frame, land.relief(), turned(land.height()));
}

}  // namespace tepui::test
