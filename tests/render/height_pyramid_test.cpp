#include "tepui/render/height_pyramid.h"

#include <algorithm>
#include <cmath>

#include "tests/support/support.h"

namespace tepui {

namespace {

/// Walks in small steps and then halves the interval in which the ray went under.
std::optional<double> walk(const HeightPyramid& land, Vec3 o, Vec3 d, double to, int steps) {
  const auto over = [&](double t) { return o.z + t * d.z - land.height_at(o.x + t * d.x, o.y + t * d.y); };
  double before = 0;
  if (over(0) <= 0) return 0;
  for (int i = 1; i <= steps; ++i) {
    const double t = to * i / steps;
    if (over(t) <= 0) {
      double low = before, high = t;
      for (int k = 0; k < 60; ++k) (over(0.5 * (low + high)) <= 0 ? high : low) = 0.5 * (low + high);
      return high;
    }
    before = t;
  }
  return std::nullopt;
}

}  // namespace

RC_GTEST_PROP(HeightPyramid, HitsWhereAWalkInSmallStepsHits, ()) {
  const auto w = *rc::gen::inRange<int64_t>(2, 50), h = *rc::gen::inRange<int64_t>(2, 50);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>(), 1, {0, 20});
  const HeightPyramid pyramid(land.height().clone(), Context());
  const auto share = [] { return *rc::gen::inRange(0, 1001) / 1000.0; };
  // From one point of the box to another, so that the whole ray is over the grid.
  const Vec3 from{share() * static_cast<double>(w - 1), share() * static_cast<double>(h - 1), 25 * share()};
  const Vec3 to{share() * static_cast<double>(w - 1), share() * static_cast<double>(h - 1), 25 * share() - 2};
  const Vec3 d{to.x - from.x, to.y - from.y, to.z - from.z};
  const auto found = pyramid.hit(from, d, 0, 1), expected = walk(pyramid, from, d, 1, 4000);
  if (expected) {
    RC_ASSERT(found.has_value());
    // The walk may step over a grazed crest, never the other way round.
    RC_ASSERT(*found <= *expected + 1e-9);
  }
  if (found) {
    const double over = from.z + *found * d.z - pyramid.height_at(from.x + *found * d.x, from.y + *found * d.y);
    RC_ASSERT(over < 1e-6);
    if (*found > 0) RC_ASSERT(over > -1e-6);
  }
}

TEST(HeightPyramid, SeesLevelGroundFromAboveAnywhere) {
  const HeightPyramid flat(Grid<float>(37, 18, 5.0f), Context());
  for (const double x : {0.0, 0.5, 17.0, 36.0})
    for (const double y : {0.0, 3.25, 17.0}) {
      const auto t = flat.hit({x, y, 9}, {0, 0, -2}, 0, 100);
      ASSERT_TRUE(t.has_value());
      EXPECT_DOUBLE_EQ(*t, 2);
    }
  EXPECT_FALSE(flat.hit({0, 0, 9}, {1, 0.4, 0}, 0, 36).has_value());
  EXPECT_FALSE(flat.hit({20, 9, 9}, {0, 0, 1}, 0, 100).has_value());
}

}  // namespace tepui
