#pragma once

#include "tepui/erode/gradation.h"
#include "tepui/erode/levelling.h"

namespace tepui::reference {

/// Warszawski et al. 2019, Eqs 6-8.
Terrain gradation(const Terrain& in, const GradationParams& params);
/// The same of rock read at the ground.
Terrain gradation(const Terrain& in, const Geology& rock, const GradationParams& params);

/// Warszawski et al. 2019, Eq. 9, visiting every neighbour of every point.
Terrain levelling(const Terrain& in, const LevellingParams& params);

}  // namespace tepui::reference
