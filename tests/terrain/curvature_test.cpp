#include "tepui/terrain/curvature.h"

#include <cmath>

#include "tepui/terrain/derivatives.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::curvature_test {

namespace {

const Context quiet;

Grid<float> measured(const Terrain& land, CurvatureKind kind, std::optional<Length> distance = {}) {
  const char* const names[] = {"curvature", "plan_curvature", "profile_curvature"};
  const Terrain result = curvature(land, {kind, distance}, quiet);
  EXPECT_EQ(result.layer(names[static_cast<size_t>(kind)]).unit, "1/m");
  return result.layer(names[static_cast<size_t>(kind)]).grid().clone();
}

constexpr CurvatureKind kinds[] = {CurvatureKind::mean, CurvatureKind::plan, CurvatureKind::profile};

std::optional<Length> any_distance() {
  return *rc::gen::element(std::optional<Length>(), std::optional<Length>(metres(6)),
                           std::optional<Length>(metres(1e9)));
}

}  // namespace

RC_GTEST_PROP(CurvatureLayer, OfAPlaneIsNothing, ()) {
  const double a = *rc::gen::inRange(-40, 41) / 8.0;
  const Terrain plane =
      test::land_of(test::any_side(), test::any_side(), {2, 4}, [&](double x, double y) { return a * x - 2 * y; });
  for (const CurvatureKind kind : kinds)
    for (const float c : measured(plane, kind, any_distance()).cells()) RC_ASSERT(c == 0);
}

RC_GTEST_PROP(CurvatureLayer, OfAParaboloidIsTheSameInAllDirections, ()) {
  // z = -a r^2 / 2: bends by a along the slope and across it, up to the borders.
  const double a = *rc::gen::inRange(-8, 9) / 64.0;
  const int64_t w = test::any_side() + 2, h = test::any_side() + 2;
  const Terrain dome = test::land_of(w, h, {2, 2}, [&](double x, double y) { return -a * (x * x + y * y) / 2; });
  for (const CurvatureKind kind : kinds)
    for (const float c : measured(dome, kind, any_distance()).cells())
      RC_ASSERT(std::abs(static_cast<double>(c) - a) < 1e-6);
}

RC_GTEST_PROP(CurvatureLayer, OfAQuadricIsExactUpToItsBorder, ()) {
  const auto draw = [] { return *rc::gen::inRange(-8, 9) / 64.0; };
  const double xx = draw(), xy = draw(), yy = draw(), p = 8 * draw() + 0.01, q = 8 * draw();
  const Terrain land = test::land_of(test::any_side() + 2, test::any_side() + 2, {1, 2}, [&](double x, double y) {
    return p * x + q * y + xx * x * x / 2 + xy * x * y + yy * y * y / 2;
  });
  const Frame& frame = land.frame();
  const Grid<float> plan = measured(land, CurvatureKind::plan), profile = measured(land, CurvatureKind::profile);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) {
      const double gx = p + xx * frame.x(x) + xy * frame.y(y), gy = q + xy * frame.x(x) + yy * frame.y(y);
      const double g2 = gx * gx + gy * gy;
      if (g2 < 0.01) continue;
      const double along = -(xx * gx * gx + 2 * xy * gx * gy + yy * gy * gy) / g2;
      const double across = -(xx * gy * gy - 2 * xy * gx * gy + yy * gx * gx) / g2;
      // Heights of some hundred metres are rounded to 3e-5 m.
      RC_ASSERT(std::abs(static_cast<double>(profile(x, y)) - along) < 2e-3);
      RC_ASSERT(std::abs(static_cast<double>(plan(x, y)) - across) < 2e-3);
    }
}

TEST(CurvatureLayer, OfAConeIsAcrossTheSlopeOnly) {
  constexpr double steep = 0.5;
  const auto cone = [](double x, double y) { return -steep * std::hypot(x - 60, y - 60); };
  const Terrain land = test::land_of(121, 121, {1, 1}, cone);
  const Grid<float> plan = measured(land, CurvatureKind::plan), profile = measured(land, CurvatureKind::profile);
  for (int64_t y = 1; y < 120; ++y)
    for (int64_t x = 1; x < 120; ++x) {
      const double from_top = std::hypot(static_cast<double>(x - 60), static_cast<double>(y - 60));
      if (from_top < 10) continue;
      EXPECT_NEAR(plan(x, y), steep / from_top, 0.02 * steep / from_top) << x << " " << y;
      EXPECT_NEAR(profile(x, y), 0, 0.02 * steep / from_top) << x << " " << y;
    }
}

TEST(CurvatureLayer, ShouldersSpursAndHollowsHaveTheirSigns) {
  // A slope to the east that steepens; a spur and a hollow that go down to the east.
  const auto shoulder = test::land_of(9, 9, {1, 1}, [](double x, double) { return -x * x; });
  EXPECT_GT(measured(shoulder, CurvatureKind::profile)(4, 4), 0);
  EXPECT_EQ(measured(shoulder, CurvatureKind::plan)(4, 4), 0);
  const auto spur = test::land_of(9, 9, {1, 1}, [](double x, double y) { return -x - (y - 4) * (y - 4); });
  EXPECT_GT(measured(spur, CurvatureKind::plan)(4, 4), 0);
  EXPECT_EQ(measured(spur, CurvatureKind::profile)(4, 4), 0);
  const auto hollow = test::land_of(9, 9, {1, 1}, [](double x, double y) { return -x + (y - 4) * (y - 4); });
  EXPECT_LT(measured(hollow, CurvatureKind::plan)(4, 4), 0);
}

RC_GTEST_PROP(CurvatureLayer, MeanIsHalfTheSumOfTheOthers, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  const Grid<float> mean = measured(land, CurvatureKind::mean), plan = measured(land, CurvatureKind::plan),
                    profile = measured(land, CurvatureKind::profile);
  for (int64_t y = 1; y + 1 < mean.height(); ++y)
    for (int64_t x = 1; x + 1 < mean.width(); ++x) {
      const double sum = static_cast<double>(plan(x, y)) + static_cast<double>(profile(x, y));
      const double size = std::abs(static_cast<double>(plan(x, y))) + std::abs(static_cast<double>(profile(x, y)));
      RC_ASSERT(std::abs(sum / 2 - static_cast<double>(mean(x, y))) <= 1e-6 * size);
    }
}

RC_GTEST_PROP(CurvatureLayer, OfMirroredLandIsMirrored, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  const std::optional<Length> distance = any_distance();
  for (const CurvatureKind kind : kinds)
    for (const bool east_west : {true, false}) {
      const Grid<float> own = measured(land, kind, distance);
      const Terrain mirrored = land.with_height(test::flipped(land.height(), east_west, !east_west));
      RC_ASSERT(test::same_cells(measured(mirrored, kind, distance), test::flipped(own, east_west, !east_west)));
    }
}

RC_GTEST_PROP(CurvatureLayer, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  const double distance = *rc::gen::element(1.0, 9.0, 20.0, 100.0, 1e9);
  for (const CurvatureKind kind : kinds) {
    const CurvatureParams params{kind, metres(distance)};
    const char* const names[] = {"curvature", "plan_curvature", "profile_curvature"};
    RC_ASSERT(test::crop_equals_whole(land, curvature_halo(land.frame(), distance), names[static_cast<size_t>(kind)],
                                      [&](const Terrain& part) { return curvature(part, params, quiet); }));
  }
}

TEST(CurvatureLayer, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 60, 4);
  for (const CurvatureKind kind : kinds)
    test::expect_same_bits([&] { return curvature(land, {kind, metres(40)}, quiet).hash(); });
}

}  // namespace tepui::curvature_test
