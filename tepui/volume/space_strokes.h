#pragma once  // internal

#include <vector>

#include "tepui/core/hash.h"
#include "tepui/volume/box_tree.h"
#include "tepui/volume/curve_pieces.h"

namespace tepui {

/// A brush that is drawn along a line in space; a single point is a dab.
struct SpaceStroke {
  std::vector<Vec3> points;
  double radius = 1;    ///< metres, above 0
  double strength = 1;  ///< what it means is its user's business
};

/// Many strokes, and which of them reach a place. The weight of one is 1 on its line, 0 at its radius and beyond, and
/// 1 - u^3 (6u^2 - 15u + 10) between them, u being the distance as a share of the radius.
class SpaceStrokes {
 public:
  /// Those without points are left out. Refuses radii that are not above 0, and what is not finite.
  explicit SpaceStrokes(std::vector<SpaceStroke> strokes);

  bool empty() const { return strokes_.empty(); }
  size_t count() const { return strokes_.size(); }
  /// Outside of it all weights are 0.
  const Box3& box() const { return box_; }
  double radius(size_t stroke) const { return strokes_[stroke].radius; }
  double strength(size_t stroke) const { return strokes_[stroke].strength; }

  /// One that reaches a place.
  struct Reach {
    uint32_t stroke;
    double weight;
  };
  /// Those that do, in their own order.
  void reaching(Vec3 at, std::vector<Reach>& found) const;
  /// The most of strength times weight; strengths of at least 0.
  double most(Vec3 at) const;

  /// False where all weights are surely 0 in all of a box.
  bool may(const Box3& box) const;
  /// Boxes that hold all places where a weight is not 0: one for a short stroke, several along a long one.
  const std::vector<Box3>& boxes() const { return boxes_; }
  /// Outside of it the same strokes reach every place, in the same order.
  Box3 difference_from(const SpaceStrokes& other) const;

  void hash(Hasher& hasher) const;
  size_t bytes() const;

 private:
  struct Stroke {
    CurvePieces curve;
    double radius = 1, strength = 1;
    Box3 box;
    Hash hash;
  };
  std::vector<Stroke> strokes_;
  std::vector<Box3> boxes_;
  std::vector<uint32_t> owners_;  ///< the stroke of every box, rising
  BoxTree tree_;
  Box3 box_;
};

}  // namespace tepui
