#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct HardnessParams {
  std::vector<double> values;
};
void describe(Fields<HardnessParams>& f);

/// Adds the layer `hardness`, the rock's resistance to erosion from 0 (none) to 1 (does not erode): one number per
/// material, counted from the base, or M / (mat - 1) where the list is empty. Warszawski et al. 2019, section 2.3.
/// A single material has hardness 0, so that it keeps its shape under erosion instead of becoming all caprock.
Terrain hardness(const Terrain& in, const HardnessParams& params, const Context& context);

/// The layer `material` of this land; refuses land without it, or where it does not say how many materials there are.
const Layer& material_layer(const Terrain& land);

/// M / (mat - 1) for each material in turn.
std::vector<float> normalised_hardness(int materials);

}  // namespace tepui
