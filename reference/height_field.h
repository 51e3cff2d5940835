#pragma once

#include <optional>

#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui::reference {

struct SurfaceHit {
  double distance = 0;
  double u = 0, v = 0;
};

/// The first point, after `near` and not after `far`, where a ray meets the bilinear patches between samples. Every
/// patch is tried. Positions are in samples, heights as they are.
std::optional<SurfaceHit> first_hit(const Grid<float>& heights, Vec3 from, Vec3 direction, double near, double far);

}  // namespace tepui::reference
