#pragma once

#include "tepui/generate/uplift.h"

namespace tepui::reference {

/// The mean of the cones: every peak at every sample, in double.
Grid<double> mean_uplift(const Frame& frame, const UpliftParams& params);

/// Rankin 2015, "The 3D Uplift Model", normalised and scaled unless told not to.
Terrain uplift(const Frame& world, const UpliftParams& params);

}  // namespace tepui::reference
