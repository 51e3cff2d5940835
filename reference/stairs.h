#pragma once

#include "tepui/core/grid.h"

namespace tepui::reference {

/// The sum of squared differences between neighbours that are not void.
double roughness(const Grid<float>& z, const Grid<float>& voids);

/// The surface of least roughness within half a step of the heights: Gauss-Seidel with projection, until nothing moves.
Grid<float> smooth_stairs(const Grid<float>& heights, const Grid<float>& voids, double step);

}  // namespace tepui::reference
