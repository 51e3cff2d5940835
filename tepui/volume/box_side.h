#pragma once  // internal

#include "tepui/volume/solid.h"

namespace tepui {

/// Metres to the nearest side of a box, above 0 inside, and the way inwards from there.
struct BoxSide {
  double distance = Box3::far;
  Vec3 inwards{};
};

/// Of sides that are as near, the low ones come first, and x before y before z.
inline BoxSide nearest_side(const Box3& box, Vec3 p) {
  BoxSide nearest;
  const auto side = [&](double d, Vec3 inwards) {
    if (d < nearest.distance) nearest = {d, inwards};
  };
  side(p.x - box.low.x, {1, 0, 0});
  side(box.high.x - p.x, {-1, 0, 0});
  side(p.y - box.low.y, {0, 1, 0});
  side(box.high.y - p.y, {0, -1, 0});
  side(p.z - box.low.z, {0, 0, 1});
  side(box.high.z - p.z, {0, 0, -1});
  return nearest;
}

}  // namespace tepui
