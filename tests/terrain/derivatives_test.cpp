#include "tepui/terrain/derivatives.h"

#include <cmath>

#include "reference/derivatives.h"
#include "tepui/core/error.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::derivatives_test {

namespace {

using test::any_side;
using test::land_of;
using test::rough_land;

Hash hash_of(const Grid<float>& cells) { return hash_large(cells.data(), cells.bytes()); }

}  // namespace

RC_GTEST_PROP(Slope, IsExactOnAPlaneUpToItsBorder, ()) {
  // Slopes in eighths and whole metres: every height is a float.
  const double a = *rc::gen::inRange(-40, 41) / 8.0, b = *rc::gen::inRange(-40, 41) / 8.0;
  const Vec2 cell{*rc::gen::element(1.0, 2.0, 8.0), *rc::gen::element(1.0, 4.0)};
  const int64_t w = any_side() + 1, h = any_side() + 1;
  const Terrain plane = land_of(w, h, cell, [&](double x, double y) { return 100 + a * x + b * y; });
  const float expected = std::sqrt(static_cast<float>(a * a + b * b));
  const Grid<float> tangent = slope_grid(plane, Context());
  const Gradient g = gradient(plane, Context());
  for (int64_t i = 0; i < tangent.size(); ++i) {
    RC_ASSERT(tangent.data()[i] == expected);
    RC_ASSERT(g.east.data()[i] == static_cast<float>(a));
    RC_ASSERT(g.north.data()[i] == static_cast<float>(b));
  }
}

RC_GTEST_PROP(Slope, IsExactOnAPlaneOverAnyDistance, ()) {
  const double a = *rc::gen::inRange(-40, 41) / 8.0, b = *rc::gen::inRange(-40, 41) / 8.0;
  const Vec2 cell{*rc::gen::element(1.0, 2.0, 8.0), *rc::gen::element(1.0, 4.0)};
  const Terrain plane =
      land_of(any_side() + 1, any_side() + 1, cell, [&](double x, double y) { return 100 + a * x + b * y; });
  const Gradient g = gradient(plane, *rc::gen::element(0.0, 3.0, 8.0, 40.0, 1e9), Context());
  for (int64_t i = 0; i < g.east.size(); ++i) {
    RC_ASSERT(std::abs(static_cast<double>(g.east.data()[i]) - a) <= 1e-6 * std::abs(a));
    RC_ASSERT(std::abs(static_cast<double>(g.north.data()[i]) - b) <= 1e-6 * std::abs(b));
  }
}

RC_GTEST_PROP(Slope, OverADistanceIsThatOfLandWithSuchCells, (uint64_t seed)) {
  const int64_t w = any_side(), h = any_side();
  const Terrain fine = rough_land(3 * w - 2, 3 * h - 2, seed, {2, 2});
  Grid<float> every_third(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) every_third(x, y) = fine.height()(3 * x, 3 * y);
  Frame frame = fine.frame();
  frame.cell = {6, 6};
  frame.width = w;
  frame.height = h;
  const Grid<float> coarse = slope_grid(Terrain(frame, fine.relief(), std::move(every_third)), Context());
  const Grid<float> far = slope_grid(fine, 6, Context());
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) RC_ASSERT(far(3 * x, 3 * y) == coarse(x, y));
}

RC_GTEST_PROP(Slope, AgreesWithThePlainTwin, (uint64_t seed)) {
  const Vec2 cell{*rc::gen::inRange(1, 50) / 4.0, *rc::gen::inRange(1, 50) / 4.0};
  const Terrain land = rough_land(any_side(), any_side(), seed, cell);
  const Grid<float> tangent = slope_grid(land, Context()), plain = reference::slope(land.height(), cell);
  // Differences of heights up to 500 m are rounded to 3e-5 m, eight of them, over 8 cells.
  double worst = 0;
  for (int64_t i = 0; i < plain.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(tangent.data()[i]) - static_cast<double>(plain.data()[i])) -
                                1e-6 * static_cast<double>(plain.data()[i]));
  RC_ASSERT(worst < 2e-4 / std::min(cell.x, cell.y));
}

RC_GTEST_PROP(Slope, OfMirroredLandIsMirrored, (uint64_t seed)) {
  const int64_t w = any_side(), h = any_side();
  const Terrain land = test::sample_land(w, h, seed);
  Grid<float> east_west(w, h), north_south(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      east_west(x, y) = land.height()(w - 1 - x, y);
      north_south(x, y) = land.height()(x, h - 1 - y);
    }
  const Grid<float> tangent = slope_grid(land, Context());
  const Grid<float> flipped_x = slope_grid(land.with_height(std::move(east_west)), Context());
  const Grid<float> flipped_y = slope_grid(land.with_height(std::move(north_south)), Context());
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      RC_ASSERT(flipped_x(x, y) == tangent(w - 1 - x, y));
      RC_ASSERT(flipped_y(x, y) == tangent(x, h - 1 - y));
    }
}

RC_GTEST_PROP(Slope, IsTheLengthOfTheGradient, (uint64_t seed)) {
  const Terrain land = test::sample_land(any_side(), any_side(), seed);
  const Grid<float> tangent = slope_grid(land, Context());
  const Gradient g = gradient(land, Context());
  for (int64_t i = 0; i < tangent.size(); ++i) {
    const float e = g.east.data()[i], n = g.north.data()[i];
    RC_ASSERT(tangent.data()[i] == std::sqrt(e * e + n * n));
  }
}

RC_GTEST_PROP(Slope, OverExactMetresIsExactOnAPlane, ()) {
  const double a = *rc::gen::inRange(-40, 41) / 8.0, b = *rc::gen::inRange(-40, 41) / 8.0;
  const Vec2 cell{*rc::gen::element(1.0, 2.0, 8.0), *rc::gen::element(1.0, 4.0)};
  const Terrain plane =
      land_of(any_side() + 1, any_side() + 1, cell, [&](double x, double y) { return 100 + a * x + b * y; });
  const Grid<float> slope = slope_over(plane, *rc::gen::element(0.0, 3.0, 8.0, 41.5, 1e9), Context());
  const double expected = std::sqrt(a * a + b * b);
  for (const float s : slope.cells()) RC_ASSERT(std::abs(static_cast<double>(s) - expected) <= 1e-5 * expected);
}

RC_GTEST_PROP(Slope, OverWholeCellsIsThatOverExactMetres, (uint64_t seed)) {
  const Terrain land = rough_land(any_side() + 1, any_side() + 1, seed, {2, 4});
  const double metres = 4.0 * *rc::gen::inRange(1, 6);
  RC_ASSERT(hash_of(slope_over(land, metres, Context())) == hash_of(slope_grid(land, metres, Context())));
}

/// With cells that do not divide the distance, and a little larger ones than it.
TEST(Slope, OverExactMetresIsTheSameAtAnyResolution) {
  const auto slopes = [](double cell, bool exact) {
    const auto side = static_cast<int64_t>(std::lround(1920 / cell)) + 1;
    const Terrain land = land_of(side, side, {cell, cell}, [](double x, double y) {
      return 60 * std::sin(x / 60) * std::cos(y / 90) + 15 * std::sin((x + y) / 35);
    });
    return exact ? slope_over(land, 20, Context()) : slope_grid(land, 20, Context());
  };
  const Grid<float> fine = slopes(1, true);
  for (const double cell : {3.0, 6.0, 8.0, 12.0, 15.0, 24.0}) {
    double off = 0, off_rounded = 0;
    const Grid<float> exact = slopes(cell, true), rounded = slopes(cell, false);
    const auto step = static_cast<int64_t>(cell);
    // Near the border there are no samples on both sides.
    const auto margin = static_cast<int64_t>(std::ceil(50 / cell));
    for (int64_t y = margin; y + margin < exact.height(); ++y)
      for (int64_t x = margin; x + margin < exact.width(); ++x) {
        const auto truth = static_cast<double>(fine(x * step, y * step));
        off = std::max(off, std::abs(static_cast<double>(exact(x, y)) - truth));
        off_rounded = std::max(off_rounded, std::abs(static_cast<double>(rounded(x, y)) - truth));
      }
    EXPECT_LT(off, 0.01) << cell;
    EXPECT_LT(off, 0.3 * off_rounded) << cell;
  }
}

TEST(Slope, OverExactMetresOfHeightsBeyondReasonIsAWall) {
  Grid<float> z(9, 9);
  for (int64_t i = 0; i < z.size(); ++i) z.data()[i] = i % 2 == 0 ? 3e38f : -3e38f;
  const Terrain land(make_world({80, 80}, 9), {0, 1}, std::move(z));
  for (const float s : slope_over(land, 25, Context()).cells()) EXPECT_TRUE(s >= 0 && s <= 1e6f);
}

TEST(Slope, ASingleSampleIsLevel) {
  const Terrain point = test::sample_land(1, 1, 1);
  EXPECT_EQ(slope_grid(point, Context())(0, 0), 0);
  EXPECT_EQ(aspect_grid(point, Context())(0, 0), -1);
  EXPECT_EQ(curvature_grid(point, 100, Context())(0, 0), 0);
}

TEST(Aspect, FacesDownhillInEightDirections) {
  const struct {
    double a, b, degrees;
  } planes[] = {{0, -1, 0},  {-1, -1, 45}, {-1, 0, 90}, {-1, 1, 135},
                {0, 1, 180}, {1, 1, 225},  {1, 0, 270}, {1, -1, 315}};
  for (const auto& p : planes) {
    const Terrain plane = land_of(20, 9, {2, 2}, [&](double x, double y) { return p.a * x + p.b * y; });
    for (const float degrees : aspect_grid(plane, Context()).cells()) ASSERT_NEAR(degrees, p.degrees, 1e-5);
  }
}

RC_GTEST_PROP(Aspect, IsWithinACircleOrLevel, (uint64_t seed)) {
  const Terrain land = test::sample_land(any_side(), any_side(), seed);
  const Grid<float> faces = aspect_grid(land, Context());
  const Grid<float> tangent = slope_grid(land, Context());
  for (int64_t i = 0; i < faces.size(); ++i) {
    const float degrees = faces.data()[i];
    const bool right = tangent.data()[i] == 0 ? degrees == -1 : degrees >= 0 && degrees < 360;
    RC_ASSERT(right);
  }
}

TEST(Aspect, ANudgeWestOfNorthIsBelowAFullCircle) {
  const Terrain land = land_of(3, 3, {1, 1}, [](double x, double y) { return 1e-9 * x - y; });
  for (const float degrees : aspect_grid(land, Context()).cells()) EXPECT_LT(degrees, 360);
}

RC_GTEST_PROP(Curvature, IsExactOnADomeUpToItsBorder, ()) {
  const double a = *rc::gen::inRange(-8, 9) / 64.0, b = *rc::gen::inRange(-8, 9) / 64.0;
  const Vec2 cell{*rc::gen::element(1.0, 2.0), *rc::gen::element(1.0, 4.0)};
  const Terrain dome = land_of(any_side() + 2, any_side() + 2, cell,
                               [&](double x, double y) { return 3 * x - y - a * x * x / 2 - b * y * y / 2; });
  const double distance = *rc::gen::inRange(0, 60);
  const Grid<float> bend = curvature_grid(dome, distance, Context());
  for (const float c : bend.cells()) RC_ASSERT(std::abs(c - (a + b) / 2) < 1e-8);
}

RC_GTEST_PROP(Curvature, OfAPlaneIsNothing, ()) {
  const double a = *rc::gen::inRange(-40, 41) / 8.0;
  const Terrain plane = land_of(any_side(), any_side(), {2, 4}, [&](double x, double y) { return a * x - 2 * y; });
  for (const float c : curvature_grid(plane, 10, Context()).cells()) RC_ASSERT(c == 0);
}

TEST(Curvature, CrestsArePositive) {
  const Terrain ridge = land_of(9, 9, {1, 1}, [](double x, double) { return -std::abs(x - 4); });
  EXPECT_GT(curvature_grid(ridge, 1, Context())(4, 4), 0);
  EXPECT_EQ(curvature_grid(ridge, 1, Context())(2, 4), 0);
}

TEST(Derivatives, HaveTheSameBitsAtAnyThreadCountAndSimdLevel) {
  for (const int64_t width : {1, 2, 17, 500}) {
    const Terrain land = rough_land(width, 400, 3, {3, 7});
    test::expect_same_bits([&] { return hash_of(slope_grid(land, Context())); });
    test::expect_same_bits([&] { return hash_of(gradient(land, Context()).north); });
    test::expect_same_bits([&] { return hash_of(aspect_grid(land, Context())); });
    test::expect_same_bits([&] { return hash_of(slope_grid(land, 20, Context())); });
    test::expect_same_bits([&] { return hash_of(curvature_grid(land, 20, Context())); });
  }
}

TEST(Derivatives, StopWhenCancelled) {
  const CancelFlag cancel = true;
  const Context context(nullptr, &cancel);
  const Terrain land = test::sample_land(9, 9, 1);
  EXPECT_EQ(test::error_of([&] { slope_grid(land, context); }), "cancelled");
  EXPECT_EQ(test::error_of([&] { aspect_grid(land, context); }), "cancelled");
  EXPECT_EQ(test::error_of([&] { curvature_grid(land, 1, context); }), "cancelled");
}

}  // namespace tepui::derivatives_test
