#include "tepui/geology/rock_planes.h"

#include "tests/geology/any_rock.h"

namespace tepui::rock_planes_test {

using namespace test;

RC_GTEST_PROP(RockPlanes, EqualTheirPlainTwin, ()) {
  const Frame world = any_world();
  const RockPlanesParams p = any_planes();
  const Geology rock = rock_planes(world, p, quiet);
  const auto plain = reference::rock_planes(world, p);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < 2e-5);
  }
}

RC_GTEST_PROP(RockPlanes, AreStrongestOnThePlaneAndNothingBeyondTheirThickness, ()) {
  const Frame world = any_world();
  RockPlanesParams p = any_planes();
  p.roughness = 0;
  p.base = 0.25;
  RockPlane plane;
  plane.dip = {*rc::gen::inRange(0, 91) * 1.0};
  plane.direction = any_direction();
  p.planes = {plane};
  const Geology rock = rock_planes(world, p, quiet);
  const double degree = std::acos(-1.0) / 180, dip = plane.dip.degrees * degree, to = plane.direction.degrees * degree;
  const Vec3 normal{std::sin(to) * std::sin(dip), std::cos(to) * std::sin(dip), std::cos(dip)};
  const Vec3 place{world.origin.x + world.size.x / 2, world.origin.y + world.size.y / 2, plane.elevation.in(world)};
  // Away from the place along the strike the plane is level.
  const Vec3 on = place + Vec3{std::cos(to), -std::sin(to), 0} * (*rc::gen::inRange(-500, 500) * 1.0);
  const double thickness = plane.thickness.in(world);
  RC_ASSERT(std::abs(raw(rock, on) - 0.65f) < 1e-5f);
  RC_ASSERT(std::abs(raw(rock, on + normal * (0.454 * thickness)) - 0.45f) < 1e-3f);
  RC_ASSERT(raw(rock, on + normal * (1.001 * thickness)) == 0.25f);
  RC_ASSERT(raw(rock, on - normal * (1.001 * thickness)) == 0.25f);
}

RC_GTEST_PROP(RockPlanes, AddUp, ()) {
  const Frame world = any_world();
  RockPlanesParams all = any_planes();
  const auto cut = *rc::gen::inRange<size_t>(0, all.planes.size() + 1);
  RockPlanesParams first = all, rest = all;
  first.planes.resize(cut);
  rest.planes.erase(rest.planes.begin(), rest.planes.begin() + static_cast<std::ptrdiff_t>(cut));
  rest.base = rest.roughness = 0;
  const Vec3 at = any_point(world);
  const float sum = raw(rock_planes(world, first, quiet), at) + raw(rock_planes(world, rest, quiet), at);
  RC_ASSERT(std::abs(raw(rock_planes(world, all, quiet), at) - sum) < 1e-5f);
}

TEST(RockPlanes, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  using P = RockPlanesParams;
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return rock_planes(world, p, quiet); },
      {[](P& p) { p.planes.pop_back(); }, [](P& p) { p.planes[1].elevation = metres(9); },
       [](P& p) { p.planes[1].thickness = metres(9); }, [](P& p) { p.planes[1].resistance = 0.9; },
       [](P& p) { p.planes[1].dip = {5}; }, [](P& p) { p.planes[1].dip = {5}, p.planes[1].direction = {3}; },
       [](P& p) { p.planes[1].x = metres(5); }, [](P& p) { p.planes[1].y = metres(5); }, [](P& p) { p.base = 0; },
       [](P& p) { p.roughness = 0; }, [](P& p) { p.wavelength = metres(3); }, [](P& p) { p.octaves = 2; },
       [](P& p) { p.seed.node = 4; }});
}

TEST(RockPlanes, RefusesWhatIsNoNumberByItsPlace) {
  const Frame world = make_world({1000, 1000}, 11);
  const auto refused = [&](auto change) {
    RockPlanesParams p;
    change(p);
    return error_of([&] { rock_planes(world, p, quiet); });
  };
  EXPECT_NE(refused([](auto& p) { p.planes[1].thickness = metres(0); }).find("planes[1].thickness"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.planes[2].dip = {std::nan("")}; }).find("planes[2].dip"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.base = std::nan(""); }).find("base"), std::string::npos);
}

}  // namespace tepui::rock_planes_test
