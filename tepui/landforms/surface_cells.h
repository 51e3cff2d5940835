#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/random.h"
#include "tepui/landforms/surface_filter.h"
#include "tepui/landforms/surface_kernels.h"
#include "tepui/volume/volume.h"

// Cells of a lattice of the world that a surface goes through, and the candidates that are drawn in them.

namespace tepui {

/// A cell, and v at its corners, x fastest.
struct SurfaceCell {
  std::array<int8_t, 3> in;  ///< its block, each from 0 to 7
  std::array<float, 8> corner;
  uint64_t key;       ///< from its place in the world
  uint64_t turn = 0;  ///< its priority in the first round
};

/// A cube of 8^3 cells.
struct SurfaceBlock {
  std::array<int32_t, 3> at;
  std::vector<SurfaceCell> cells;
};

/// The blocks that hold cells, in order of z, y, x.
std::vector<SurfaceBlock> surface_cells(const Volume& volume, const Box3& region, double cell,
                                        const SurfaceFilter& filter, const Context& context);

/// Draws candidates in cells, several for each, round after round.
class SurfaceDarts {
 public:
  static constexpr uint64_t rounds = CellDarts::rounds;

  SurfaceDarts(const Box3& region, double cell, const Stream& random, const SurfaceFilter& filter)
      : region_(region), cell_(cell), random_(random), least_up_(filter.least_up), most_up_(filter.most_up) {}

  /// The candidates of all rounds.
  void draw(const SurfaceCell& cell, CellDarts& darts) const;
  /// Where that of a round lies; false where there is none in the region.
  bool place(const SurfaceBlock& block, const SurfaceCell& cell, const CellDarts& darts, uint64_t round,
             Vec3& at) const;
  /// The normal there; false where it leads elsewhere than is wanted.
  bool lead(const SurfaceCell& cell, const CellDarts& darts, uint64_t round, Vec3& normal) const;
  /// What comes first among the candidates of a block: the round, then chance.
  uint64_t priority(const SurfaceCell& cell, uint64_t round) const {
    return round << 60 | random_.bits(cell.key, rounds) >> 4;
  }

 private:
  Box3 region_;
  double cell_;
  Stream random_;
  double least_up_, most_up_;
};

}  // namespace tepui
