#include "tepui/planet/region.h"

#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/planet/sphere_mesh.h"
#include "tests/support/support.h"

namespace tepui::region_test {

namespace {

Vec3 any_direction(const Stream& stream, uint64_t draw) {
  const double z = stream.uniform(draw, 0, -1, 1), turn = stream.uniform(draw, 1, 0, 2 * math::pi);
  const double flat = std::sqrt(1 - z * z);
  return normalised({flat * math::cos(turn), flat * math::sin(turn), z});
}

/// `metres` away at the Earth's size, in a direction.
Vec3 beside(Vec3 place, double metres, double angle) {
  const LocalAxes axes = local_axes(place);
  const Vec3 way = axes.east * math::cos(angle) + axes.north * math::sin(angle);
  return normalised(place + way * math::tan(std::min(metres / earth_radius, 1.5)));
}

}  // namespace

// Wherever the camera stands, also where sides of the cube meet on which its place settles.
TEST(ViewRegion, WithSlackSplitsAllThatMustBe) {
  const Stream stream(3);
  int64_t must = 0;
  for (uint64_t draw = 0; draw < 3000; ++draw) {
    ViewSpec exact{.direction = any_direction(stream, draw), .altitude = math::exp(stream.uniform(draw, 2, 0, 15))};
    if (draw % 3 == 1) exact.direction = normalised({1, draw % 2 == 0 ? 1.0 : -0.9999, stream.uniform(draw, 3, -1, 1)});
    exact.slack = 0;
    ViewSpec slack = exact;
    slack.slack = stream.uniform(draw, 4, 0.01, 0.3);
    const ViewRegion needed(exact), given(slack);
    for (int level = 6; level < exact.deepest; ++level) {
      const double far = stream.uniform(draw, 10 + static_cast<uint64_t>(level), 0, 1.1) * edge_of_level(level) *
                         earth_radius / exact.detail;
      const Vec3 middle = beside(exact.direction, far, stream.uniform(draw, 40 + static_cast<uint64_t>(level), 0, 6.3));
      if (!needed.splits(level, middle)) continue;
      ++must;
      EXPECT_TRUE(given.splits(level, middle)) << draw << ' ' << level;
    }
  }
  EXPECT_GT(must, 1000);
}

// Steps of a tenth of the slack leave most of what is split as it was.
TEST(ViewRegion, ChangesSeldomAsTheCameraMoves) {
  const Stream stream(4);
  int64_t changed = 0, all = 0;
  for (uint64_t draw = 0; draw < 500; ++draw) {
    ViewSpec spec{.direction = any_direction(stream, draw), .altitude = 2};
    const double reach = edge_of_level(15) * earth_radius / spec.detail;
    const auto before = ViewRegion(spec).numbers(15);
    spec.direction = beside(spec.direction, 0.1 * spec.slack * reach, stream.uniform(draw, 5, 0, 6.3));
    changed += ViewRegion(spec).numbers(15) != before ? 1 : 0;
    ++all;
  }
  EXPECT_LT(changed, all / 8);
  EXPECT_GT(changed, 0);
}

}  // namespace tepui::region_test
