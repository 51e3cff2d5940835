#include "tepui/geology/turbulence.h"

#include "tests/geology/any_rock.h"

namespace tepui::turbulence_test {

using namespace test;

RC_GTEST_PROP(Turbulence, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const TurbulenceParams p = any_turbulence();
  const Geology rock = turbulence(world, p, quiet);
  const auto plain = reference::turbulence(world, p);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < 1e-4 * p.contrast);
  }
}

RC_GTEST_PROP(Turbulence, StaysWithinItsResistance, ()) {
  const Frame world = any_world();
  const TurbulenceParams p = any_turbulence();
  const Geology rock = turbulence(world, p, quiet);
  for (int i = 0; i < 50; ++i) {
    const float rho = raw(rock, any_point(world));
    RC_ASSERT(rho >= static_cast<float>(p.resistance.low) && rho <= static_cast<float>(p.resistance.high));
  }
}

RC_GTEST_PROP(Turbulence, StrataDoNotAskWhere, ()) {
  const Frame world = any_world();
  TurbulenceParams p = any_turbulence();
  p.along = TurbulenceAlong::height;
  const Geology rock = turbulence(world, p, quiet);
  const Vec3 a = any_point(world), b = any_point(world);
  RC_ASSERT(raw(rock, a) == raw(rock, {b.x, b.y, a.z}));
}

RC_GTEST_PROP(Turbulence, ContrastKeepsTheOrder, ()) {
  const Frame world = any_world();
  TurbulenceParams p = any_turbulence();
  p.contrast = 1;
  p.resistance = {0, 1};
  const Geology weak = turbulence(world, p, quiet);
  p.contrast = 6;
  const Geology strong = turbulence(world, p, quiet);
  const Vec3 a = any_point(world), b = any_point(world);
  if (raw(weak, a) < raw(weak, b)) RC_ASSERT(raw(strong, a) <= raw(strong, b));
  RC_ASSERT(std::abs(raw(strong, a) - 0.5f) >= std::abs(raw(weak, a) - 0.5f) - 1e-6f);
}

/// With the default contrast much of it is hard and much is soft.
TEST(Turbulence, FillsItsResistance) {
  const Frame world = make_world({1000, 1000}, 11);
  const Geology rock = turbulence(world, {}, quiet);
  int soft = 0, hard = 0;
  for (int z = 0; z < 10000; ++z) {
    const float rho = raw(rock, {0, 0, z * 1.0});
    soft += rho < 0.25f;
    hard += rho > 0.75f;
  }
  EXPECT_GT(soft, 1500);
  EXPECT_GT(hard, 1500);
}

TEST(Turbulence, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  using P = TurbulenceParams;
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return turbulence(world, p, quiet); },
      {[](P& p) { p.along = TurbulenceAlong::space; }, [](P& p) { p.wavelength = metres(3); },
       [](P& p) { p.octaves = 2; }, [](P& p) { p.contrast = 2; }, [](P& p) { p.resistance.low = 0.1; },
       [](P& p) { p.resistance.high = 0.9; }, [](P& p) { p.seed.node = 4; }});
}

TEST(Turbulence, RefusesWhatIsNoNumber) {
  const Frame world = make_world({1000, 1000}, 11);
  const auto refused = [&](auto change) {
    TurbulenceParams p;
    change(p);
    return error_of([&] { turbulence(world, p, quiet); });
  };
  EXPECT_NE(refused([](auto& p) { p.wavelength = metres(std::nan("")); }).find("wavelength"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.wavelength = metres(0); }).find("wavelength"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.resistance = {1, 0}; }).find("resistance"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.octaves = 16, p.wavelength = metres(1e-9); }).find("finest"), std::string::npos);
}

}  // namespace tepui::turbulence_test
