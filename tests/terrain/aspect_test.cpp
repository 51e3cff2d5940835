#include "tepui/terrain/aspect.h"

#include <cmath>

#include "tepui/terrain/derivatives.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::aspect_test {

namespace {

const Context quiet;

}  // namespace

TEST(AspectLayer, OfAConeIsTheBearingFromItsTop) {
  const auto cone = [](double x, double y) { return -std::hypot(x - 30, y - 30); };
  for (const std::optional<Length> distance : {std::optional<Length>(), std::optional<Length>(metres(3))}) {
    const Terrain land = aspect(test::land_of(61, 61, {1, 1}, cone), {distance}, quiet);
    EXPECT_EQ(land.layer("aspect").unit, "deg");
    for (int64_t y = 4; y < 57; ++y)
      for (int64_t x = 4; x < 57; ++x) {
        const double east = static_cast<double>(x - 30), north = static_cast<double>(y - 30);
        if (std::hypot(east, north) < 12) continue;
        const double bearing = std::atan2(east, north) * 57.29577951308232;
        const double apart = std::abs(static_cast<double>(land.layer("aspect").grid()(x, y)) - bearing);
        EXPECT_LT(std::min(std::abs(apart), std::abs(360 - apart)), 0.7) << x << " " << y;
      }
  }
}

TEST(AspectLayer, LevelGroundFacesNowhere) {
  const Terrain level = test::land_of(9, 5, {2, 2}, [](double, double) { return 7; });
  const Terrain land = aspect(level, {}, quiet);
  for (const float a : land.layer("aspect").grid().cells()) EXPECT_EQ(a, -1);
}

RC_GTEST_PROP(AspectLayer, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  const AspectParams params{metres(*rc::gen::element(1.0, 9.0, 20.0, 100.0, 1e9))};
  RC_ASSERT(test::crop_equals_whole(land, gradient_halo(land.frame(), params.distance->value), "aspect",
                                    [&](const Terrain& part) { return aspect(part, params, quiet); }));
}

TEST(AspectLayer, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 60, 4);
  test::expect_same_bits([&] { return aspect(land, {metres(40)}, quiet).hash(); });
}

}  // namespace tepui::aspect_test
