#include "tepui/geology/taper.h"

#include "tests/geology/any_rock.h"
#include "tests/support/beds.h"

namespace tepui::taper_test {

using namespace test;

RC_GTEST_PROP(Taper, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const TaperParams p = any_taper();
  const Twins in = any_ramp(world);
  const Geology rock = taper(world, in.rock, p, quiet);
  const auto plain = reference::taper(world, in.plain, p);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < 1e-6 * (1 + std::abs(plain(at))));
  }
}

/// What lies higher came from higher up: the taper can be undone.
RC_GTEST_PROP(Taper, KeepsTheOrderOfBeds, ()) {
  const Frame world = any_world();
  const TaperParams p = any_taper();
  const Geology rock = taper(world, Geology(std::make_shared<const Ramp>(world, Vec3{0, 0, 1})), p, quiet);
  const Vec3 low = any_point(world);
  Vec3 high = low;
  high.z += 0.001 * world.shorter_side() * *rc::gen::inRange(1, 500);
  RC_ASSERT(raw(rock, low) < raw(rock, high));
}

RC_GTEST_PROP(Taper, ItsLevelStays, ()) {
  const Frame world = any_world();
  const TaperParams p = any_taper();
  const Geology in = any_rock(world, 1);
  Vec3 at = any_point(world);
  at.z = p.elevation.in(world);
  RC_ASSERT(raw(taper(world, in, p, quiet), at) == raw(in, at));
}

RC_GTEST_PROP(Taper, ByOneIsTheSameRock, ()) {
  const Frame world = any_world();
  TaperParams p = any_taper();
  p.scale = 1;
  const Geology in = any_rock(world, 1);
  const Vec3 at = any_point(world);
  RC_ASSERT(raw(taper(world, in, p, quiet), at) == raw(in, at));
}

TEST(Taper, BedsAreAsThickAsItSaysAtItsEnd) {
  const Frame world = make_world({1000, 1000}, 11);
  TaperParams p;
  p.scale = 0.5;
  p.length = metres(400);
  const Geology east = taper(world, sample_rock(), p, quiet);
  // Shale from 0 to 50 m, sandstone above.
  EXPECT_EQ(east.resistance({299, 0, 49}), 0.2f);
  EXPECT_EQ(east.resistance({701, 0, 24}), 0.2f);
  EXPECT_EQ(east.resistance({701, 0, 26}), 0.6f);
  EXPECT_EQ(east.resistance({500, 0, 32}), 0.2f);
  EXPECT_EQ(east.resistance({500, 0, 34}), 0.6f);
  p.along = TaperAlong::place;
  const Geology place = taper(world, sample_rock(), p, quiet);
  EXPECT_EQ(place.resistance({500, 500, 26}), 0.6f);
  EXPECT_EQ(place.resistance({500, 901, 49}), 0.2f);
  p.along = TaperAlong::height;
  p.length = metres(20);
  const Geology up = taper(world, sample_rock(), p, quiet);
  // 10 m of the 50 were half compressed, then two become one: 20 + (50 - 30) / 2.
  EXPECT_EQ(up.resistance({0, 0, 29.9}), 0.2f);
  EXPECT_EQ(up.resistance({0, 0, 30.1}), 0.6f);
  EXPECT_EQ(up.resistance({0, 0, -0.1}), 0.95f);
}

TEST(Taper, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  using P = TaperParams;
  Geology in = sample_rock();
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return taper(world, in, p, quiet); },
      {[](P& p) { p.along = TaperAlong::height; }, [](P& p) { p.scale = 2; }, [](P& p) { p.length = metres(1); },
       [](P& p) { p.direction = {3}; }, [](P& p) { p.x = metres(1); }, [](P& p) { p.y = metres(1); },
       [](P& p) { p.elevation = metres(1); }, [&](P&) { in = Geology(); }});
}

TEST(Taper, RefusesWhatIsNoNumber) {
  const Frame world = make_world({1000, 1000}, 11);
  TaperParams p;
  p.scale = 0;
  EXPECT_NE(error_of([&] { taper(world, Geology(), p, quiet); }).find("scale"), std::string::npos);
  p.scale = std::nan("");
  EXPECT_NE(error_of([&] { taper(world, Geology(), p, quiet); }).find("scale"), std::string::npos);
}

}  // namespace tepui::taper_test
