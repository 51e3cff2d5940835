#include "tepui/terrain/relative_height.h"

#include <cmath>

#include "reference/measures.h"
#include "tepui/core/error.h"
#include "tepui/terrain/window_sums.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::relative_height_test {

namespace {

const Context quiet;

constexpr RelativeHeightMeasure measures[] = {RelativeHeightMeasure::mean, RelativeHeightMeasure::deviations,
                                              RelativeHeightMeasure::share};

Grid<float> above(const Terrain& land, const RelativeHeightParams& params) {
  return relative_height(land, params, quiet).layer("relative_height").grid().clone();
}

Length any_radius() { return metres(*rc::gen::element(0.1, 3.0, 10.0, 31.0, 70.0, 200.0, 1e8)); }

}  // namespace

RC_GTEST_PROP(RelativeHeight, AgreesWithThePlainTwin, (uint64_t seed)) {
  const int64_t w = std::min<int64_t>(test::any_side(), 25), h = std::min<int64_t>(test::any_side(), 25);
  const Terrain land = test::rough_land(w, h, seed, {*rc::gen::element(10.0, 3.0), *rc::gen::element(10.0, 0.7)});
  for (const RelativeHeightMeasure measure : measures) {
    const RelativeHeightParams params{measure, any_radius()};
    RC_ASSERT(test::max_difference(above(land, params), reference::relative_height(land, params)) < 1e-4);
  }
}

RC_GTEST_PROP(RelativeHeight, OfLevelLandIsExactlyNothing, ()) {
  const float level = *rc::gen::element(0.0f, 0.1f, -4321.7f, 1e30f);
  const Terrain land = test::land_of(test::any_side(), test::any_side(), {2, 3}, [&](double, double) { return level; });
  const Length radius = any_radius();
  for (const float v : above(land, {RelativeHeightMeasure::mean, radius}).cells()) RC_ASSERT(v == 0);
  for (const float v : above(land, {RelativeHeightMeasure::deviations, radius}).cells()) RC_ASSERT(v == 0);
  for (const float v : above(land, {RelativeHeightMeasure::share, radius}).cells()) RC_ASSERT(v == 0.5f);
}

TEST(RelativeHeight, OfAPlaneIsNothingAwayFromItsBorder) {
  const Terrain plane = test::land_of(40, 30, {1, 1}, [](double x, double y) { return 5 + 0.25 * x - 2 * y; });
  const Grid<float> mean = above(plane, {RelativeHeightMeasure::mean, metres(4)});
  const Grid<float> share = above(plane, {RelativeHeightMeasure::share, metres(4)});
  for (int64_t y = 4; y < 26; ++y)
    for (int64_t x = 4; x < 36; ++x) {
      EXPECT_EQ(mean(x, y), 0);
      EXPECT_EQ(share(x, y), 0.5f);
    }
}

TEST(RelativeHeight, RidgesStandOutAndValleysLieLow) {
  const Terrain ridge = test::land_of(21, 21, {1, 1}, [](double x, double) { return -std::abs(x - 10); });
  for (const RelativeHeightMeasure measure : {RelativeHeightMeasure::mean, RelativeHeightMeasure::deviations}) {
    EXPECT_GT(above(ridge, {measure, metres(5)})(10, 10), 0);
    EXPECT_LT(above(ridge, {measure, metres(5)})(0, 10), 0);
  }
  EXPECT_EQ(above(ridge, {RelativeHeightMeasure::share, metres(5)})(10, 10), 1);
  EXPECT_EQ(above(ridge, {RelativeHeightMeasure::share, metres(5)})(0, 10), 0);
}

RC_GTEST_PROP(RelativeHeight, OfMirroredLandIsMirrored, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  for (const RelativeHeightMeasure measure : measures) {
    const RelativeHeightParams params{measure, any_radius()};
    const Terrain mirrored = land.with_height(test::flipped(land.height(), true, true));
    RC_ASSERT(test::same_cells(above(mirrored, params), test::flipped(above(land, params), true, true)));
  }
}

RC_GTEST_PROP(RelativeHeight, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  for (const RelativeHeightMeasure measure : measures) {
    const RelativeHeightParams params{measure, any_radius()};
    RC_ASSERT(test::crop_equals_whole(land, window_halo(land.frame(), params.radius.value), "relative_height",
                                      [&](const Terrain& part) { return relative_height(part, params, quiet); }));
  }
}

TEST(RelativeHeight, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 160, 4);
  for (const RelativeHeightMeasure measure : measures)
    test::expect_same_bits([&] { return relative_height(land, {measure, metres(100)}, quiet).hash(); });
}

TEST(RelativeHeight, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  for (const RelativeHeightMeasure measure : measures)
    EXPECT_THROW(relative_height(test::sample_land(9, 9, 5), {measure, metres(20)}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::relative_height_test
