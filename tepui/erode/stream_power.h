#pragma once

#include "tepui/core/context.h"
#include "tepui/erode/stream_power_params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Rivers cut, hillslopes creep and fail, valley floors fill, while the land rises: the stream power law
///
///   dz/dt = U - K A^m S^n + G/A (integral of U - dz/dt over the area upstream) + D laplace(z),
///
/// A the area that drains through a place and S its slope downstream, G the `deposition` (Yuan et al. 2019), solved
/// implicitly from the outlets upwards (Braun and Willett 2013); water leaves pits over their lowest saddles
/// (Cordonnier et al. 2019).
///
/// With G > 0 lakes take all that rivers bring until they are full. Slopes of rivers in balance are (1 + G)^(1/n) times
/// as steep; unless `erodibility` is given, K makes up for that. Rivers lay down on the coarsest lattice, where they
/// also shift from side to side; finer ones spare what was laid down.
///
/// Time is measured so that K A^m is 1000 m for 1 km2, and `age` 1 is 8 such units: equilibrium. U is such that a river
/// that drains 1 km2 has the slope `steepness` in the end. With `erodibility`, K, `years`, `uplift_rate` and `creep`
/// are in years instead.
///
/// From coarse to fine: all of the time passes on a lattice of 129 samples on the longer side, whatever the resolution;
/// each finer one adds detail in a few steps and keeps the broad shape, so that a preview is the same land with fewer
/// samples. Other resolutions than 128 * 2^k + 1 are computed on the next such lattice and resampled. On every lattice
/// nodes are displaced by smooth noise, so that valleys do not follow its axes. `levels=1` runs the plain scheme on the
/// land's own samples instead.
///
/// `rock` scales K and sets the steepest slope: hard beds stand as cliffs, soft ones lie back. `uplift` is land whose
/// only layer (or layer `uplift`) is the pattern of uplift, scaled so that its highest counts as 1. `rain` is land with
/// a layer `rain`, `inflow` points with a `discharge` (flow.h); `guides` are lines named river, ridge, height, outlet.
///
/// Layers: `height`, `uplift`, `bedrock`, `sediment`, `wear` (rock lost), `deposits` (sediment gained, negative where
/// it went) and `drainage` (m2). Height has changed by uplift + deposits - wear exactly. No pits remain.
Terrain stream_power(const Terrain& in, const Geology* rock, const Terrain* uplift, const Terrain* rain,
                     const Lines* inflow, const Lines* guides, const StreamPowerParams& params, const Context& context);

}  // namespace tepui
