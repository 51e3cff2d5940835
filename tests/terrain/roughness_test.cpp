#include "tepui/terrain/roughness.h"

#include <cmath>

#include "reference/measures.h"
#include "tepui/core/error.h"
#include "tepui/terrain/window_sums.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::roughness_test {

namespace {

const Context quiet;

constexpr RoughnessMeasure measures[] = {RoughnessMeasure::residual, RoughnessMeasure::deviation,
                                         RoughnessMeasure::difference, RoughnessMeasure::range};

Grid<float> rough(const Terrain& land, const RoughnessParams& params) {
  const Terrain result = roughness(land, params, quiet);
  EXPECT_EQ(result.layer("roughness").unit, "m");
  return result.layer("roughness").grid().clone();
}

Length any_radius() { return metres(*rc::gen::element(0.1, 3.0, 10.0, 31.0, 70.0, 200.0, 1e8)); }

}  // namespace

RC_GTEST_PROP(Roughness, AgreesWithThePlainTwin, (uint64_t seed)) {
  const int64_t w = std::min<int64_t>(test::any_side(), 25), h = std::min<int64_t>(test::any_side(), 25);
  const Terrain land = test::rough_land(w, h, seed, {*rc::gen::element(10.0, 3.0), *rc::gen::element(10.0, 0.7)});
  for (const RoughnessMeasure measure : measures) {
    const RoughnessParams params{measure, any_radius()};
    // A rounding of heights to 2^-22 of a cell, and one to a float of results up to 500 m.
    RC_ASSERT(test::max_difference(rough(land, params), reference::roughness(land, params)) < 1e-4);
  }
}

RC_GTEST_PROP(Roughness, OfLevelLandIsExactlyNothing, ()) {
  const float level = *rc::gen::element(0.0f, 0.1f, -4321.7f, 1e30f);
  const Terrain land = test::land_of(test::any_side(), test::any_side(), {2, 3}, [&](double, double) { return level; });
  for (const RoughnessMeasure measure : measures)
    for (const float r : rough(land, {measure, any_radius()}).cells()) RC_ASSERT(r == 0);
}

RC_GTEST_PROP(Roughness, APlaneIsNotRoughOnlyAsWhatIsLeftOfIt, ()) {
  const double a = *rc::gen::inRange(1, 20) / 4.0, b = *rc::gen::inRange(-20, 20) / 4.0;
  const Terrain plane = test::land_of(test::any_side() + 1, test::any_side() + 1, {2, 4},
                                      [&](double x, double y) { return 300 + a * x + b * y; });
  const Length radius = any_radius();
  for (const float r : rough(plane, {RoughnessMeasure::residual, radius}).cells()) RC_ASSERT(r < 1e-4f);
  for (const float r : rough(plane, {RoughnessMeasure::deviation, radius}).cells()) RC_ASSERT(r > 0.1f);
}

TEST(Roughness, OfThreeByThreeIsTheRuggednessIndexOfRiley) {
  const Terrain land = test::sample_land(20, 15, 3);
  const Grid<float> own = rough(land, {RoughnessMeasure::difference, metres(10)});
  for (int64_t y = 1; y < 14; ++y)
    for (int64_t x = 1; x < 19; ++x) {
      double squares = 0;
      for (int64_t j = -1; j <= 1; ++j)
        for (int64_t i = -1; i <= 1; ++i)
          squares += std::pow(static_cast<double>(land.height()(x + i, y + j)) - land.height()(x, y), 2);
      EXPECT_NEAR(own(x, y) * std::sqrt(8.0), std::sqrt(squares), 1e-3);
    }
}

RC_GTEST_PROP(Roughness, OfMirroredLandIsMirrored, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  for (const RoughnessMeasure measure : measures) {
    const RoughnessParams params{measure, any_radius()};
    const Terrain mirrored = land.with_height(test::flipped(land.height(), true, true));
    RC_ASSERT(test::same_cells(rough(mirrored, params), test::flipped(rough(land, params), true, true)));
  }
}

RC_GTEST_PROP(Roughness, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  for (const RoughnessMeasure measure : measures) {
    const RoughnessParams params{measure, any_radius()};
    RC_ASSERT(test::crop_equals_whole(land, window_halo(land.frame(), params.radius.value), "roughness",
                                      [&](const Terrain& part) { return roughness(part, params, quiet); }));
  }
}

TEST(Roughness, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 160, 4);
  for (const RoughnessMeasure measure : measures)
    for (const double radius : {10.0, 100.0, 1e8})
      test::expect_same_bits([&] { return roughness(land, {measure, metres(radius)}, quiet).hash(); });
}

TEST(Roughness, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  for (const RoughnessMeasure measure : measures)
    EXPECT_THROW(roughness(test::sample_land(9, 9, 5), {measure, metres(20)}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::roughness_test
