#include "tepui/geology/strata.h"

#include <cmath>

#include "reference/strata.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::strata_test {

namespace {

const Context quiet;

Frame any_world() {
  return make_world({*rc::gen::inRange(1, 9000) * 1.0, *rc::gen::inRange(1, 9000) * 1.0},
                    *rc::gen::inRange<int64_t>(1, 40), {*rc::gen::inRange(-500, 500) * 1.0, 12});
}

StrataParams any_strata() {
  StrataParams p;
  p.beds.clear();
  const int count = *rc::gen::inRange(1, 9);
  for (int i = 0; i < count; ++i)
    p.beds.push_back({*rc::gen::element<std::string>("shale", "chalk", "basalt"),
                      Length{*rc::gen::inRange(1, 4000) / 17.0, *rc::gen::arbitrary<bool>()},
                      *rc::gen::inRange(0, 101) / 100.0});
  p.elevation = metres(*rc::gen::inRange(-3000, 3000) / 3.0);
  p.order = *rc::gen::element(BedOrder::up, BedOrder::down);
  p.dip = {*rc::gen::inRange(0, 91) * 1.0};
  p.direction = {*rc::gen::inRange(-360, 361) * 1.0};
  return p;
}

Vec3 any_point() {
  return {*rc::gen::inRange(-99999, 99999) / 7.0, *rc::gen::inRange(-99999, 99999) / 7.0,
          *rc::gen::inRange(-99999, 99999) / 13.0};
}

/// How far a point is above the plane through the elevation.
double above(const Frame& world, const StrataParams& p, Vec3 at) {
  const double degree = std::acos(-1.0) / 180, dip = p.dip.degrees * degree, azimuth = p.direction.degrees * degree;
  const double along = (at.x - world.origin.x - world.size.x / 2) * std::sin(azimuth) +
                       (at.y - world.origin.y - world.size.y / 2) * std::cos(azimuth);
  return (at.z - p.elevation.in(world)) * std::cos(dip) + along * std::sin(dip);
}

/// Whether rounding could put the point into the next bed.
bool is_on_a_plane(const Frame& world, const StrataParams& p, Vec3 at) {
  double along = 0;
  for (const Bed& bed : p.beds) {
    along += bed.thickness.in(world);
    if (std::abs(std::abs(above(world, p, at)) - along) < 1e-6) return true;
  }
  return false;
}

}  // namespace

RC_GTEST_PROP(Strata, EqualTheReference, ()) {
  const Frame world = any_world();
  const StrataParams p = any_strata();
  const Geology rock = strata(world, p, quiet);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = any_point();
    if (!is_on_a_plane(world, p, at))
      RC_ASSERT(rock.resistance(at) == static_cast<float>(reference::strata(world, p, at)));
  }
}

RC_GTEST_PROP(Strata, ResistanceIsAlongThePlanes, ()) {
  const Frame world = any_world();
  StrataParams p = any_strata();
  p.dip.degrees = *rc::gen::inRange(0, 80) * 1.0;
  const Geology rock = strata(world, p, quiet);
  const Vec3 at = any_point(), far = any_point();
  // The point above or below `far` on the plane through `at`.
  Vec3 on = far;
  on.z += (above(world, p, at) - above(world, p, far)) / std::cos(p.dip.degrees * std::acos(-1.0) / 180);
  if (!is_on_a_plane(world, p, at)) RC_ASSERT(rock.resistance(at) == rock.resistance(on));
}

RC_GTEST_PROP(Strata, LevelBedsDoNotAskWhere, ()) {
  const Frame world = any_world();
  StrataParams p = any_strata();
  p.dip = {0};
  const Geology rock = strata(world, p, quiet);
  p.direction = {p.direction.degrees / 2 + 17};
  const Geology turned = strata(world, p, quiet);
  const Vec3 at = any_point();
  RC_ASSERT(rock.resistance(at) == turned.resistance({-at.y, at.x, at.z}));
}

RC_GTEST_PROP(Strata, DownwardsIsTheSameColumnFromTheOtherEnd, ()) {
  const Frame world = any_world();
  StrataParams up = any_strata();
  up.order = BedOrder::up;
  StrataParams down = up;
  down.order = BedOrder::down;
  std::reverse(down.beds.begin(), down.beds.end());
  double height = 0;
  for (const Bed& bed : up.beds) height += bed.thickness.in(world);
  up.dip = down.dip = {0};
  down.elevation = metres(up.elevation.in(world) + height);
  const Geology a = strata(world, up, quiet), b = strata(world, down, quiet);
  const Vec3 at = any_point();
  if (!is_on_a_plane(world, up, at)) RC_ASSERT(a.resistance(at) == b.resistance(at));
}

TEST(Strata, ABedHoldsItsFloorAndTheLastGoesOn) {
  StrataParams p;
  p.beds = {{"shale", metres(10), 0.25}, {"chalk", metres(20), 0.5}, {"basalt", metres(5), 0.75}};
  p.elevation = metres(100);
  const Frame world = make_world({1000, 1000}, 11);
  const Geology up = strata(world, p, quiet);
  for (const auto& [z, rho] : {std::pair{-1e6, 0.25f},
                               {99.0, 0.25f},
                               {109.999, 0.25f},
                               {110.0, 0.5f},
                               {129.999, 0.5f},
                               {130.0, 0.75f},
                               {134.0, 0.75f},
                               {1e6, 0.75f}})
    EXPECT_EQ(up.resistance({3, 4, z}), rho) << z;
  p.order = BedOrder::down;
  const Geology down = strata(world, p, quiet);
  for (const auto& [z, rho] :
       {std::pair{1e6, 0.25f}, {90.0, 0.25f}, {89.999, 0.5f}, {70.0, 0.5f}, {69.999, 0.75f}, {-1e6, 0.75f}})
    EXPECT_EQ(down.resistance({3, 4, z}), rho) << z;
}

TEST(Strata, BedsSinkWhereTheyDipTo) {
  StrataParams p;
  p.beds = {{"soft", metres(50), 0}, {"hard", metres(50), 1}};
  p.dip = {45};
  p.direction = {90};
  const Geology rock = strata(make_world({1000, 1000}, 11), p, quiet);
  // The plane between them is 50 m from the one through the middle at height 0.
  EXPECT_EQ(rock.resistance({500, 0, 50 * std::sqrt(2) - 1}), 0);
  EXPECT_EQ(rock.resistance({500, 0, 50 * std::sqrt(2) + 1}), 1);
  EXPECT_EQ(rock.resistance({900, 0, -300}), 1);
  EXPECT_EQ(rock.resistance({100, 0, 300}), 0);
}

TEST(Strata, NameTheirRocksOnce) {
  StrataParams p;
  p.beds = {{"shale", metres(10), 0.25}, {"chalk", metres(20), 0.5}, {"shale", metres(5), 0.25}};
  const Geology rock = strata(make_world({1000, 1000}, 11), p, quiet);
  const std::vector<NamedRock> names = rock.root().names();
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[1].name, "chalk");
  const double x[] = {0, 0, 0}, y[] = {0, 0, 0}, z[] = {5, 15, 35};
  int32_t which[3];
  rock.root().rocks({x, y, z, 3}, which);
  EXPECT_EQ(which[0], 0);
  EXPECT_EQ(which[1], 1);
  EXPECT_EQ(which[2], 0);
  EXPECT_EQ(rock.root().levels().low, 0);
  EXPECT_EQ(rock.root().levels().high, 30);
}

TEST(Strata, BedsOfNoThicknessAreRefusedByTheirPlace) {
  StrataParams p;
  p.beds = {{"shale", metres(10), 0.25}, {"chalk", percent(0), 0.5}};
  const Frame world = make_world({1000, 1000}, 11);
  EXPECT_NE(test::error_of([&] { strata(world, p, quiet); }).find("'beds[1].thickness' must be above 0"),
            std::string::npos);
  p.beds.clear();
  EXPECT_NE(test::error_of([&] { strata(world, p, quiet); }).find("no beds"), std::string::npos);
}

TEST(Strata, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  const StrataParams p;
  const auto hash = [&](auto change) {
    StrataParams other = p;
    change(other);
    return strata(world, other, quiet).hash();
  };
  const Hash same = hash([](StrataParams&) {});
  EXPECT_EQ(same, strata(make_world({1000, 1000}, 501), p, quiet).hash());
  EXPECT_NE(same, hash([](StrataParams& q) { q.beds[2].rock = "slate"; }));
  EXPECT_NE(same, hash([](StrataParams& q) { q.beds[2].thickness = percent(7); }));
  EXPECT_NE(same, hash([](StrataParams& q) { q.beds[2].resistance = 0.9; }));
  EXPECT_NE(same, hash([](StrataParams& q) { q.elevation = metres(1); }));
  EXPECT_NE(same, hash([](StrataParams& q) { q.order = BedOrder::down; }));
  EXPECT_NE(same, hash([](StrataParams& q) { q.dip = {1}; }));
  EXPECT_NE(hash([](StrataParams& q) { q.dip = {1}; }), hash([](StrataParams& q) { q.dip = {1}, q.direction = {0}; }));
}

TEST(Strata, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(300, 200, 4);
  StrataParams p;
  p.dip = {12};
  test::expect_same_bits([&] { return cells_hash(surface_resistance(strata(land.frame(), p, quiet), land, quiet)); });
}

}  // namespace tepui::strata_test
