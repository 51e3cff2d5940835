#include "tepui/render/picture/picture.h"

#include <cmath>
#include <memory>

#include "bench/bench.h"
#include "tepui/core/parallel.h"
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

/// A tree in each of so many squares along each side, somewhere in it.
Lines forest(const Terrain& land, int64_t along) {
  const Frame& frame = land.frame();
  const double square = frame.cell.x * static_cast<double>(frame.width - 1) / static_cast<double>(along);
  const Stream stream(8);
  LinesColumns columns;
  columns.shapes.push_back(FeatureShape::point);
  columns.names.add("forest");
  for (int64_t i = 0; i < along * along; ++i) {
    const auto draw = [&](uint64_t channel) { return stream.uniform(static_cast<uint64_t>(i), channel, 0, 1); };
    const double x = (static_cast<double>(i % along) + draw(0)) * square;
    const double y = (static_cast<double>(i / along) + draw(1)) * square;
    columns.vertices.push_back({frame.x(0) + x, frame.y(0) + y, 0});
  }
  columns.part_starts.push_back(columns.vertices.size());
  columns.part_closed.push_back(0);
  columns.feature_starts.push_back(1);
  return Lines(std::move(columns));
}

}  // namespace

/// What the trees cost: the other version draws the bare land, on as many threads.
TEPUI_BENCH("render/a million trees against bare land/640x360") {
  PictureParams params;
  params.size = {640, 360};
  params.samples = 4;
  const auto land = std::make_shared<Terrain>(bench_land(1025));
  const auto trees = std::make_shared<std::vector<Lines>>(std::vector<Lines>{forest(*land, 1000)});
  const auto image = std::make_shared<Image>();
  bench::Row row;
  const auto threads = std::make_shared<int>(1);
  row.fast = [=] {
    *threads = thread_count();
    *image = draw_picture(*land, params, std::nullopt, Context(), nullptr, *trees).image;
  };
  row.reference = [=] { with_threads(*threads, [&] { draw_picture(*land, params, std::nullopt, Context()); }); };
  row.hash = [=] { return hash_bytes(image->pixels.data(), image->pixels.size()); };
  row.size = "1000000 trees";
  row.items = 640.0 * 360.0;
  return row;
}

TEPUI_BENCH("render/draft/640x360") {
  PictureParams params;
  params.draft = true;
  return picture_row(params, "640x360", 640.0 * 360.0);
}

TEPUI_BENCH("render/picture/1280x720") { return picture_row(PictureParams(), "1280x720", 1280.0 * 720.0); }

}  // namespace tepui
