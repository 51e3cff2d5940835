#include "tepui/geology/fault.h"

#include "tests/geology/any_rock.h"
#include "tests/support/beds.h"

namespace tepui::fault_test {

using namespace test;

namespace {

Vec3 thrown(const Frame& world, const FaultParams& p) {
  return {p.throw_x.in(world), p.throw_y.in(world), p.throw_z.in(world)};
}

/// Where rounding does not decide on which side a point lies.
bool is_clear(double inside) { return std::abs(inside) > 1e-9; }

}  // namespace

RC_GTEST_PROP(Fault, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const FaultParams p = any_fault();
  const Twins in = any_ramp(world), with = any_ramp(world);
  const bool two = *rc::gen::arbitrary<bool>();
  const Geology rock = fault(world, in.rock, two ? &with.rock : nullptr, p, quiet);
  const auto plain = reference::fault(world, in.plain, two ? with.plain : nullptr, p);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = any_point(world);
    if (is_clear(reference::inside_fault(world, p, at)))
      RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < 1e-5);
  }
}

RC_GTEST_PROP(Fault, IsTheOldRockOutsideAndTheMovedRockInsideToTheBit, ()) {
  const Frame world = any_world();
  const FaultParams p = any_fault();
  const Geology in = any_rock(world, 2);
  const Geology rock = fault(world, in, nullptr, p, quiet);
  for (int i = 0; i < 10; ++i) {
    const Vec3 at = any_point(world);
    const double inside = reference::inside_fault(world, p, at);
    if (is_clear(inside)) RC_ASSERT(raw(rock, at) == raw(in, inside > 0 ? at - thrown(world, p) : at));
  }
}

/// Of rock that changes by at most K a metre, a faulted one does, too, from any point to any other on the same side.
RC_GTEST_PROP(Fault, IsDiscontinuousOnlyOnItsBoundary, ()) {
  const Frame world = any_world();
  const FaultParams p = any_fault();
  const Geology in(std::make_shared<const Ramp>(world, Vec3{1, -1, 0.5}));
  const Geology rock = fault(world, in, nullptr, p, quiet);
  const double steepest = 1.5 / world.shorter_side();
  for (int i = 0; i < 20; ++i) {
    const Vec3 a = any_point(world), b = any_point(world);
    const double side_a = reference::inside_fault(world, p, a), side_b = reference::inside_fault(world, p, b);
    if (!is_clear(side_a) || !is_clear(side_b) || (side_a > 0) != (side_b > 0)) continue;
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, a) - raw(rock, b))) <= steepest * length(a - b) + 1e-5);
  }
}

TEST(Fault, ItsPlaneBelongsToTheRockThatStays) {
  const Frame world = make_world({1000, 1000}, 11);
  FaultParams p;
  p.dip = {90};
  p.throw_z = metres(100);
  const Geology rock = fault(world, sample_rock(), nullptr, p, quiet);
  EXPECT_EQ(rock.resistance({500, 3, 25}), 0.2f);
  EXPECT_EQ(rock.resistance({500.001, 3, 25}), 0.95f);
  EXPECT_EQ(rock.resistance({500.001, 3, 125}), 0.2f);
}

TEST(Fault, TheHangingWallIsMoved) {
  const Frame world = make_world({1000, 1000}, 11);
  FaultParams p;
  p.dip = {45};
  p.direction = {90};
  p.throw_z = metres(-30);
  const Geology rock = fault(world, sample_rock(), nullptr, p, quiet);
  // The plane falls to the east: what lies above it has sunk.
  EXPECT_EQ(rock.resistance({480, 0, 40}), 0.6f);
  EXPECT_EQ(rock.resistance({440, 0, 40}), 0.2f);
  p.shape = FaultShape::box;
  p.width = metres(100);
  const Geology graben = fault(world, sample_rock(), nullptr, p, quiet);
  EXPECT_EQ(graben.resistance({500, 0, 40}), 0.6f);
  EXPECT_EQ(graben.resistance({449, 0, 40}), 0.2f);
  EXPECT_EQ(graben.resistance({551, 0, 40}), 0.2f);
}

TEST(Fault, SeparatesTwoRocksAndKeepsTheirNames) {
  const Frame world = make_world({1000, 1000}, 11);
  FaultParams p;
  p.dip = {90};
  p.throw_z = metres(0);
  const Geology other(
      std::make_shared<const Beds>(std::vector<NamedRock>{{"basalt", 0.8f}, {"shale", 0.2f}, {"tuff", 0.1f}}, 10));
  const Geology rock = fault(world, sample_rock(), &other, p, quiet);
  std::vector<std::string> names;
  for (const NamedRock& named : rock.root().names()) names.push_back(named.name);
  EXPECT_EQ(names, (std::vector<std::string>{"granite", "shale", "sandstone", "basalt", "tuff"}));
  const double x[] = {499, 501, 499, 501, 501}, y[5] = {}, z[] = {-5, -5, 5, 5, 15};
  int32_t which[5];
  rock.root().rocks({x, y, z, 5}, which);
  EXPECT_EQ(std::vector<int32_t>(which, which + 5), (std::vector<int32_t>{0, 3, 1, 1, 4}));
}

TEST(Fault, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  using P = FaultParams;
  Geology in = sample_rock();
  const Geology other;
  bool with = false;
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return fault(world, in, with ? &other : nullptr, p, quiet); },
      {[](P& p) { p.shape = FaultShape::box; }, [](P& p) { p.throw_x = metres(1); },
       [](P& p) { p.throw_y = metres(1); }, [](P& p) { p.throw_z = metres(1); }, [](P& p) { p.dip = {3}; },
       [](P& p) { p.direction = {3}; }, [](P& p) { p.x = metres(1); }, [](P& p) { p.y = metres(1); },
       [](P& p) { p.elevation = metres(1); }, [](P& p) { p.width = metres(1); }, [](P& p) { p.length = metres(1); },
       [](P& p) { p.height = metres(1); }, [&](P&) { with = true; }, [&](P&) { in = other; }});
}

TEST(Fault, RefusesWhatIsNoNumber) {
  FaultParams p;
  p.throw_x = metres(std::nan(""));
  EXPECT_NE(error_of([&] {
              fault(make_world({100, 100}, 3), Geology(), nullptr, p, quiet);
            }).find("throw_x"),
            std::string::npos);
}

}  // namespace tepui::fault_test
