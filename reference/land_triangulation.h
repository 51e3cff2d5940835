#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/grid.h"

namespace tepui::reference {

/// The samples that greedy insertion keeps (Garland & Heckbert 1995), plainly: of one land without blocks, with the
/// lines of its border reduced first (Douglas & Peucker 1973); after every insertion (Bowyer 1981, Watson 1981) all
/// triangles are looked at again. Three samples a triangle, counter-clockwise.
std::vector<int64_t> triangulate_land(const Grid<float>& heights, double error);

}  // namespace tepui::reference
