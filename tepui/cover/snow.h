#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/core/season.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct SnowParams {
  std::optional<Season> season{};
  std::optional<int> month{};         // 1 to 12, as in the north
  std::optional<double> snow_line{};  // metres
  Length depth = metres(1.5);         // above the snow line
  double snowfall = 1;
  double warmer = 0;  // kelvin
  Angle wind{270};    // that it blows from, clockwise from north
  double drift = 0.5;
  bool settle = true;
  std::optional<double> sea_level{};
  Angle steepest{56};
  Angle rest{20};
  Length deep = metres(4);
};
void describe(Fields<SnowParams>& f);

/// Snow of a year, month by month from October, taken when the season is over: it falls by temperature and rain, drifts
/// with the wind (snow_drift.h), melts by temperature and sun (snow_weather.h), and slides off what is steep
/// (snow_settle.h). Mass is kept exactly: what fell lies, or has melted, or has left the land, blown away or slid over
/// its border; all three are told.
///
/// Layers: `snow`, metres deep, by which the height rises (of a `snow` that is there already it falls first), and
/// `avalanches`, metres a year: water of snow that slid through a sample, times samples of 10 m, in all twelve months.
/// Snow that comes to `water`, or to land below the sea, melts there.
///
/// Reads the layers of climate. With `snow_line` it needs none: snow lies above the line, drifts and slides once; so
/// it does where there is no climate and a `season` is given, above the height at which it then freezes at 45 degrees
/// north.
Terrain snow(const Terrain& in, const Terrain* mask, const SnowParams& params, const Context& context);

}  // namespace tepui
