#pragma once  // internal

#include <optional>
#include <vector>

#include "tepui/core/grid.h"
#include "tepui/hydrology/water_ground.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The cell whose sample is nearest to a place of the world; -1 where that is more than half a cell outside the land.
int64_t cell_at(const Frame& frame, double x, double y);

/// A river that comes from outside.
struct PointInflow {
  double x = 0, y = 0;
  int64_t cell = 0;      ///< The nearest of the land.
  double discharge = 0;  ///< m3/s
};
/// That of a vertex of lines. Refuses one outside the land and one without a discharge.
PointInflow point_inflow(const Lines& lines, size_t feature, size_t vertex, const Frame& frame);
std::vector<PointInflow> point_inflows(const Lines& inflow, const Frame& frame);

/// The layer `rain`, mm a year, of the port or else of the land itself; nullptr where there is none. Refuses rain below
/// 0 and rain of another frame.
const Layer* rain_layer(const Terrain& land, const Terrain* rain);

/// What each cell adds to the flow, m3/s: rain (mm a year, from `rain` or the land's own layer of that name) on its
/// area, and the inflows at their nearest samples. Nothing where there is neither. Refuses rain below 0, points outside
/// the land and points without a discharge.
std::optional<Grid<double>> water_supply(const Terrain& land, const Terrain* rain, const Lines* inflow,
                                         const WaterGround& ground);

/// Seconds of a year of 365.25 days.
inline constexpr double seconds_a_year = 31557600;

}  // namespace tepui
