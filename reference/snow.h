#pragma once

#include "tepui/cover/snow_year.h"

namespace tepui::reference {

/// One after the other: every line upwind and every sample of the squares looked at, in double; land is not turned.
Grid<double> wind_exposure(const Terrain& ground, double wind_from);

/// A month's wind over snow in quanta; returns what leaves the land.
int64_t blow(const Terrain& ground, const Grid<double>& exposure, double wind_from, double drift, double wind,
             Grid<int64_t>& snow);

/// All samples are sorted, and gone through in order until nothing slides.
SnowLost settle(const Terrain& ground, const SnowHold& hold, const SnowRest& rest, double density, Grid<int64_t>& snow,
                Grid<int64_t>& passed);

/// Fall and melt in double, and the two above.
SnowResult snow_year(const Terrain& ground, const SnowWeather& weather, const SnowHold& hold, const SnowRest& rest,
                     double wind_from, double drift, int last);

}  // namespace tepui::reference
