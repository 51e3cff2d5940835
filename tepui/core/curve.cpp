#include "tepui/core/curve.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

/// Coordinates and slopes up to here leave room for the products below.
constexpr double largest = 1e70;

}  // namespace

CurveFunction::CurveFunction(const Curve& curve) {
  const std::vector<Vec2>& p = curve.points;
  const size_t n = p.size();
  for (size_t i = 0; i < n; ++i) {
    if (!(std::abs(p[i].x) <= largest && std::abs(p[i].y) <= largest))
      refuse("a curve must hold finite numbers", "they may be as large as 1e70");
    if (i > 0 && !(p[i].x > p[i - 1].x))
      refuse("the first number of each point of a curve must be larger than that of the point before");
    knots_.push_back({p[i].x, p[i].y, 0});
  }
  if (n < 2) return;

  std::vector<double> secant(n - 1);
  for (size_t i = 0; i + 1 < n; ++i) {
    secant[i] = (p[i + 1].y - p[i].y) / (p[i + 1].x - p[i].x);
    if (!(std::abs(secant[i]) <= largest)) refuse("a curve is too steep", "move its points further apart");
    if (std::abs(secant[i]) < 1 / largest) secant[i] = 0;
  }
  knots_.front().slope = secant.front();
  knots_.back().slope = secant.back();
  for (size_t i = 1; i + 1 < n; ++i) {
    const bool turns = secant[i - 1] * secant[i] <= 0;
    knots_[i].slope = turns ? 0 : 0.5 * (secant[i - 1] + secant[i]);
  }
  // Fritsch and Carlson's sufficient condition: (slope/secant) of both ends within a circle of radius 3.
  for (size_t i = 0; i + 1 < n; ++i) {
    if (secant[i] == 0) {
      knots_[i].slope = knots_[i + 1].slope = 0;
      continue;
    }
    const double a = knots_[i].slope / secant[i], b = knots_[i + 1].slope / secant[i];
    const double square = a * a + b * b;
    if (square <= 9) continue;
    const double shrink = 3 / std::sqrt(square);
    knots_[i].slope = shrink * a * secant[i];
    knots_[i + 1].slope = shrink * b * secant[i];
  }
}

double CurveFunction::operator()(double x) const {
  if (knots_.empty()) return x;
  if (!(x > knots_.front().x)) return knots_.front().y;
  if (x >= knots_.back().x) return knots_.back().y;
  const auto next = std::ranges::upper_bound(knots_, x, {}, &Knot::x);
  const Knot &a = *(next - 1), &b = *next;
  const double width = b.x - a.x, t = (x - a.x) / width, s = 1 - t;
  // Hermite's cubic as a step from a to b.
  const double rise = b.y - a.y;
  const double y = a.y + t * t * (3 - 2 * t) * rise + width * t * s * (s * a.slope - t * b.slope);
  // The cubic lies between its ends; its rounding may not.
  return std::clamp(y, std::min(a.y, b.y), std::max(a.y, b.y));
}

}  // namespace tepui
