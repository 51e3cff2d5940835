#include "tepui/core/curve.h"

#include <algorithm>
#include <cmath>

#include "tests/support/support.h"

namespace tepui::curve_test {

namespace {

Curve random_curve(bool rising) {
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000));
  const auto heights = *rc::gen::container<std::vector<int>>(steps.size(), rc::gen::inRange(-1000, 1000));
  Curve curve;
  double x = -3, y = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    x += steps[i] * 0.01;
    y = rising ? y + std::abs(heights[i]) : heights[i];
    curve.points.push_back({x, y});
  }
  return curve;
}

}  // namespace

TEST(Curve, WithoutPointsIsTheIdentity) {
  const CurveFunction curve(Curve{});
  for (const double x : {-1e9, -1.0, 0.0, 0.3, 7.0}) EXPECT_EQ(curve(x), x);
}

TEST(Curve, WithOnePointIsConstant) {
  const CurveFunction curve(Curve{{{0.5, 4}}});
  for (const double x : {-1.0, 0.5, 2.0}) EXPECT_EQ(curve(x), 4);
}

TEST(Curve, WithTwoPointsIsALine) {
  const CurveFunction curve(Curve{{{1, 10}, {3, 50}}});
  for (double x = 1; x <= 3; x += 0.125) EXPECT_NEAR(curve(x), 10 + 20 * (x - 1), 1e-12);
}

RC_GTEST_PROP(Curve, GoesThroughItsPointsAndKeepsItsEnds, ()) {
  const Curve points = random_curve(false);
  RC_PRE(!points.points.empty());
  const CurveFunction curve(points);
  for (const Vec2& p : points.points) RC_ASSERT(curve(p.x) == p.y);
  RC_ASSERT(curve(points.points.front().x - 5) == points.points.front().y);
  RC_ASSERT(curve(points.points.back().x + 5) == points.points.back().y);
}

RC_GTEST_PROP(Curve, NeverOvershoots, ()) {
  const Curve points = random_curve(false);
  const CurveFunction curve(points);
  for (size_t i = 0; i + 1 < points.points.size(); ++i) {
    const Vec2 a = points.points[i], b = points.points[i + 1];
    for (int k = 0; k <= 20; ++k) {
      const double y = curve(std::min(a.x + (b.x - a.x) * k / 20, b.x));
      RC_ASSERT(y >= std::min(a.y, b.y));
      RC_ASSERT(y <= std::max(a.y, b.y));
    }
  }
}

RC_GTEST_PROP(Curve, RisesWhereItsPointsRise, ()) {
  const Curve points = random_curve(true);
  RC_PRE(points.points.size() >= 2u);
  const CurveFunction curve(points);
  const double first = points.points.front().x, last = points.points.back().x;
  double before = curve(first);
  for (int k = 1; k <= 500; ++k) {
    const double y = curve(first + (last - first) * k / 500);
    RC_ASSERT(y >= before - 1e-9 * std::abs(before));
    before = y;
  }
}

TEST(Curve, SlopeIsContinuous) {
  const CurveFunction curve(Curve{{{0, 0}, {0.2, 0.1}, {0.5, 0.7}, {0.8, 0.75}, {1, 1}}});
  constexpr double h = 1e-5;
  double worst = 0;
  for (double x = 2 * h; x < 1 - 2 * h; x += h)
    worst = std::max(worst, std::abs(curve(x + h) - 2 * curve(x) + curve(x - h)) / h);
  EXPECT_LT(worst, 1e-3);
}

TEST(Curve, WrongPointsAreRefused) {
  EXPECT_NE(test::error_of([] { CurveFunction(Curve{{{0, 0}, {0, 1}}}); }).find("must be larger"), std::string::npos);
  EXPECT_NE(test::error_of([] { CurveFunction(Curve{{{0, 0}, {1, NAN}}}); }).find("finite"), std::string::npos);
  EXPECT_NE(test::error_of([] { CurveFunction(Curve{{{0, 0}, {1e-300, 1}}}); }).find("steep"), std::string::npos);
}

}  // namespace tepui::curve_test
