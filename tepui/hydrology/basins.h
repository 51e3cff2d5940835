#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/water_ground.h"

namespace tepui {

/// Which pit each cell drains to. Basin 0 is all land that drains to an edge or the sea without meeting a pit, the sea
/// and what is outside; the others are numbered in the order of their pits' indices.
struct Basins {
  Grid<int32_t> of;
  std::vector<int32_t> pits;  ///< The cell of each basin's pit; -1 for basin 0.

  size_t count() const { return pits.size(); }
};
Basins basins_of(const WaterGround& ground, const Grid<uint8_t>& directions, const Context& context);

}  // namespace tepui
