#pragma once

#include "tepui/core/context.h"
#include "tepui/core/grid.h"

namespace tepui {

/// Gives the cells where `voids` is not 0 the smooth surface that spans them: each becomes the mean of its four
/// neighbours, to within a small share of the values' range. The other cells keep their bits, and no filled cell lies
/// outside their range. At least one cell must not be void.
///
/// A pyramid of means down to one cell, then from coarse to fine an interpolation and some Gauss-Seidel sweeps in
/// red-black order at each level (cascadic multigrid: Bornemann and Deuflhard 1996).
void fill_voids(Grid<float>& values, const Grid<float>& voids, const Context& context);

}  // namespace tepui
