#pragma once  // internal

#include "tepui/core/vec.h"

namespace tepui {

/// Crowns of trees and bushes as they are seen on ground without any instances: one at most to a square of the plan,
/// somewhere in it, from the same draws for any picture.
struct Crown {
  float cover = 0;  ///< 1 under a crown, 0 between them; their share of the ground where they are too small to see
  float light = 1;  ///< less between crowns and towards their feet; its mean is about `crown_light`
  float own = 0;    ///< -1 to 1: how this one differs from the others
  float tilt[2] = {0, 0};  ///< slope of its surface
};
inline constexpr float crown_light = 0.75f;

/// `at` in units of the crowns' spacing, `footprint` likewise; `share` of the ground is under them. More of a share
/// never uncovers a place.
Crown crown_at(Vec2 at, float share, float footprint, uint64_t species);

}  // namespace tepui
