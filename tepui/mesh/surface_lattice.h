#pragma once

#include <cstdint>

#include "tepui/volume/solid.h"

namespace tepui {

/// The points at which a volume is asked for its surface: origin + index * cell on every axis, in double.
struct SurfaceLattice {
  Vec3 origin{};
  double cell = 1;
  int64_t nx = 0, ny = 0, nz = 0;

  Vec3 at(int64_t i, int64_t j, int64_t k) const {
    return {origin.x + static_cast<double>(i) * cell, origin.y + static_cast<double>(j) * cell,
            origin.z + static_cast<double>(k) * cell};
  }
};

}  // namespace tepui
