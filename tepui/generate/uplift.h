#pragma once

#include "tepui/core/context.h"
#include "tepui/generate/uplift_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The uplift model: every peak p lifts the land around it into a cone of height y_p and slope R, and the land is their
/// mean, y = (1/N_p) sum max(0, y_p - R d), d the distance to the peak. Heights y_p are drawn evenly from
/// `peak_height`, places evenly from the extent; R is `ruggedness`, metres a metre. Rankin 2015, "The 3D Uplift Model".
///
/// Where we differ: peaks lie in continuous world coordinates, not in cells, so that every resolution, crop and tile
/// shows the same land. Averaging lowers the land as peaks are added, so that unless `normalise` is "none", the paper's
/// own heights in metres, the highest point is brought to `height`; the ground, where no cone reaches, stays at 0
/// either way. Without peaks the land is flat at 0; with R = 0 every peak lifts all of it equally.
Terrain uplift(const Frame& world, const UpliftParams& params, const Context& context);

}  // namespace tepui
