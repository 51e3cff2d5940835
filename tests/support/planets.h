#pragma once

#include <algorithm>

#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/planet/planet.h"

// Small planets for tests, and places on them.

namespace tepui::test {

inline Planet small_planet(int level, PlanetParams params = {}) {
  params.level = level;
  return planet(nullptr, params, Context());
}

/// The one of the usual parameters, made once.
template <int level>
const Planet& usual_planet() {
  static const Planet one = small_planet(level);
  return one;
}

inline Vec3 highest_place(const GlobalLand& land) {
  const auto highest = std::max_element(land.height.begin(), land.height.end());
  return land.mesh.directions[static_cast<size_t>(highest - land.height.begin())];
}

/// A place drawn by a hash, on land or anywhere.
inline Vec3 drawn_place(const GlobalLand& land, uint64_t draw, bool on_land = true) {
  const Stream stream(draw);
  for (uint64_t k = 0;; ++k) {
    const auto v = static_cast<size_t>(stream.bits(k) % land.height.size());
    if (!on_land || land.receiver[v] >= 0) return land.mesh.directions[v];
  }
}

}  // namespace tepui::test
