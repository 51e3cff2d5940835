#include "tepui/mesh/surface_lattice.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

/// The first of `count` points origin + i * cell that is at `limit` or beyond it; or beyond it, if `after`. `count`
/// where none is. Asks the very numbers that the lattice has, so that rounding never moves a point across.
int32_t first_from(double origin, double cell, int64_t count, double limit, bool after) {
  const auto beyond = [&](int64_t i) {
    const double at = origin + static_cast<double>(i) * cell;
    return after ? at > limit : at >= limit;
  };
  if (count <= 0 || beyond(0)) return 0;
  if (!beyond(count - 1)) return static_cast<int32_t>(count);
  int64_t i = std::clamp<int64_t>(static_cast<int64_t>((limit - origin) / cell), 1, count - 1);
  while (!beyond(i)) ++i;
  while (beyond(i - 1)) --i;
  return static_cast<int32_t>(i);
}

LatticeRange range_of(double origin, double cell, int64_t count, double low, double high) {
  return {first_from(origin, cell, count, low, false), first_from(origin, cell, count, high, true) - 1};
}

}  // namespace

IndexBox all_points(const SurfaceLattice& lattice) {
  return {{0, static_cast<int32_t>(lattice.nx - 1)},
          {0, static_cast<int32_t>(lattice.ny - 1)},
          {0, static_cast<int32_t>(lattice.nz - 1)}};
}

IndexBox points_in(const SurfaceLattice& lattice, const Box3& box) {
  if (box.empty()) return {};
  return {range_of(lattice.origin.x, lattice.cell, lattice.nx, box.low.x, box.high.x),
          range_of(lattice.origin.y, lattice.cell, lattice.ny, box.low.y, box.high.y),
          range_of(lattice.origin.z, lattice.cell, lattice.nz, box.low.z, box.high.z)};
}

int32_t points_below(const SurfaceLattice& lattice, double height) {
  return first_from(lattice.origin.z, lattice.cell, lattice.nz, height, false);
}

}  // namespace tepui
