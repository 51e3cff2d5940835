#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The surface of the land's water where it is wet, its height where it is dry: what new water is added to.
Grid<float> water_levels_of(const Terrain& land);

/// The land with water up to `level`, which is the ground's height where it is dry: the layers `water` and
/// `water_level` as lakes.h describes them.
Terrain with_water(const Terrain& land, Grid<float> level, const Context& context);

}  // namespace tepui
