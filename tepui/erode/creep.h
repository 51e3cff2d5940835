#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Soil creep: diffuses heights by dz/dt = D laplace(z) over a time, `amount` = D t in square metres, implicitly along
/// the rows and then along the columns, so that any amount is stable. `mobility`, where it is not empty, scales D at
/// each sample; between two samples the lower one counts, so that a sample of mobility 0 keeps its very bits. Nothing
/// crosses the border.
void creep(Grid<float>& height, const Grid<float>& mobility, Vec2 cell, double amount, const Context& context);

}  // namespace tepui
