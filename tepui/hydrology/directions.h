#pragma once  // internal

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/water_ground.h"

namespace tepui {

/// The direction of steepest descent of each cell (D8, O'Callaghan and Mark 1984), as a code of d8.h; of equally steep
/// ones the lowest code. d8_none at pits, at edges without a lower neighbour, in the sea and outside. Cells of a flat
/// drain across it to the nearest of its cells that drains, each to the first that the search reaches; a flat without
/// one is a single pit. Cells outside receive nothing.
Grid<uint8_t> steepest_directions(const WaterGround& ground, const Context& context);

}  // namespace tepui
