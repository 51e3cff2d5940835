#pragma once

#include <optional>

#include "tepui/render/picture.h"
#include "tepui/render/rock_colours.h"

namespace tepui {

/// All that shading reads of one sample.
struct SceneCell {
  float z;       ///< ground, metres, exaggerated
  float dx, dy;  ///< Horn's slopes
  float sun;     ///< share of the sun's disc seen
  float sky;     ///< light from the sky
  float rise;    ///< height above the surroundings, metres
};

/// Sun, sky and the land's own bounce, scaled so that open level ground always receives 1.
struct Light {
  double azimuth = 0, elevation = 0;  ///< radians
  float sun_x = 0, sun_y = 0, sun_z = 1;
  Rgb sun, sky, bounce;
  float shadows = 1;
  bool plain = false;  ///< the map maker's hillshade: no cast shadows, an even ambient light

  Rgb falling_on(float nx, float ny, float nz, float sun_seen, float sky_seen) const;
};
Light make_light(const PictureParams& params);

/// Land made ready for drawing: reduced to what the picture can show, exaggerated, lit. Positions are in samples of
/// the reduced grid.
struct Scene {
  int64_t width = 0, height = 0;  ///< at least 2 each
  Vec2 cell;
  Vec2 margin;  ///< half a sample of the land, in samples of the reduced grid: what a map shows beyond the outer ones
  Grid<SceneCell> cells;
  Grid<float> paint;  ///< the layer to colour by, or `material`
  Grid<float> hardness;
  float low = 0, high = 1;  ///< range of the ground
  std::optional<float> sea;
  float paint_low = 0, paint_high = 1;
  LayerKind paint_kind = LayerKind::continuous;
  PictureColour colour = PictureColour::natural;
  Light light;
  RockColours rock;

  double side() const;  ///< the longer side, metres
  float span() const { return high - low; }
  /// Height above the sea or the lowest ground, as a share of the land's range.
  float level(float z) const;
  /// Depth below the sea as a share of the deepest.
  float depth(float z) const;
  float surface(float ground) const { return sea && ground < *sea ? *sea : ground; }
};

/// `max_side` bounds the reduced grid.
Scene make_scene(const Terrain& land, const PictureParams& params, std::optional<double> sea_level, int64_t max_side,
                 const Context& context);

/// The cell values at a position, between samples linearly.
SceneCell cell_at(const Scene& scene, double u, double v);

/// Reflectance of the ground, without light.
Rgb ground_colour(const Scene& scene, const SceneCell& cell, double u, double v);

/// The lit colour seen along `view` (a unit vector from the eye), before tone mapping.
Rgb shade(const Scene& scene, const SceneCell& cell, double u, double v, Vec3 view);

}  // namespace tepui
