#pragma once

#include "tepui/cover/plants.h"

namespace tepui::reference {

/// The rules of plants.h and plant_niches.h, sample by sample, in double.
Terrain plants(const Terrain& in, const PlantsParams& params);

}  // namespace tepui::reference
