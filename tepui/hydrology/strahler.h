#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct StrahlerParams {
  std::optional<double> source{};  // square metres
  std::optional<double> sea_level{};
};
void describe(Fields<StrahlerParams>&);

/// Adds the layer `strahler`: the order of the channels, which are the samples that drain at least the area `source`. A
/// channel has order 1 from its head on; where two of the highest order meet it grows by one (Strahler 1957). 0 where
/// there is no channel.
Terrain strahler(const Terrain& in, const StrahlerParams& params, const Context& context);

}  // namespace tepui
