#include "tepui/volume/curve_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::curve_pieces_test {

namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();

/// Points on a coarse lattice, so that many pieces are equally near, or a walk; some points twice, some closed.
std::vector<Vec3> any_chain(test::Dice& dice, double scale) {
  const bool coarse = dice.coin();
  std::vector<Vec3> points;
  const int count = 2 + dice.below(dice.coin() ? 6 : 200);
  Vec3 at = dice.place() * scale;
  for (int i = 0; i < count; ++i) {
    if (coarse)
      points.push_back(Vec3{std::floor(dice.real(-3, 4)), std::floor(dice.real(-3, 4)), std::floor(dice.real(-1, 2))} *
                       scale);
    else
      points.push_back(at = at + Vec3{dice.real(-9, 9), dice.real(-9, 9), dice.real(-3, 3)} * scale);
    if (dice.below(6) == 0) points.push_back(points.back());
  }
  if (dice.below(3) == 0) points.push_back(points.front());
  return points;
}

/// By a look at every piece.
CurvePieces::Foot plain_nearest(const std::vector<Vec3>& points, Vec3 p) {
  CurvePieces::Foot best{anywhere, CurvePieces::none, {}};
  for (uint32_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 along = points[i + 1] - points[i];
    const double square = dot(along, along);
    const double t = square > 0 ? std::clamp(dot(p - points[i], along) / square, 0.0, 1.0) : 0.0;
    const Vec3 foot = points[i] + along * t;
    if (const double d = length(p - foot); d < best.distance) best = {d, i, foot};
  }
  return best;
}

/// On the chain, on the lattice of the coarse ones, or somewhere.
Vec3 any_place(test::Dice& dice, const std::vector<Vec3>& points, double scale) {
  const auto some = static_cast<size_t>(dice.below(static_cast<int>(points.size())));
  switch (dice.below(4)) {
    case 0:
      return points[some];
    case 1:
      return Vec3{std::floor(dice.real(-8, 8)), std::floor(dice.real(-8, 8)), std::floor(dice.real(-4, 4))} *
             (scale * 0.5);
    case 2: {
      // Beside a piece, by as little as what rounding does to its feet.
      const Vec3 next = points[std::min(some + 1, points.size() - 1)];
      const double off = scale * std::pow(0.1, 1 + dice.below(17));
      return points[some] + (next - points[some]) * dice.real(0, 1) +
             Vec3{dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1)} * off;
    }
    default:
      return dice.place() * scale;
  }
}

}  // namespace

RC_GTEST_PROP(CurvePieces, NearestIsTheFirstThatALookAtAllFinds, ()) {
  test::Dice dice;
  const double scale = dice.coin() ? 1 : dice.coin() ? 1e-3 : 12345.67;
  const std::vector<Vec3> points = any_chain(dice, scale);
  const CurvePieces pieces(points);
  for (int n = 0; n < 500; ++n) {
    const Vec3 p = any_place(dice, points, scale);
    const CurvePieces::Foot plain = plain_nearest(points, p);
    const auto maybe = static_cast<uint32_t>(dice.below(static_cast<int>(points.size()) - 1));
    for (const uint32_t begin : {CurvePieces::none, maybe, plain.piece}) {
      const double limit = dice.coin() ? anywhere : plain.distance * dice.real(1, 2);
      const CurvePieces::Foot foot = pieces.nearest(p, limit, begin);
      RC_ASSERT(foot.piece == plain.piece);
      RC_ASSERT(foot.distance == plain.distance);
      RC_ASSERT(foot.at == plain.at);
    }
    if (plain.distance > 0) RC_ASSERT(pieces.nearest(p, plain.distance * 0.99, maybe).piece == CurvePieces::none);
  }
}

RC_GTEST_PROP(CurvePieces, AreNoNearerThanTheyTell, ()) {
  test::Dice dice;
  const std::vector<Vec3> points = any_chain(dice, 1);
  const CurvePieces pieces(points);
  for (int n = 0; n < 20; ++n) {
    const Vec3 low = dice.place(), size{dice.real(0, 40), dice.real(0, 5), dice.real(0, 20)};
    const double limit = dice.real(0, 60), told = pieces.distance_from({low, low + size}, limit);
    const Vec3 p = low + Vec3{size.x * dice.real(0, 1), size.y * dice.real(0, 1), size.z * dice.real(0, 1)};
    RC_ASSERT(told <= limit);
    RC_ASSERT(told <= plain_nearest(points, p).distance);
  }
}

RC_GTEST_PROP(CurvePieces, LieWithinTheBoxesOfTheirRuns, ()) {
  test::Dice dice;
  const std::vector<Vec3> points = any_chain(dice, 1);
  const double side = dice.real(0, 50);
  std::vector<Box3> boxes;
  CurvePieces(points).list_boxes(side, boxes);
  RC_ASSERT(boxes.size() < points.size());
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const auto holds = [&](const Box3& box) { return box.holds(points[i]) && box.holds(points[i + 1]); };
    RC_ASSERT(std::ranges::any_of(boxes, holds));
  }
}

}  // namespace tepui::curve_pieces_test
