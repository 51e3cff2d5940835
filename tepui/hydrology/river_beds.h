#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct RiverBedsParams {
  double scale = 1;
  double bank = 25;  // degrees
  std::optional<double> sea_level{};
};
void describe(Fields<RiverBedsParams>&);

/// Cuts the beds of rivers into the land and lets water into them: the layers `water` and `water_level`, as `lakes`
/// gives them. `along` are lines with `width` and `depth` in metres, at their vertices or as a whole, whose heights are
/// those of the ground that they run on, as `rivers` gives them. A bed is a parabola across, its water fills four
/// fifths of it, and its banks rise at `bank` degrees. Rivers narrower than a cell are as wide as one. Water that the
/// land has already stays.
Terrain river_beds(const Terrain& in, const Lines* along, const RiverBedsParams& params, const Context& context);

}  // namespace tepui
