#include "tepui/volume/transform.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::transform_test {

namespace {

using test::any_volume;
using test::Dice;

const Context quiet;
const Frame world = make_world({200, 100}, 3);
constexpr double T = Volume::usual_threshold;

}  // namespace

RC_GTEST_PROP(Transform, ByNothingIsNothing, ()) {
  Dice dice;
  const Volume in = any_volume(dice, 2).volume;
  RC_ASSERT(transform(world, in, {}, quiet).share() == in.share());
}

RC_GTEST_PROP(Transform, ThereAndBackIsHere, ()) {
  Dice dice;
  const Volume in = any_volume(dice, 1).volume;
  TransformParams there;
  there.about = Pivot::origin;
  TransformParams back = there;
  if (dice.coin()) {
    there.move = {dice.real(-50, 50), dice.real(-50, 50), dice.real(-50, 50)};
    back.move = there.move * -1;
  } else if (dice.coin()) {
    there.turn = {dice.real(-360, 360)};
    back.turn = {-there.turn.degrees};
  } else if (dice.coin()) {
    there.tilt = {dice.real(-180, 180)};
    there.tilt_direction = back.tilt_direction = {dice.real(-360, 360)};
    back.tilt = {-there.tilt.degrees};
  } else {
    there.scale = dice.real(0.2, 4);
    back.scale = 1 / there.scale;
    there.flip = back.flip = dice.coin();
  }
  const Volume same = transform(world, transform(world, in, there, quiet), back, quiet);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    const Box3 walls = in.support();
    // Walls of the hills are sudden.
    if (walls.grown(1e-6).holds(at) == walls.grown(-1e-6).holds(at))
      RC_ASSERT(std::abs(same.value(at) - in.value(at)) < 1e-3f);
  }
}

TEST(Transform, PutsAPointWhereItIsTold) {
  const Volume in(test::ball({10, 0, 0}, 3, 20), T);
  TransformParams p;
  p.about = Pivot::origin;
  const auto centre = [&](const TransformParams& q) {
    const Box3 box = transform(world, in, q, quiet).support();
    return (box.low + box.high) * 0.5;
  };
  const auto expect = [&](Vec3 at) {
    EXPECT_LT(length(centre(p) - at), 1e-9);
    EXPECT_TRUE(transform(world, in, p, quiet).inside(at));
  };
  p.turn = {90};
  expect({0, 10, 0});
  p.move = {1, 2, 3};
  expect({1, 12, 3});
  p.scale = 2;
  expect({1, 22, 3});
  p = {};
  p.about = Pivot::origin;
  p.tilt = {90};
  p.tilt_direction = {90};  // the east goes down
  expect({0, 0, -10});
  p.flip = true;
  expect({0, 0, -10});
  p = {};
  p.flip = true;
  p.about = Pivot::foot;
  expect({10, 0, -6});
  p = {};
  p.move = {10, 0, 0};
  p.positions = Positions::percent;
  expect({20, 0, 0});
}

TEST(Transform, LandThatIsOnlyMovedKeepsItsSheet) {
  const Volume land(test::hills(), T, test::wavy_rock());
  TransformParams p;
  p.move = {10, -20, 5};
  const Volume moved = transform(world, land, p, quiet);
  const SurfaceSketch sketch = moved.root().sketch();
  ASSERT_NE(sketch.sheet, nullptr);
  double x = 30, y = 7, before = 0, after = 0;
  sketch.sheet->heights(&x, &y, 1, &after);
  x -= 10, y += 20;
  land.root().sketch().sheet->heights(&x, &y, 1, &before);
  EXPECT_NEAR(after, before + 5, 1e-12);
  EXPECT_EQ(moved.rock().hash(), land.rock().hash());
  p.turn = {30};
  EXPECT_EQ(transform(world, land, p, quiet).root().sketch().sheet, nullptr);
}

TEST(Transform, CostsLittleAndRefusesWhatIsNoNumber) {
  const Volume land(test::hills(), T);
  TransformParams p;
  p.turn = {30};
  EXPECT_LT(transform(world, land, p, quiet).bytes(), land.bytes() + 500);
  p.turn = {std::nan("")};
  EXPECT_FALSE(test::error_of([&] { transform(world, land, p, quiet); }).empty());
  p = {};
  p.scale = 0;
  EXPECT_FALSE(test::error_of([&] { transform(world, land, p, quiet); }).empty());
  p = {};
  p.move.x = std::nan("");
  EXPECT_FALSE(test::error_of([&] { transform(world, land, p, quiet); }).empty());
}

}  // namespace tepui::transform_test
