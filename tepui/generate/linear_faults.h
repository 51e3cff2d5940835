#pragma once

#include "tepui/core/context.h"
#include "tepui/generate/linear_faults_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Linear fault formation: every fault is a straight line across the extent, and the land on one side of it rises by 1;
/// the sum is normalised to [0, 1] and scaled to `height`. Warszawski et al. 2019, section 2.1 and Figs 5 and 9.
///
/// Lines are drawn evenly among all that meet the extent, as Mandelbrot 1975 has them: through a point drawn evenly
/// from the boundary, at an angle to its normal whose sine is drawn evenly from (-1, 1). Then the chance that a line
/// parts two points is 2 d / perimeter, d their distance, and the land is Brownian: squared differences of N faults
/// average 2 N d / perimeter.
///
/// Where we differ: lines lie in continuous world coordinates, not in cells, and the range is measured on the world's
/// lattice, so that every resolution, crop and tile shows the same land (`normalise: "samples"` is the paper's own
/// form). Without faults, or where no line crosses the lattice, the land is flat at 0.
Terrain linear_faults(const Frame& world, const LinearFaultsParams& params, const Context& context);

}  // namespace tepui
