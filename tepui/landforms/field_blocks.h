#pragma once  // internal

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/volume/solid.h"

// Fields on a lattice of the world, cube by cube, only where there may be a surface.

namespace tepui {

using BlockIndex = std::array<int32_t, 3>;

/// Cubes of `side` metres, counted from the world's origin, that meet `region` and in which v may change its sign;
/// `may` can rule out more. In order of z, y, x. Large cubes are asked first, so that empty space costs little.
std::vector<BlockIndex> surface_blocks(const Solid& solid, const Box3& region, double side,
                                       const std::function<bool(const Box3&)>& may, const Context& context);

/// A cube of a lattice's points: v at (first + index + offset) * cell, `count` of them along each axis.
struct LatticeCube {
  static constexpr int64_t most = 33;
  std::array<int64_t, 3> first{};
  double cell = 1, offset = 0;
  int64_t count = 1;
};

enum class BlockRock { none, some, all };

/// v at the points of a cube, x fastest; where it tells `none` or `all`, nothing is written. Bricks of it in whose
/// surroundings, `margin` cells wide, v keeps its sign, are filled with a number of that sign, and those whose
/// surroundings are not `wanted` with some number.
BlockRock fill_cube(const Solid& solid, const LatticeCube& cube, double margin, float* v,
                    const std::function<bool(const Box3&)>& wanted = {});

}  // namespace tepui
