#pragma once

#include <cstdint>

#include "tepui/volume/solid.h"

namespace tepui {

/// The points at which a volume is evaluated to find its surface: origin + index * cell on every axis, in double.
struct SurfaceLattice {
  Vec3 origin{};
  double cell = 1;
  int64_t nx = 0, ny = 0, nz = 0;

  double x(int64_t i) const { return origin.x + static_cast<double>(i) * cell; }
  double y(int64_t j) const { return origin.y + static_cast<double>(j) * cell; }
  double z(int64_t k) const { return origin.z + static_cast<double>(k) * cell; }
  Vec3 at(int64_t i, int64_t j, int64_t k) const { return {x(i), y(j), z(k)}; }

  /// The middle of it.
  Vec3 centre() const {
    return {origin.x + 0.5 * static_cast<double>(nx - 1) * cell, origin.y + 0.5 * static_cast<double>(ny - 1) * cell,
            origin.z + 0.5 * static_cast<double>(nz - 1) * cell};
  }
  friend bool operator==(const SurfaceLattice&, const SurfaceLattice&) = default;
};

/// Points of a lattice: from `low` to `high`, both included.
struct LatticeRange {
  int32_t low = 0, high = -1;
  bool empty() const { return low > high; }
  bool holds(int64_t i) const { return i >= low && i <= high; }
  LatticeRange within(LatticeRange other) const {
    return {low > other.low ? low : other.low, high < other.high ? high : other.high};
  }
  friend bool operator==(const LatticeRange&, const LatticeRange&) = default;
};
struct IndexBox {
  LatticeRange x, y, z;
  bool empty() const { return x.empty() || y.empty() || z.empty(); }
  bool holds(int64_t i, int64_t j, int64_t k) const { return x.holds(i) && y.holds(j) && z.holds(k); }
  IndexBox within(const IndexBox& other) const { return {x.within(other.x), y.within(other.y), z.within(other.z)}; }
  friend bool operator==(const IndexBox&, const IndexBox&) = default;
};

/// All points, and those that a box holds.
IndexBox all_points(const SurfaceLattice& lattice);
IndexBox points_in(const SurfaceLattice& lattice, const Box3& box);

/// How many points of a column lie below a height.
int32_t points_below(const SurfaceLattice& lattice, double height);

}  // namespace tepui
