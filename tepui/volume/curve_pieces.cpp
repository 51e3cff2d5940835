#include "tepui/volume/curve_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tepui {

namespace {

constexpr uint32_t leaf_pieces = 4;
/// Numbers of distances are compared that rounding has changed a little.
constexpr double a_little_less = 1 - 0x1p-40;

double beyond(double low, double high, double from, double to) { return std::max({low - to, from - high, 0.0}); }

double square_between(const Box3& a, Vec3 low, Vec3 high) {
  const double x = beyond(a.low.x, a.high.x, low.x, high.x), y = beyond(a.low.y, a.high.y, low.y, high.y),
               z = beyond(a.low.z, a.high.z, low.z, high.z);
  return (x * x + y * y + z * z) * a_little_less;
}

}  // namespace

CurvePieces::CurvePieces(std::vector<Vec3> points) : points_(std::move(points)) {
  points_.shrink_to_fit();
  double farthest = 0;
  for (const Vec3 p : points_) farthest = std::max({farthest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  const uint32_t leaves = (pieces() + leaf_pieces - 1) / leaf_pieces;
  first_ = {0};
  for (uint32_t k = 0; k < leaves; ++k) {
    Box3 box;
    for (uint32_t i = k * leaf_pieces; i <= std::min((k + 1) * leaf_pieces, pieces()); ++i) box = box.with(points_[i]);
    // A foot is rounded, and may lie beside its piece.
    boxes_.push_back(box.grown(farthest * 0x1p-44));
  }
  first_.push_back(leaves);
  while (nodes(static_cast<uint32_t>(first_.size()) - 2) > 1) {
    const uint32_t begin = first_[first_.size() - 2], end = first_.back();
    for (uint32_t i = begin; i < end; i += 2)
      boxes_.push_back(i + 1 < end ? boxes_[i].with(boxes_[i + 1]) : Box3(boxes_[i]));
    first_.push_back(static_cast<uint32_t>(boxes_.size()));
  }
  boxes_.shrink_to_fit();
}

/// Calls look(leaf) for leaves whose square_of(box) is not above the limit, which look() may lower; the nearer first.
template <class Distance, class Look>
void CurvePieces::visit(const Distance& square_of, const double& limit, const Look& look) const {
  std::array<Node, 64> open;
  size_t count = 0;
  const auto top = static_cast<uint32_t>(first_.size()) - 2;
  open[count++] = {top, 0, square_of(boxes_.back())};
  while (count > 0) {
    const Node node = open[--count];
    if (node.square > limit) continue;
    if (node.level == 0) {
      look(node.index);
      continue;
    }
    const uint32_t level = node.level - 1, left = node.index * 2;
    const Box3* boxes = boxes_.data() + first_[level];
    Node a{level, left, square_of(boxes[left])};
    if (left + 1 < nodes(level)) {
      Node b{level, left + 1, square_of(boxes[left + 1])};
      if (b.square < a.square) std::swap(a, b);
      open[count++] = b;
    }
    open[count++] = a;
  }
}

void CurvePieces::look_at(uint32_t piece, Vec3 p, double& square, Foot& best) const {
  const Vec3 a = points_[piece], along = points_[piece + 1] - a;
  const double of_all = dot(along, along);
  const double t = of_all > 0 ? std::clamp(dot(p - a, along) / of_all, 0.0, 1.0) : 0.0;
  const Vec3 foot = a + along * t, away = p - foot;
  const double own = dot(away, away);
  // Squares that differ may have the same root.
  if (own * a_little_less > square) return;
  const double distance = std::sqrt(own);
  if (distance > best.distance || (distance == best.distance && piece >= best.piece)) return;
  best = {distance, piece, foot};
  square = own;
}

CurvePieces::Foot CurvePieces::nearest(Vec3 p, double limit, uint32_t maybe) const {
  Foot best{limit, none, {}};
  double square = limit * limit;
  if (maybe != none) look_at(maybe, p, square, best);
  visit([&](const Box3& box) { return square_between(box, p, p); }, square,
        [&](uint32_t leaf) {
          const uint32_t end = std::min((leaf + 1) * leaf_pieces, pieces());
          for (uint32_t i = leaf * leaf_pieces; i < end; ++i) look_at(i, p, square, best);
        });
  return best;
}

double CurvePieces::distance_from(const Box3& box, double limit) const {
  double square = limit * limit;
  visit([&](const Box3& other) { return square_between(other, box.low, box.high); }, square,
        [&](uint32_t leaf) { square = std::min(square, square_between(boxes_[leaf], box.low, box.high)); });
  return std::sqrt(square) * a_little_less;
}

void CurvePieces::list_boxes(double side, std::vector<Box3>& boxes) const {
  Box3 run = Box3{}.with(points_[0]);
  for (uint32_t i = 0; i < pieces(); ++i) {
    const Box3 longer = run.with(points_[i + 1]);
    if (i > 0 && longer.longest_side() > side) {
      boxes.push_back(run);
      run = Box3{}.with(points_[i]).with(points_[i + 1]);
    } else {
      run = longer;
    }
  }
  boxes.push_back(run);
}

}  // namespace tepui
