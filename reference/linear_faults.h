#pragma once

#include "tepui/generate/linear_faults.h"

namespace tepui::reference {

/// How many faults lift each sample: every fault at every sample.
Grid<int32_t> count_linear_faults(const Frame& frame, const LinearFaultsParams& params);

/// Warszawski et al. 2019, section 2.1, linear faults, normalised and scaled.
Terrain linear_faults(const Frame& world, const LinearFaultsParams& params);

}  // namespace tepui::reference
