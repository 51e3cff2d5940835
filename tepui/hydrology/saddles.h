#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/hydrology/basins.h"

namespace tepui {

/// The lowest way from one basin into another: between a cell and its neighbour in direction `code`, or from an edge
/// over the border (code d8_none, basin b is 0).
struct Saddle {
  float level = 0;  ///< The higher of the two cells.
  float low = 0;    ///< The lower one; over the border all the way down.
  int32_t cell = 0;
  int32_t code = 0;
  int32_t a = 0, b = 0;  ///< The basins of the cell and of its neighbour.

  /// By level. One cell is the higher one of several saddles: then the lower other one counts, and at last the place,
  /// so that no two are equal.
  friend bool operator<(const Saddle& s, const Saddle& t) {
    if (s.level != t.level) return s.level < t.level;
    if (s.low != t.low) return s.low < t.low;
    return s.cell != t.cell ? s.cell < t.cell : s.code < t.code;
  }
};

/// The saddles of the spanning tree of all basins that has the lowest levels, from low to high. The order above makes
/// the tree unique, whatever the number of threads.
std::vector<Saddle> lowest_saddles(const WaterGround& ground, const Basins& basins, const Context& context);

}  // namespace tepui
