#pragma once

#include "tepui/core/context.h"
#include "tepui/core/grid.h"

namespace tepui {

struct MinMax {
  float low, high;
};

/// The smallest and largest cell. An empty grid gives {0, 0}.
MinMax min_max(const Grid<float>& grid, const Context& context);

}  // namespace tepui
