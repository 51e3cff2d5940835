#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/ice_balance.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/erode/troughs.h"

namespace tepui {

/// The surface of all ice on the land's own samples, and what flows there: that of the glaciers, which is known on a
/// coarser lattice, and of the snow that has become ice around them above the snow line, where slopes hold it. Where
/// it is below the ground there is no ice.
TroughIce all_ice(const Grid<float>& ground, const Lattice& own, const TroughIce& glaciers, const Lattice& lattice,
                  const IceClimate& climate, const Context& context);

}  // namespace tepui
