#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/drainage.h"
#include "tepui/planet/planet_climate.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// Constants of the balance of ice.
struct IceSpec {
  double least_heat = 5;      ///< kelvin by which melting days are warmer than the year's mean, where no seasons are
  double summer_heat = 0.7;   ///< what half the difference of the seasons adds to it
  double snow_cooling = 3.8;  ///< kelvin by which plenty of snow lowers the snow line (Eq. 11)
  double gradient = 6e-3;     ///< metres of ice a year for every metre above the snow line
  double most_snow = 1.2;     ///< the most ice a year that snow gives, metres
  double most_melt = 9;       ///< the most that melts, metres a year
  double colder = 0;          ///< kelvin below the climate
};

/// The altitude at which ice neither grows nor melts (Mieloszyk 2017, Eq. 10, with the lapse rate of air).
double snow_line(double temperature, double season, double rain, const IceSpec& spec);

/// Metres of ice that a year adds or takes at an altitude.
double ice_balance(double height, double snow_line, double rain, const IceSpec& spec);

/// What ice does on the land: through every vertex (Eq. 13), and how thick it stands where it covers whole cells.
struct Ice {
  std::vector<float> snow_line;  ///< metres
  std::vector<float> flow;       ///< m3 a year
  std::vector<float> thickness;  ///< metres
};

Ice make_ice(const SphereMesh& mesh, const Neighbours& around, std::span<const std::array<int32_t, 2>> parents,
             const Drainage& water, std::span<const uint8_t> sea, std::span<const double> areas,
             const PlanetClimate& climate, const IceSpec& spec, const Context& context);

}  // namespace tepui
