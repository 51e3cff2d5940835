// The relief of walls, and the boxes that meshes for the camera inside are made of.
#include "tepui/render/picture/wall_relief.h"

#include <rapidcheck/gtest.h>

#include "tepui/mesh/checks.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/volume/boxed_solid.h"
#include "tests/support/balls.h"
#include "tests/support/beds.h"
#include "tests/support/support.h"

namespace tepui::wall_relief_test {
namespace {

constexpr double t = Volume::usual_threshold;

Mesh ball_mesh(double cell) {
  PolygonizeParams how;
  how.cell = metres(cell);
  how.resistance = how.strata = false;
  how.colours = PolygonizeColours::none;
  return polygonize_volume(Volume(test::ball_solid({40, -20, 7}, 6, t), t), how, {});
}

double coordinate(double low, double high) { return low + (high - low) * *rc::gen::inRange(0, 100000) / 100000.0; }

}  // namespace

RC_GTEST_PROP(WallRelief, StaysWithinItsBoundAndIsSmooth, ()) {
  const Vec3 at{coordinate(-500, 500), coordinate(-500, 500), coordinate(-100, 100)};
  const float resistance = static_cast<float>(coordinate(0, 1));
  const double smallest = coordinate(0.05, 1);
  const double here = relief_at({at, resistance}, smallest);
  RC_ASSERT(std::abs(here) <= 0.6);
  const double step = 0.02 * smallest, there = relief_at({at + Vec3{0, 0, step}, resistance}, smallest);
  // No steeper than a mesh of such cells can show.
  RC_ASSERT(std::abs(there - here) < 6 * step);
}

TEST(WallRelief, KeepsTrianglesAndLevelGround) {
  const Mesh plain = ball_mesh(0.4), rough = with_relief(plain, {.cell = 0.4}, {});
  ASSERT_EQ(plain.positions().size(), rough.positions().size());
  EXPECT_TRUE(std::ranges::equal(plain.triangles(), rough.triangles()));
  double most = 0;
  for (size_t i = 0; i < plain.positions().size(); ++i) {
    const double moved = length(to_vec(plain.positions()[i]) - to_vec(rough.positions()[i]));
    if (plain.normals()[i][2] > 0.9f) {
      EXPECT_EQ(moved, 0);
    }
    EXPECT_LE(moved, 0.601);
    most = std::max(most, moved);
  }
  EXPECT_GT(most, 0.05);
  // Cells too large for it leave the surface as it is but for the broadest roughness.
  const Mesh coarse = ball_mesh(3), same = with_relief(coarse, {.cell = 30}, {});
  for (size_t i = 0; i < coarse.positions().size(); ++i)
    EXPECT_LT(length(to_vec(coarse.positions()[i]) - to_vec(same.positions()[i])), 0.25);
}

TEST(WallRelief, SameBitsForAnyThreads) {
  const Mesh plain = ball_mesh(0.3);
  const Geology rock = test::sample_rock();
  test::expect_same_bits([&] { return with_relief(plain, {.rock = &rock, .cell = 0.3}, {}).hash(); });
}

RC_GTEST_PROP(BoxedSolid, PartsTheRockAtTheBox, ()) {
  const SolidPointer ball = test::ball_solid({0, 0, 0}, 10, t);
  const Vec3 low{coordinate(-12, 0), coordinate(-12, 0), coordinate(-12, 0)};
  const Box3 box{low, low + Vec3{coordinate(2, 14), coordinate(2, 14), coordinate(2, 14)}};
  const double edge = coordinate(0.1, 4);
  const Volume inside(boxed(ball, t, box, BoxedPart::inside, edge), t),
      outside(boxed(ball, t, box, BoxedPart::outside, edge), t), whole(ball, t);
  const Vec3 p{coordinate(-13, 13), coordinate(-13, 13), coordinate(-13, 13)};
  const bool within =
      p.x > box.low.x && p.y > box.low.y && p.z > box.low.z && p.x < box.high.x && p.y < box.high.y && p.z < box.high.z;
  RC_ASSERT(inside.inside(p) == (whole.inside(p) && within));
  RC_ASSERT(outside.inside(p) == (whole.inside(p) && !within));
  const Box3 around = Box3{p, p}.grown(coordinate(0.1, 3));
  for (const Volume* part : {&inside, &outside}) {
    const FieldRange range = part->root().range(around);
    RC_ASSERT(range.low <= part->value(p) && part->value(p) <= range.high);
    if (part->value(p) > -static_cast<float>(t)) RC_ASSERT(part->support().holds(p));
  }
}

}  // namespace tepui::wall_relief_test
