#pragma once

#include <utility>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct LandWithHolesParams {
  Length cell = percent(100.0 / 256);  ///< in per cent of the longer side
  Angle slope{70};
};
void describe(Fields<LandWithHolesParams>& f);

/// A volume of land for programs whose ground is a height field: land with holes, in which
/// the meshes of hole_parts stand.
///
/// The volume is cut into columns by the lattice of `polygonize`. A column is plain where the surface crosses each of
/// its upright edges once and all its triangles face up and are no steeper than `slope`. There the land stays: its
/// samples are where the surface crosses the edges. All other columns are holes of whole cells. A sample of the layer
/// `hole` is 1 where the cell to its south-east is a hole: in a file, whose rows go south, that is the cell right of
/// and below the pixel. Samples within holes lie as the ground around them does.
Terrain land_with_holes(const Volume& in, const LandWithHolesParams& params, const Context& context);

}  // namespace tepui
