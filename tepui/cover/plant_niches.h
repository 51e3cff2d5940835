#pragma once  // internal

#include <array>
#include <cstddef>

// Where each kind of plant grows: the numbers of its rule. What they were set by: tree lines where the warmest month is
// near 8 to 10 degrees (Koerner 1998), grassland and forest by the ratio of rain to what could evaporate (Budyko 1974;
// Holdridge 1947), chaparral where winters are mild and the year is dry, bogs on level ground where rain is plenty.

namespace tepui {

/// A logistic term: -weight / (1 + e^(-(x - at) per)), with x growing worse upwards, or better where the weight is
/// negative. 0: none.
struct PlantLimit {
  float weight = 0, at = 0, per = 0;
};

struct PlantNiche {
  const char* name = "";
  float base = 0;
  float moist = 0;      ///< for each unit of moisture between -1 and 1
  PlantLimit cold{};    ///< kelvin below the tree line
  PlantLimit dry{};     ///< of -moisture
  PlantLimit thin{};    ///< of -soil, metres
  PlantLimit hot{};     ///< warmest month, degrees Celsius
  PlantLimit mild{};    ///< coldest month, degrees Celsius
  PlantLimit frost{};   ///< of -coldest month
  PlantLimit steep{};   ///< tangent of the slope
  float avalanche = 0;  ///< for each metre a year, to 4
  float wet = 0;        ///< on waterlogged ground
  float line = 0;       ///< at the tree line
  float chaparral = 0, savanna = 0;
  float chance = 0;  ///< of noise in [-1, 1]
};

enum PlantKind : size_t { grass_kind, shrub_kind, conifer_kind, broadleaf_kind };
inline constexpr std::array<PlantNiche, 4> plant_niches = {{
    {.name = "grass",
     .base = 1.6f,
     .cold = {5, 5.2f, 2},
     .dry = {3.5f, 1.25f, 3},
     .thin = {4, -0.06f, 40},
     .steep = {3, 1.0f, 10},
     .wet = 0.8f,
     .savanna = 1.1f,
     .chance = -0.6f},
    {.name = "shrub",
     .base = 0.5f,
     .cold = {5, 3.2f, 2},
     .dry = {3.1f, 1.7f, 3},
     .thin = {3.5f, -0.10f, 25},
     .frost = {-0.9f, 10, 0.4f},
     .steep = {3, 1.1f, 10},
     .avalanche = 0.4f,
     .wet = -0.3f,
     .line = 1.0f,
     .chaparral = 1.9f,
     .chance = 1.2f},
    {.name = "conifer",
     .base = 2.6f,
     .moist = 1,
     .cold = {7, 0, 2.6f},
     .dry = {4.5f, 0.35f, 4},
     .thin = {3.5f, -0.15f, 14},
     .hot = {3, 17.5f, 0.7f},
     .mild = {2.5f, 9, 0.6f},
     .steep = {3, 1.0f, 8},
     .avalanche = -1.1f,
     .wet = -3.2f,
     .chance = 1.6f},
    {.name = "broadleaf",
     .base = 2.4f,
     .moist = 0.6f,
     .cold = {7, -4.7f, 1.7f},
     .dry = {4, 0.5f, 3.5f},
     .thin = {3.5f, -0.22f, 12},
     .frost = {1.4f, 9, 0.5f},
     .steep = {3, 0.9f, 8},
     .avalanche = -1,
     .wet = -2,
     .savanna = -0.6f,
     .chance = 1.6f},
}};

/// Trees root where soil is this deep, in metres; elsewhere in cracks, so large a share of the ground.
inline constexpr float root_depth = 0.2f, cracks = 0.03f;

/// Light of a clear sky that is left to evaporate water, and the millimetres a year that a watt a square metre does.
inline constexpr float net_radiation = 0.32f, evaporated = 12.87f;

}  // namespace tepui
