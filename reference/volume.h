#pragma once

#include <vector>

#include "tepui/core/noise.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/plan_region.h"
#include "tepui/volume/primitive.h"

namespace tepui::reference {

/// The field of one primitive as the equations say, in double, unrounded.
double primitive_field(const Primitive& primitive, Vec3 at);

/// Land as a field: v = f - T.
class LandField {
 public:
  LandField(const Terrain& land, const Terrain* mask, const ImplicitizeParams& params);
  double height(double x, double y) const;
  double value(Vec3 at) const;
  double floor() const { return floor_; }

 private:
  double distance_in_plan(double x, double y) const;

  Terrain land_;
  ImplicitizeParams params_;
  double falloff_ = 0, floor_ = 0;
  std::vector<PlanRegion::Edge> border_;  ///< none: the rectangle
};

/// Land and strokes, point by point: a walk down a binary tree of boxes for each.
class StrokedLand {
 public:
  StrokedLand(const LandField* land, std::vector<Primitive> strokes, double threshold);
  /// f - T.
  double value(Vec3 at) const;

 private:
  struct Node {
    Box3 box;
    size_t first = 0, count = 0;  ///< of a leaf
    size_t left = 0, right = 0;   ///< of others
  };
  size_t build(size_t first, size_t count);
  double sum(size_t node, Vec3 at) const;

  const LandField* land_;
  std::vector<Primitive> strokes_;
  std::vector<Box3> boxes_;
  std::vector<size_t> order_;
  std::vector<Node> nodes_;
  double threshold_;
};

}  // namespace tepui::reference
