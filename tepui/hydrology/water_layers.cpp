#include "tepui/hydrology/water_layers.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/terrain/cells.h"

namespace tepui {

Grid<float> water_levels_of(const Terrain& land) {
  Grid<float> level = land.height().clone();
  const Layer* water = land.find("water");
  const Layer* known = land.find("water_level");
  if (water == nullptr || known == nullptr) return level;
  for (int64_t i = 0; i < level.size(); ++i)
    if (water->grid().data()[i] > 0) level.data()[i] = std::max(level.data()[i], known->grid().data()[i]);
  return level;
}

Terrain with_water(const Terrain& land, Grid<float> level, const Context& context) {
  const Grid<float>& z = land.height();
  const int64_t w = z.width(), h = z.height();
  Grid<float> depth(w, h), shown(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x) {
        depth(x, y) = std::max(0.0f, level(x, y) - z(x, y));
        shown(x, y) = level(x, y);
        if (level(x, y) > z(x, y)) continue;
        float beside = -std::numeric_limits<float>::infinity();
        for (size_t k = 0; k < 8; ++k) {
          const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
          if (nx >= 0 && ny >= 0 && nx < w && ny < h && level(nx, ny) > z(nx, ny) && level(nx, ny) <= z(x, y))
            beside = std::max(beside, level(nx, ny));
        }
        if (beside > -std::numeric_limits<float>::infinity()) shown(x, y) = beside;
      }
  });
  return land.with(make_layer("water", "m", LayerKind::continuous, std::move(depth)))
      .with(make_layer("water_level", "m", LayerKind::continuous, std::move(shown)));
}

}  // namespace tepui
