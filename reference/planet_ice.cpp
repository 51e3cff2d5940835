#include "reference/planet_ice.h"

#include <algorithm>

namespace tepui::reference {

IceBudget ice_flow(const Drainage& water, std::span<const uint8_t> sea, std::span<const double> areas,
                   const PlanetClimate& climate, const IceSpec& spec) {
  const size_t count = sea.size();
  std::vector<double> own(count, 0);
  for (size_t v = 0; v < count; ++v) {
    if (sea[v] != 0) continue;
    const auto rain = static_cast<double>(climate.rain[v]);
    const double line =
        snow_line(static_cast<double>(climate.temperature[v]), static_cast<double>(climate.season[v]), rain, spec);
    own[v] = ice_balance(water.surface[v], line, rain, spec) * areas[v] * earth_radius * earth_radius;
  }
  IceBudget ice;
  ice.flow.assign(count, 0);
  std::vector<double> arrives;
  for (bool changes = true; changes;) {
    arrives.assign(count, 0);
    for (size_t v = 0; v < count; ++v)
      if (sea[v] == 0) arrives[static_cast<size_t>(water.receiver[v])] += ice.flow[v];
    changes = false;
    for (size_t v = 0; v < count; ++v) {
      if (sea[v] != 0) continue;
      const double leaves = std::max(arrives[v] + own[v], 0.0);
      changes = changes || leaves != ice.flow[v];
      ice.flow[v] = leaves;
    }
  }
  for (size_t v = 0; v < count; ++v) {
    if (sea[v] != 0)
      ice.calved += arrives[v];
    else
      (own[v] > 0 ? ice.grown : ice.melted) += own[v] > 0 ? own[v] : arrives[v] - ice.flow[v];
  }
  return ice;
}

}  // namespace tepui::reference
