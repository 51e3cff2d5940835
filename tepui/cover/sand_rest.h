#pragma once  // internal

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Shares `total` whole quanta among the cells in proportion to `weights`, all at least 0: each gets its part to within
/// one or two quanta, and the sum is exact. Where all weigh nothing, cells that `open` names share alike.
Grid<int32_t> shared_quanta(const Grid<float>& weights, const Grid<uint8_t>& open, int64_t total);

/// Lets sand slide until no cell that has some lies higher above one of its eight neighbours than `tangent` allows;
/// the sum is kept. Cells that are not open neither give nor take. `rock` and `sand` are quanta.
void rest_sand(const Grid<int32_t>& rock, Grid<int32_t>& sand, const Grid<uint8_t>& open, Vec2 cell_quanta,
               double tangent, const Context& context);

}  // namespace tepui
