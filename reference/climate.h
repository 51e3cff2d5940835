#pragma once

#include "tepui/core/vec.h"
#include "tepui/cover/climate.h"
#include "tepui/cover/orographic_rain.h"

namespace tepui::reference {

/// Sunlight of the year, W/m2, from the equations, in double: for every sample and position of the sun, a ray is walked
/// to the border of the land; the ground between samples is bilinear. Sky by 72 x 18 directions.
Grid<float> yearly_sun(const Grid<float>& height, Vec2 cell, const Grid<float>& dx, const Grid<float>& dy,
                       double latitude_radians);

/// The rain of wind along +x over a row of samples, each integral summed over all that lies upwind (Smith and Barstad
/// 2004, Eqs 4 and 5, steady), in double; not scaled to a mean.
std::vector<double> rain_along(const std::vector<double>& heights, double cell, const OrographicRain& params);

}  // namespace tepui::reference
