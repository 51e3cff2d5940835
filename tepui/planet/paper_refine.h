#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/paper_land.h"
#include "tepui/planet/region.h"

namespace tepui {

/// Refines a piece of the global stage, whose `triangle_level` tells what is drawn, as Mieloszyk 2017 does: at each
/// level the edges that the region splits get vertices (Eqs. 1-6, 14-18), triangles are split by how many of their
/// edges are, edges flip until the mesh is Delaunay's, and then snow (Eqs. 7-11), water and ice (Eqs. 12-13) find their
/// ways on it.
///
/// Every rule reads the mesh as it has become. So the land depends on the camera, as the paper's does: what is near
/// stays, what is far moves a little as one comes closer. The same camera always has the same land.
FineLand paper_refine(const GlobalLand& planet, FineLand begun, const SplitRegion& region, const Context& context);

/// The same, before what is drawn of it is taken out.
PaperLand paper_land(const GlobalLand& planet, FineLand begun, const SplitRegion& region, const Context& context);

}  // namespace tepui
