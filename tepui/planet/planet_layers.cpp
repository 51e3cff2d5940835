#include "tepui/planet/planet_layers.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/planet/planet_climate.h"

namespace tepui {

size_t PlanetPlace::nearest() const {
  const auto most = std::max_element(at.shares.begin(), at.shares.end()) - at.shares.begin();
  return static_cast<size_t>(planet.land().mesh.triangles[static_cast<size_t>(at.triangle)][static_cast<size_t>(most)]);
}

double PlanetPlace::ground() const { return mix(planet.land().height) - mix(planet.land().lake_depth); }

double PlanetPlace::water() const {
  constexpr double least_lake = 2;
  const GlobalLand& land = planet.land();
  double sea = 0;
  const auto& corners = land.mesh.triangles[static_cast<size_t>(at.triangle)];
  for (size_t k = 0; k < 3; ++k)
    if (land.receiver[static_cast<size_t>(corners[k])] < 0) sea += at.shares[k];
  const double height = mix(land.height), lake = mix(land.lake_depth);
  if (sea > 0 && height < 0) return -height;
  return lake > least_lake ? lake : 0;
}

double PlanetPlace::ice() const {
  constexpr double least_ice = 5;
  const double thickness = mix(planet.land().ice);
  return thickness > least_ice ? thickness : 0;
}

double PlanetPlace::surface() const { return ground() + water() + ice(); }

double PlanetPlace::temperature() const {
  return mix(planet.land().temperature) - planet.land().lapse * std::max(surface(), 0.0);
}

namespace {

double season(const PlanetPlace& place) { return place.mix(place.planet.land().season); }

/// Snow on the ground in the coldest month, as a share of the ground: where it freezes hard and something falls.
double snow_cover(const PlanetPlace& place) {
  if (place.water() > 0) return 0;
  if (place.ice() > 0) return 1;
  const double coldest = place.temperature() - season(place);
  const double fallen = place.mix(place.planet.land().rain);
  return (1 - math::smoothstep(-8, 2, coldest)) * math::smoothstep(0.02, 0.15, fallen);
}

double climate_class(const PlanetPlace& place) {
  if (place.water() > 0) return 0;
  const GlobalLand& land = place.planet.land();
  return koppen_class(place.temperature(), season(place), place.mix(land.rain), place.mix(land.summer_rain));
}

/// Cubic metres a second.
double discharge(const PlanetPlace& place) {
  constexpr double year = 365.25 * 86400;
  const GlobalLand& land = place.planet.land();
  return static_cast<double>(land.discharge[place.nearest()]) * land.unit / year;
}

double crust_age(const PlanetPlace& place) {
  const GlobalLand& land = place.planet.land();
  const size_t v = place.nearest();
  return land.crust_age[v] < 0 ? -1 : std::max(place.mix(land.crust_age), 0.0);
}

int climate_classes(const Planet&) { return static_cast<int>(std::size(koppen_names)); }

int plate_classes(const Planet& planet) {
  return 1 + static_cast<int>(*std::max_element(planet.land().plate.begin(), planet.land().plate.end()));
}

template <std::vector<float> GlobalLand::*Column>
double mixed(const PlanetPlace& place) {
  return place.mix(place.planet.land().*Column);
}

}  // namespace

std::span<const PlanetLayer> planet_layers() {
  using Place = const PlanetPlace&;
  constexpr auto continuous = LayerKind::continuous;
  constexpr auto category = LayerKind::category;
  static const PlanetLayer all[] = {
      {"height", "m", continuous, nullptr, "land", true, [](Place p) { return p.ground(); }},
      {"water", "m", continuous, nullptr, "land", true, [](Place p) { return p.water(); }},
      {"ice", "m", continuous, nullptr, "land", true, [](Place p) { return p.ice(); }},
      {"snow_cover", "", LayerKind::mask, nullptr, "land", false, snow_cover},
      {"discharge", "m3/s", continuous, nullptr, "land", false, discharge},
      {"temperature", "degC", continuous, nullptr, "climate", false, [](Place p) { return p.temperature(); }},
      {"temperature_summer", "degC", continuous, nullptr, "climate", false,
       [](Place p) { return p.temperature() + season(p); }},
      {"temperature_winter", "degC", continuous, nullptr, "climate", false,
       [](Place p) { return p.temperature() - season(p); }},
      {"rain", "mm", continuous, nullptr, "climate", false, [](Place p) { return 1000 * mixed<&GlobalLand::rain>(p); }},
      {"runoff", "mm", continuous, nullptr, "climate", false,
       [](Place p) { return 1000 * mixed<&GlobalLand::runoff>(p); }},
      {"climate", "", category, climate_classes, "climate", false, climate_class},
      {"snow_line", "m", continuous, nullptr, "climate", true, mixed<&GlobalLand::snow_line>},
      {"resistance", "", continuous, nullptr, "rock", false, mixed<&GlobalLand::hardness>},
      {"province", "", category, [](const Planet&) { return provinces; }, "rock", false,
       [](Place p) { return static_cast<double>(p.planet.land().province[p.nearest()]); }},
      {"steepness", "m^0.9", continuous, nullptr, "rock", false, mixed<&GlobalLand::steepness>},
      {"plate", "", category, plate_classes, "rock", false,
       [](Place p) { return static_cast<double>(p.planet.land().plate[p.nearest()]); }},
      {"stress", "mm/a", continuous, nullptr, "rock", false,
       [](Place p) { return 1000 * mixed<&GlobalLand::stress>(p); }},
      {"crust_age", "Ma", continuous, nullptr, "rock", false, crust_age},
  };
  return all;
}

}  // namespace tepui
