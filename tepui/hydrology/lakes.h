#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct LakesParams {
  double depth = 0.5;  // metres, at the deepest
  std::optional<double> area{};
  std::optional<double> sea_level{};
};
void describe(Fields<LakesParams>&);

/// Fills the pits of the land with water, each up to its lowest saddle. Layers:
///   water        m: the depth, 0 where it is dry
///   water_level  m: the height of the water's surface; at dry samples next to water that of the water beside them,
///   which
///                is at or below the ground, so that the shore lies where the two meet; elsewhere the ground's height
/// Lakes that are nowhere as deep as `depth`, or smaller than `area`, are left out. Water that the land has already
/// stays.
Terrain lakes(const Terrain& in, const LakesParams& params, const Context& context);

}  // namespace tepui
