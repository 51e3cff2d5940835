#pragma once  // internal

#include <optional>

#include "tepui/core/context.h"
#include "tepui/erode/stream_levels.h"
#include "tepui/erode/stream_power_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The land with the heights that rivers have given it, its floors laid and its pits drained, and the layers that tell
/// what they did. Tells what left the land.
Terrain stream_result(const Terrain& in, StreamedLand rivers, const StreamPlan& plan, const StreamPowerParams& params,
                      const Context& context);

/// The land as it is, with the same layers.
Terrain unworn(const Terrain& in, std::optional<double> sea_level, const Context& context);

}  // namespace tepui
