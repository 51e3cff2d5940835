#pragma once

#include "tepui/core/context.h"
#include "tepui/core/grid.h"

namespace tepui {

/// Takes the stair-steps out of heights that were rounded to whole multiples of `step`: the smoothest surface (least
/// sum of squared differences between neighbours) that still rounds to the same heights. No cell moves by more than
/// half a step. Cells where `voids` is not 0 (empty: none) are left alone and pull on nobody.
///
/// A pyramid of means, then from coarse to fine an interpolation and Gauss-Seidel sweeps in red-black order, each cell
/// held within its bounds (cascadic multigrid: Bornemann and Deuflhard 1996, with projection).
void smooth_stairs(Grid<float>& heights, const Grid<float>& voids, double step, const Context& context);

}  // namespace tepui
