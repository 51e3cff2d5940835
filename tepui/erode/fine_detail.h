#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/random.h"
#include "tepui/erode/displaced_nodes.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How strong detail must be that is added below the cells of a land, so that it goes on as the land itself does.
///
/// Measured lands have about half as much detail at half the wavelength: what a lattice has and the next coarser one
/// has not falls by 2^-H from each to the next, H being near 1 in mountains. The land's own finest detail is measured
/// around each sample and H for all of it; finer lattices get their detail from that. So rough ground becomes rougher,
/// and what is smooth, a lake above all, stays smooth.
class FineDetail {
 public:
  /// `strength` is a multiple of what would go on as before.
  FineDetail(const Terrain& land, double strength, Stream draws, const Context& context);

  /// Metres, as a root of a mean square, of the land's own finest detail around each of its samples, times the
  /// strength.
  const Grid<float>& amount() const { return amount_; }
  /// What it is multiplied by on a finer lattice.
  double share(const Lattice& lattice) const;

  /// Noise at the nodes of a finer lattice, over a few of its cells, from -1 to 1. Rivers that begin on ground without
  /// any run side by side down even slopes; on rough ground they meet.
  Grid<float> noise(const Lattice& lattice, const DisplacedNodes* nodes, const Context& context) const;

 private:
  Grid<float> amount_;
  double hurst_ = 1;
  double cell_ = 1;
  Stream draws_;
};

/// Scales detail until it is, as a root of a mean square around each sample, what `wanted` says, but never more than a
/// few times what it was. `cells` are samples of the map on a cell of the land.
void fit_detail(Grid<float>& detail, const Grid<float>& wanted, int cells, const Context& context);

}  // namespace tepui
