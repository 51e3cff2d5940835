#pragma once  // internal

#include <cstdint>
#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/d8.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What a cell is to water.
enum class WaterCell : uint8_t {
  inner,    ///< Land with eight neighbours.
  edge,     ///< Land at the border of the grid or next to a cell outside: water may leave the land here.
  wall,     ///< Land at the border of the grid that no water leaves over.
  sea,      ///< Takes all water that reaches it.
  outside,  ///< Not part of the land: void cells that are connected to the border of the grid.
};

/// Where water runs on land, where it leaves it, and where the sea takes it. Water leaves over edges at the height of
/// the edge. Voids inside the land are land with the heights that were filled in; those connected to the border are
/// outside.
struct WaterGround {
  const Grid<float>* height = nullptr;
  Vec2 cell;
  Grid<WaterCell> kind;

  int64_t width() const { return height->width(); }
  int64_t size() const { return height->size(); }
  /// Whether the cell has a neighbour in that direction, within the grid and not outside; inner cells have all eight.
  bool has_neighbour(int64_t index, size_t code) const {
    const int64_t x = index % width() + d8_x[code], y = index / width() + d8_y[code];
    return x >= 0 && y >= 0 && x < width() && y < height->height() && kind(x, y) != WaterCell::outside;
  }
};

/// Cells at or below the sea level are sea. Keeps a pointer to the land's heights. Refuses land of more than 2^31 - 2
/// samples.
WaterGround water_ground(const Terrain& land, std::optional<double> sea_level, const Context& context);

}  // namespace tepui
