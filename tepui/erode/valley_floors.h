#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/noise.h"
#include "tepui/core/random.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/hydrology/water_ground.h"

namespace tepui {

/// Discs around places: for every sample the place whose disc reaches deepest over it, by the least of d^2 - R^2, d
/// being the distance to a place and R the radius of its disc (the power distance). Exact, one pass along the rows and
/// one along the columns.
struct PowerDistance {
  Grid<float> least;    ///< Square metres; below 0 inside a disc, infinite where there is no place at all.
  Grid<int32_t> place;  ///< The sample of that place; -1 where there is none.
};
/// `radius` is 0 where there is no place, else metres.
PowerDistance power_distance(const Grid<float>& radius, Vec2 cell, const Context& context);

struct ValleyFloorRule {
  double width = 0;     ///< Metres at 1 km2.
  double variety = 1;   ///< How much widths differ.
  double world = 8000;  ///< Length that the noise of widths is measured by.
  Stream draws{0};
};

/// Widens valleys: around each channel that drains the area A the land is cut down to a floor of the width
/// width (A / km2)^0.45, times the root of the `mobility` of its rock, a little higher away from the channel,
/// with a bed for the river. Samples of mobility 0 stay. Returns how deep the loose ground of the floors is. `kind`
/// says where water leaves the land.
Grid<float> lay_valley_floors(Grid<float>& height, Grid<WaterCell>& kind, const Lattice& lattice,
                              const Grid<float>& mobility, const ValleyFloorRule& rule, const Context& context);

}  // namespace tepui
