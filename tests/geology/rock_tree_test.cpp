#include "tepui/geology/rock_tree.h"

#include "tepui/geology/strata.h"
#include "tests/geology/any_rock.h"
#include "tests/support/beds.h"

namespace tepui::rock_tree_test {

using namespace test;

namespace {

struct Cloud {
  std::vector<double> x, y, z;
  RockPoints points(size_t first, size_t count) const {
    return {x.data() + first, y.data() + first, z.data() + first, static_cast<int64_t>(count)};
  }
};

Cloud cloud(const Frame& world, size_t count, uint64_t key) {
  Cloud c;
  const Stream stream(key);
  for (size_t i = 0; i < count; ++i) {
    c.x.push_back(world.origin.x + world.size.x * stream.uniform(i, 0, -0.5, 1.5));
    c.y.push_back(world.origin.y + world.size.y * stream.uniform(i, 1, -0.5, 1.5));
    c.z.push_back(world.shorter_side() * stream.uniform(i, 2, -0.3, 0.5));
  }
  return c;
}

}  // namespace

RC_GTEST_PROP(RockTree, APointDependsOnItselfAlone, ()) {
  const Frame world = any_world();
  const Geology rock = any_rock(world, 4);
  const Cloud c = cloud(world, 600, 3);
  std::vector<float> all(600);
  rock.root().resistance(c.points(0, 600), all.data());
  const auto first = *rc::gen::inRange<size_t>(0, 600);
  const auto count = *rc::gen::inRange<size_t>(0, 601 - first);
  std::vector<float> part(count);
  rock.root().resistance(c.points(first, count), part.data());
  RC_ASSERT(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
  const auto one = *rc::gen::inRange<size_t>(0, 600);
  RC_ASSERT(raw(rock, {c.x[one], c.y[one], c.z[one]}) == all[one]);
}

RC_GTEST_PROP(RockTree, OnlyTheRootIsHeldWithinZeroAndOne, ()) {
  const Frame world = any_world();
  const Geology rock = any_rock(world, 4);
  for (int i = 0; i < 10; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(rock.resistance(at) == std::clamp(raw(rock, at), 0.0f, 1.0f));
    RC_ASSERT(std::isfinite(raw(rock, at)));
  }
  // A part that leaves the interval counts in full.
  TurbulenceParams hard;
  hard.resistance = {3, 3};
  TurbulenceParams soft;
  soft.resistance = {-2.5, -2.5};
  const Geology sum = rock_blend(turbulence(world, hard, quiet), {turbulence(world, soft, quiet)}, nullptr, {}, quiet);
  RC_ASSERT(sum.resistance(any_point(world)) == 0.5f);
}

TEST(RockTree, SameBitsOnAnyMachine) {
  const Terrain land = sample_land(120, 90, 4);
  const Frame& world = land.frame();
  TurbulenceParams in_space;
  in_space.along = TurbulenceAlong::space;
  const Geology beds = strata(world, {}, quiet), lumps = turbulence(world, in_space, quiet);
  const Geology sum = rock_blend(rock_planes(world, {}, quiet), {lumps}, nullptr, {}, quiet);
  const Geology side = fault(world, fold(world, beds, {}, quiet), &sum, {}, quiet);
  FoldParams waves;
  waves.by = FoldBy::waves;
  const Geology all = rock_body(world, &side, nullptr, {}, quiet),
                bent = fold(world, taper(world, all, {}, quiet), waves, quiet);
  // Also of another compiler: hence the number.
  expect_same_bits([&] { return cells_hash(surface_resistance(bent, land, quiet)); });
  EXPECT_EQ(cells_hash(surface_resistance(bent, land, quiet)).text(), "0caab492afc75ded23b3a0e1975ed99f");
}

/// Beds keep their names wherever they are moved to.
RC_GTEST_PROP(RockTree, MovedBedsKeepTheirNames, ()) {
  const Frame world = any_world();
  const Geology beds = sample_rock();
  Geology rock = beds;
  for (int i = 0; i < 3; ++i) switch (*rc::gen::inRange(0, 3)) {
      case 0:
        rock = fold(world, rock, any_fold(world), quiet);
        break;
      case 1:
        rock = taper(world, rock, any_taper(), quiet);
        break;
      default:
        rock = fault(world, rock, nullptr, any_fault(), quiet);
    }
  const std::vector<NamedRock> names = rock.root().names();
  RC_ASSERT(names.size() == 3u);
  const Cloud c = cloud(world, 300, *rc::gen::arbitrary<uint64_t>());
  std::vector<float> rho(300);
  std::vector<int32_t> which(300);
  rock.root().resistance(c.points(0, 300), rho.data());
  rock.root().rocks(c.points(0, 300), which.data());
  for (size_t i = 0; i < 300; ++i) RC_ASSERT(names[static_cast<size_t>(which[i])].resistance == rho[i]);
}

TEST(RockTree, LevelsFollowTheRock) {
  const Frame world = make_world({1000, 1000}, 11);
  FoldParams waves;
  waves.by = FoldBy::waves;
  waves.amplitude = metres(30);
  const Geology folded = fold(world, sample_rock(), waves, quiet);
  EXPECT_EQ(folded.root().levels(), (Interval{-30, 130}));
  FaultParams up;
  up.throw_z = metres(70);
  EXPECT_EQ(fault(world, folded, nullptr, up, quiet).root().levels(), (Interval{-30, 200}));
  EXPECT_EQ(taper(world, folded, {TaperAlong::direction, 2}, quiet).root().levels(), (Interval{-60, 260}));
  EXPECT_EQ(rock_blend(Geology(), {folded}, nullptr, {}, quiet).root().levels(), (Interval{-30, 130}));
}

TEST(RockTree, RefusesTreesThatAreTooDeepOrTooLarge) {
  const Frame world = make_world({1000, 1000}, 11);
  Geology deep = sample_rock();
  EXPECT_NE(error_of([&] {
              for (int i = 0; i < 200; ++i) deep = fault(world, deep, nullptr, {}, quiet);
            }).find("operators deep"),
            std::string::npos);
  EXPECT_EQ(deep.root().tree().depth, 100);
  EXPECT_GE(raw(deep, {10, 20, 30}), 0);
  Geology wide = sample_rock();
  EXPECT_NE(error_of([&] {
              for (int i = 0; i < 60; ++i) wide = rock_blend(wide, {wide}, nullptr, {}, quiet);
            }).find("parts"),
            std::string::npos);
  wide.hash();
}

}  // namespace tepui::rock_tree_test
