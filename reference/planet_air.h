#pragma once

#include <span>
#include <vector>

#include "tepui/planet/planet_climate.h"

// How air carries moisture over a planet, plainly: every vertex asks its neighbours anew in every step.

namespace tepui::reference {

/// The moisture that falls in a step at every vertex once the air has settled, before its unit. `warmth`: of a season
/// at sea level, degrees Celsius. `shift`: degrees by which the belts lie farther north. `wind`: 1 is the Earth.
std::vector<double> fallen_moisture(const SphereMesh& mesh, std::span<const float> height,
                                    std::span<const float> warmth, double shift, double wind);

}  // namespace tepui::reference
