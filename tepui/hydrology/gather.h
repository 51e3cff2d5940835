#pragma once  // internal

#include <cstdint>
#include <span>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/flow_order.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// Sums along the flow are integers, so that they depend on no order: amounts are counted in quanta.
/// The number of cells that drain through each cell, itself included; 0 outside.
Grid<int32_t> cells_upstream(const Watercourses& water, const FlowOrder& order, const Context& context);

/// The same sum of `amounts`, which it replaces.
void gather_downstream(const FlowOrder& order, Grid<int64_t>& amounts, const Context& context);

/// The largest power of two so that the sum of `count` values up to `highest`, each times it, stays below 2^bits.
double quanta_a_unit(double highest, int64_t count, int bits);

}  // namespace tepui
