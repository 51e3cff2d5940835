#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/params.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Directions in which horizons are looked at.
inline constexpr int horizon_sectors = 24;

/// The sun at one time of a day.
struct SunPosition {
  double azimuth = 0;  ///< radians from north, clockwise, in [0, 2 pi)
  float east = 0, north = 0, up = 0;
  float beam = 0;  ///< W/m2 on what faces it, through a clear sky
};

/// One of the days that stand for the year.
struct SunDay {
  double share = 0;  ///< of the year
  std::vector<SunPosition> positions;
  double diffuse = 0;  ///< W/m2 from a clear sky on open level ground, mean over day and night
};
inline constexpr int day_steps = 48;

/// From the shortest day to the longest, every 30 degrees of the Earth's way round the sun (the last of the list has
/// the highest sun, on either hemisphere). Beam 1361 * 0.72^(m^0.678) with the air mass m of Kasten and Young 1989
/// (Meinel and Meinel 1976), diffuse 80 sin(elevation). A day may be all night.
std::vector<SunDay> sun_days(double latitude_radians);

/// Mean sunlight on sloping ground, W/m2.
struct Sunlight {
  Grid<float> year, longest, shortest;
};

/// A sample is lit where the sun stands above its horizon; at it, by a share that falls to none within 2.3 degrees, as
/// wide as the sun moves in a step. The diffuse light is by the share of sky that the ground sees.
Sunlight sunlight(const Grid<float>& height, Vec2 cell, const Grid<float>& dx, const Grid<float>& dy,
                  double latitude_radians, const Context& context);

}  // namespace tepui
