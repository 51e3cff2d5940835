#pragma once

#include "tepui/render/colour.h"
#include "tepui/render/lens.h"

namespace tepui {

/// What stands around the things that the three_quarter camera sees: a pale floor that fades into a sky, and air.
class Studio {
 public:
  /// `low` and `high` are the corners of the box around what is drawn, which stands on the floor.
  Studio(const Lens& lens, Vec3 low, Vec3 high, PictureColour colour)
      : lens_(lens), low_(low), high_(high), colour_(colour) {}

  const Lens& lens() const { return lens_; }
  /// The longer side of the box in plan.
  double side() const;

  /// The sky at the height y of the picture, in [-1, 1]; ready for the screen.
  Rgb backdrop(double y) const;
  /// The floor where `light` falls on it; ready for the screen.
  Rgb floor(Vec3 at, Rgb light, double y) const;
  /// A colour seen from a distance, before tone mapping.
  Rgb through_air(Rgb colour, double distance) const;

 private:
  Lens lens_;
  Vec3 low_, high_;
  PictureColour colour_;
};

}  // namespace tepui
