#include "tepui/planet/place_values.h"

#include <algorithm>

#include "tepui/planet/valley_ice.h"

namespace tepui {

namespace {

constexpr double year = 365.25 * 86400;

size_t largest(const std::array<double, 3>& shares) {
  return static_cast<size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

/// The height of the water's surface, or of the ground where there is none, tells how much of the place is under water.
void set_water(PlaceValues& place, double surface, double depth, double sea, double least) {
  place.ground = surface - depth;
  if (sea > 0 && place.ground < 0)
    place.water = -place.ground;
  else
    place.water = depth > least ? depth : 0;
}

void set_air(PlaceValues& place, double at_sea_level, double lapse) {
  place.temperature = at_sea_level - lapse * std::max(place.surface(), 0.0);
}

}  // namespace

PlaceValues values_at(const GlobalLand& land, const SpherePlace& at) {
  constexpr double least_lake = 2, least_ice = 5;
  const auto& triangle = land.mesh.triangles[static_cast<size_t>(at.triangle)];
  const std::array<size_t, 3> corner = {static_cast<size_t>(triangle[0]), static_cast<size_t>(triangle[1]),
                                        static_cast<size_t>(triangle[2])};
  const auto mix = [&](const auto& column) {
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) sum += at.shares[k] * static_cast<double>(column[corner[k]]);
    return sum;
  };
  double sea = 0;
  for (size_t k = 0; k < 3; ++k) sea += land.receiver[corner[k]] < 0 ? at.shares[k] : 0;
  const size_t nearest = corner[largest(at.shares)];
  PlaceValues place;
  set_water(place, mix(land.height), mix(land.lake_depth), sea, least_lake);
  place.ice = mix(land.ice);
  if (place.ice <= least_ice) place.ice = 0;
  set_air(place, mix(land.temperature), land.lapse);
  place.season = mix(land.season);
  place.rain = mix(land.rain);
  place.summer_rain = mix(land.summer_rain);
  place.runoff = mix(land.runoff);
  place.snow_line = mix(land.snow_line) + land.snow_line_rise;
  place.discharge = static_cast<double>(land.discharge[nearest]) * land.unit / year;
  place.hardness = mix(land.hardness);
  place.steepness = mix(land.steepness);
  place.stress = mix(land.stress);
  place.crust_age = land.crust_age[nearest] < 0 ? -1 : std::max(mix(land.crust_age), 0.0);
  place.plate = land.plate[nearest];
  place.province = land.province[nearest];
  return place;
}

PlaceValues values_at(const GlobalLand& land, const FineLand& fine, const std::array<int32_t, 3>& corners,
                      const std::array<double, 3>& shares) {
  constexpr double least_water = 0.02, least_ice = 2;
  const FineVertices& v = fine.vertices;
  std::array<double, trait_count> traits{};
  double height = 0, depth = 0, sea = 0, glacier = 0;
  for (size_t k = 0; k < 3; ++k) {
    const auto corner = static_cast<size_t>(corners[k]);
    height += shares[k] * v.height[corner];
    depth += shares[k] * static_cast<double>(v.depth[corner] + v.river[corner]);
    sea += v.receiver[corner] == in_the_sea ? shares[k] : 0;
    glacier += shares[k] * ice_above(v, corner);
    for (size_t t = 0; t < trait_count; ++t) traits[t] += shares[k] * static_cast<double>(v.traits[corner][t]);
  }
  const auto trait = [&](Trait which) { return traits[static_cast<size_t>(which)]; };
  const auto nearest = static_cast<size_t>(corners[largest(shares)]);
  PlaceValues place;
  set_water(place, height, depth, sea, least_water);
  place.ice = std::max({trait(Trait::ice_surface) - std::max(height, 0.0), glacier, 0.0});
  if (sea > 0 || place.ice <= least_ice) place.ice = 0;
  if (place.ice > 0) place.ground += place.water, place.water = 0;
  set_air(place, trait(Trait::temperature), land.lapse);
  place.season = trait(Trait::season);
  place.rain = trait(Trait::rain);
  place.summer_rain = trait(Trait::summer_rain);
  place.runoff = trait(Trait::runoff);
  place.snow_line = trait(Trait::snow_line) + land.snow_line_rise;
  place.discharge = static_cast<double>(v.discharge[nearest]) * land.unit / year;
  place.hardness = trait(Trait::hardness);
  place.steepness = trait(Trait::steepness);
  place.stress = trait(Trait::stress);
  place.crust_age = v.trait(nearest, Trait::crust_age) < 0 ? -1 : std::max(trait(Trait::crust_age), 0.0);
  place.plate = v.plate[nearest];
  return place;
}

}  // namespace tepui
