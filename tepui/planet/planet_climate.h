#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// What drives a planet's climate.
struct ClimateSpec {
  double warmer = 0;   ///< kelvin added everywhere
  double wind = 1;     ///< how strongly winds carry moisture inland; 1 is the Earth
  double rain = 1;     ///< of all rain
  double seasons = 1;  ///< of the difference between summer and winter; 1 is the Earth
  uint64_t key = 0;
};

/// The climate at sea level of every vertex.
struct PlanetClimate {
  std::vector<float> temperature;  ///< mean of the year at sea level, degrees Celsius
  std::vector<float> season;       ///< half the difference between the warmest and the coldest month, kelvin
  std::vector<float> rain;         ///< metres a year
  std::vector<float> summer_rain;  ///< the share of the year's rain that falls in the warm half
  std::vector<float> runoff;       ///< metres a year, what does not evaporate
};

/// Winds in three belts a hemisphere carry moisture from the seas; it falls where air rises, over mountains, at the
/// equator and along the fronts of the middle latitudes, and is missing behind them. Two seasons, between which the
/// belts shift. Solved on the vertices of level 6, or the mesh's own if that is coarser.
PlanetClimate make_climate(const SphereMesh& mesh, std::span<const std::array<int32_t, 2>> parents,
                           std::span<const float> height, const ClimateSpec& spec, const Context& context);

/// The moisture that falls in a step at every vertex, in a season whose warmth at sea level, in degrees Celsius, and
/// whose belts' shift to the north, in degrees, are known.
std::vector<float> fallen_moisture(const SphereMesh& mesh, const Neighbours& around, std::span<const float> height,
                                   std::span<const float> warmth, double shift, double wind, const Context& context);

inline constexpr double lapse_rate = 6.5e-3;  ///< kelvin a metre

/// What a year's rain leaves to rivers, in metres, by the mean temperature in degrees Celsius (Turc 1954).
double runoff_of(double rain, double temperature);

/// The classes of Köppen as Peel, Finlayson and McMahon (2007) define them, and the sea.
inline constexpr std::string_view koppen_names[] = {
    "sea", "Af",  "Am",  "Aw",  "BWh", "BWk", "BSh", "BSk", "Csa", "Csb", "Csc", "Cwa", "Cwb", "Cwc", "Cfa", "Cfb",
    "Cfc", "Dsa", "Dsb", "Dsc", "Dsd", "Dwa", "Dwb", "Dwc", "Dwd", "Dfa", "Dfb", "Dfc", "Dfd", "ET",  "EF"};

/// The number of the class in `koppen_names`, of land with a mean temperature, half the seasons' difference, and rain.
int koppen_class(double temperature, double season, double rain, double summer_rain);

}  // namespace tepui
