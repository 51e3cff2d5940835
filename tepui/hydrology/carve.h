#pragma once  // internal

#include <functional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// Lowers land along the ways out until every cell lies at least `fall(code)` above the next on its way; a height is
/// never raised. Heights may be in any unit: metres, or quanta. `kept`, where it is not empty, has a 0 for cells that
/// must stay. Afterwards there are no pits but those that such cells close.
void carve_ways_out(Grid<float>& height, const Watercourses& water, const std::function<float(int code)>& fall,
                    const Grid<float>& kept, const Context& context);

}  // namespace tepui
