#pragma once

#include "tepui/mesh/mesh.h"
#include "tepui/mesh/surface_lattice.h"
#include "tepui/volume/volume.h"

namespace tepui::reference {

/// Marching cubes as plainly as they are told: f - T at every point of the lattice, one point at a time, then every
/// cell. `closed` adds a layer of air around.
MeshData polygonize(const Volume& in, const SurfaceLattice& lattice, bool closed);

}  // namespace tepui::reference
