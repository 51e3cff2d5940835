#pragma once

#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"

namespace tepui::reference {

/// Warszawski et al. 2019, Eq. 5, of the land itself or of another.
Terrain materials(const Terrain& in, const MaterialsParams& params);
Terrain materials(const Terrain& in, const Terrain& from, const MaterialsParams& params);

/// Warszawski et al. 2019, section 2.3: a list per material, minerals, or the material layer normalised; no file.
Terrain hardness(const Terrain& in, const HardnessParams& params);

}  // namespace tepui::reference
