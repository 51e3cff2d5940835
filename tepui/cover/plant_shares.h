#pragma once  // internal

#include <array>
#include <cstdint>

#include "tepui/cover/plant_niches.h"
#include "tepui/cover/plants_params.h"

namespace tepui {

/// What plants live by, row by row.
enum PlantInput : size_t {
  soil_in,
  slope_in,     ///< its tangent
  position_in,  ///< metres above the land around
  area_in,      ///< that drains through a metre of contour, metres
  beside_in,    ///< share of water around
  water_in,     ///< metres
  mean_in,      ///< temperatures, degrees Celsius
  summer_in,
  winter_in,
  sun_in,  ///< W/m2
  sun_summer_in,
  rain_in,        ///< mm a year
  avalanche_in,   ///< metres a year
  loose_in,       ///< metres of blocks, gravel, mud, sand
  line_noise_in,  ///< in [-1, 1]
  noise_in,       ///< of shrub, conifer and broadleaf
  plant_inputs = noise_in + 3,
};
using PlantRows = std::array<const float*, plant_inputs>;

/// The parameters in the units of the kernel.
struct PlantLaw {
  float tree_line = 0, variety = 0;
  std::array<float, 4> favour{};  ///< grass, shrub, conifer, broadleaf

  explicit PlantLaw(const PlantsParams& params);
};

/// The shares of a row, in the order of plant_niches.
void plant_shares(const PlantLaw& law, const PlantRows& rows, int64_t count, const std::array<float*, 4>& shares);

}  // namespace tepui
