#pragma once

#include <optional>
#include <string>

#include "tepui/core/colour_map.h"
#include "tepui/core/params.h"
#include "tepui/core/skin.h"
#include "tepui/core/vec.h"

namespace tepui {

enum class Camera {
  three_quarter,  ///< from one side and above
  top,            ///< a map, north at the top
  front,          ///< from the south, a little above
  orbit,          ///< from high above
  ground,         ///< as a visitor who stands at its edge sees it
  free,           ///< from `eye` to `target`
  inside,         ///< in a cave of a volume: along a line, or from `eye`
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
  by_camera,  ///< the horizon for `ground`, `free` and `inside`, a block otherwise
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

/// Pixels.
inline constexpr int largest_picture_side = 16384;
/// Metres: nothing farther away is drawn.
inline constexpr double farthest_in_picture = 1e12;

struct PictureParams : SkinParams {
  Camera camera = Camera::three_quarter;
  std::optional<Vec2> size{};  // pixels
  int samples = 32;
  bool draft = false;
  PictureColour colour = PictureColour::natural;
  FilePath models{};  // a folder; empty: those built in
  std::optional<std::string> layer{};
  ColourMap colour_map = ColourMap::by_layer;
  std::optional<Interval> range{};  // not given: the layer's own
  Base base = Base::by_camera;
  Angle sun_azimuth{315};
  Angle sun_elevation{35};
  double exposure = 0;
  double haze = 0.15;
  std::optional<std::string> sea_level{};  // not given: the world's
  double exaggeration = 1;
  Angle turn{0};
  Angle tilt{0};
  std::optional<Interval> frame{};  // metres; not given: the land's own
  bool steady = false;
  std::optional<Vec3> eye{}, target{};
  Length at = percent(50);            // of the line that `inside` follows
  std::optional<std::string> line{};  // not given: the longest
  double lamp = 1;
  std::optional<Angle> field_of_view{};  // not given: 40 degrees, or 65 inside
  PictureCut cut = PictureCut::none;
  Vec2 cut_at{0.5, 0.5};  // shares of the plan from the west and from the south
  Angle cut_turn{0};
  std::optional<double> cell{};         // metres; not given: one that suits the picture
  std::optional<double> crumbs{};       // square metres; not given: what is a few cells large
  std::optional<double> water_level{};  // metres; not given: no water in caves but the sea
  // Of a planet; metres.
  std::optional<Angle> latitude{}, longitude{};  // not given: 20 degrees north, 0
  std::optional<double> altitude{};              // above the ground; not given: one that shows the whole planet
  std::optional<Angle> heading{}, pitch{};       // not given: north; the planet's middle, or below its horizon
  bool legend = true;
  bool linear = false;

  /// Pixels; a side that follows from the land's shape is 0.
  Vec2 wanted_size() const { return size.value_or(Vec2{}); }
  /// Degrees from the lower to the upper edge.
  double view_angle() const { return field_of_view ? field_of_view->degrees : camera == Camera::inside ? 65 : 40; }
};
void describe(Fields<PictureParams>&);

}  // namespace tepui
