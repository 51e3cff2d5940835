#include "tepui/volume/warp.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/noise.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::warp_test {

namespace {

using test::Dice;

const Context quiet;
const Frame world = make_world({200, 200}, 3);
constexpr double T = Volume::usual_threshold;

WarpParams any_warp(Dice& dice) {
  WarpParams p;
  p.within = static_cast<RegionShape>(dice.below(3));
  p.positions = Positions::metres;
  p.heights = Heights::sea_level;
  p.at = {dice.real(-60, 60), dice.real(-60, 60), dice.real(-30, 30)};
  p.half = {dice.real(0, 60), dice.real(0, 60), dice.real(0, 60)};
  p.radius = metres(dice.real(0, 60));
  p.falloff = metres(dice.real(1, 40));
  p.scale = metres(dice.real(5, 90));
  p.octaves = 1 + dice.below(5);
  p.seed.node = dice.below(1000);
  return p;
}

/// The largest amplitude, from the refusal of too large a one.
double largest(const Volume& in, WarpParams p) {
  p.amplitude = metres(1000);
  const std::string text = test::error_of([&] { warp(world, in, p, quiet); });
  const size_t at = text.find("less than ");
  return at == std::string::npos ? 0 : std::stod(text.substr(at + 10));
}

}  // namespace

TEST(Warp, MayBeAsStrongAsTheSteepestNoiseAllows) {
  WarpParams p;
  p.scale = metres(50);
  p.octaves = 1;
  NoiseSpec noise;
  noise.scale = 50;
  noise.octaves = 1;
  EXPECT_NEAR(largest(Volume(test::hills(), T), p), 1 / (std::sqrt(3.0) * steepest_slope_in_space(noise)), 1e-3);
}

RC_GTEST_PROP(Warp, TurnsNothingInsideOut, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  WarpParams p = any_warp(dice);
  const double most = largest(land, p);
  RC_ASSERT(most > 0);
  p.amplitude = metres(most * 0.999);
  RC_ASSERT(warp(world, land, p, quiet).share() != land.share());
  const reference::Share weight = reference::region(p.within, p.at, p.half, p.radius.value, p.falloff.value);
  const auto moved = [&](Vec3 at) {
    return at + reference::warp_displacement(p.amplitude.value, p.scale.value, p.octaves, p.seed, at) * weight(at);
  };
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    const double h = 1e-4;
    const Vec3 x = (moved(at + Vec3{h, 0, 0}) - moved(at - Vec3{h, 0, 0})) * (1 / (2 * h)),
               y = (moved(at + Vec3{0, h, 0}) - moved(at - Vec3{0, h, 0})) * (1 / (2 * h)),
               z = (moved(at + Vec3{0, 0, h}) - moved(at - Vec3{0, 0, h})) * (1 / (2 * h));
    RC_ASSERT(dot(cross(x, y), z) > 0);
  }
}

RC_GTEST_PROP(Warp, LeavesWhatLiesOutsideItsRegion, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  WarpParams p = any_warp(dice);
  if (p.within == RegionShape::everywhere) p.within = RegionShape::box;
  p.amplitude = metres(0.9 * largest(land, p));
  const Volume bent = warp(world, land, p, quiet);
  const reference::Share weight = reference::region(p.within, p.at, p.half, p.radius.value, p.falloff.value);
  for (int i = 0; i < 40; ++i)
    if (const Vec3 at = dice.place(); weight(at) == 0) RC_ASSERT(bent.value(at) == land.value(at));
}

RC_GTEST_PROP(Warp, OfLandStaysWithinItsBand, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  WarpParams p = any_warp(dice);
  p.amplitude = metres(0.9 * largest(land, p));
  const SurfaceSketch sketch = warp(world, land, p, quiet).root().sketch();
  RC_ASSERT(sketch.sheet != nullptr);
  if (p.within == RegionShape::everywhere) {
    RC_ASSERT(sketch.bands.size() == 1u);
    RC_ASSERT(sketch.bands[0].below == p.amplitude.value);
    RC_ASSERT(sketch.bands[0].spread <= p.amplitude.value * 1.4143);
  }
}

TEST(Warp, MovesRockAndNothingElse) {
  const Volume land(test::hills(), T, test::wavy_rock());
  WarpParams p;
  p.amplitude = metres(2);
  p.scale = metres(60);
  const Volume bent = warp(world, land, p, quiet);
  double most = 0;
  for (int x = -90; x < 90; x += 3)
    most = std::max(most, std::abs(static_cast<double>(bent.value({1.0 * x, 7, 3}) - land.value({1.0 * x, 7, 3}))));
  EXPECT_GT(most, 0.3);
  EXPECT_LT(most, 2 * 2.5);
  EXPECT_EQ(bent.rock().hash(), land.rock().hash());
  p.amplitude = metres(0);
  EXPECT_EQ(warp(world, land, p, quiet).share(), land.share());
  EXPECT_TRUE(warp(world, Volume(), WarpParams{}, quiet).support().empty());
  WarpParams other = p;
  p.amplitude = other.amplitude = metres(2);
  other.seed.node = 1;
  EXPECT_NE(warp(world, land, p, quiet).hash(), warp(world, land, other, quiet).hash());
}

TEST(Warp, SaysWhichAmplitudeWouldDo) {
  const Volume land(test::hills(), T);
  WarpParams p;
  p.amplitude = metres(10);
  p.scale = metres(20);
  p.octaves = 1;
  // 1 / (6.967 sqrt 3) of the scale.
  EXPECT_NE(test::error_of([&] { warp(world, land, p, quiet); }).find("less than 1.657 m"), std::string::npos);
  p.within = RegionShape::box;
  p.at = {std::nan(""), 0, 0};
  p.amplitude = metres(0.1);
  EXPECT_NE(test::error_of([&] { warp(world, land, p, quiet); }).find("not finite"), std::string::npos);
}

TEST(Warp, SameBitsOnAnyMachine) {
  const Volume land(test::hills(), T);
  WarpParams p;
  p.amplitude = metres(2);
  p.scale = metres(60);
  test::expect_same_bits([&] {
    const Volume bent = warp(world, land, p, quiet);
    Hasher hasher;
    for (int i = 0; i < 500; ++i)
      hasher.add(static_cast<double>(bent.value({i * 0.37 - 90, 3 - i * 0.1, i % 20 - 10.0})));
    return hasher.finish();
  });
}

}  // namespace tepui::warp_test
