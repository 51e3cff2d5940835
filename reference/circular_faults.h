#pragma once

#include "tepui/generate/circular_faults.h"

namespace tepui::reference {

/// The sum of Eq. 3 over all faults, each over its own box, in double.
Grid<double> sum_circular_faults(const Frame& frame, const CircularFaultsParams& params);

/// Warszawski et al. 2019, Eqs 1-4, normalised and scaled.
Terrain circular_faults(const Frame& world, const CircularFaultsParams& params);

}  // namespace tepui::reference
