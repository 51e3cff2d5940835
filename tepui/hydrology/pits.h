#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct PitsParams {
  double depth = 0;  // metres
  double area = 0;   // square metres
  std::optional<double> sea_level{};
};
void describe(Fields<PitsParams>&);

/// A point at the lowest sample of each hollow that water would fill, with its `depth` below the level at which it
/// spills over, that `level`, and the `area` (m2) and `volume` (m3) of the water.
Lines pits(const Terrain& in, const PitsParams& params, const Context& context);

}  // namespace tepui
