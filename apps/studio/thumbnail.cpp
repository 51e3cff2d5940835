#include "apps/studio/thumbnail.h"

#include <algorithm>
#include <cmath>

#include "tepui/io/raster/png.h"
#include "tepui/output/output_kind.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/render/ground/map_bytes.h"
#include "tepui/render/page/layer_scale.h"

namespace tepui::studio {

namespace {

/// Pixels along the longer side.
constexpr int longest = 96;

Image blank(const Frame& frame) {
  const auto longer = static_cast<double>(std::max(frame.width, frame.height));
  const auto side = [&](int64_t samples) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(samples) / longer * longest)));
  };
  return {side(frame.width), side(frame.height), 3};
}

/// Calls paint(u, v, pixel) for the place in samples that every pixel shows.
template <class Paint>
void each_pixel(Image& image, const Frame& frame, const Context& context, const Paint& paint) {
  for (int y = 0; y < image.height; ++y) {
    context.check();
    for (int x = 0; x < image.width; ++x) {
      const double u = (x + 0.5) / image.width * static_cast<double>(frame.width) - 0.5;
      const double v = (image.height - y - 0.5) / image.height * static_cast<double>(frame.height) - 0.5;
      paint(std::max(u, 0.0), std::max(v, 0.0), image.at(x, y));
    }
  }
}

Image ground_picture(const Terrain& land, const Setting& around, const Context& context) {
  const SkinParams skin = around.look ? SkinParams(*around.look) : SkinParams();
  const LandGround ground(land, skin, around.sea_level, context);
  const SrgbBytes srgb;
  Image image = blank(land.frame());
  const double footprint = land.frame().longer_side() / longest;
  const Vec3 sun{-0.5, 0.5, 0.70710678};
  each_pixel(image, land.frame(), context, [&](double u, double v, uint8_t* pixel) {
    const Vec3 normal = ground.normal_at(u, v);
    const auto light = static_cast<float>(0.25 + 1.1 * std::max(0.0, dot(normal, sun)));
    Rgb colour = ground.look(u, v, normal, footprint).albedo;
    const bool wet = (around.sea_level && ground.height_at(u, v) < *around.sea_level) ||
                     (!ground.water().empty() && ground.water().over_ground(u, v) > 0);
    if (wet) colour = {0.03f, 0.09f, 0.12f};
    pixel[0] = srgb(colour.r * light);
    pixel[1] = srgb(colour.g * light);
    pixel[2] = srgb(colour.b * light);
  });
  return image;
}

Image layer_picture(const Terrain& land, const Context& context) {
  Image image = blank(land.frame());
  if (land.layers().empty()) return image;
  const Layer& layer = land.layers().back();
  const auto [low, high] = std::ranges::minmax(layer.grid().cells());
  const ColourScale scale =
      scale_of(layer, ColourMap::by_layer, {}, {static_cast<double>(low), static_cast<double>(high)});
  each_pixel(image, land.frame(), context, [&](double u, double v, uint8_t* pixel) {
    const auto x = std::min(static_cast<int64_t>(u + 0.5), land.frame().width - 1);
    const auto y = std::min(static_cast<int64_t>(v + 0.5), land.frame().height - 1);
    const uint32_t rgb = scale.colour(static_cast<double>(layer.grid()(x, y)));
    pixel[0] = static_cast<uint8_t>(rgb >> 16);
    pixel[1] = static_cast<uint8_t>(rgb >> 8);
    pixel[2] = static_cast<uint8_t>(rgb);
  });
  return image;
}

}  // namespace

std::string thumbnail(const Value& value, const Setting& around, const Context& context) {
  if (const auto as_land = output_kind(value).as_land; as_land != nullptr) {
    const Terrain& land = as_land(value);
    return encode_png(land.find("height") != nullptr ? ground_picture(land, around, context)
                                                     : layer_picture(land, context));
  }
  PictureParams params;
  params.size = Vec2{longest, longest * 3.0 / 4};
  params.samples = 4;
  params.draft = true;
  return encode_png(draw_value(value, params, around, context));
}

}  // namespace tepui::studio
