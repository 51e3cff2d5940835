#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct ClimateParams {
  Angle latitude{45};
  std::optional<double> temperature{};  // degrees Celsius, mean of the year at height 0
  std::optional<double> seasons{};      // kelvin, of the warmest month above the mean
  double lapse = 6.5;                   // kelvin per kilometre
  double rain = 1200;                   // millimetres a year, mean of the land
  Angle wind{270};                      // that it blows from, clockwise from north
  double windward = 1;
  Length carry = percent(15);
  std::optional<double> sea_level{};
};
void describe(Fields<ClimateParams>& f);

/// The climate of a land.
///
/// Layers: `temperature`, `temperature_summer` and `temperature_winter`, degrees Celsius: means of the year, of the
/// warmest and of the coldest month. `sun`, `sun_summer` and `sun_winter`, W/m2: the light of a clear sky on the ground
/// as it slopes, in the shadow of the land around, mean over day and night of the year, of the days of the longest and
/// of the shortest one. `rain`, mm a year with the snow's water. What of the year is between is a cosine (season.h).
///
/// Sun and rain look at the land on at most 513 samples along a side (sunlight.h, orographic_rain.h): they are broad,
/// and so alike at any resolution. Temperature is that of the air at each sample's own height.
Terrain climate(const Terrain& in, const ClimateParams& params, const Context& context);

/// Of the year at sea level, by latitude: a fit to the Earth's. The mean, and the warmest month above it.
double usual_temperature(Angle latitude);
double usual_seasons(Angle latitude);

}  // namespace tepui
