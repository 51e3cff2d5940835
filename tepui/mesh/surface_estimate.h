#pragma once  // internal

#include <functional>

#include "tepui/mesh/surface_tiles.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What meshing in a lattice will take, found without asking for values: rather too much than too little.
struct SurfaceEstimate {
  double points = 0;  ///< to be looked at: columns of land and points near features; all, where it is full
  double bytes = 0;   ///< of the mesh and of the tiles it is joined from
};
SurfaceEstimate estimate_surface(const Volume& in, const SurfaceLattice& lattice, const SurfaceOptions& options);

inline constexpr double most_surface_points = 1e9;

/// Refuses what would take more points than that, or more memory than there is, and names a cell that would do;
/// `lattice_of` tells the lattice of a cell.
void require_modest(const Volume& in, const SurfaceLattice& lattice, const SurfaceOptions& options,
                    const std::function<SurfaceLattice(double)>& lattice_of);

}  // namespace tepui
