#pragma once

#include "tepui/generate/brownian.h"

namespace tepui::reference {

/// The sum of the octaves, one point at a time, in double.
Terrain brownian(const Frame& world, const BrownianParams& params);

}  // namespace tepui::reference
