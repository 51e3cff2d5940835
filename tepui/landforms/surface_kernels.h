#pragma once  // internal

#include <array>
#include <cstdint>

// What sampling a surface does for many numbers at once.

namespace tepui {

/// Places in a cell, one for each round of candidates, as shares of its sides.
struct CellDarts {
  static constexpr int64_t rounds = 8;
  alignas(64) std::array<double, rounds> x, y, z;
  /// Whether the round has a place, a bit each.
  uint32_t found = 0;
};

/// Moves places onto the surface of a cell, v being trilinear between its corners (x fastest): up to four steps along
/// the slope. Those whose way leads out of the cell are not found.
void find_places(const std::array<float, 8>& corner, CellDarts& darts);

/// Whether v is above 0, a bit for each of `count` numbers (at most 64) of every row.
void sign_bits(const float* v, int64_t rows, int64_t count, uint64_t* bits);

}  // namespace tepui
