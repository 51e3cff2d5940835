#include "tepui/volume/strata_erosion.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::strata_erosion_test {

namespace {

using test::Dice;

const Context quiet;
const Frame world = make_world({200, 200}, 3);
constexpr double T = Volume::usual_threshold;

/// The same everywhere.
class EvenRock : public Rock {
 public:
  explicit EvenRock(float rho) : rho_(rho) {}
  void resistance(const RockPoints& at, float* rho) const override { std::fill_n(rho, at.count, rho_); }
  void hash(Hasher& hasher) const override { hasher.add("even").add(static_cast<double>(rho_)); }
  size_t bytes() const override { return sizeof *this; }

 private:
  float rho_;
};
Geology even_rock(double rho) { return Geology(std::make_shared<EvenRock>(static_cast<float>(rho))); }

/// How far the surface sank at a place.
double sunk(const Volume& land, double x, double y) {
  const SurfaceSketch sketch = land.root().sketch();
  double h = 0;
  sketch.sheet->heights(&x, &y, 1, &h);
  return land.cast({x, y, h + 1e-3}, {0, 0, -1}, 60, 0.05).value_or(60);
}

StrataErosionParams of_depth(double depth) {
  StrataErosionParams p;
  p.depth = metres(depth);
  return p;
}

}  // namespace

RC_GTEST_PROP(StrataErosion, OnlyTakes, ()) {
  Dice dice;
  const Volume in = test::any_volume(dice, 2).volume;
  const Geology rock = even_rock(dice.real(0, 1));
  const Volume worn = strata_erosion(world, in, dice.coin() ? &rock : nullptr, of_depth(dice.real(0, 14.9)), quiet);
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(worn.value(at) <= in.value(at));
  }
}

RC_GTEST_PROP(StrataErosion, LeavesTheHardestRockAndTakesMoreOfSofter, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const StrataErosionParams p = of_depth(dice.real(0.5, 14.9));
  const Geology hard = even_rock(1), firm = even_rock(dice.real(0.5, 0.9)), soft = even_rock(dice.real(0, 0.4));
  const Volume by_hard = strata_erosion(world, land, &hard, p, quiet),
               by_firm = strata_erosion(world, land, &firm, p, quiet),
               by_soft = strata_erosion(world, land, &soft, p, quiet);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(by_hard.value(at) == land.value(at));
    RC_ASSERT(by_soft.value(at) <= by_firm.value(at));
  }
  const double x = dice.real(-90, 90), y = dice.real(-90, 90);
  RC_ASSERT(sunk(by_soft, x, y) > sunk(by_firm, x, y));
}

RC_GTEST_PROP(StrataErosion, ReachesItsDepthInRockOfNoResistance, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const double depth = dice.real(0.5, 14.5);
  const Geology soft = even_rock(0);
  const Volume worn = strata_erosion(world, land, &soft, of_depth(depth), quiet);
  RC_ASSERT(std::abs(sunk(worn, dice.real(-90, 90), dice.real(-90, 90)) - depth) < 0.01);
  RC_ASSERT(worn.root().sketch().sheet != nullptr);
}

TEST(StrataErosion, WorksWithinItsRegion) {
  const Volume land(test::hills(), T);
  StrataErosionParams p = of_depth(8);
  p.within = RegionShape::sphere;
  p.positions = Positions::metres;
  p.at = {20, 10, 0};
  p.radius = metres(15);
  p.falloff = metres(10);
  const Geology soft = even_rock(0);
  const Volume worn = strata_erosion(world, land, &soft, p, quiet);
  EXPECT_NEAR(sunk(worn, 20, 10), 8, 0.01);
  EXPECT_LT(sunk(worn, 40, 10), 7);
  EXPECT_NEAR(sunk(worn, 60, 10), 0, 0.01);
  ASSERT_EQ(worn.root().sketch().bands.size(), 1u);
}

TEST(StrataErosion, GoesByTheRockThatIsGivenAndKeepsTheVolumes) {
  const Volume land(test::hills(), T, test::wavy_rock());
  const Geology soft = even_rock(0);
  EXPECT_NE(strata_erosion(world, land, nullptr, of_depth(6), quiet).hash(),
            strata_erosion(world, land, &soft, of_depth(6), quiet).hash());
  EXPECT_EQ(strata_erosion(world, land, &soft, of_depth(6), quiet).rock().hash(), land.rock().hash());
  EXPECT_EQ(strata_erosion(world, land, nullptr, of_depth(0), quiet).share(), land.share());
  EXPECT_TRUE(strata_erosion(world, Volume(), nullptr, of_depth(6), quiet).support().empty());
}

TEST(StrataErosion, SaysHowDeepItMayGo) {
  const Volume land(test::hills(), T);
  EXPECT_NE(test::error_of([&] { strata_erosion(world, land, nullptr, of_depth(15), quiet); }).find("less than 15 m"),
            std::string::npos);
  EXPECT_FALSE(test::error_of([&] { strata_erosion(world, land, nullptr, of_depth(std::nan("")), quiet); }).empty());
}

}  // namespace tepui::strata_erosion_test
