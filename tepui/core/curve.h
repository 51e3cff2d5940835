#pragma once

#include <vector>

#include "tepui/core/params.h"

namespace tepui {

/// A Curve made ready for evaluation: the monotone cubic through its control points (Fritsch and Carlson 1980). Between
/// two neighbouring points it stays between their values, so it never overshoots and rises wherever the points rise;
/// its slope is continuous. Beyond its ends it keeps their values. A curve without points is the identity; one point is
/// a constant.
class CurveFunction {
 public:
  /// Refuses points that are not finite or whose x do not rise.
  explicit CurveFunction(const Curve& curve);

  double operator()(double x) const;

 private:
  struct Knot {
    double x, y, slope;
  };
  std::vector<Knot> knots_;
};

}  // namespace tepui
