#pragma once

#include "tepui/hydrology/lakes.h"
#include "tepui/terrain/lines.h"

namespace tepui {

struct LakeShoresParams {
  double depth = 0.5;
  std::optional<double> area{};
  std::optional<double> sea_level{};
};
void describe(Fields<LakeShoresParams>&);

/// The shores of the lakes that `lakes` would fill, as polygons with islands as holes: each vertex lies where the level
/// meets the ground between two samples. Attributes: `level` (m), `area` (m2, of the polygon), `volume` (m3), `depth`
/// (m, at the deepest), and `outlet_x`, `outlet_y`: the point of the shore nearest to the saddle that the lake spills
/// over. The largest comes first.
Lines lake_shores(const Terrain& in, const LakeShoresParams& params, const Context& context);

}  // namespace tepui
