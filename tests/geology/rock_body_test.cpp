#include "tepui/geology/rock_body.h"

#include "tests/geology/any_rock.h"

namespace tepui::rock_body_test {

using namespace test;

namespace {

Lines any_lines(const Frame& world) {
  std::vector<Polyline> list(*rc::gen::inRange<size_t>(0, 4));
  for (Polyline& line : list) {
    const int count = *rc::gen::element(0, 1, 2, 3, 30);
    for (int i = 0; i < count; ++i) line.points.push_back(any_point(world));
    line.closed = *rc::gen::arbitrary<bool>();
  }
  LinesColumns columns = Lines(list).columns();
  if (*rc::gen::arbitrary<bool>()) {
    columns.numbers = {{"radius", "m", {}}, {"resistance", "", {}}};
    for (size_t i = 0; i < columns.shapes.size(); ++i) {
      columns.numbers[0].values.push_back(*rc::gen::element(std::nan(""), 3.0, 40.0));
      columns.numbers[1].values.push_back(*rc::gen::element(std::nan(""), -0.7, 0.5));
    }
  }
  return Lines(columns);
}

}  // namespace

RC_GTEST_PROP(RockBody, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const RockBodyParams p = any_body();
  const Twins in = any_ramp(world);
  const bool alone = *rc::gen::arbitrary<bool>(), by_lines = *rc::gen::arbitrary<bool>();
  const Lines lines = any_lines(world);
  const Geology rock = rock_body(world, alone ? nullptr : &in.rock, by_lines ? &lines : nullptr, p, quiet);
  const auto plain = reference::rock_body(world, alone ? nullptr : in.plain, by_lines ? &lines : nullptr, p);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < 1e-5);
  }
}

RC_GTEST_PROP(RockBody, ChangesNothingBeyondItsRadius, ()) {
  const Frame world = any_world();
  RockBodyParams p = any_body();
  p.shape = BodyShape::spheres;
  const Geology in = turbulence(world, any_turbulence(), quiet);
  const Geology rock = rock_body(world, &in, nullptr, p, quiet);
  const Vec3 at = any_point(world);
  double far = 1e30;
  for (const BodyPoint& point : p.points)
    far = std::min(far,
                   length(at - Vec3{world.origin.x + world.size.x / 2 + point.x.in(world),
                                    world.origin.y + world.size.y / 2 + point.y.in(world), point.elevation.in(world)}));
  if (far > 1.000001 * p.radius.in(world))
    RC_ASSERT(raw(rock, at) == raw(in, at));
  else if (p.resistance > 0)
    RC_ASSERT(raw(rock, at) >= raw(in, at));
}

RC_GTEST_PROP(RockBody, AddsAllOfItsResistanceOnItsSkeleton, ()) {
  const Frame world = any_world();
  RockBodyParams p = any_body();
  p.shape = BodyShape::curve;
  const Geology rock = rock_body(world, nullptr, nullptr, p, quiet);
  if (p.points.size() < 2) return;
  const auto i = *rc::gen::inRange<size_t>(1, p.points.size());
  const auto place = [&](const BodyPoint& q) {
    return Vec3{world.origin.x + world.size.x / 2 + q.x.in(world), world.origin.y + world.size.y / 2 + q.y.in(world),
                q.elevation.in(world)};
  };
  const Vec3 a = place(p.points[i - 1]), b = place(p.points[i]);
  const double t = *rc::gen::inRange(0, 11) / 10.0;
  RC_ASSERT(std::abs(raw(rock, a + (b - a) * t) - static_cast<float>(p.resistance)) < 1e-6f);
}

TEST(RockBody, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  const Geology in = turbulence(world, {}, quiet);
  const Lines lines({{"", {{1, 2, 3}, {4, 5, 6}}, false, {}}});
  using P = RockBodyParams;
  bool with = false, along = false;
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return rock_body(world, with ? &in : nullptr, along ? &lines : nullptr, p, quiet); },
      {[](P& p) { p.shape = BodyShape::curve; }, [](P& p) { p.points[0].x = metres(1); },
       [](P& p) { p.points[0].y = metres(1); }, [](P& p) { p.points[0].elevation = metres(1); },
       [](P& p) { p.points.pop_back(); }, [](P& p) { p.radius = metres(1); }, [](P& p) { p.resistance = 0.1; },
       [&](P&) { with = true; }, [&](P&) { along = true; }});
}

TEST(RockBody, RefusesWhatIsNoNumberByItsPlace) {
  const Frame world = make_world({1000, 1000}, 11);
  const auto refused = [&](auto change) {
    RockBodyParams p;
    change(p);
    return error_of([&] { rock_body(world, nullptr, nullptr, p, quiet); });
  };
  EXPECT_NE(refused([](auto& p) { p.points[1].y = metres(std::nan("")); }).find("points[1].y"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.radius = metres(0); }).find("radius"), std::string::npos);
  EXPECT_NE(refused([](auto& p) { p.resistance = INFINITY; }).find("resistance"), std::string::npos);
}

}  // namespace tepui::rock_body_test
