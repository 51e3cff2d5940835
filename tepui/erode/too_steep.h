#pragma once  // internal

#include <cstdint>

namespace tepui {

/// Marks the samples of the columns [begin, end) of a row that may be steeper than `steepest`: marks[x - begin] is 0
/// where the gradient towards the lower neighbours along both axes is surely below it, else 1. They have a neighbour on
/// either side; `below` and `above` are the rows beside; cells are cell_x by cell_y. Says whether there are any.
bool mark_too_steep(const float* row, const float* below, const float* above, const float* steepest, float cell_x,
                    float cell_y, int64_t begin, int64_t end, uint8_t* marks);

}  // namespace tepui
