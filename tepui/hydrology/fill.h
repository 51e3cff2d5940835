#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct FillParams {
  double slope = 0;                     // degrees
  std::optional<double> keep_deeper{};  // metres
  std::optional<double> keep_larger{};  // square metres
  std::optional<double> sea_level{};    // metres
};
void describe(Fields<FillParams>&);

/// Raises pits until water runs off: the lowest surface at or above the land from which every sample has a way, never
/// uphill, to the border of the land or to the sea (Planchon and Darboux 2002; Barnes et al. 2014 flood it with a heap,
/// here it follows from the basins of the pits and the lowest saddles between them, Cordonnier et al. 2019).
///
/// With a `slope`, every sample also lies at least that much higher than the next on its way. Lakes that would be
/// deeper or larger than a limit stay as they are, but for the smaller pits within.
Terrain fill(const Terrain& in, const FillParams& params, const Context& context);

}  // namespace tepui
