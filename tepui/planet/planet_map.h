#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/planet/planet_layers.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct PlanetMapParams {
  int64_t width = 2048;
  PlanetLayers layers = PlanetLayers::land;
};
void describe(Fields<PlanetMapParams>& f);

/// The whole planet as an equirectangular map: samples are the middles of equal cells of degrees, from 180 degrees west
/// and the south pole on, half as many upwards as around. Its reference system is the planet's own sphere's, that of
/// the Earth's radius WGS 84's.
Terrain planet_map(const Planet& in, const PlanetMapParams& params, const Context& context);

}  // namespace tepui
