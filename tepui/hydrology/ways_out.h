#pragma once  // internal

#include <cstdint>
#include <limits>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/hydrology/saddles.h"

namespace tepui {

/// How water leaves each basin.
struct WaysOut {
  /// The level of basin 0 and of pits that are kept.
  static constexpr float dry = -std::numeric_limits<float>::infinity();

  std::vector<float> level;     ///< Up to which the basin fills before it spills over.
  std::vector<int32_t> saddle;  ///< Index of the saddle that it spills over; -1 for basin 0 and pits that are kept.
  std::vector<int32_t> lake;  ///< Basins that flood into one another share a lake, which has the number of one of them.
};
/// `kept` has a 1 for each basin whose pit takes all water that reaches it; empty if there are none.
WaysOut ways_out(const Basins& basins, const std::vector<Saddle>& saddles, const std::vector<uint8_t>& kept = {});

/// Turns the flow along the way from each basin's pit to its saddle. Afterwards all cells drain to an edge, the sea or
/// a pit that is kept.
void turn_flow(const WaterGround& ground, const Basins& basins, const std::vector<Saddle>& saddles, const WaysOut& ways,
               Grid<uint8_t>& directions, const Context& context);

}  // namespace tepui
