#include "tepui/terrain/hillshade.h"

#include <cmath>

#include "tepui/terrain/derivatives.h"
#include "tests/terrain/analytic_land.h"

namespace tepui::hillshade_test {

namespace {

const Context quiet;
constexpr double radians = 0.017453292519943295;

Grid<float> shaded(const Terrain& land, const HillshadeParams& params) {
  return hillshade(land, params, quiet).layer("hillshade").grid().clone();
}

}  // namespace

RC_GTEST_PROP(Hillshade, OfAPlaneIsTheCosineToItsNormal, ()) {
  const double p = *rc::gen::inRange(-16, 17) / 8.0, q = *rc::gen::inRange(-16, 17) / 8.0;
  HillshadeParams params;
  params.azimuth.degrees = *rc::gen::inRange(0, 360);
  params.altitude.degrees = *rc::gen::inRange(0, 91);
  params.exaggeration = *rc::gen::element(1.0, 2.0, 0.5);
  const Terrain plane = test::land_of(test::any_side() + 1, test::any_side() + 1, {2, 4},
                                      [&](double x, double y) { return p * x + q * y; });
  const double az = params.azimuth.degrees * radians, up = params.altitude.degrees * radians;
  const double px = p * params.exaggeration, qy = q * params.exaggeration;
  const double cosine = (-px * std::sin(az) * std::cos(up) - qy * std::cos(az) * std::cos(up) + std::sin(up)) /
                        std::sqrt(1 + px * px + qy * qy);
  for (const float s : shaded(plane, params).cells())
    RC_ASSERT(std::abs(static_cast<double>(s) - std::max(cosine, 0.0)) < 1e-6);
}

RC_GTEST_PROP(Hillshade, IsFromNothingToOne, (uint64_t seed)) {
  HillshadeParams params;
  params.multidirectional = *rc::gen::arbitrary<bool>();
  params.altitude.degrees = *rc::gen::inRange(0, 91);
  params.exaggeration = *rc::gen::element(0.0, 1.0, 50.0);
  for (const float s : shaded(test::sample_land(test::any_side(), test::any_side(), seed), params).cells())
    RC_ASSERT(s >= 0 && s <= 1);
}

TEST(Hillshade, LevelGroundHasTheSineOfTheAltitudeHoweverManyLights) {
  const Terrain level = test::land_of(5, 4, {1, 1}, [](double, double) { return 3; });
  for (const bool many : {false, true}) {
    HillshadeParams params;
    params.altitude.degrees = 30;
    params.multidirectional = many;
    for (const float s : shaded(level, params).cells()) EXPECT_NEAR(s, 0.5, 1e-7);
  }
}

RC_GTEST_PROP(Hillshade, FourLightsAreWeightedByTheSquaredSineToTheAspect, ()) {
  const double p = *rc::gen::inRange(1, 17) / 8.0, q = *rc::gen::inRange(-16, 17) / 8.0;
  const Terrain plane = test::land_of(9, 9, {2, 4}, [&](double x, double y) { return p * x + q * y; });
  HillshadeParams params;
  params.azimuth.degrees = *rc::gen::inRange(0, 360);
  const double faces = std::atan2(-p, -q);
  double sum = 0;
  for (const double turn : {-90.0, -45.0, 0.0, 45.0}) {
    HillshadeParams one = params;
    one.azimuth.degrees += turn;
    sum += std::pow(std::sin(faces - one.azimuth.degrees * radians), 2) * static_cast<double>(shaded(plane, one)(4, 4));
  }
  params.multidirectional = true;
  RC_ASSERT(std::abs(static_cast<double>(shaded(plane, params)(4, 4)) - sum / 2) < 1e-6);
}

RC_GTEST_PROP(Hillshade, OfMirroredLandInMirroredLightIsMirrored, (uint64_t seed)) {
  const Terrain land = test::sample_land(test::any_side(), test::any_side(), seed);
  HillshadeParams params, mirrored;
  params.azimuth.degrees = *rc::gen::inRange(0, 360);
  mirrored.azimuth.degrees = -params.azimuth.degrees;
  const Grid<float> there = shaded(land.with_height(test::flipped(land.height(), true, false)), mirrored);
  RC_ASSERT(test::max_difference(there, test::flipped(shaded(land, params), true, false)) < 1e-6);
}

RC_GTEST_PROP(Hillshade, OfAPartWithItsHaloIsThatOfTheWhole, (uint64_t seed)) {
  const Terrain land = test::rough_land(test::any_side(), test::any_side(), seed, {3, 5});
  HillshadeParams params;
  params.multidirectional = *rc::gen::arbitrary<bool>();
  params.distance = metres(*rc::gen::element(1.0, 9.0, 100.0));
  RC_ASSERT(test::crop_equals_whole(land, gradient_halo(land.frame(), params.distance->value), "hillshade",
                                    [&](const Terrain& part) { return hillshade(part, params, quiet); }));
}

TEST(Hillshade, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 60, 4);
  HillshadeParams params;
  params.multidirectional = true;
  test::expect_same_bits([&] { return hillshade(land, params, quiet).hash(); });
}

}  // namespace tepui::hillshade_test
