#include "tepui/terrain/land_statistics.h"

#include <cmath>
#include <map>

#include "tepui/core/error.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::land_statistics_test {

namespace {

const Context quiet;

std::map<std::string, double> numbers_of(const Terrain& land) {
  std::map<std::string, double> numbers;
  for (const LandNumber& n : land_statistics(land, quiet)) numbers[n.name] = n.value;
  return numbers;
}

}  // namespace

TEST(LandStatistics, OfARampAreKnown) {
  // Heights 1 to 100, each in one column, rising 1 in 1.
  const Terrain ramp = test::land_of(100, 3, {1, 1}, [](double x, double) { return x + 1; });
  const std::map<std::string, double> n = numbers_of(ramp);
  EXPECT_EQ(n.size(), 11u);
  for (const int p : {5, 25, 50, 75, 95}) {
    EXPECT_EQ(n.at("height_p" + std::to_string(p)), p);
    EXPECT_EQ(n.at("slope_p" + std::to_string(p)), 45);
  }
  EXPECT_NEAR(n.at("hypsometric_integral"), 0.5, 1e-12);
}

TEST(LandStatistics, LevelLandHasNoHypsometry) {
  const Terrain level = test::land_of(5, 4, {1, 1}, [](double, double) { return 3; });
  EXPECT_EQ(numbers_of(level).count("hypsometric_integral"), 0u);
  EXPECT_FALSE(hypsometric_integral(level, quiet));
  for (const HypsometricPoint& p : hypsometric_curve(level, 10, quiet)) EXPECT_EQ(p.share_above, 1);
}

TEST(LandStatistics, VoidsAndTheSlopesBesideThemDoNotCount) {
  Terrain land = test::land_of(9, 9, {1, 1}, [](double x, double) { return x; });
  Grid<float> z = land.height().clone(), voids(9, 9, 0.0f);
  z(4, 4) = 1e6f;
  voids(4, 4) = 1;
  land = land.with_height(std::move(z)).with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  const std::map<std::string, double> n = numbers_of(land);
  EXPECT_EQ(n.at("height_p95"), 8);
  EXPECT_EQ(n.at("slope_p95"), 45);
  EXPECT_EQ(hypsometric_curve(land, 4, quiet).back().height, 8);
}

TEST(LandStatistics, NothingButVoidsIsRefused) {
  const Terrain land =
      test::sample_land(4, 4, 1).with(make_layer("void", "", LayerKind::mask, Grid<float>(4, 4, 1.0f)));
  EXPECT_NE(test::error_of([&] { land_statistics(land, quiet); }).find("voids"), std::string::npos);
  EXPECT_NE(test::error_of([&] { hypsometric_curve(land, 9, quiet); }).find("voids"), std::string::npos);
}

RC_GTEST_PROP(HypsometricCurve, FallsFromAllOfTheLandToItsHighest, (uint64_t seed)) {
  const Terrain land = test::sample_land(test::any_side(), test::any_side(), seed);
  const std::vector<HypsometricPoint> curve = hypsometric_curve(land, 50, quiet);
  RC_ASSERT(curve.front().share_above == 1.0);
  RC_ASSERT(curve.back().share_above > 0);
  for (size_t i = 1; i < curve.size(); ++i) RC_ASSERT(curve[i].share_above <= curve[i - 1].share_above);
  for (const HypsometricPoint& p : curve) {
    const auto above = std::ranges::count_if(land.height().cells(),
                                             [&](float z) { return static_cast<double>(z) >= p.height - 1e-4; });
    RC_ASSERT(p.share_above <= static_cast<double>(above) / static_cast<double>(land.height().size()));
  }
}

RC_GTEST_PROP(HypsometricCurve, HasTheIntegralAsItsArea, (uint64_t seed)) {
  const Terrain land = test::sample_land(test::any_side() + 1, test::any_side() + 1, seed);
  constexpr int parts = 4000;
  double area = 0;
  for (const HypsometricPoint& p : hypsometric_curve(land, parts, quiet)) area += p.share_above / parts;
  // A share counts for the part above it, so the sum is more by at most a part and the point at the top.
  const std::optional<double> integral = hypsometric_integral(land, quiet);
  RC_ASSERT(integral && std::abs(area - *integral) < 2.0 / parts);
}

TEST(LandStatistics, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 160, 4);
  test::expect_same_bits([&] {
    Hasher hasher;
    for (const LandNumber& n : land_statistics(land, quiet)) hasher.add(n.value);
    for (const HypsometricPoint& p : hypsometric_curve(land, 100, quiet)) hasher.add(p.share_above);
    return hasher.finish();
  });
}

}  // namespace tepui::land_statistics_test
