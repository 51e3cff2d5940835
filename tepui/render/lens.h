#pragma once

#include <vector>

#include "tepui/core/vec.h"
#include "tepui/render/picture.h"

namespace tepui {

/// A lens on a ray from the middle of what is drawn, shifted so that it sits in the middle of the picture.
struct Lens {
  Vec3 eye, forward, right, up;
  double half_x = 1, half_y = 1;    ///< tangents of half the field of view
  double shift_x = 0, shift_y = 0;  ///< of the picture's middle
  double near = 0;                  ///< distance of the nearest part

  Vec3 ray(double x, double y) const { return forward + right * (shift_x + x * half_x) + up * (shift_y + y * half_y); }
};

/// From the view's azimuth and elevation, as near as the points of the outline allow. `low` and `high` are the corners
/// of the box around them.
Lens fit_lens(const std::vector<Vec3>& outline, Vec3 low, Vec3 high, const PictureParams& params, double aspect);

}  // namespace tepui
