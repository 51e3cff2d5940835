#include "tepui/terrain/slope.h"

#include <cmath>

#include "tepui/terrain/derivatives.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::slope_test {

namespace {

const Context quiet;

Terrain measured(const Terrain& land, SlopeUnit unit, std::optional<Length> distance = {}) {
  return slope(land, {unit, distance}, quiet);
}

}  // namespace

TEST(SlopeLayer, OfAPlaneIsItsAngleInEveryUnit) {
  // Rises 1 in 1.
  const Terrain plane = test::land_of(12, 7, {2, 2}, [](double x, double) { return x; });
  const struct {
    SlopeUnit unit;
    float value;
    const char* name;
  } expected[] = {{SlopeUnit::degrees, 45, "deg"}, {SlopeUnit::percent, 100, "%"}, {SlopeUnit::tangent, 1, ""}};
  for (const auto& e : expected) {
    const Terrain land = measured(plane, e.unit);
    EXPECT_EQ(land.layer("slope").unit, e.name);
    for (const float s : land.layer("slope").grid().cells()) EXPECT_EQ(s, e.value);
  }
}

RC_GTEST_PROP(SlopeLayer, OfAConeIsTheSameAllAround, ()) {
  const double steep = *rc::gen::inRange(1, 30) / 10.0, distance = *rc::gen::element(1.0, 2.0, 4.0);
  const auto cone = [&](double x, double y) { return -steep * std::sqrt((x - 60) * (x - 60) + (y - 60) * (y - 60)); };
  const Terrain land = measured(test::land_of(121, 121, {1, 1}, cone), SlopeUnit::tangent, metres(distance));
  const Grid<float>& values = land.layer("slope").grid();
  for (int64_t y = 10; y < 111; ++y)
    for (int64_t x = 10; x < 111; ++x) {
      const double from_top = std::hypot(static_cast<double>(x - 60), static_cast<double>(y - 60));
      // What the cone's bend takes off the difference over so long a way.
      const double bound = steep * (distance * distance) / (from_top * from_top) + 1e-4;
      if (from_top > 4 * distance) RC_ASSERT(std::abs(static_cast<double>(values(x, y)) - steep) < bound);
    }
}

RC_GTEST_PROP(SlopeLayer, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  const SlopeParams params{SlopeUnit::degrees, metres(*rc::gen::element(1.0, 9.0, 20.0, 100.0, 1e9))};
  RC_ASSERT(test::crop_equals_whole(land, gradient_halo(land.frame(), params.distance->value), "slope",
                                    [&](const Terrain& part) { return slope(part, params, quiet); }));
}

TEST(SlopeLayer, KeepsTheLandAndItsOtherLayers) {
  const Terrain land = test::sample_land(20, 10, 1);
  const Terrain result = measured(land, SlopeUnit::degrees);
  EXPECT_EQ(result.without("slope").hash(), land.hash());
}

TEST(SlopeLayer, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 60, 4);
  for (const double distance : {5.0, 40.0, 1e6})
    test::expect_same_bits([&] { return measured(land, SlopeUnit::degrees, metres(distance)).hash(); });
}

}  // namespace tepui::slope_test
