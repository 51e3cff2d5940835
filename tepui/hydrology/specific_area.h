#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The area that drains through a metre of contour, in metres: the land's layer `drainage`, if it has one, else
/// Freeman's areas with the exponent, over the width of a cell; at least a sample's own.
Grid<float> specific_area(const Terrain& land, double exponent, const Context& context);

}  // namespace tepui
