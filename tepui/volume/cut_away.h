#pragma once

#include <vector>

#include "tepui/volume/solid.h"

namespace tepui {

/// A plane through a point; what lies on the side that the normal (unit length) points to is kept.
struct CutPlane {
  Vec3 at, normal;

  double distance(Vec3 p) const { return dot(p - at, normal); }
};

/// What is taken away from a solid so that its inside shows. Kept is what lies within `box` and on the right side of at
/// least one of the planes: one takes a half away, two a wedge.
struct CutAway {
  Box3 box{{-Box3::far, -Box3::far, -Box3::far}, {Box3::far, Box3::far, Box3::far}};
  std::vector<CutPlane> planes{};

  /// Metres from the cut's faces, above 0 where the rock is kept; infinite where nothing is cut.
  double distance(Vec3 p) const;
  /// Of the face that is nearest, out of the rock.
  Vec3 outwards(Vec3 p) const;
};

/// v = min(v of the solid, distance): its own surface where it is kept, and level faces where it is cut. Where
/// the solid's own field is below 0 it stays so on both sides of them. Within
/// `margin` metres of upright faces its sketch evaluates the field, so that a mesh of cells no wider than that has them
/// where they are.
SolidPointer cut_away(SolidPointer solid, double threshold, CutAway cut, double margin);

}  // namespace tepui
