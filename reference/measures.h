#pragma once

#include "tepui/terrain/accessibility.h"
#include "tepui/terrain/relative_height.h"
#include "tepui/terrain/roughness.h"

namespace tepui::reference {

/// Every window gone through sample by sample, in double.
Grid<float> roughness(const Terrain& land, const RoughnessParams& params);
Grid<float> relative_height(const Terrain& land, const RelativeHeightParams& params);

/// Every line of sight walked to its end, in double.
Grid<float> accessibility(const Terrain& land, const AccessibilityParams& params);

}  // namespace tepui::reference
