#include "tepui/volume/csg.h"

#include "tepui/core/error.h"
#include "tepui/volume/blend.h"
#include "tepui/volume/difference.h"
#include "tepui/volume/intersection.h"
#include "tepui/volume/union.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::csg_test {

namespace {

using test::any_volume;
using test::ball;
using test::Dice;

const Context quiet;
const Frame world = make_world({200, 200}, 3);
constexpr double T = Volume::usual_threshold;

Volume ball_volume(Vec3 centre, double radius, double energy, double threshold = T) {
  return {ball(centre, radius, energy, threshold), threshold};
}

}  // namespace

RC_GTEST_PROP(Union, OfAVolumeWithItselfIsIt, ()) {
  Dice dice;
  const Volume a = any_volume(dice, 2).volume;
  // The same rock in a tree of its own.
  const Volume twin = a.with_root(times(times(a.share(), 2, T), 0.5, T));
  const Volume both = unite(world, a, {twin}, {}, quiet), shared = intersection(world, a, {twin}, {}, quiet);
  RC_ASSERT(unite(world, a, {a, a}, {}, quiet).share() == a.share());
  RC_ASSERT(intersection(world, a, {a}, {}, quiet).share() == a.share());
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(std::abs(both.value(at) - a.value(at)) <= 1e-5f * (1 + std::abs(a.value(at))));
    RC_ASSERT(std::abs(shared.value(at) - a.value(at)) <= 1e-5f * (1 + std::abs(a.value(at))));
  }
}

RC_GTEST_PROP(Union, DoesNotAskForTheOrder, ()) {
  Dice dice;
  const Volume a = any_volume(dice, 2).volume, b = any_volume(dice, 2).volume, c = any_volume(dice, 1).volume;
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(unite(world, a, {b, c}, {}, quiet).value(at) == unite(world, c, {a, b}, {}, quiet).value(at));
    RC_ASSERT(intersection(world, a, {b, c}, {}, quiet).value(at) ==
              intersection(world, c, {b, a}, {}, quiet).value(at));
    RC_ASSERT(difference(world, a, {b, c}, {}, quiet).value(at) == difference(world, a, {c, b}, {}, quiet).value(at));
    RC_ASSERT(unite(world, a, {unite(world, b, {c}, {}, quiet)}, {}, quiet).value(at) ==
              unite(world, unite(world, a, {b}, {}, quiet), {c}, {}, quiet).value(at));
  }
}

RC_GTEST_PROP(Difference, OfAVolumeAndItselfIsEmpty, ()) {
  Dice dice;
  const Volume a = any_volume(dice, 2).volume;
  const Volume nothing = difference(world, a, {a}, {metres(dice.coin() ? 0 : dice.real(0, 15))}, quiet);
  for (int i = 0; i < 40; ++i) RC_ASSERT(!nothing.inside(dice.place()));
}

RC_GTEST_PROP(Difference, AndIntersectionSplitARock, ()) {
  Dice dice;
  const Volume a = any_volume(dice, 2).volume, b = any_volume(dice, 2).volume;
  const Volume outer = difference(world, a, {b}, {}, quiet), inner = intersection(world, a, {b}, {}, quiet);
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(outer.inside(at) == (a.value(at) > 0 && b.value(at) < 0));
    RC_ASSERT(inner.inside(at) == (a.inside(at) && b.inside(at)));
    RC_ASSERT(!(outer.inside(at) && inner.inside(at)));
  }
}

RC_GTEST_PROP(Blend, IsLinear, ()) {
  Dice dice;
  const Volume a = any_volume(dice, 2).volume, b = any_volume(dice, 1).volume;
  const double k = dice.real(-3, 3);
  const Volume once = blend(a, {b}, {k}, quiet), twice = blend(once, {b}, {k}, quiet),
               at_once = blend(a, {b, b}, {k}, quiet), none = blend(a, {b}, {0}, quiet);
  RC_ASSERT(none.share() == a.share());
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    const double f_a = a.value(at) + T, f_b = b.value(at) + T, slack = 1e-4 * (1 + std::abs(f_a) + std::abs(k * f_b));
    RC_ASSERT(std::abs(once.value(at) + T - (f_a + k * f_b)) < slack);
    RC_ASSERT(std::abs(twice.value(at) + T - (f_a + 2 * k * f_b)) < slack);
    RC_ASSERT(std::abs(at_once.value(at) - twice.value(at)) < slack);
  }
}

RC_GTEST_PROP(Union, SmoothSeamsOnlyAddAndOthersOnlyTake, ()) {
  Dice dice;
  const Volume a = any_volume(dice, 1).volume, b = any_volume(dice, 1).volume;
  const double smooth = dice.real(0, 15);
  for (int i = 0; i < 30; ++i) {
    const Vec3 at = dice.place();
    const float sharp = unite(world, a, {b}, {}, quiet).value(at),
                round = unite(world, a, {b}, {metres(smooth)}, quiet).value(at);
    RC_ASSERT(round >= sharp);
    RC_ASSERT(round <= sharp + static_cast<float>(smooth) / 4 + 1e-5f);
    RC_ASSERT(intersection(world, a, {b}, {metres(smooth)}, quiet).value(at) <=
              intersection(world, a, {b}, {}, quiet).value(at));
    RC_ASSERT(difference(world, a, {b}, {metres(smooth)}, quiet).value(at) <=
              difference(world, a, {b}, {}, quiet).value(at));
  }
}

TEST(Union, OfPartsThatAreNotThereHasOneSlope) {
  const double t = Volume::usual_threshold;
  const SolidPointer less = test::ball({0, 0, 0}, 10, -5), rim = test::ball({5, 0, 0}, 10, 20),
                     far = test::ball({60, 0, 0}, 10, 20);
  const Volume volume(csg(Csg::united, {less, rim, far}, 0, t), t);
  // Within the first, so near the second's rim that its field is lost beside T, and far from the third.
  const Vec3 at{-4.9999, 0, 0};
  const double x[] = {at.x, 58}, y[] = {0, 0}, z[] = {0, 0};
  float dx[2], dy[2], dz[2], v = 0, slope = 0, none[2];
  rim->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, &slope, none, none + 1);
  ASSERT_EQ(v, static_cast<float>(-t));
  ASSERT_NE(slope, 0);
  volume.gradients(x, y, z, dx, dy, dz, Context());
  EXPECT_EQ(static_cast<double>(dx[0]), volume.gradient(at).x);
}

TEST(Union, RefusesOtherThresholdsAndSeamsWiderThanFields) {
  const Volume a = ball_volume({0, 0, 0}, 10, 15), other = ball_volume({5, 0, 0}, 10, 15, 3);
  for (const auto& act : std::vector<std::function<void()>>{[&] {
                                                              unite(world, a, {a, other}, {}, quiet);
                                                            },
                                                            [&] { intersection(world, a, {other}, {}, quiet); },
                                                            [&] { difference(world, a, {other}, {}, quiet); },
                                                            [&] { blend(a, {other}, {}, quiet); }})
    EXPECT_NE(test::error_of(act).find("thresholds 7.5 and 3"), std::string::npos);
  EXPECT_NE(test::error_of([&] { unite(world, a, {a}, {metres(15.1)}, quiet); }).find("at most 15 m"),
            std::string::npos);
  EXPECT_NE(test::error_of([&] { unite(world, a, {a}, {metres(std::nan(""))}, quiet); }).find("smooth"),
            std::string::npos);
}

TEST(Union, KeepsTheFirstRockAndNothingChangesIt) {
  const Volume a(ball({0, 0, 0}, 10, 15), T, test::wavy_rock()), b = ball_volume({5, 0, 0}, 10, 15), nothing;
  EXPECT_EQ(unite(world, a, {b}, {}, quiet).rock().hash(), a.rock().hash());
  EXPECT_EQ(unite(world, b, {a}, {}, quiet).rock().hash(), b.rock().hash());
  EXPECT_EQ(unite(world, a, {}, {}, quiet).share(), a.share());
  EXPECT_EQ(unite(world, a, {nothing}, {}, quiet).value({1, 2, 3}), a.value({1, 2, 3}));
  EXPECT_FALSE(intersection(world, a, {nothing}, {}, quiet).inside({0, 0, 0}));
  EXPECT_EQ(difference(world, a, {nothing}, {}, quiet).value({1, 2, 3}), a.value({1, 2, 3}));
  EXPECT_TRUE(unite(world, nothing, {nothing}, {}, quiet).support().empty());
  EXPECT_FALSE(difference(world, nothing, {a}, {}, quiet).inside({0, 0, 0}));
}

TEST(Union, OfLandWithOtherPartsKeepsItsSheet) {
  const Volume land(test::hills(), T), part = ball_volume({0, 0, 5}, 20, 15);
  for (const Volume& made : {unite(world, land, {part}, {}, quiet), unite(world, part, {land}, {}, quiet),
                             difference(world, land, {part}, {}, quiet), blend(land, {part}, {}, quiet)}) {
    const SurfaceSketch sketch = made.root().sketch();
    EXPECT_NE(sketch.sheet, nullptr);
    ASSERT_EQ(sketch.boxes.size(), 1u);
    EXPECT_EQ(sketch.boxes[0], part.support());
  }
  const SurfaceSketch both = unite(world, land, {Volume(test::hills(), T)}, {}, quiet).root().sketch();
  EXPECT_EQ(both.sheet, nullptr);
  const SurfaceSketch shared = intersection(world, land, {part}, {}, quiet).root().sketch();
  EXPECT_EQ(shared.sheet, nullptr);
  EXPECT_EQ(shared.boxes, std::vector<Box3>{part.support()});
}

TEST(Union, OfAThousandIsOneLevel) {
  Volume all = ball_volume({0, 0, 0}, 10, 15);
  for (int i = 1; i < 1000; ++i) all = unite(world, all, {ball_volume({i * 30.0, 0, 0}, 10, 15)}, {}, quiet);
  EXPECT_EQ(all.root().children().size(), 1000u);
  EXPECT_TRUE(all.inside({999 * 30.0, 0, 0}));
  EXPECT_FALSE(all.inside({15, 0, 0}));
}

}  // namespace tepui::csg_test
