#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/core/params.h"

namespace tepui {

/// How a map is smoothed along one axis: the weights (1 - (d / radius)^2)^2 of samples at the distance d, which add up
/// to 1, at most 24 each way. A radius shorter than a cell smooths nothing.
struct SmoothingTaps {
  int64_t step = 1;           ///< samples between two taps
  std::vector<float> weight;  ///< of the middle, then of the pairs to both sides, the nearest first

  SmoothingTaps(double radius, double cell);
  int64_t reach() const { return step * (static_cast<int64_t>(weight.size()) - 1); }
};

/// The map smoothed over `radius` metres, so that it means the same at any resolution; planes stay what they are.
/// Nearer to the border than that it is smoothed over as much as there is.
Grid<float> smoothed(const Grid<float>& map, const Frame& frame, double radius, const Context& context);

/// The samples on each side that it depends on.
Halo smoothing_halo(const Frame& frame, double radius);

}  // namespace tepui
