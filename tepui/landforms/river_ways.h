#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/terrain/lines.h"

namespace tepui {

/// A place on the way of a river.
struct WayPoint {
  Vec2 at;
  double level = 0;  ///< of the water, metres
  Vec2 bend{};       ///< towards the middle of the bend; of length 1 where it is as sharp as a river's bends get
  double power = 1;  ///< sqrt(drainage) * slope, as a share of what all but a hundredth of the points have
};

/// The ways of rivers: lines that run downstream, made smooth, every so many metres.
class RiverWays {
 public:
  /// Bends are measured over `along` metres to either side; places are found up to `reach` metres away. Lines without
  /// the attribute `drainage` have all of the power.
  RiverWays(const Lines& rivers, double step, double along, double reach);

  bool empty() const { return points_.empty(); }
  const std::vector<WayPoint>& points() const { return points_; }
  /// The nearest within reach, and how far away it is; nullptr where there is none.
  const WayPoint* nearest(Vec2 at, double& distance) const;
  /// False where a place is surely not within reach.
  bool may(Vec2 at) const;
  /// False where no place of a rectangle is within reach.
  bool may(Vec2 low, Vec2 high) const;

 private:
  void list();
  int64_t column(double x) const;
  int64_t row(double y) const;

  double reach_ = 1, side_ = 1;
  std::vector<WayPoint> points_;
  Vec2 low_{};  ///< of squares, a reach and more beyond the points
  int64_t width_ = 0, height_ = 0;
  std::vector<uint8_t> within_;         ///< squares that are near a point
  std::vector<uint32_t> first_, near_;  ///< points by squares of that side
};

}  // namespace tepui
