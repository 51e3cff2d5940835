#pragma once

#include <array>
#include <cstdint>

#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/sphere_locator.h"

namespace tepui {

/// What a planet knows of a place between the vertices around. Heights and depths are metres at the Earth's size.
struct PlaceValues {
  double ground = 0;       ///< the floor of seas, lakes and rivers, or what lies beneath ice
  double water = 0;        ///< its depth
  double ice = 0;          ///< thickness
  double temperature = 0;  ///< mean of the year on the surface, degrees Celsius
  double season = 0;       ///< half the difference between the warmest and the coldest month, kelvin
  double rain = 0, summer_rain = 0, runoff = 0;
  double snow_line = 0;  ///< now
  double discharge = 0;  ///< m3/s, of the nearest vertex
  double hardness = 1, steepness = 0;
  double stress = 0;      ///< metres a year
  double crust_age = -1;  ///< million years; negative on continents
  int plate = 0;
  Province province = Province::craton;  ///< of the nearest vertex of the global stage

  double surface() const { return ground + water + ice; }
};

/// As the global stage knows it.
PlaceValues values_at(const GlobalLand& land, const SpherePlace& place);

/// As a piece of refined land does: between three of its vertices by shares that sum to 1. The province stays open.
PlaceValues values_at(const GlobalLand& land, const FineLand& fine, const std::array<int32_t, 3>& corners,
                      const std::array<double, 3>& shares);

}  // namespace tepui
