#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/planet/paper_land.h"

namespace tepui {

/// Splits triangles into two, three or four by how many of their edges have a new vertex, wherever they lie: no closure
/// is needed, since both triangles of an edge know of it. Then flips edges until all obey Delaunay's rule but those
/// along which water runs, which stay. Gives the triangles that have changed.
std::vector<int32_t> split_and_flip(PaperLand& land, const PaperBirths& births, int level, const Context& context);

}  // namespace tepui
