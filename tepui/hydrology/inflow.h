#pragma once  // internal

#include <optional>

#include "tepui/core/grid.h"
#include "tepui/hydrology/water_ground.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The cell whose sample is nearest to a place of the world; -1 where that is more than half a cell outside the land.
int64_t cell_at(const Frame& frame, double x, double y);

/// What each cell adds to the flow, m3/s: rain (mm a year, from `rain` or the land's own layer of that name) on its
/// area, and the inflows at their nearest samples. Nothing where there is neither. Refuses rain below 0, points outside
/// the land and points without a discharge.
std::optional<Grid<double>> water_supply(const Terrain& land, const Terrain* rain, const Lines* inflow,
                                         const WaterGround& ground);

/// Seconds of a year of 365.25 days.
inline constexpr double seconds_a_year = 31557600;

}  // namespace tepui
