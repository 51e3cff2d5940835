#pragma once  // internal

#include <memory>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The lakes and rivers of a land, as its layers tell them: `water_level` (elevation of the water's surface, metres),
/// or else `water` (its depth). The shore is where the level between samples meets the ground between samples, so it
/// runs smoothly through the cells. Positions are in samples, clamped to the land.
class InlandWater {
 public:
  InlandWater() = default;
  InlandWater(const Terrain& land, const Context& context);

  /// No such layer, or none of the land under water.
  bool empty() const { return level_ == nullptr; }
  /// At every sample, metres: the water's surface where it is wet, the level of the water near by on its banks, and
  /// below the ground on all dry land.
  const Grid<float>& level() const { return *level_; }
  double level_at(double u, double v) const;
  /// How high the water stands over the ground; below 0 on dry land, where it tells how high a bank is.
  double over_ground(double u, double v) const;
  /// The same at a sample.
  float over_ground_at(int64_t x, int64_t y) const { return (*level_)(x, y) - (*ground_)(x, y); }

 private:
  std::shared_ptr<const Grid<float>> level_, ground_;
};

/// Whether a layer tells of water, so that its colours should not be hidden by water.
bool tells_of_water(const Layer& layer);

}  // namespace tepui
