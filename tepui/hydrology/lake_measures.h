#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// What each lake holds when it is full, by the number of the lake (WaysOut::lake); zeros for numbers without one.
struct LakeMeasures {
  std::vector<int64_t> cells;   ///< Under water.
  std::vector<double> volume;   ///< Cubic metres.
  std::vector<float> deepest;   ///< Metres.
  std::vector<int32_t> bottom;  ///< The basin with the deepest pit of the lake.
};
LakeMeasures lake_measures(const Watercourses& water, const Context& context);

}  // namespace tepui
