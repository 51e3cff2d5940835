#include <algorithm>
#include <cmath>

#include "reference/volume.h"
#include "tepui/volume/primitives.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

// Heaps of many shapes that are not plain points.

namespace tepui::shapes_test {

namespace {

constexpr double threshold = 7.5;

/// A walk of many points, some of them twice; closed or not.
std::vector<Vec3> any_walk(test::Dice& dice, Vec3 offset) {
  std::vector<Vec3> points{offset + dice.place()};
  const int count = 1 + dice.below(150);
  for (int i = 0; i < count; ++i) {
    points.push_back(points.back() + Vec3{dice.real(-6, 6), dice.real(-6, 6), dice.real(-3, 3)});
    if (dice.below(5) == 0) points.push_back(points.back());
  }
  if (dice.coin()) points.push_back(points.front());
  return points;
}

Primitive any_shape(test::Dice& dice, Vec3 offset) {
  Primitive p;
  p.shape = static_cast<PrimitiveShape>(dice.below(8));
  p.skeleton = {offset + dice.place()};
  if (p.shape == PrimitiveShape::segment || p.shape == PrimitiveShape::cone || p.shape == PrimitiveShape::cylinder)
    p.skeleton.push_back(p.skeleton[0] + Vec3{dice.real(-20, 20), dice.real(-20, 20), dice.real(1, 9)});
  if (p.shape == PrimitiveShape::curve) p.skeleton = any_walk(dice, offset);
  p.radius = dice.real(0, 8);
  p.end_radius = dice.real(0, 8);
  p.half = {dice.real(1, 9), dice.real(1, 9), dice.real(1, 9)};
  p.turn = dice.real(-3, 3);
  p.falloff = dice.real(1, 12);
  p.energy = dice.real(-20, 20);
  if (dice.coin()) {
    p.noise = p.falloff * dice.real(0, 0.9);
    p.noise_scale = dice.real(2, 20);
    p.noise_key = static_cast<uint64_t>(dice.below(1000));
  }
  return p;
}

std::vector<Primitive> any_shapes(test::Dice& dice, int most, Vec3 offset) {
  std::vector<Primitive> all;
  const int count = dice.below(most);
  for (int i = 0; i < count; ++i) all.push_back(any_shape(dice, offset));
  return all;
}

Vec3 any_offset(test::Dice& dice) { return dice.coin() ? Vec3{} : Vec3{812345.5, -77e4, 3210}; }

/// How far a field may be from the twin's.
double bound(const std::vector<Primitive>& all) {
  double sum = 1e-5;
  for (const Primitive& p : all)
    sum += primitive_quantum + std::abs(p.energy) * (4e-6 + 1.8 * 0x1p-13 / (p.falloff - p.noise));
  return sum;
}

/// Places of a batch: a brick, or scattered over all.
struct Places {
  std::vector<double> axes[3], x, y, z;
  FieldLattice lattice;
  bool is_brick;

  Places(test::Dice& dice, Vec3 offset) : is_brick(dice.coin()) {
    if (is_brick) {
      const double cell = dice.coin() ? dice.real(0.1, 3) : dice.real(3, 40);
      const Vec3 low = offset + dice.place();
      const int sides[] = {1 + dice.below(9), 1 + dice.below(8), 1 + dice.below(7)};
      const double from[] = {low.x, low.y, low.z};
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < sides[a]; ++i) axes[a].push_back(from[a] + i * cell);
      for (const double c : axes[2])
        for (const double b : axes[1])
          for (const double a : axes[0]) push({a, b, c});
      lattice = {axes[0].data(), axes[1].data(), axes[2].data(), sides[0], sides[1], sides[2]};
    } else {
      const int count = 1 + dice.below(512);
      for (int i = 0; i < count; ++i) push(offset + dice.place());
    }
  }
  void push(Vec3 at) { x.push_back(at.x), y.push_back(at.y), z.push_back(at.z); }
  size_t count() const { return x.size(); }
  Vec3 at(size_t i) const { return {x[i], y[i], z[i]}; }
  FieldPoints points() const {
    const auto n = static_cast<int64_t>(count());
    return {
        x.data(), y.data(), z.data(), n, box_around(x.data(), y.data(), z.data(), n), is_brick ? &lattice : nullptr};
  }
};

struct Sums {
  std::vector<double> f, dx, dy, dz;
  explicit Sums(size_t count) : f(count), dx(count), dy(count), dz(count) {}
  friend bool operator==(const Sums&, const Sums&) = default;
  void add(const Primitives& heap, const FieldPoints& at) {
    heap.add_gradients(at, f.data(), dx.data(), dy.data(), dz.data());
  }
};

std::vector<double> values(const Primitives& heap, const FieldPoints& at) {
  std::vector<double> sums(static_cast<size_t>(at.count));
  heap.add(at, sums.data());
  return sums;
}

/// Around a circle in plan, `radius` in metres.
Primitive ring(double radius, int points) {
  Primitive p;
  p.shape = PrimitiveShape::curve;
  for (int i = 0; i <= points; ++i) {
    const double turn = 2 * std::acos(-1.0) * (i % points) / points;
    p.skeleton.push_back({radius * std::cos(turn), radius * std::sin(turn), 0});
  }
  p.falloff = 5;
  p.energy = 15;
  return p;
}

}  // namespace

RC_GTEST_PROP(Shapes, ManyEqualTheReference, ()) {
  test::Dice dice;
  const Vec3 offset = any_offset(dice);
  const std::vector<Primitive> all = any_shapes(dice, 60, offset);
  const reference::StrokedLand plain(nullptr, all, 0);
  const Primitives heap(all);
  const Places places(dice, offset);
  const std::vector<double> sums = values(heap, places.points());
  const size_t every = std::max<size_t>(places.count() / 20, 1);
  for (size_t i = 0; i < places.count(); i += every)
    RC_ASSERT(std::abs(sums[i] * primitive_quantum - plain.value(places.at(i))) < bound(all));
}

RC_GTEST_PROP(Shapes, AHeapIsTheSumOfItsShapesToTheBit, ()) {
  test::Dice dice;
  const Vec3 offset = any_offset(dice);
  const std::vector<Primitive> all = any_shapes(dice, 120, offset);
  const Primitives heap(all);
  const Places places(dice, offset);
  Sums together(places.count()), one_by_one(places.count());
  together.add(heap, places.points());
  for (const Primitive& p : all) one_by_one.add(Primitives({p}), places.points());
  RC_ASSERT(together == one_by_one);
  RC_ASSERT(together.f == values(heap, places.points()));
}

RC_GTEST_PROP(Shapes, HaveTheSameBitsInBatchesAndAlone, ()) {
  test::Dice dice;
  const Vec3 offset = any_offset(dice);
  const Primitives heap(any_shapes(dice, 80, offset));
  const Places places(dice, offset);
  Sums together(places.count());
  together.add(heap, places.points());
  RC_ASSERT(together.f == values(heap, places.points()));
  for (size_t i = 0; i < places.count(); i += 7) {
    const Vec3 at = places.at(i);
    const FieldPoints point{&at.x, &at.y, &at.z, 1, {at, at}};
    Sums alone(1);
    alone.add(heap, point);
    RC_ASSERT(values(heap, point)[0] == together.f[i]);
    RC_ASSERT(alone.f[0] == together.f[i] && alone.dx[0] == together.dx[i]);
    RC_ASSERT(alone.dy[0] == together.dy[i] && alone.dz[0] == together.dz[i]);
  }
}

RC_GTEST_PROP(Shapes, ManyStayWithinTheRangeTheyTell, ()) {
  test::Dice dice;
  const Vec3 offset = any_offset(dice);
  const SolidPointer solid = blended({}, any_shapes(dice, 40, offset), threshold);
  const Places places(dice, offset);
  const FieldPoints points = places.points();
  std::vector<float> v(places.count());
  solid->values(points, v.data());
  const FieldRange range = solid->range(points.box);
  const double far = Box3::far;
  const FieldRange all = solid->range({{-far, -far, -far}, {far, far, far}});
  for (const float value : v) {
    RC_ASSERT(value >= range.low && value <= range.high);
    RC_ASSERT(value >= all.low && value <= all.high);
  }
  for (size_t i = 0; i + 1 < v.size(); i += 9) {
    const FieldRange few = solid->range(Box3{}.with(places.at(i)).with(places.at(i + 1)));
    for (const float value : {v[i], v[i + 1]}) RC_ASSERT(value >= few.low && value <= few.high);
  }
}

RC_GTEST_PROP(Shapes, AreNothingOutsideTheBoxesOfTheirSketch, ()) {
  test::Dice dice;
  const Vec3 offset = any_offset(dice);
  const std::vector<Primitive> all = any_shapes(dice, 12, offset);
  const SolidPointer solid = blended({}, all, threshold);
  const SurfaceSketch sketch = solid->sketch();
  RC_ASSERT(sketch.boxes.size() >= all.size());
  const Box3 support = solid->support();
  for (const Box3& box : sketch.boxes) RC_ASSERT(!box.empty() && box.within(support) == box);
  const reference::StrokedLand plain(nullptr, all, 0);
  const Places places(dice, offset);
  std::vector<float> v(places.count());
  solid->values(places.points(), v.data());
  for (size_t i = 0; i < v.size(); ++i) {
    const auto holds = [&](const Box3& box) { return box.holds(places.at(i)); };
    if (std::ranges::any_of(sketch.boxes, holds)) continue;
    RC_ASSERT(v[i] == -7.5f);
    RC_ASSERT(plain.value(places.at(i)) == 0);
  }
}

TEST(Shapes, ALongCurveHasANarrowSketch) {
  const SolidPointer solid = blended({}, {ring(300, 2000)}, threshold);
  const SurfaceSketch sketch = solid->sketch();
  double sum = 0;
  for (const Box3& box : sketch.boxes) {
    const Vec3 size = box.high - box.low;
    sum += size.x * size.y * size.z;
  }
  const Vec3 whole = solid->support().high - solid->support().low;
  EXPECT_LT(sum, 0.25 * whole.x * whole.y * whole.z);
  // No more boxes than help: many short pieces share one.
  EXPECT_LT(sketch.boxes.size(), 600u);
}

TEST(Shapes, NothingIsToldBetweenThePiecesOfACurve) {
  const SolidPointer solid = blended({}, {ring(300, 2000)}, threshold);
  const FieldRange within = solid->range({{-200, -200, -5}, {200, 200, 5}});
  EXPECT_EQ(within.low, -7.5f);
  EXPECT_EQ(within.high, -7.5f);
  // Beside it, a long and narrow box: the field reaches no farther than half its falloff allows.
  const FieldRange beside = solid->range({{302.5, -200, -1}, {303, 200, 1}});
  EXPECT_LT(beside.high, 15 * 0.43f - 7.5f);
}

TEST(Shapes, WhatTheyTakeIsCounted) {
  const size_t few = Primitives({ring(300, 20)}).bytes(), many = Primitives({ring(300, 20000)}).bytes();
  EXPECT_GT(many, few + 20000 * sizeof(Vec3));
  EXPECT_LT(many, few + 20000 * 4 * sizeof(Vec3));
  std::vector<Primitive> spheres(1000);
  for (size_t i = 0; i < spheres.size(); ++i) {
    spheres[i].shape = PrimitiveShape::sphere;
    spheres[i].skeleton = {{static_cast<double>(i), 0, 0}};
  }
  EXPECT_GT(Primitives(spheres).bytes(), 1000 * (sizeof(ShapeRecord) + sizeof(Box3)));
}

}  // namespace tepui::shapes_test
