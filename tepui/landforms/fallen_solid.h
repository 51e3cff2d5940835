#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/mesh/surface_lattice.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// Marked points of a lattice, in bricks of 8 x 8 x 8: bit 8 y + x of word z of a brick.
struct MarkedBrick {
  std::array<int32_t, 3> at{};  ///< z, y, x, in bricks
  std::array<uint64_t, 8> bits{};
};

/// A solid without the field around some points of a lattice: v' = v - w max(v + T, 0), where w is 1 at marked points,
/// 0 at all others and trilinear between them. Where w is 0 v has the same bits. Bricks rise by `at`.
SolidPointer fallen_solid(SolidPointer part, const SurfaceLattice& lattice, std::vector<MarkedBrick> bricks,
                          double threshold);

}  // namespace tepui
