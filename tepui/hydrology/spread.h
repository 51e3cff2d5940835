#pragma once  // internal

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// How a cell divides its water among lower neighbours.
enum class Spreading {
  freeman,     ///< Among all of them, by slope^exponent (Freeman 1991).
  d_infinity,  ///< Among the two next to the steepest direction of the eight triangles around it (Tarboton 1997).
};

/// The sum of what reaches each cell, itself included, in place of `amounts`: integers from 0 to below 2^38, whose sum
/// is below 2^38, too, so that nothing is lost or gained. Shares are multiples of 2^-24; what rounding leaves goes the
/// steepest way. Slopes are those of the filled land; cells in lakes and flats give all to their D8 receiver.
void spread_downstream(const Watercourses& water, Spreading method, double exponent, Grid<int64_t>& amounts,
                       const Context& context);

}  // namespace tepui
