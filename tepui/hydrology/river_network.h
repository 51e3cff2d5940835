#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/hydrology/streams.h"

namespace tepui {

/// A river from its head or a meeting to the next meeting or its mouth.
struct RiverReach {
  std::vector<int32_t> cells;  ///< Downstream. The last is the first of the next reach, if there is one.
  int32_t below = -1;          ///< The reach that this one flows into.
  int32_t river = -1;          ///< The number of its river, from 0: the one that drains most at its mouth.
  uint8_t order = 1;
};

/// All reaches of the channels, upstream before downstream.
std::vector<RiverReach> river_network(const Streams& streams, const Context& context);

}  // namespace tepui
