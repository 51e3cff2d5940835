// Debris on rock: nothing of the beds that lie at the same height within the rock is to be seen in it.
#include "tepui/volume/loose_ground.h"

#include <algorithm>
#include <cmath>

#include "tepui/volume/implicitize.h"
#include "tepui/volume/strata_erosion.h"
#include "tests/support/beds.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::loose_ground_test {

namespace {

using test::Dice;

const Context quiet;

/// Land with so much loose ground at every sample, by `depth(x, y)`.
template <class Depth>
Terrain covered(const Terrain& land, const Depth& depth) {
  const Grid<float>& z = land.height();
  Grid<float> sediment(z.width(), z.height()), bedrock(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      sediment(x, y) = static_cast<float>(depth(x, y));
      bedrock(x, y) = z(x, y) - sediment(x, y);
    }
  return land.with(make_layer("sediment", "m", LayerKind::continuous, std::move(sediment)))
      .with(make_layer("bedrock", "m", LayerKind::continuous, std::move(bedrock)));
}

Geology on(const Geology& rock, const Terrain& land, double loose) {
  return with_loose_ground(rock, land, std::make_shared<const LandSheet>(land), loose);
}

double depth_at(const Grid<float>& depth, double u, double v) {
  const auto x = static_cast<int64_t>(u), y = static_cast<int64_t>(v);
  const double s = u - std::floor(u), t = v - std::floor(v);
  const auto at = [&](int64_t i, int64_t j) { return static_cast<double>(depth(i, j)); };
  return (1 - t) * ((1 - s) * at(x, y) + s * at(x + 1, y)) + t * ((1 - s) * at(x, y + 1) + s * at(x + 1, y + 1));
}

}  // namespace

RC_GTEST_PROP(LooseGround, HasOneResistanceAndTheRockBelowKeepsItsOwn, ()) {
  Dice dice;
  const Terrain land = covered(test::sample_land(12, 9, *rc::gen::arbitrary<uint64_t>(), 10, {-20, 60}),
                               [&](int64_t, int64_t) { return dice.below(3) == 0 ? 0.0 : dice.real(0, 25); });
  const double loose = dice.real(0, 1);
  const Geology rock = test::wavy_rock(), all = on(rock, land, loose);
  const LandSheet ground(land);
  const Frame& frame = land.frame();
  for (int i = 0; i < 40; ++i) {
    const double u = dice.real(0, 10.999), v = dice.real(0, 7.999);
    const Vec3 top{frame.x(0) + u * frame.cell.x, frame.y(0) + v * frame.cell.y, 0};
    double h = 0;
    ground.heights(&top.x, &top.y, 1, &h);
    const double depth = depth_at(land.layer("sediment").grid(), u, v), below = dice.real(-20, 40);
    const Vec3 at{top.x, top.y, h - below};
    const bool is_loose = depth > 0 && below < depth && below >= -5;
    if (std::abs(below - depth) < 1e-3 || std::abs(below + 5) < 1e-3) continue;
    RC_ASSERT(all.resistance(at) == (is_loose ? static_cast<float>(loose) : rock.resistance(at)));
    int32_t which = -2;
    all.root().rocks({&at.x, &at.y, &at.z, 1}, &which);
    RC_ASSERT((which >= 0) == is_loose);
  }
}

TEST(LooseGround, IsOneOfTheRocksByName) {
  const Terrain bare = test::sample_land(5, 5, 1, 10, {0, 100});
  const Terrain land = covered(bare, [](int64_t, int64_t) { return 4.0; });
  const Geology rock = test::sample_rock(), all = on(rock, land, 0.3);
  const std::vector<NamedRock> before = rock.root().names(), after = all.root().names();
  ASSERT_EQ(after.size(), before.size() + 1);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i].name, before[i].name);
  EXPECT_EQ(after.back().name, loose_ground_name);
  // Land of which nothing is known to be loose, and land of which it is known that nothing is.
  EXPECT_EQ(on(rock, bare, 0.3).hash(), rock.hash());
  EXPECT_EQ(on(rock, covered(bare, [](int64_t, int64_t) { return 0.0; }), 0.3).hash(), rock.hash());
  EXPECT_NE(all.hash(), rock.hash());
  EXPECT_NE(all.hash(), on(rock, land, 0.4).hash());
  EXPECT_NE(all.hash(), on(rock, covered(bare, [](int64_t, int64_t) { return 5.0; }), 0.3).hash());
}

/// Where another operator has filled or cut the land since, `bedrock` alone says too much.
TEST(LooseGround, IsNoDeeperThanTheSediment) {
  const Terrain land = covered(test::sample_land(5, 5, 1, 10, {0, 100}), [](int64_t, int64_t) { return 4.0; });
  Grid<float> raised = land.height().clone();
  for (float& z : raised.cells()) z += 10;
  const Terrain filled = land.with_height(std::move(raised));
  const Geology all = on(test::wavy_rock(), filled, 0.9375);
  const auto z = static_cast<double>(filled.height()(2, 2));
  const Vec3 at{land.frame().x(2), land.frame().y(2), z};
  EXPECT_EQ(all.resistance(at - Vec3{0, 0, 3.9}), 0.9375f);
  EXPECT_NE(all.resistance(at - Vec3{0, 0, 4.1}), 0.9375f);
}

RC_GTEST_PROP(LooseGround, IsWornEvenlyWhateverBedsLieAtItsHeight, ()) {
  Dice dice;
  Grid<float> level(21, 21, static_cast<float>(dice.real(-20, 20)));
  const Terrain land = covered(test::sample_land(21, 21, 1, 10, {-100, 100}).with_height(std::move(level)),
                               [](int64_t, int64_t) { return 30.0; });
  const Geology rock = test::wavy_rock();
  ImplicitizeParams solid;
  solid.loose = dice.real(0, 0.9);
  StrataErosionParams wear;
  wear.depth = metres(dice.real(1, 8));
  const Volume worn =
      strata_erosion(land.frame(), implicitize(land, nullptr, &rock, solid, quiet), nullptr, nullptr, wear, quiet);
  const double wanted = wear.depth.value * (1 - solid.loose);
  const auto ground = static_cast<double>(land.height()(0, 0));
  for (int i = 0; i < 10; ++i) {
    const Vec3 from{land.frame().x(0) + dice.real(20, 180), land.frame().y(0) + dice.real(20, 180), ground + 1};
    const double sunk = worn.cast(from, {0, 0, -1}, 60, 0.05).value_or(60) - 1;
    RC_ASSERT(std::abs(sunk - wanted) < 0.02 + 0.02 * wanted);
  }
}

}  // namespace tepui::loose_ground_test
