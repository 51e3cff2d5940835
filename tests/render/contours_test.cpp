#include "tepui/render/page/contours.h"

#include <cmath>

#include "tests/support/support.h"

namespace tepui::contours_test {

RC_GTEST_PROP(Contours, LieOnTheirLevelAndEndOnlyAtTheBorder, ()) {
  const int64_t w = *rc::gen::inRange(1, 30), h = *rc::gen::inRange(1, 30);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>());
  const Grid<float>& z = land.height();
  const double level = *rc::gen::inRange(100, 500) + 0.25;
  for (const ContourLine& line : contour_lines(z, {level}, Context())) {
    RC_ASSERT(line.points.size() >= 2u);
    for (const Vec2 p : line.points) {
      const int64_t x = std::min(static_cast<int64_t>(p.x), w - 2), y = std::min(static_cast<int64_t>(p.y), h - 2);
      const double u = p.x - static_cast<double>(x), v = p.y - static_cast<double>(y);
      const auto at = [&](int64_t i, int64_t j) { return static_cast<double>(z(i, j)); };
      const double value =
          (at(x, y) * (1 - u) + at(x + 1, y) * u) * (1 - v) + (at(x, y + 1) * (1 - u) + at(x + 1, y + 1) * u) * v;
      RC_ASSERT(std::abs(value - level) < 1e-3);
    }
    const auto on_border = [&](Vec2 p) {
      return p.x == 0 || p.y == 0 || p.x == static_cast<double>(w - 1) || p.y == static_cast<double>(h - 1);
    };
    const Vec2 a = line.points.front(), b = line.points.back();
    RC_ASSERT(a == b || (on_border(a) && on_border(b)));
  }
}

TEST(Contours, OfAConeAreCircles) {
  Grid<float> z(101, 101);
  for (int64_t y = 0; y < 101; ++y)
    for (int64_t x = 0; x < 101; ++x)
      z(x, y) = static_cast<float>(100 - std::hypot(static_cast<double>(x - 50), static_cast<double>(y - 50)));
  const auto lines = contour_lines(z, {60, 70, 80}, Context());
  ASSERT_EQ(lines.size(), 3u);
  for (const ContourLine& line : lines) {
    EXPECT_EQ(line.points.front(), line.points.back());
    for (const Vec2 p : line.points) EXPECT_NEAR(std::hypot(p.x - 50, p.y - 50), 100 - line.level, 0.05);
  }
}

}  // namespace tepui::contours_test
