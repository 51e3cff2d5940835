#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// For every sample the tangent of the horizon's elevation towards `azimuth` (radians from north, clockwise); at least
/// 0, the level horizon of open land. Exact along the azimuth on the linearly interpolated surface: lines are swept
/// once, keeping the upper convex hull of what lies ahead (Timonen and Westerholm 2010), so that the cost does not grow
/// with the distance looked at.
Grid<float> horizon_map(const Grid<float>& height, Vec2 cell, double azimuth, const Context& context);

/// Light from an even sky on the surface with slopes `dx`, `dy`: the cosine-weighted share of the hemisphere above the
/// horizon, summed in closed form over 16 azimuths. 1 on open level ground.
Grid<float> sky_light(const Grid<float>& height, Vec2 cell, const Grid<float>& dx, const Grid<float>& dy,
                      const Context& context);

}  // namespace tepui
