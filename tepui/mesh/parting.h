#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What land_with_holes and hole_parts are asked.
template <class P>
void describe_parting(Fields<P>& f) {
  f.reach(Reach::whole);
  f("cell", &P::cell, open_range(0, 1e9),
    "distance between the samples of the land and side of the cubes in which the surface is found; % of the volume's "
    "longer horizontal side")
      .slider(0.1, 5);
  f("slope", &P::slope, Range{0, 90}, "ground steeper than this is a part of its own, in a hole of the land")
      .sweep("40", "55", "70");
}

/// The land of land_with_holes, and the mesh of hole_parts.
Terrain holed_land(const Volume& in, const Length& cell, Angle slope, const Context& context);
Mesh parts_in_holes(const Volume& in, const Length& cell, Angle slope, const Context& context);

}  // namespace tepui
