#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Where the shore is: places of the plan that are within `width` metres of rock and of none at the level of the sea,
/// as a lattice of points `step` metres apart tells. Counted from the world's origin, so that parts of a region agree.
/// A volume of land is cut at the border of its land: what lies beyond is neither rock nor water, so that the cut is no
/// shore.
class Shore {
 public:
  Shore(const Volume& volume, const Box3& region, double level, double step, double width, const Context& context);

  bool near(double x, double y) const;
  /// False where no place of a box is near the shore.
  bool may(const Box3& box) const;

 private:
  int64_t column(double x) const;
  int64_t row(double y) const;
  bool on_land(double x, double y) const {
    return x >= plan_.low.x && x <= plan_.high.x && y >= plan_.low.y && y <= plan_.high.y;
  }

  Box3 plan_;  ///< of the land, or of everything
  double step_ = 1;
  int64_t first_x_ = 0, first_y_ = 0, width_ = 0, height_ = 0;
  std::vector<uint8_t> near_;
};

}  // namespace tepui
