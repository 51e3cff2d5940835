#pragma once

#include "bench/bench.h"
#include "bench/volume/scenes.h"
#include "tepui/mesh/surface_tiles.h"

namespace tepui::bench {

/// A sheet without normals, as the paper's.
SurfaceOptions bare_sheet();

/// Meshing a scene, beside the plain twin on a part of it.
Row polygonize_row(VolumeScene made);

/// A stroke of 10 m, from the tree to the tiles that it changes.
Row edit_row(VolumeScene made);

}  // namespace tepui::bench
