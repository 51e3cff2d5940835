#include "tepui/render/picture/picture.h"

#include <cmath>
#include <memory>

#include "bench/bench.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

/// Table mountains of overlapping hemispheres, cut into steps: cliffs, ledges and plains.
Terrain bench_land(int64_t side) {
  const Frame frame = make_world({2048, 2048}, side);
  const Stream stream(7);
  Grid<float> z(side, side, 0.0f);
  for (uint64_t k = 0; k < 60; ++k) {
    const double x0 = stream.uniform(k, 0, 0, 2048), y0 = stream.uniform(k, 1, 0, 2048),
                 r = stream.uniform(k, 2, 40, 350);
    for (int64_t y = 0; y < side; ++y)
      for (int64_t x = 0; x < side; ++x) {
        const double dx = frame.x(x) - x0, dy = frame.y(y) - y0, s = r * r - dx * dx - dy * dy;
        if (s > 0) z(x, y) += static_cast<float>(std::sqrt(s) / r);
      }
  }
  for (float& v : z.cells()) v = 60 * std::floor(v * 1.5f) + 20 * v;
  return Terrain(frame, {0, 400}, std::move(z));
}

bench::Row picture_row(const PictureParams& params, const std::string& size, double pixels) {
  const auto land = std::make_shared<Terrain>(bench_land(1025));
  const auto image = std::make_shared<Image>();
  bench::Row row;
  row.fast = [=] { *image = draw_picture(*land, params, std::nullopt, Context()).image; };
  row.hash = [=] { return hash_bytes(image->pixels.data(), image->pixels.size()); };
  row.size = size;
  row.items = pixels;
  return row;
}

}  // namespace

TEPUI_BENCH("render/draft/640x360") {
  PictureParams params;
  params.draft = true;
  return picture_row(params, "640x360", 640.0 * 360.0);
}

TEPUI_BENCH("render/picture/1280x720") { return picture_row(PictureParams(), "1280x720", 1280.0 * 720.0); }

}  // namespace tepui
