#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/flow_order.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// Cells where water leaves the land or is about to enter the sea, if at least `least` cells drain through them; those
/// that drain most come first.
std::vector<int32_t> outlets_of(const Watercourses& water, const FlowOrder& order, const Grid<int32_t>& cells,
                                double least, const Context& context);

/// The place in `outlets`, from 1, of the first of them that each cell's water meets; 0 where it meets none.
Grid<float> watershed_numbers(const FlowOrder& order, const std::vector<int32_t>& outlets, int64_t width,
                              int64_t height, const Context& context);

}  // namespace tepui
