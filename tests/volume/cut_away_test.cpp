#include "tepui/volume/cut_away.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tepui/volume/volume.h"
#include "tests/support/balls.h"
#include "tests/volume/any_volume.h"

namespace tepui::cut_away_test {
namespace {

constexpr double t = Volume::usual_threshold;

Vec3 any_point(double reach) {
  const auto number = [&] { return *rc::gen::inRange(-1000, 1000) * 1e-3 * reach; };
  const double x = number(), y = number();
  return {x, y, number()};
}

CutAway any_cut() {
  CutAway cut;
  const int planes = *rc::gen::inRange(0, 3);
  for (int i = 0; i < planes; ++i) {
    const double a = *rc::gen::inRange(0, 628) * 0.01;
    cut.planes.push_back({any_point(8), {std::sin(a), std::cos(a), 0}});
  }
  if (*rc::gen::arbitrary<bool>()) cut.box.low.x = *rc::gen::inRange(-9, 0);
  if (*rc::gen::arbitrary<bool>()) cut.box.high.y = *rc::gen::inRange(0, 9);
  return cut;
}

RC_GTEST_PROP(CutAway, KeepsTheRockOnItsSideAndNothingElse, ()) {
  const SolidPointer ball = test::ball_solid({0, 0, 0}, 10, t);
  const CutAway cut = any_cut();
  const Volume whole(ball, t), part(cut_away(ball, t, cut, 0.5), t);
  const Vec3 p = any_point(14);
  const double d = cut.distance(p);
  RC_ASSERT(part.inside(p) == (whole.inside(p) && d > 0));
  // Only a face of the cut can be nearer than the surface was.
  RC_ASSERT(part.value(p) <= whole.value(p));
  if (d > t) RC_ASSERT(part.value(p) == whole.value(p));
  if (!part.support().holds(p)) RC_ASSERT(part.value(p) == static_cast<float>(-t));
}

RC_GTEST_PROP(CutAway, HasNoFieldOutsideItsSupport, ()) {
  const double energy = *rc::gen::element(-20.0, 20.0);
  const Volume part(cut_away(test::ball({0, 0, 0}, 10, energy), t, any_cut(), 0.5), t);
  for (int i = 0; i < 20; ++i)
    if (const Vec3 p = any_point(30); !part.support().holds(p)) RC_ASSERT(part.value(p) == static_cast<float>(-t));
  // Where a corner is cut off, far from all faces.
  CutAway corner;
  corner.box.low = {9, 9, 9};
  const Volume carved(cut_away(test::ball({0, 0, 0}, 10, energy), t, corner, 0.5), t);
  const Vec3 inner = any_point(5);
  if (!carved.support().holds(inner)) RC_ASSERT(carved.value(inner) == static_cast<float>(-t));
}

RC_GTEST_PROP(CutAway, RangesHoldWhatLiesInTheirBox, ()) {
  const CutAway cut = any_cut();
  const Volume part(cut_away(test::ball_solid({1, 2, 3}, 9, t), t, cut, 0.5), t);
  const Vec3 a = any_point(12), b = any_point(12);
  const Box3 box = Box3{a, a}.with(b);
  const FieldRange range = part.root().range(box);
  for (int i = 0; i < 20; ++i) {
    const Vec3 u = any_point(0.5) + Vec3{0.5, 0.5, 0.5};
    const Vec3 p{box.low.x + u.x * (box.high.x - box.low.x), box.low.y + u.y * (box.high.y - box.low.y),
                 box.low.z + u.z * (box.high.z - box.low.z)};
    RC_ASSERT(part.value(p) >= range.low && part.value(p) <= range.high);
  }
}

TEST(CutAway, FacesPointOutOfTheRock) {
  CutAway cut;
  cut.planes = {{{0, 0, 0}, {0, 1, 0}}};
  const Volume half(cut_away(test::ball_solid({0, 0, 0}, 10, t), t, cut, 0.5), t);
  EXPECT_TRUE(half.inside({0, 1, 0}));
  EXPECT_FALSE(half.inside({0, -1, 0}));
  EXPECT_FLOAT_EQ(half.value({0, 0.25, 0}), 0.25f);
  EXPECT_EQ(half.gradient({0, 0.25, 0}), (Vec3{0, 1, 0}));
  EXPECT_EQ(cut.outwards({3, 0, 2}), (Vec3{0, -1, 0}));
  cut.box.high.x = 4;
  EXPECT_EQ(cut.outwards({3.9, 5, 0}), (Vec3{1, 0, 0}));
  EXPECT_NE(half.hash(), Volume(test::ball_solid({0, 0, 0}, 10, t), t).hash());
}

TEST(CutAway, TwoPlanesTakeAWedge) {
  CutAway cut;
  cut.planes = {{{0, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  const Volume part(cut_away(test::ball_solid({0, 0, 0}, 10, t), t, cut, 0.5), t);
  EXPECT_FALSE(part.inside({-2, -2, 0}));
  for (const Vec3 p : {Vec3{2, 2, 0}, Vec3{-2, 2, 0}, Vec3{2, -2, 0}}) EXPECT_TRUE(part.inside(p));
}

/// What the sketch promises: the sign of h - z within the ground and outside of the boxes.
RC_GTEST_PROP(CutAway, SketchTellsWhereTheSurfaceIs, ()) {
  const SolidPointer land = test::sloping_land({{-20, -20, -10}, {20, 20, 10}}, 0.1, t);
  CutAway cut = any_cut();
  const Volume part(cut_away(land, t, cut, 0.5), t);
  const SurfaceSketch sketch = part.root().sketch();
  RC_ASSERT(sketch.sheet != nullptr);
  const Vec3 p = any_point(9);
  for (const Box3& box : sketch.boxes)
    if (box.holds(p)) return;
  double h = 0;
  sketch.sheet->heights(&p.x, &p.y, 1, &h);
  if (h - p.z != 0) RC_ASSERT(part.inside(p) == (h - p.z > 0));
}

}  // namespace
}  // namespace tepui::cut_away_test
