#pragma once  // internal

#include <array>
#include <cstdint>
#include <functional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/params.h"

namespace tepui {

/// Snow is counted in whole quanta of water, so many a metre.
inline constexpr double snow_quanta = 4096;

/// A month of the snow's year, the first of which is October.
struct SnowMonth {
  double warm = 0;              ///< temperature: mean + warm * (summer - winter) / 2
  double sun_1 = 0, sun_2 = 0;  ///< sun: mean + sun_1 * (summer - winter) / 2 + sun_2 * ((summer + winter) / 2 - mean)
  double wind = 0;              ///< share of a winter month's drift
  double density = 0;           ///< of all snow that lies, as a share of water's: by its usual age (Jonas et al. 2009)
};
/// Counted from the October before.
SnowMonth snow_month(int index);
/// Months from October up to the middle of the season's end: winter is over with February, autumn with October.
inline constexpr std::array<int, 4> season_end = {4, 7, 10, 12};

/// What makes snow at a sample, and takes it.
struct SnowWeather {
  const float *mean, *summer, *winter;         ///< temperature, degrees Celsius
  const float *sun, *sun_summer, *sun_winter;  ///< W/m2
  const float* rain;                           ///< mm a year
  const float* mask;                           ///< of snowfall; may be null
  float snowfall, warmer;
};

/// A month's snowfall, added to what lies: the month's share of the rain, all of it below -1 degrees and none of it
/// above 3.5. Returns the sum.
int64_t let_snow_fall(const SnowWeather& weather, const SnowMonth& month, const Context& context, Grid<int64_t>& snow);

/// A month's melt: 1.2 mm a day for every degree above -1, and 0.079 mm for every W/m2, in that part of the time in
/// which snow can melt: none below -4 degrees, all of it above 6 (after Pellicciotti et al. 2005). Returns the sum.
/// Warmer never melts less, and both months are monotonous in what lies, to the last quantum.
int64_t melt_snow(const SnowWeather& weather, const SnowMonth& month, const Context& context, Grid<int64_t>& snow);

}  // namespace tepui
