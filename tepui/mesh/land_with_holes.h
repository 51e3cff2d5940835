#pragma once

#include <utility>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct LandWithHolesParams {
  Length cell = percent(100.0 / 256);  ///< in per cent of the longer side
  Angle slope{70};
};
void describe(Fields<LandWithHolesParams>& f);

struct HolePartsParams {
  Length cell = percent(100.0 / 256);
  Angle slope{70};
};
void describe(Fields<HolePartsParams>& f);

/// A volume of land for programs whose ground is a height field: land with holes, and meshes that stand in them.
///
/// The volume is cut into columns by the lattice of `polygonize`. A column is plain where the surface crosses each of
/// its upright edges once and all its triangles face up and are no steeper than `slope`. There the land stays: its
/// samples are where the surface crosses the edges. All other columns are holes of whole cells. A sample of the layer
/// `hole` is 1 where the cell to its south-east is a hole: in a file, whose rows go south, that is the cell right of
/// and below the pixel. Samples within holes lie as the ground around them does.
Terrain land_with_holes(const Volume& in, const LandWithHolesParams& params, const Context& context);

/// The surface of the volume in the holes, with resistance and strata. Its border is the land's: every edge is one of
/// a cell, and its ends are samples, to the last bit in height above the mesh's centre, which is the middle of the land
/// at height 0, as that of land's own meshes. Only where a hole reaches the border of the land, or goes through its
/// floor, does the surface end there as the volume does.
Mesh hole_parts(const Volume& in, const HolePartsParams& params, const Context& context);

}  // namespace tepui
