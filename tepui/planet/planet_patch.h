#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/planet/planet_layers.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct PlanetPatchParams {
  double latitude = 0, longitude = 0;  // degrees
  std::optional<Length> size{};
  std::optional<int64_t> resolution{};
  PlanetLayers layers = PlanetLayers::land;
};
void describe(Fields<PlanetPatchParams>& f);

/// A piece of a planet as land, refined by the planet's local rules until triangles are as small as cells. It lies in
/// the plane that touches the planet at the latitude and longitude, which is in its middle: Lambert's azimuthal
/// equal-area projection, whose system GIS read from the files. Two patches agree where they overlap, as far as their
/// cells are alike.
///
/// It has the world's size and resolution, unless it is given its own. It may reach to a quarter of the way around the
/// planet.
Terrain planet_patch(const Frame& world, const Planet& in, const PlanetPatchParams& params, const Context& context);

/// Where the land of a patch lies.
Frame patch_frame(const Frame& world, const Planet& in, const PlanetPatchParams& params);

}  // namespace tepui
