#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/random.h"
#include "tepui/erode/glacier_paths.h"
#include "tepui/erode/troughs.h"

namespace tepui {

/// Metres of till in ridges along the border of the ice where it melts: at its height, and where it stood still while
/// it melted back. Nothing lies on ground steeper than till can rest.
Grid<float> moraine_ridges(const Grid<float>& ground, const Lattice& lattice, const std::vector<GlacierPath>& paths,
                           double amount, Stream draws, const Context& context);

}  // namespace tepui
