#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/volume/solid.h"

namespace tepui {

/// A chain of straight pieces, of which the nearest is found without looking at all of them. A binary tree of boxes
/// stands over runs of pieces in their own order: those that follow each other lie close together.
class CurvePieces {
 public:
  static constexpr uint32_t none = UINT32_MAX;

  /// Where a piece is nearest.
  struct Foot {
    double distance = 0;
    uint32_t piece = none;
    Vec3 at{};
  };

  CurvePieces() = default;
  /// Two points or more.
  explicit CurvePieces(std::vector<Vec3> points);
  bool empty() const { return points_.empty(); }

  /// On the nearest piece, the first of equal ones: the very numbers that a look at every piece would give. Where none
  /// is within `limit`, the piece is `none`. A piece that may be near makes it faster.
  Foot nearest(Vec3 p, double limit, uint32_t maybe = none) const;

  /// At least so far are all pieces from the box; or `limit` where that is farther.
  double distance_from(const Box3& box, double limit) const;

  /// Boxes around runs of pieces, of sides up to `side` where no piece is longer.
  void list_boxes(double side, std::vector<Box3>& boxes) const;

  size_t bytes() const {
    return points_.capacity() * sizeof(Vec3) + boxes_.capacity() * sizeof(Box3) + first_.capacity() * sizeof(uint32_t);
  }

 private:
  struct Node {
    uint32_t level, index;
    double square;  ///< of the distance
  };
  uint32_t pieces() const { return static_cast<uint32_t>(points_.size() - 1); }
  uint32_t nodes(uint32_t level) const { return first_[level + 1] - first_[level]; }
  template <class Distance, class Look>
  void visit(const Distance& square_of, const double& limit, const Look& look) const;
  void look_at(uint32_t piece, Vec3 p, double& square, Foot& best) const;

  std::vector<Vec3> points_;
  std::vector<Box3> boxes_;      ///< level after level from the leaves up, a little larger than what they hold
  std::vector<uint32_t> first_;  ///< box of every level, and their number
};

}  // namespace tepui
