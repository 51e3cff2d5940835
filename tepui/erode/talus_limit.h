#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Lowers heights until the land is nowhere steeper than `steepest` (metres a metre, at each sample; infinite where
/// rock stands at any slope): the highest such surface below the land, by four fast sweeps (Zhao 2005). Never raises.
void limit_slope(Grid<float>& height, const Grid<float>& steepest, Vec2 cell, const Context& context);

}  // namespace tepui
