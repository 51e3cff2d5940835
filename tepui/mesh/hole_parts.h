#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/mesh/mesh.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct HolePartsParams {
  Length cell = percent(100.0 / 256);
  Angle slope{70};
};
void describe(Fields<HolePartsParams>& f);

/// The surface of a volume in the holes of its land (land_with_holes), with resistance and strata. Its border is the
/// land's: every edge is one of a cell, and its ends are samples, to the last bit in height above the mesh's centre,
/// which is the middle of the land at height 0, as that of land's own meshes. Only where a hole reaches the border of
/// the land, or goes through its floor, does the surface end there as the volume does.
Mesh hole_parts(const Volume& in, const HolePartsParams& params, const Context& context);

}  // namespace tepui
