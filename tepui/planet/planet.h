#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct PlanetParams {
  double radius = earth_radius;
  double exaggeration = 1;
  int plates = 14;
  double fastest = 100;    // millimetres a year
  double sea = 70;         // per cent
  double continents = 39;  // per cent
  int hot_spots = 24;
  bool belts = true;
  bool rivers = true;
  bool ice = true;
  bool banks = true;
  bool troughs = true;
  double warmer = 0;
  double rain = 1;
  double wind = 1;
  double seasons = 1;
  Glaciation glaciation = Glaciation::after;
  double ice_age = 6;
  int level = 8;
  PlanetMode mode = PlanetMode::stable;
  Seed seed{};
};
void describe(Fields<PlanetParams>& f);

/// A planet, after Mieloszyk 2017: plates drift, close and part, and make continents, belts of mountains, trenches and
/// a sea floor that sinks with age; winds carry rain; rivers cut the land; ice sheets grow and leave. With a `map`,
/// whose heights are metres above the sea all around the planet, water and ice find their way on that land instead.
///
/// It is solved once, on an icosphere of 10 * 4^level + 2 vertices (655,362 at level 8, about 30 km apart on the
/// Earth), at the Earth's size. Of another radius it is the same planet, smaller or larger: lengths and heights are
/// multiplied. What the paper makes of a camera's triangles while it refines them is made here once for all cameras;
/// how its equations are read is in docs/papers/004.md.
Planet planet(const Terrain* map, const PlanetParams& params, const Context& context);

}  // namespace tepui
