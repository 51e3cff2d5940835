#pragma once

#include <optional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class FlowMethod { d8, d_infinity, freeman };

struct FlowParams {
  FlowMethod method = FlowMethod::d8;
  double exponent = 1.1;  // of Freeman
  std::string gather;     // the name of a layer
  std::optional<double> sea_level{};
};
void describe(Fields<FlowParams>&);

/// Where water goes. Every sample drains, pits and flats included, to the border of the land or to the sea; the land
/// itself is not changed. Water fills each pit and leaves it over the lowest saddle (Cordonnier et al. 2019). Layers:
///   flow_direction  the steepest of eight neighbours (O'Callaghan and Mark 1984), 0 to 7 from east anticlockwise, 8
///   where
///                   water leaves the land or reaches the sea; in a lake the way to its outlet
///   drainage        m2: the area that drains through a sample, its own included
///   incomplete      1 where that area reaches the border of the land, so that there may be more beyond it
///   discharge       m3/s, where there is rain or an inflow
///   gathered        the sum of the layer `gather` over all samples that drain through a sample
/// Areas are divided by `method`: all to the steepest neighbour (d8), between two (d_infinity, Tarboton 1997) or among
/// all lower ones by slope^exponent (freeman, Freeman 1991). Samples in lakes and flats give all to one neighbour.
///
/// `rain` is land with a layer `rain`, in mm a year; the land's own counts where the port is open. `inflow` are points
/// with an attribute `discharge` in m3/s: rivers that come from outside. Sums are kept in integers, so that what leaves
/// the land is exactly what fell on it, and no bit depends on the number of threads.
///
/// Voids that touch the border of the land are outside it; those within it are land.
Terrain flow(const Terrain& in, const Terrain* rain, const Lines* inflow, const FlowParams& params,
             const Context& context);

}  // namespace tepui
