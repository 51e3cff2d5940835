#pragma once

#include "tepui/terrain/terrain.h"

namespace tepui::reference {

/// The tangent of the slope, Horn 1981, in double; samples beyond the border lie on the line through the two before it.
Grid<float> slope(const Grid<float>& z, Vec2 cell);

}  // namespace tepui::reference
