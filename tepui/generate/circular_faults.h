#pragma once

#include "tepui/core/context.h"
#include "tepui/generate/circular_faults_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Circular fault formation: every fault of centre p0 and radius r lifts the land by sqrt(s)/r where
/// s = r^2 - |p - p0|^2 > 0; the sum is normalised to [0, 1] and scaled to `height`. Warszawski et al. 2019, Eqs 1-4;
/// limited centres make buttes (section 3.3).
///
/// Where we differ: centres are drawn in continuous world coordinates, not in cells, and the range is measured on the
/// world's lattice, so that every resolution, crop and tile shows the same land (`normalise: "samples"` is the paper's
/// own form). A limit never lets a centre leave the extent. A fault of radius 0 lifts nothing; without faults the land
/// is flat at 0.
Terrain circular_faults(const Frame& world, const CircularFaultsParams& params, const Context& context);

}  // namespace tepui
