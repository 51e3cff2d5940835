#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/render/views.h"

namespace tepui {

namespace {

/// Pixel positions to samples: one pixel stands for the same piece of land in both directions, the land is centred.
struct MapFit {
  double across = 1, along = 1;  ///< samples per pixel
  double left = 0, top = 0;      ///< position of the picture's upper left corner
};

MapFit fit_map(const Scene& scene, int width, int height) {
  // Samples stand in the middle of their pixels, so that a picture as large as the land shows one sample a pixel.
  const double w = static_cast<double>(scene.width - 1), h = static_cast<double>(scene.height - 1);
  const double metres =
      std::max((w + 2 * scene.margin.x) * scene.cell.x / width, (h + 2 * scene.margin.y) * scene.cell.y / height);
  const Vec2 pixel{metres / scene.cell.x, metres / scene.cell.y};
  return {pixel.x, pixel.y, 0.5 * (w - pixel.x * width), 0.5 * (h + pixel.y * height)};
}

template <class Colour>
Image draw_map(const Scene& scene, int width, int height, const Context& context, const Colour& colour) {
  const MapFit fit = fit_map(scene, width, height);
  static const Rgb paper = from_hex(0xf2eee6);
  constexpr int sub = 2;
  // A pixel that rounding lets hang over the edge by half still shows land.
  const double spare_x = scene.margin.x + 0.5 * fit.across, spare_y = scene.margin.y + 0.5 * fit.along;
  Image image(width, height, 3);
  parallel_chunks(height, 8, context, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int x = 0; x < width; ++x) {
        Rgb sum;
        for (int k = 0; k < sub * sub; ++k) {
          const double u = fit.left + (x + (k % sub + 0.5) / sub) * fit.across;
          const double v = fit.top - (static_cast<double>(row) + (k / sub + 0.5) / sub) * fit.along;
          const bool inside = u > -spare_x && v > -spare_y && u < static_cast<double>(scene.width - 1) + spare_x &&
                              v < static_cast<double>(scene.height - 1) + spare_y;
          sum = sum + (inside ? colour(u, v) : paper);
        }
        store_srgb(sum * (1.0f / (sub * sub)), 0.5f, image.at(x, static_cast<int>(row)));
      }
  });
  return image;
}

}  // namespace

Image draw_top(const Scene& scene, int width, int height, const Context& context) {
  const Rgb haze{0.50f, 0.58f, 0.70f};
  return draw_map(scene, width, height, context, [&](double u, double v) {
    const SceneCell cell = cell_at(scene, u, v);
    Rgb lit = shade(scene, cell, u, v, {0, 0, -1});
    // A trace of air over the low ground sets the heights off.
    if (scene.colour == PictureColour::natural || scene.colour == PictureColour::height)
      lit = mix(lit, haze, 0.035f * (1 - clamp01((cell.z - scene.low) / scene.span())));
    return tone_map(lit);
  });
}

Image draw_texture(const Scene& scene, int width, int height, const Context& context) {
  return draw_map(scene, width, height, context, [&](double u, double v) {
    const SceneCell cell = cell_at(scene, u, v);
    Rgb colour = ground_colour(scene, cell, u, v);
    if (scene.sea && cell.z < *scene.sea) colour = water_colour(colour, scene.depth(cell.z));
    return colour * (0.6f + 0.4f * clamp01(cell.sky));
  });
}

}  // namespace tepui
