#pragma once  // internal

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/parallel.h"
#include "tepui/core/vec.h"
#include "tepui/erode/lattice_ladder.h"

namespace tepui {

/// Where sample (x, y) of a lattice lies.
inline Vec2 place_of(const Lattice& lattice, int64_t x, int64_t y) {
  return {lattice.origin.x + static_cast<double>(x) * lattice.cell.x,
          lattice.origin.y + static_cast<double>(y) * lattice.cell.y};
}

/// A square of samples [x0, x1) x [y0, y1) of a lattice, and the circle around it.
struct TroughTile {
  TroughTile(const Lattice& lattice, int64_t x, int64_t y, int64_t side)
      : x0(x), y0(y), x1(std::min(x + side, lattice.width)), y1(std::min(y + side, lattice.height)) {
    const Vec2 low = place_of(lattice, x0, y0), high = place_of(lattice, x1 - 1, y1 - 1), way = high - low;
    middle = (low + high) * 0.5;
    radius = 0.5 * std::sqrt(way.x * way.x + way.y * way.y);
  }

  int64_t x0, y0, x1, y1;
  Vec2 middle;
  double radius = 0;
};

/// Calls act(tile, near) for every tile of a lattice, rows of them side by side; `near` is what choose(tile, from,
/// near) has left of the indices of `count` pieces, in their order: first for blocks of tiles, of all, then for each
/// tile, of what is near its block.
template <class Choose, class Act>
void for_trough_tiles(const Lattice& lattice, size_t count, const Context& context, const Choose& choose,
                      const Act& act) {
  constexpr int64_t side = 16, block_side = 64;
  std::vector<int32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  parallel_chunks((lattice.height + block_side - 1) / block_side, 1, context, [&](int64_t row, int64_t) {
    std::vector<int32_t> near_block, near;
    for (int64_t column = 0; column * block_side < lattice.width; ++column) {
      const TroughTile block(lattice, column * block_side, row * block_side, block_side);
      choose(block, all, near_block);
      if (near_block.empty()) continue;
      for (int64_t y = block.y0; y < block.y1; y += side)
        for (int64_t x = block.x0; x < block.x1; x += side) {
          const TroughTile tile(lattice, x, y, side);
          choose(tile, near_block, near);
          if (!near.empty()) act(tile, near);
        }
    }
  });
}

}  // namespace tepui
