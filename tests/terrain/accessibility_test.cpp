#include "tepui/terrain/accessibility.h"

#include <cmath>

#include "reference/measures.h"
#include "tepui/core/error.h"
#include "tepui/terrain/sight_lines.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::accessibility_test {

namespace {

const Context quiet;

constexpr AccessibilityMeasure measures[] = {AccessibilityMeasure::share, AccessibilityMeasure::light};

Grid<float> open_to_sky(const Terrain& land, const AccessibilityParams& params) {
  return accessibility(land, params, quiet).layer("accessibility").grid().clone();
}

AccessibilityParams any_params() {
  AccessibilityParams params;
  params.measure = *rc::gen::element(AccessibilityMeasure::share, AccessibilityMeasure::light);
  params.radius = metres(*rc::gen::element(0.5, 10.0, 31.0, 100.0, 400.0, 1e8));
  params.directions = *rc::gen::element(4, 5, 7, 16, 32);
  return params;
}

}  // namespace

RC_GTEST_PROP(Accessibility, AgreesWithThePlainTwin, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed,
                                        {*rc::gen::element(10.0, 3.0), *rc::gen::element(10.0, 4.5)});
  const AccessibilityParams params = any_params();
  RC_ASSERT(test::max_difference(open_to_sky(land, params), reference::accessibility(land, params)) < 1e-5);
}

TEST(Accessibility, LongLinesOfSightAgreeWithThePlainTwin) {
  // Longer than the largest blocks of steps.
  const Terrain land = test::sample_land(300, 40, 8);
  AccessibilityParams params;
  for (const double radius : {630.0, 640.0, 1500.0, 1e8}) {
    params.radius = metres(radius);
    EXPECT_LT(test::max_difference(open_to_sky(land, params), reference::accessibility(land, params)), 1e-5) << radius;
  }
}

RC_GTEST_PROP(Accessibility, IsFromNothingToOne, (uint64_t seed)) {
  Terrain land = test::sample_land(test::any_side(), test::any_side(), seed);
  Grid<float> spiky = land.height().clone();
  const float factor = *rc::gen::element(1.0f, 1e6f, 5e35f);
  for (float& z : spiky.cells()) z *= factor;
  for (const float a : open_to_sky(land.with_height(std::move(spiky)), any_params()).cells())
    RC_ASSERT(a >= 0 && a <= 1);
}

RC_GTEST_PROP(Accessibility, OfLevelLandIsAllOfTheSky, ()) {
  const float level = *rc::gen::element(0.0f, 0.1f, -4321.7f);
  const Terrain land = test::land_of(test::any_side(), test::any_side(), {2, 3}, [&](double, double) { return level; });
  for (const float a : open_to_sky(land, any_params()).cells()) RC_ASSERT(std::abs(a - 1) < 1e-6f);
}

TEST(Accessibility, OfAPlaneIsWhatLiesAboveIt) {
  const double steep = 0.75;
  const Terrain plane = test::land_of(81, 81, {1, 1}, [&](double x, double) { return steep * x; });
  for (const AccessibilityMeasure measure : measures) {
    AccessibilityParams params{measure, metres(20), 64};
    double expected = 0;
    for (int k = 0; k < 64; ++k) {
      const double t = std::max(steep * std::sin(2 * M_PI * k / 64), 0.0), elevation = std::atan(t);
      expected += (measure == AccessibilityMeasure::share ? 1 - std::sin(elevation) : std::pow(std::cos(elevation), 2));
    }
    EXPECT_NEAR(open_to_sky(plane, params)(40, 40), expected / 64, 1e-5);
  }
}

TEST(Accessibility, TheFootOfALongWallSeesHalfOfTheSky) {
  const Terrain wall = test::land_of(201, 201, {1, 1}, [](double x, double) { return x > 100 ? 1e6 : 0.0; });
  for (const AccessibilityMeasure measure : measures)
    EXPECT_NEAR(open_to_sky(wall, {measure, metres(90), 64})(100, 100), 0.5, 0.02);
}

TEST(Accessibility, LandBeyondTheRadiusHidesNothing) {
  const Terrain wall = test::land_of(41, 41, {1, 1}, [](double x, double) { return x > 30 ? 100.0 : 0.0; });
  EXPECT_EQ(open_to_sky(wall, {AccessibilityMeasure::share, metres(10), 16})(20, 20), 1);
  EXPECT_LT(open_to_sky(wall, {AccessibilityMeasure::share, metres(11), 16})(20, 20), 1);
}

RC_GTEST_PROP(Accessibility, OfMirroredLandIsMirrored, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  AccessibilityParams params = any_params();
  params.directions = 16;
  const Terrain mirrored = land.with_height(test::flipped(land.height(), true, true));
  RC_ASSERT(test::max_difference(open_to_sky(mirrored, params), test::flipped(open_to_sky(land, params), true, true)) <
            1e-5);
}

RC_GTEST_PROP(Accessibility, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  const AccessibilityParams params = any_params();
  RC_ASSERT(test::crop_equals_whole(land, sight_halo(land.frame(), params.radius.value), "accessibility",
                                    [&](const Terrain& part) { return accessibility(part, params, quiet); }));
}

TEST(Accessibility, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 90, 4);
  for (const double radius : {10.0, 200.0, 1e8})
    test::expect_same_bits([&] { return accessibility(land, {{}, metres(radius), 16}, quiet).hash(); });
}

TEST(Accessibility, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(accessibility(test::sample_land(9, 9, 5), {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::accessibility_test
