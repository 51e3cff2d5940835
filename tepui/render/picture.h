#pragma once

#include <optional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/io/image.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class Camera {
  top,            ///< a map, north at the top
  three_quarter,  ///< a block of land seen from one side and above
};

enum class PictureColour {
  natural,    ///< desert rock: strata on cliffs, talus, dusty plains
  height,     ///< hypsometric tints
  hillshade,  ///< neutral grey under the sun alone, as maps do it
  clay,       ///< white clay in the full light
  layer,      ///< the layer named by `layer`
};

/// How land is drawn. The light is a sun with cast shadows, an even sky dimmed by the horizon around each point (after
/// Timonen and Westerholm 2010) and a warm bounce from the land itself, in linear light.
struct PictureParams {
  Camera camera = Camera::top;
  Vec2 size;  // pixels; a zero follows from the land's shape
  PictureColour colour = PictureColour::natural;
  std::string layer;
  Angle sun_azimuth{315};
  Angle sun_elevation{35};
  double exaggeration = 1;
  double shadows = 1;
  Angle view_azimuth{236};
  Angle view_elevation{24};
};
void describe(Fields<PictureParams>&);

/// The land as a picture; what lies below `sea_level` (metres) is under water. Land without heights is coloured by
/// layer.
Image draw_picture(const Terrain& land, const PictureParams& params, std::optional<double> sea_level,
                   const Context& context);

/// The natural colours without sun or shadows, slightly darker in hollows, for a textured mesh: at most `max_side`
/// pixels on the longer side, north at the top.
Image relief_texture(const Terrain& land, std::optional<double> sea_level, int max_side, const Context& context);

}  // namespace tepui
