#pragma once

#include "tepui/core/context.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/land_map.h"
#include "tepui/planet/planet_climate.h"
#include "tepui/planet/tectonics.h"

namespace tepui {

/// When the planet is looked at: no ice has ever lain on it, its ice is at the height of an ice age, or it has gone
/// back to where the climate of today holds it and left its valleys.
enum class Glaciation { before, height, after };

struct GlobalSpec {
  int level = 8;
  TectonicSpec tectonics{};
  ClimateSpec climate{};
  Glaciation glaciation = Glaciation::after;
  double ice_age = 6;  ///< kelvin that the height of an ice age is colder
  bool rivers = true;  ///< whether streams cut the land
  bool ice = true;
  int steps = 20;                ///< of stream power
  const LandMap* map = nullptr;  ///< the heights from which water and ice start, in place of what plates have raised
  uint64_t key = 0;
};

/// The whole planet at the level of its global stage: crust, climate, rivers, ice.
GlobalLand global_land(const GlobalSpec& spec, const Context& context);

}  // namespace tepui
