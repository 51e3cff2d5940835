#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/landforms/gallery_axis.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// How many mouths passages have. A passage that comes to the open air (`GalleryCourse::open`), with no other near it,
/// has one there. Where several come out side by side, or one runs along in the open air, openings are counted in the
/// surface of the volume as it was. It goes through cells of a lattice of the world, 0.3 radii wide, and where it goes
/// through their edges, the volume as it is now says whether rock is left. Cells side by side without rock are one
/// opening; fewer than six places are a crack. So two passages that open into one hole are one mouth, and a hole that a
/// pillar parts is two only if the pillar parts all of it.
int64_t count_mouths(const std::vector<GalleryCourse>& courses, const Volume& before, const Volume& after,
                     const Context& context);

}  // namespace tepui
