#pragma once

#include "tepui/cover/soil.h"

namespace tepui::reference {

/// The map smoothed with the weights (1 - (d / radius)^2)^2 along both axes.
Grid<double> smoothed(const Grid<float>& map, const Frame& frame, double radius);

/// Soil of land without water: Heimsath et al. 1997 and Roering et al. 1999 in closed form, sample by sample.
Terrain soil(const Terrain& in, const Geology* rock, const SoilParams& params);

}  // namespace tepui::reference
