#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct StreamPowerIndexParams {
  double exponent = 1.1;
};
void describe(Fields<StreamPowerIndexParams>&);

/// Adds the layer `stream_power_index`: a tan(slope) of Moore et al. 1991, in metres, with a as in `wetness`: where
/// running water has the power to carve.
Terrain stream_power_index(const Terrain& in, const StreamPowerIndexParams& params, const Context& context);

}  // namespace tepui
