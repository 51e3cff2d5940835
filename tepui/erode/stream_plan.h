#pragma once  // internal

#include <vector>

#include "tepui/erode/stream_levels.h"
#include "tepui/erode/stream_power_params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What stream_power is connected to.
struct StreamInputs {
  const Terrain& in;
  const Geology* rock = nullptr;
  const Terrain* uplift = nullptr;
  const Terrain* rain = nullptr;
  const Lines* inflow = nullptr;
  const Lines* guides = nullptr;
};

/// What its parameters mean on this land. Refuses what cannot be run.
StreamPlan plan_streams(const StreamInputs& inputs, const std::vector<Lattice>& ladder, const StreamPowerParams& params,
                        const Context& context);

}  // namespace tepui
