#pragma once

#include "tepui/core/context.h"
#include "tepui/cover/scatter_params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Points for plants and stones, each a feature with `species`, `height` and `crown` (its radius) in metres, `turn` and
/// `lean` in degrees (it leans by `lean` towards `turn`, clockwise from north) and `form`, the number of its model. A
/// point is the foot on the ground, under the snow where there is some. Places and sizes are in whole centimetres.
///
/// Candidates are drawn in squares of 8 m of the world, from hashes of the square, the species' name and a number; so
/// they are the same at every resolution, in every crop, and for every other species in the list. How many of them come
/// forward follows the species' layer, the mask and a noise that makes clumps. Those that stand in water, under snow or
/// ice, in the sea or on slopes too steep for them drop out; the others compete for room (crown_room.h), so that no two
/// are closer than `spacing` times the sum of their crowns' radii. Enough come forward that as many stay as `density`
/// says, as far as that many fit: larger crowns take their room first, and the chance that one fits among those is that
/// of scaled particle theory (Lebowitz, Helfand, Praestgaard 1965).
///
/// Layers that count where the land has them: `water`, `ice`, `snow`, `soil` and `temperature_summer` (what is `poor`
/// grows low where soil is thin and near the tree line). A species whose layer is missing is left out; a land that
/// has none of the layers is refused.
Lines scatter(const Terrain& in, const Terrain* mask, const ScatterParams& params, const Context& context);

/// Beyond this distance from the border of a window of land the points are those of the whole, in metres.
double scatter_reach(const Frame& frame, const ScatterParams& params);

}  // namespace tepui
