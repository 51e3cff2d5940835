#include "tepui/render/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/views.h"

namespace tepui {

namespace {

constexpr int largest_side = 16384;
constexpr double largest_area = 1.0e8;

int whole_pixels(double value, const char* which) {
  if (!(value >= 0) || value > largest_side || value != std::floor(value))
    refuse(
        fmt::format("the picture's {} of {} is not a whole number of pixels from 0 to {}", which, value, largest_side),
        "for example size = [1280, 720]; 0 lets the land's shape decide");
  return static_cast<int>(value);
}

/// The map's own size: one pixel per sample of the closer-spaced axis, at most `max_side`.
Vec2 map_size(const Frame& frame, double max_side) {
  const double finest = std::min(frame.cell.x, frame.cell.y);
  Vec2 size{static_cast<double>(frame.width) * frame.cell.x / finest,
            static_cast<double>(frame.height) * frame.cell.y / finest};
  const double shrink = std::min(1.0, max_side / std::max(size.x, size.y));
  return size * shrink;
}

}  // namespace

PixelSize resolve_size(Vec2 asked, double width, double height) {
  double w = whole_pixels(asked.x, "width"), h = whole_pixels(asked.y, "height");
  if (w == 0 && h == 0)
    w = width, h = height;
  else if (w == 0)
    w = h * width / height;
  else if (h == 0)
    h = w * height / width;
  const auto pixels = [](double v) { return static_cast<int>(std::clamp<double>(std::round(v), 1, largest_side)); };
  const PixelSize size{pixels(w), pixels(h)};
  if (static_cast<double>(size.width) * size.height > largest_area)
    refuse(fmt::format("a picture of {} x {} has more than {:.0f} million pixels", size.width, size.height,
                       largest_area / 1e6),
           "ask for a smaller size");
  return size;
}

void check_picture(const PictureParams& params) {
  Fields<PictureParams> fields;
  describe(fields);
  const auto in_range = [&](const char* name, const ParamValue& value) {
    check_range(fields.table().fields[static_cast<size_t>(fields.table().find(name))], value);
  };
  in_range("sun_azimuth", params.sun_azimuth);
  in_range("sun_elevation", params.sun_elevation);
  in_range("exaggeration", params.exaggeration);
  in_range("shadows", params.shadows);
  in_range("view_azimuth", params.view_azimuth);
  in_range("view_elevation", params.view_elevation);
}

void describe(Fields<PictureParams>& f) {
  using P = PictureParams;
  f.about("Draw land as a picture");
  f.reach(Reach::whole);
  f("camera", &P::camera, {"top", "three_quarter"}, "a map from straight above, or a block of land seen from one side");
  f("size", &P::size, Range{0, largest_side},
    "width and height in pixels; 0: one pixel a sample (top, at most 2048), 400 x 225 to 1280 x 720 by the land's "
    "samples (three_quarter)")
      .slider(0, 4096)
      .unit("px");
  f("colour", &P::colour, {"natural", "height", "hillshade", "clay", "layer"},
    "natural rock, height tints, a plain grey hillshade, white clay, or the colours of a layer");
  f("layer", &P::layer, "the layer to colour by, with colour = layer");
  f("sun_azimuth", &P::sun_azimuth, Range{-720, 720}, "where the sun stands, clockwise from north").slider(0, 360);
  f("sun_elevation", &P::sun_elevation, Range{1, 90}, "how high the sun stands").slider(5, 75);
  f("exaggeration", &P::exaggeration, Range{0, 100}, "heights are drawn this many times as high").slider(0.5, 5);
  f("shadows", &P::shadows, Range{0, 1}, "strength of the cast shadows");
  f("view_azimuth", &P::view_azimuth, Range{-720, 720}, "where the three_quarter camera stands, clockwise from north")
      .slider(0, 360);
  f("view_elevation", &P::view_elevation, Range{3, 85}, "how far down the three_quarter camera looks").slider(10, 60);
}

Image draw_picture(const Terrain& land, const PictureParams& asked, std::optional<double> sea_level,
                   const Context& context) {
  check_picture(asked);
  PictureParams params = asked;
  if (land.find("height") == nullptr) params.colour = PictureColour::layer;
  const Context light = context.stage("light", 0, 0.5), draw = context.stage("draw", 0.5, 1);
  if (params.camera == Camera::top) {
    const Vec2 own = map_size(land.frame(), 2048);
    const PixelSize size = resolve_size(params.size, own.x, own.y);
    // More samples than pixels keep cliffs crisp.
    const int64_t max_side = 3 * std::max({size.width, size.height, 64}) / 2;
    return draw_top(make_scene(land, params, sea_level, max_side, light), size.width, size.height, draw);
  }
  // A coarse preview gets a small picture: more pixels would show nothing more and take four times as long.
  const double width =
      std::clamp(1.25 * static_cast<double>(std::max(land.frame().width, land.frame().height)), 400.0, 1280.0);
  const PixelSize size = resolve_size(params.size, width, width * 9 / 16);
  const int64_t max_side = 5 * std::max({size.width, size.height, 64}) / 4;
  return draw_oblique(make_scene(land, params, sea_level, max_side, light), params, size.width, size.height, draw);
}

Image relief_texture(const Terrain& land, std::optional<double> sea_level, int max_side, const Context& context) {
  if (max_side < 1 || max_side > largest_side)
    refuse(fmt::format("a texture of {} pixels on its longer side", max_side), fmt::format("1 to {}", largest_side));
  const Vec2 own = map_size(land.frame(), max_side);
  const PixelSize size = resolve_size({}, own.x, own.y);
  return draw_texture(
      make_scene(land, {}, sea_level, 2 * static_cast<int64_t>(max_side), context.stage("light", 0, 0.6)), size.width,
      size.height, context.stage("draw", 0.6, 1));
}

}  // namespace tepui
