#pragma once  // internal

#include <functional>
#include <optional>

#include "tepui/terrain/lines.h"
#include "tepui/volume/plan_region.h"
#include "tepui/volume/space_strokes.h"

namespace tepui {

/// Where drawn lines say that an operator works: within polygons and closed lines, seen from above, and as far beyond
/// as the falloff; and around other lines and points that have a number `radius`, in space.
class DrawnRegion {
 public:
  /// `share` tells what the weight of a feature is at most; without it 1. Refuses lines that mark nothing.
  DrawnRegion(const Lines& lines, double falloff, const std::function<double(size_t feature)>& share = {});

  /// From 0 to the largest share: of what overlaps the most.
  double weight(Vec3 at) const;
  /// Outside of it the weight is 0.
  const Box3& box() const { return box_; }
  /// False where the weight is surely 0 in all of a box.
  bool may(const Box3& box) const;
  /// Boxes that hold all places where the weight is not 0.
  std::vector<Box3> boxes() const;
  /// Outside of it the weight is the same.
  Box3 difference_from(const DrawnRegion& other) const;
  void hash(Hasher& hasher) const;
  size_t bytes() const;

 private:
  struct Outline {
    PlanRegion plan;
    double share;
  };
  static Box3 box_of(const Outline& outline, double falloff);

  double falloff_;
  std::vector<Outline> outlines_;  ///< one for each share
  SpaceStrokes strokes_;
  Box3 box_;
};

}  // namespace tepui
