#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The name of a material's mineral.
struct MineralName {
  std::string mineral = "quartz";
};
void describe(Fields<MineralName>& f);

struct HardnessParams {
  std::optional<std::vector<double>> values = {};
  std::optional<std::vector<MineralName>> minerals = {};
  std::optional<FilePath> file = {};
  int64_t combine_top = 1;
};
void describe(Fields<HardnessParams>& f);

/// Adds the layer `hardness`, the rock's resistance to erosion from 0 (none) to 1 (does not erode): one number per
/// material, counted from the base; or one mineral (minerals.h); or a table in a file (hardness_table.h); or, where
/// none of these is given, M / (mat - 1). Warszawski et al. 2019, section 2.3 and Table 1.
///
/// `combine_top` materials from the top down all get the hardness of the hardest among them, which makes the caprock
/// thicker (Fig. 17). Hardness need not rise from the base up: harder rock below the top leaves a caldera (Fig. 18d).
///
/// A single material has hardness 0, so that it keeps its shape under erosion instead of becoming all caprock.
Terrain hardness(const Terrain& in, const HardnessParams& params, const Context& context);

/// The layer `material` of this land; refuses land without it, or where it does not say how many materials there are.
const Layer& material_layer(const Terrain& land);

/// The hardness of each material in turn, as the parameters say.
std::vector<float> hardness_of_materials(const HardnessParams& params, int materials);

/// M / (mat - 1) for each material in turn.
std::vector<float> normalised_hardness(int materials);

}  // namespace tepui
