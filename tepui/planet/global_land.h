#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tepui/core/half.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// What lies beneath a land.
enum class Province : uint8_t {
  ocean_floor,  ///< basalt of a mid-ocean ridge
  craton,       ///< gneiss and granite of old continents
  young_belt,   ///< folded beds of mountains that rise now
  old_belt,     ///< the roots of mountains long worn down
  volcanic,     ///< flows of lava and ash
  basin,        ///< level beds of mud and sand
};
inline constexpr std::string_view province_names[] = {"ocean floor", "craton",   "young belt",
                                                      "old belt",    "volcanic", "basin"};
inline constexpr int provinces = 6;

/// How land grows below the global stage: by local rules, the same for every camera; or by the equations of Mieloszyk
/// 2017 as they stand, which read the mesh that a camera has.
enum class PlanetMode : uint8_t { stable, paper };

/// Which processes are at work there.
struct LocalRules {
  PlanetMode mode = PlanetMode::stable;
  bool banks = true;    ///< both banks of a river are as steep (Mieloszyk 2017, Eqs. 5-6)
  bool troughs = true;  ///< glaciers have made their valleys round (Eqs. 14-18)
  // Of mode `paper` alone.
  bool faults = true;   ///< crust breaks where plates meet (Eqs. 1-4)
  bool streams = true;  ///< water cuts slopes
  bool snow = true;     ///< hollows are colder than ridges (Eqs. 7-11)
};

/// What the global stage knows of a whole planet, vertex by vertex: the land from which everything finer grows. Heights
/// are in metres above the sea, water in units of which the land's whole runoff has 2^60, so that sums are exact.
struct GlobalLand {
  uint64_t key = 0;  ///< of the Stream of everything that is drawn below this level
  LocalRules rules;  ///< of what is drawn there
  SphereMesh mesh;

  std::vector<double> height;       ///< of the ground: sea floor, land, and in lakes the water's surface
  std::vector<float> lake_depth;    ///< of the water below `height`; 0 where no lake lies
  std::vector<int32_t> receiver;    ///< the neighbour into which a vertex drains, which is lower; -1 in the sea
  std::vector<int64_t> discharge;   ///< all that arrives from above, with its own; in the sea what flows into it there
  double unit = 0;                  ///< m3 a year of one unit of water
  std::vector<Half> runoff;         ///< metres a year
  std::vector<Half> steepness;      ///< slope * area^0.45, metres^0.9: how steeply streams cut this rock here
  std::vector<Half> hardness;       ///< resistance of the rock: 1 is common rock, 0.3 soft, 3 hard
  std::vector<Half> temperature;    ///< mean of the year at sea level, degrees Celsius
  std::vector<Half> season;         ///< half the difference between the warmest and the coldest month, kelvin
  std::vector<Half> rain;           ///< metres a year
  std::vector<Half> summer_rain;    ///< the share of it that falls in the warm half of the year
  std::vector<float> ice;           ///< thickness of the ice sheets now, metres
  std::vector<float> ice_flow;      ///< ice through the vertex at the height of glaciation, m3 a year; 0: none
  std::vector<float> ice_flow_now;  ///< the same now
  std::vector<float> snow_line;     ///< altitude at which ice neither grows nor melts, at that height, metres
  std::vector<Province> province;
  std::vector<uint16_t> plate;
  std::vector<Vec3> plate_turns;  ///< of each plate: radians a year about its direction
  std::vector<float> stress;      ///< along plates' borders: closing negative, opening positive, in metres a year
  std::vector<Half> crust_age;    ///< of the sea floor, million years; negative on continents

  double lapse = 6.5e-3;       ///< kelvin a metre
  double snow_line_rise = 0;   ///< metres by which `snow_line` lies higher now
  double ice_gradient = 6e-3;  ///< metres of ice a year for every metre above the snow line
  double most_snow = 1.5;      ///< the most ice a year that snow can give, metres
};

/// The own runoff of every vertex: what its discharge is more than what flows in; 0 in the sea.
std::vector<int64_t> supplies(const GlobalLand& land);

}  // namespace tepui
