#pragma once

#include "tepui/volume/solid.h"

namespace tepui {

/// A change of coordinates, q = M p + o, that keeps shapes.
struct Affine {
  Vec3 rows[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 shift{};

  Vec3 operator()(Vec3 p) const {
    return {dot(rows[0], p) + shift.x, dot(rows[1], p) + shift.y, dot(rows[2], p) + shift.z};
  }
  /// The box around the turned box.
  Box3 operator()(const Box3& box) const;
  /// Whether every axis stays itself.
  bool is_straight() const;
  friend bool operator==(const Affine&, const Affine&) = default;
};

/// Where p goes: turned upside down (z to -z), tilted down towards an azimuth (clockwise from north), turned around the
/// vertical (counter-clockwise from above), sized, all about `pivot`, and moved. Radians.
struct Motion {
  Vec3 pivot{}, move{};
  double turn = 0, tilt = 0, tilt_towards = 0, scale = 1;
  bool flip = false;
};
Affine forward(const Motion& motion);
/// The way back.
Affine backward(const Motion& motion);

/// v of the part at the place that came here: v'(p) = v(back(p)). The field is not scaled with the shape, so that a
/// part keeps its threshold. `there` and `back` undo each other.
SolidPointer moved(SolidPointer part, const Affine& there, const Affine& back, double threshold);

}  // namespace tepui
