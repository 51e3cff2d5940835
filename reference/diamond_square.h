#pragma once

#include "tepui/generate/diamond_square.h"

namespace tepui::reference {

/// Every point of every lattice over the samples, level by level, in double; then bilinear between the last points.
Grid<double> diamond_square_heights(const Frame& frame, const DiamondSquareParams& params);

Terrain diamond_square(const Frame& world, const DiamondSquareParams& params);

}  // namespace tepui::reference
