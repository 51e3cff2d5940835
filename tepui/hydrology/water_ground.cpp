#include "tepui/hydrology/water_ground.h"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

void mark_border(Grid<WaterCell>& kind) {
  const int64_t w = kind.width(), h = kind.height();
  for (int64_t x = 0; x < w; ++x) kind(x, 0) = kind(x, h - 1) = WaterCell::edge;
  for (int64_t y = 0; y < h; ++y) kind(0, y) = kind(w - 1, y) = WaterCell::edge;
}

/// Calls act(x, y, index) for each neighbour within the grid.
template <class Act>
void for_neighbours(int64_t index, int64_t width, int64_t height, const Act& act) {
  const int64_t x = index % width, y = index / width;
  for (size_t k = 0; k < 8; ++k) {
    const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
    if (nx >= 0 && ny >= 0 && nx < width && ny < height) act(ny * width + nx);
  }
}

/// Voids that reach the border become outside, and land beside them edge.
void mark_outside(Grid<WaterCell>& kind, const Grid<float>& voids) {
  const int64_t w = kind.width(), h = kind.height();
  std::vector<int64_t> found;
  const auto visit = [&](int64_t i) {
    if (kind.data()[i] == WaterCell::outside || !is_void(voids.data()[i])) return;
    kind.data()[i] = WaterCell::outside;
    found.push_back(i);
  };
  for (int64_t x = 0; x < w; ++x) visit(x), visit((h - 1) * w + x);
  for (int64_t y = 0; y < h; ++y) visit(y * w), visit(y * w + w - 1);
  for (size_t next = 0; next < found.size(); ++next) for_neighbours(found[next], w, h, visit);
  for (int64_t i : found)
    for_neighbours(i, w, h, [&](int64_t n) {
      if (kind.data()[n] == WaterCell::inner) kind.data()[n] = WaterCell::edge;
    });
}

}  // namespace

WaterGround water_ground(const Terrain& land, std::optional<double> sea_level, const Context& context) {
  const Grid<float>& z = land.height();
  if (z.size() > std::numeric_limits<int32_t>::max() - 1)
    refuse(fmt::format("{} are more than water can be followed on", frame_text(land.frame())),
           "'crop' or 'resample' the land to less than 46340 x 46340 samples");
  WaterGround ground{&z, land.frame().cell, Grid<WaterCell>(z.width(), z.height(), WaterCell::inner)};
  if (z.empty()) return ground;
  mark_border(ground.kind);
  if (const Layer* voids = land.find("void")) mark_outside(ground.kind, voids->grid());
  if (!sea_level) return ground;
  parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * z.width(); i < end * z.width(); ++i)
      if (z.data()[i] <= *sea_level && ground.kind.data()[i] != WaterCell::outside)
        ground.kind.data()[i] = WaterCell::sea;
  });
  return ground;
}

}  // namespace tepui
