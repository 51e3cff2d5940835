#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/surface_lattice.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Which points of a lattice are rock, as bits of upright columns: the same as `polygonize` goes by. Words of 64 points
/// are kept where a tile of columns has a surface; far below it all is rock, far above all is air.
class SolidColumns {
 public:
  SolidColumns(const Volume& volume, const SurfaceLattice& lattice, const Context& context);

  const SurfaceLattice& lattice() const { return lattice_; }
  int32_t width() const { return static_cast<int32_t>(lattice_.nx); }
  int32_t height() const { return static_cast<int32_t>(lattice_.ny); }
  /// Of a column.
  int32_t words() const { return static_cast<int32_t>((lattice_.nz + 63) / 64); }

  /// Points 64 w to 64 w + 63 of a column, the lowest as bit 0; air outside the lattice.
  uint64_t word(int32_t i, int32_t j, int32_t w) const;
  bool rock(int32_t i, int32_t j, int32_t k) const {
    return k >= 0 && k < lattice_.nz && (word(i, j, k >> 6) >> (k & 63) & 1) != 0;
  }
  /// Changes a word that is kept; others stay as they are.
  void set_word(int32_t i, int32_t j, int32_t w, uint64_t bits);

  /// Words from first to before last of a column's tile are kept.
  int32_t first(int32_t i, int32_t j) const { return tile(i, j).first; }
  int32_t last(int32_t i, int32_t j) const { return tile(i, j).last; }

  /// Rock that is part of some square of so many points a side, level; the land's border counts as if it went on.
  SolidColumns opened(int32_t side, const Context& context) const;

  /// Rock that another of the same kept words has not.
  SolidColumns without(const SolidColumns& other) const;

 private:
  static constexpr int32_t side = 32;
  struct Tile {
    int32_t first = 0, last = 0;
    bool below = false;  ///< whether it is rock below the first word
    std::vector<uint64_t> bits{};
  };
  const Tile& tile(int32_t i, int32_t j) const {
    return tiles_[static_cast<size_t>(int64_t{j / side} * across_ + i / side)];
  }
  static int64_t column(const Tile& tile, int32_t i, int32_t j) {
    return int64_t{(j % side) * side + i % side} * (tile.last - tile.first);
  }
  /// Every word becomes that of so many columns from (i, j) on in a direction, joined by `and` or `or`.
  SolidColumns swept(int32_t count, int32_t dx, int32_t dy, bool all, const Context& context) const;

  SurfaceLattice lattice_;
  int64_t across_ = 0;
  std::vector<Tile> tiles_;
};

/// A stretch of rock in a column, both ends included.
struct SolidRun {
  int32_t low = 0, high = -1;
};

/// All stretches of rock, column by column, x fastest; and which piece each belongs to. Rock belongs together where
/// points are next to each other along an axis, which is how marching cubes cuts it.
struct RockRuns {
  std::vector<uint32_t> first{};  ///< of every column, and one more
  std::vector<SolidRun> runs{};
  std::vector<uint32_t> piece{};  ///< the number of the piece's first run
};
RockRuns rock_runs(const SolidColumns& columns, const Context& context);

}  // namespace tepui
