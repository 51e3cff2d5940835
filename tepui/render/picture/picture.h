#pragma once

#include <optional>
#include <string>

#include "tepui/core/colour_map.h"
#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/ground/ground.h"
#include "tepui/render/light/film.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/cut_away.h"
#include "tepui/volume/volume.h"

namespace tepui {

enum class Camera {
  three_quarter,  ///< from one side and above
  top,            ///< a map, north at the top
  front,          ///< from the south, a little above
  orbit,          ///< from high above
  ground,         ///< as a visitor who stands at its edge sees it
  free,           ///< from `eye` to `target`
};

enum class PictureColour {
  natural,    ///< rock, soil, sand and snow by slope, height, layers and hardness
  height,     ///< hypsometric tints
  hillshade,  ///< neutral grey under the sun alone, as maps do it
  clay,       ///< white clay in the full light
  layer,      ///< the layer named by `layer`
  cover,      ///< rock and what lies on it, each in the colour that sections have for it
  rock,       ///< rock by its resistance, and what lies on it as `cover` does
};

/// What the land stands on.
enum class Base {
  by_camera,  ///< the horizon for `ground` and `free`, a block otherwise
  block,      ///< a cut-away block
  plate,      ///< a level plate
  horizon,    ///< the land goes on, and fades into the distance
};

/// What is taken away of a volume, so that its inside shows.
enum class PictureCut {
  none,
  half,     ///< all on the near side of an upright plane
  quarter,  ///< the quarter of the plan that is nearest
};

struct PictureParams {
  Camera camera = Camera::three_quarter;
  Vec2 size;  // pixels; a zero follows from the land's shape
  int samples = 32;
  bool draft = false;
  PictureColour colour = PictureColour::natural;
  Palette palette = Palette::desert;
  std::string layer;
  ColourMap colour_map = ColourMap::by_layer;
  Interval range;  // equal ends: the layer's own
  Base base = Base::by_camera;
  Angle sun_azimuth{315};
  Angle sun_elevation{35};
  double exposure = 0;
  double haze = 0.15;
  std::string sea_level;
  double exaggeration = 1;
  Angle turn{0};
  Angle tilt{0};
  Interval frame;  // metres; equal ends: the land's own
  bool steady = false;
  Vec3 eye, target;
  Angle field_of_view{40};
  PictureCut cut = PictureCut::none;
  Vec2 cut_at{0.5, 0.5};  // shares of the plan from the west and from the south
  Angle cut_turn{0};
  double cell = 0;  // metres; 0: one that suits the picture
  bool legend = true;
  bool linear = false;
};
void describe(Fields<PictureParams>&);

/// A picture for the screen, and the light it was made of.
struct Picture {
  Image image;
  Film film;
};

/// The land as a picture by path tracing: sun and sky with soft shadows and bounced light, air, water. What lies below
/// `sea_level` (metres) is under water, unless the parameters say otherwise. Land without heights is coloured by layer.
/// `rock` is what the land is made of: `colour` = rock needs it. The same bits for any number of threads.
Picture draw_picture(const Terrain& land, const PictureParams& params, std::optional<double> sea_level,
                     const Context& context, const Geology* rock = nullptr);

/// A mesh in the same light. `natural` shows the colours of its vertices where it has them, and ground by slope and
/// height otherwise. A sheet of land gets walls down to the floor, anything else stands on it.
Picture draw_picture(const Mesh& mesh, const PictureParams& params, std::optional<double> sea_level,
                     const Context& context);

/// A volume in the same light, as a mesh of cells that suit the picture's size. Its sides are cut like those of a
/// block; faces of `cut` show the rock inside, by its geology where that is known.
Picture draw_picture(const Volume& volume, const PictureParams& params, std::optional<double> sea_level,
                     const Context& context);

/// The part that a picture of a volume cuts away.
CutAway cut_of(const Volume& volume, const PictureParams& params);

}  // namespace tepui
