#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct ClimateParams {
  double temperature = 14.2;  // degrees Celsius, mean of the year at height 0
  double seasons = 8.8;       // kelvin, of the warmest month above the mean
  double lapse = 6.5;         // kelvin per kilometre
};
void describe(Fields<ClimateParams>& f);

/// Layers: `temperature`, `temperature_summer` and `temperature_winter`, degrees Celsius: means of the year, of the
/// warmest and of the coldest month.
Terrain climate(const Terrain& in, const ClimateParams& params, const Context& context);

}  // namespace tepui
