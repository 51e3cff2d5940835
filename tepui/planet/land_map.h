#pragma once

#include <vector>

#include "tepui/core/vec.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Heights around a whole planet, from an equirectangular map of them.
class LandMap {
 public:
  /// A map in degrees lies where it says and must go all the way around; one of no reference system covers the sphere,
  /// its samples in the middles of equal cells. Refuses what goes only part of the way, and heights no planet has.
  explicit LandMap(const Terrain& map);

  /// By cubic interpolation (Catmull and Rom 1974) between the samples around; beyond a map that ends before a pole,
  /// the mean of its last row. Metres.
  double height(Vec3 direction) const;

 private:
  double row(int64_t y, const double* weights, int64_t column) const;

  Terrain map_;
  double west_ = 0, south_ = 0;  ///< of the first sample, degrees
  double step_x_ = 1, step_y_ = 1;
  int64_t around_ = 0;  ///< samples of one turn
  double north_pole_ = 0, south_pole_ = 0;
};

}  // namespace tepui
