#pragma once  // internal

#include <cstdint>

namespace tepui {

/// A row of nodes with the rows below and above it, for the steepest of eight directions. Closeness is that of
/// stream_land.h; rows of it are null where it is the same everywhere.
struct NodeRow {
  const float *below = nullptr, *own = nullptr, *above = nullptr;
  const uint16_t* close[4] = {};        ///< Directions 0 to 3, in this row.
  const uint16_t* close_below[4] = {};  ///< The same in the row below.
  float same[4] = {};
};

/// The code of the steepest way down of the columns [begin, end), which have eight neighbours; d8_none where no
/// neighbour is lower. Of equally steep ones the lowest code.
void steepest_in_row(const NodeRow& row, int64_t begin, int64_t end, uint8_t* codes);

}  // namespace tepui
