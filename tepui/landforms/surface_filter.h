#pragma once

#include <functional>

#include "tepui/volume/solid.h"

namespace tepui {

/// Which places are wanted. Both are called from several threads.
struct SurfaceFilter {
  /// Of a place near the surface and the normal there, each a little off.
  std::function<bool(Vec3 at, Vec3 normal)> accept{};
  /// Whether any place of a box may be; to leave out whole parts cheaply.
  std::function<bool(const Box3& box)> may{};
  /// How far up the normal may lead: from -1 for a roof to 1 for level ground. Cheaper than to accept it.
  double least_up = -1, most_up = 1;
};

}  // namespace tepui
