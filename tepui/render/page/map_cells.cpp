#include "tepui/render/page/map_cells.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/render/page/layer_scale.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

constexpr double own_side = 1100;  ///< up to here a sample keeps its own pixel
constexpr double small_side = 512;

/// The class that most of a block has; of equals the lowest.
float most_frequent(std::vector<float>& block) {
  std::ranges::sort(block);
  float best = block.front();
  size_t most = 0;
  for (size_t i = 0; i < block.size();) {
    size_t end = i;
    while (end < block.size() && block[end] == block[i]) ++end;
    if (end - i > most) {
      most = end - i;
      best = block[i];
    }
    i = end;
  }
  return best;
}

}  // namespace

MapShape map_shape(const Frame& frame, Vec2 asked) {
  const double finest = std::min(frame.cell.x, frame.cell.y);
  const Vec2 own{static_cast<double>(frame.width) * frame.cell.x / finest,
                 static_cast<double>(frame.height) * frame.cell.y / finest};
  const double longer = std::max(own.x, own.y);
  double scale = std::max(1.0, std::floor(small_side / longer));
  if (longer > own_side) scale = 1 / std::ceil(longer / 1024);
  if (asked.x > 0 || asked.y > 0)
    scale = std::min(asked.x > 0 ? asked.x / own.x : 1e300, asked.y > 0 ? asked.y / own.y : 1e300);
  const auto pixels = [](double v) { return std::max(1.0, std::round(v)); };
  MapShape shape;
  shape.size = {pixels(own.x * scale), pixels(own.y * scale)};
  shape.width = std::min(frame.width, static_cast<int64_t>(shape.size.x));
  shape.height = std::min(frame.height, static_cast<int64_t>(shape.size.y));
  return shape;
}

PlotArea map_area(const Frame& frame, Vec2 size) {
  PlotArea area;
  area.size = size;
  area.x_low = frame.x(0) - 0.5 * frame.cell.x;
  area.x_high = frame.x(frame.width - 1) + 0.5 * frame.cell.x;
  area.y_low = frame.y(0) - 0.5 * frame.cell.y;
  area.y_high = frame.y(frame.height - 1) + 0.5 * frame.cell.y;
  set_common_step(area);
  return area;
}

Grid<float> reduced(const Layer& layer, const MapShape& shape, const Context& context) {
  const Grid<float>& in = layer.grid();
  if (in.width() == shape.width && in.height() == shape.height) return in.clone();
  Grid<float> out(shape.width, shape.height);
  parallel_chunks(shape.height, 8, context, [&](int64_t begin, int64_t end) {
    std::vector<float> block;
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < shape.width; ++x) {
        const int64_t x0 = x * in.width() / shape.width, x1 = (x + 1) * in.width() / shape.width;
        const int64_t y0 = y * in.height() / shape.height, y1 = (y + 1) * in.height() / shape.height;
        if (wraps(layer)) {
          out(x, y) = in((x0 + x1) / 2, (y0 + y1) / 2);
          continue;
        }
        block.clear();
        double sum = 0;
        for (int64_t j = y0; j < y1; ++j)
          for (int64_t i = x0; i < x1; ++i) {
            if (layer.kind == LayerKind::category) block.push_back(in(i, j));
            sum += static_cast<double>(in(i, j));
          }
        out(x, y) = layer.kind == LayerKind::category
                        ? most_frequent(block)
                        : static_cast<float>(sum / static_cast<double>((x1 - x0) * (y1 - y0)));
      }
  });
  return out;
}

Terrain reduced_land(const Terrain& land, const MapShape& shape, const Context& context) {
  Frame frame = land.frame();
  frame.cell = {frame.cell.x * static_cast<double>(frame.width) / static_cast<double>(shape.width),
                frame.cell.y * static_cast<double>(frame.height) / static_cast<double>(shape.height)};
  frame.width = shape.width;
  frame.height = shape.height;
  return Terrain(frame, land.relief(), reduced(land.layer("height"), shape, context));
}

Grid<float> hillshade(const Terrain& land, const MapShape& shape, const Context& context) {
  const Gradient slope = gradient(reduced_land(land, shape, context), context);
  Grid<float> shade(shape.width, shape.height);
  for (int64_t y = 0; y < shape.height; ++y)
    for (int64_t x = 0; x < shape.width; ++x) {
      const double e = static_cast<double>(slope.east(x, y)), n = static_cast<double>(slope.north(x, y));
      // The sun is at (-1, 1, sqrt 2) / 2; level ground has sqrt(1/2) of its light.
      const double light = (e - n) / 2 + std::sqrt(0.5);
      shade(x, y) = static_cast<float>(std::clamp(light / std::sqrt(1 + e * e + n * n) / std::sqrt(0.5), 0.15, 1.25));
    }
  return shade;
}

}  // namespace tepui
