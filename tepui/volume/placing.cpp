#include "tepui/volume/placing.h"

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

Placing::Placing(const Frame& world, const Volume* land, Positions positions, Heights heights)
    : world_(world), land_(land), positions_(positions), heights_(heights) {
  if (land_ != nullptr && heights_ == Heights::ground) sketch_ = land_->root().sketch();
}

Vec3 Placing::size(Vec3 half) const {
  return positions_ == Positions::metres ? half : half * (0.01 * world_.shorter_side());
}

Vec3 Placing::place(Vec3 at) const {
  if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z)) refuse("a position is not finite");
  if (positions_ == Positions::percent)
    at = {world_.origin.x + at.x * 0.01 * world_.size.x, world_.origin.y + at.y * 0.01 * world_.size.y,
          at.z * 0.01 * world_.shorter_side()};
  if (land_ != nullptr && heights_ == Heights::ground) at.z += ground(at.x, at.y);
  return at;
}

double Placing::ground(double x, double y) const {
  const Box3& box = sketch_.ground;
  if (sketch_.sheet != nullptr && x >= box.low.x && x <= box.high.x && y >= box.low.y && y <= box.high.y) {
    double h = 0;
    sketch_.sheet->heights(&x, &y, 1, &h);
    if (h >= box.low.z) return h;
  }
  const Box3 support = land_->support();
  const double high = support.high.z - support.low.z;
  const auto depth = support.empty()
                         ? std::nullopt
                         : land_->cast({x, y, support.high.z + high * 1e-3}, {0, 0, -1}, high * 1.002, high / 1000);
  if (!depth)
    refuse(fmt::format("there is no ground at ({:g}, {:g})", x, y),
           "use a position on the land, or heights above sea level (\"heights\": \"sea_level\")");
  return support.high.z + high * 1e-3 - *depth;
}

}  // namespace tepui
