#pragma once

#include <array>

#include "tepui/core/vec.h"

namespace tepui {

/// A camera and a sun to stand beside a mesh in a GLB. Metres in the world, z up; directions have unit length.
struct GlbScene {
  Vec3 eye, right, up, forward;
  bool parallel = false;
  double half_x = 1, half_y = 1;    ///< half the picture: tangents of angles, or metres where rays are parallel
  double shift_x = 0, shift_y = 0;  ///< of the picture's middle from straight ahead, likewise
  double near = 1, far = 1e5;       ///< metres
  Vec3 to_sun{0, 0, 1};
  std::array<double, 3> sun{1, 1,
                            1};  ///< what falls on a surface that faces it: pi makes a white one as bright as can be
  std::array<double, 3> sky{};   ///< on level ground from an open sky, likewise
};

}  // namespace tepui
