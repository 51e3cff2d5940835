#include "tepui/io/raster/nodata.h"

#include <algorithm>
#include <limits>

#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

bool occurs(const std::vector<Layer>& layers, const Grid<float>* voids, float value) {
  for (const Layer& layer : layers)
    for (int64_t i = 0; i < layer.grid().size(); ++i)
      if (layer.grid().data()[i] == value && (voids == nullptr || !is_void(voids->data()[i]))) return true;
  return false;
}

}  // namespace

const Grid<float>* voids_of(const Terrain& terrain, const std::vector<Layer>& layers) {
  if (std::ranges::find(layers, "void", &Layer::name) != layers.end()) return nullptr;
  const Layer* mask = terrain.find("void");
  return mask != nullptr && std::ranges::any_of(mask->grid().cells(), is_void) ? &mask->grid() : nullptr;
}

float nodata_of(const std::vector<Layer>& layers, const Grid<float>* voids) {
  for (const float candidate : {-9999.0f, -99999.0f})
    if (!occurs(layers, voids, candidate)) return candidate;
  return std::numeric_limits<float>::lowest();
}

void copy_row(const Grid<float>& grid, const Grid<float>* voids, int64_t row, float nodata, float* to) {
  std::copy_n(grid.row(row), grid.width(), to);
  if (voids == nullptr) return;
  const float* mask = voids->row(row);
  for (int64_t x = 0; x < grid.width(); ++x)
    if (is_void(mask[x])) to[x] = nodata;
}

}  // namespace tepui
