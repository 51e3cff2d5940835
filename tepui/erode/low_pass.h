#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"

namespace tepui {

/// Every second sample of a map, each the mean of its neighbourhood with weights 1 2 1 along both axes.
Grid<float> low_pass(const Grid<float>& map, const Context& context);

/// Adds to a map what its low-pass lacks of `target`, linearly between the samples of the latter: afterwards the map's
/// broad shape is that of the target, and its detail is its own. `held`, where it is not empty, has a 0 for samples
/// that must stay.
void restore_low_pass(Grid<float>& map, const Grid<float>& target, const Grid<float>& held, const Context& context);

}  // namespace tepui
