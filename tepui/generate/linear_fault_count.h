#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/generate/linear_faults_params.h"

// What linear_faults() is made of, before it is normalised.

namespace tepui {

/// A line that meets the row y at x = foot.x + (y - foot.y) * slope, in metres east and north of the world's south-west
/// corner. It lifts what lies east of that, or the rest.
struct LinearFault {
  Vec2 foot;         ///< on the boundary of the extent
  double slope = 0;  ///< metres east a metre north; finite, also of lines along x
  bool lifts_east = true;

  double crossing(double y) const { return foot.x + (y - foot.y) * slope; }
  bool lifts(double x, double y) const { return (x > crossing(y)) == lifts_east; }
};

/// Faults [first, first + count) of the world's faults. Each depends on the seed, its index and the world only.
std::vector<LinearFault> draw_linear_faults(const Frame& world, const LinearFaultsParams& params, int64_t first,
                                            int64_t count);

/// How many faults lift each sample of `frame`: whole numbers, exact. A row's faults are steps at their crossings and
/// one running sum over them, so that a sample costs no more for many faults.
Grid<float> count_linear_faults(const Frame& frame, const LinearFaultsParams& params, const Context& context);

}  // namespace tepui
