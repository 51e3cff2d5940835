#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"

namespace tepui {

/// Samples over the rectangle of a land, finer or coarser than the land's own.
struct Lattice {
  int64_t width = 0, height = 0;
  Vec2 cell;        ///< Metres.
  Vec2 origin;      ///< Of sample (0, 0), metres of the world.
  double step = 1;  ///< Samples of the land from one sample to the next.

  int64_t size() const { return width * height; }
};

/// Cells on the longer side of the coarsest lattice of a ladder.
inline constexpr int64_t coarsest_cells = 128;

/// Lattices from coarse to fine, each with twice the cells of the one before. The first has `coarsest_cells` on the
/// longer side, the last is the first that is at least as fine as the land. Lands of 128 * 2^k + 1 samples share their
/// coarser lattices, and the last is the land's own. Every lattice covers the land: its last row or column may lie
/// beyond.
std::vector<Lattice> lattice_ladder(const Frame& land);

/// The land's own samples.
Lattice own_lattice(const Frame& land);

/// The values of a map of the land at the samples of a lattice: the map's own where samples coincide, else between
/// them. Beyond the border the last value counts.
Grid<float> point_samples(const Grid<float>& map, const Lattice& lattice, const Context& context);

}  // namespace tepui
