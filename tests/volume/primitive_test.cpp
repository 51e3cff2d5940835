#include "tepui/volume/primitive.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/volume.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tests/support/support.h"
#include "tests/volume/any_primitive.h"

namespace tepui::primitive_test {

namespace {

constexpr double threshold = 7.5;

Primitive point_at(Vec3 at, double falloff, double energy) {
  Primitive p;
  p.skeleton = {at};
  p.falloff = falloff;
  p.energy = energy;
  return p;
}

std::vector<Primitive> many_points(size_t count, double side, uint64_t key) {
  const Stream random(key);
  std::vector<Primitive> all;
  for (uint64_t i = 0; i < count; ++i)
    all.push_back(point_at({random.uniform(i, 0, 0, side), random.uniform(i, 1, 0, side), random.uniform(i, 2, 0, 60)},
                           random.uniform(i, 3, 2, 9), random.uniform(i, 4, -15, 9)));
  return all;
}

/// How far a field may be from the twin's: rounding of the sum's terms, of places, and of single precision.
double bound(const std::vector<Primitive>& primitives) {
  double sum = 1e-5;
  for (const Primitive& p : primitives)
    sum += primitive_quantum + std::abs(p.energy) * (4e-6 + 1.8 * 0x1p-13 / (p.falloff - p.noise));
  return sum;
}

float value_alone(const Solid& solid, Vec3 p) {
  float v = 0;
  solid.values({&p.x, &p.y, &p.z, 1, {p, p}}, &v);
  return v;
}

}  // namespace

TEST(Primitives, OneStrokeIsItsOwnFalloff) {
  const Volume volume(blended({}, {point_at({10, 20, 30}, 8, 15)}, threshold), threshold);
  EXPECT_EQ(volume.value({10, 20, 30}), 7.5f);
  EXPECT_NEAR(volume.value({14, 20, 30}), 15 * 0.421875 - 7.5, 1e-4);
  EXPECT_EQ(volume.value({18, 20, 30}), -7.5f);
  EXPECT_NEAR(volume.gradient({14, 20, 30}).x, -15 * 6 * 0.5625 * 4 / 64, 1e-4);
}

RC_GTEST_PROP(Primitives, AreCountedHoweverTheyCameTogether, ()) {
  SolidPointer solid = empty_solid(threshold);
  int64_t count = 0;
  RC_ASSERT(primitives_in(*solid) == 0);
  for (const int more : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40))) {
    solid = with_primitives(solid, many_points(static_cast<size_t>(more), 50, 3), threshold);
    count += more;
    RC_ASSERT(primitives_in(*solid) == count);
  }
  RC_ASSERT(primitives_in(*blended({solid, solid}, {}, threshold)) == 2 * count);
}

RC_GTEST_PROP(Primitives, EqualTheReference, ()) {
  const Vec3 offset = *rc::gen::element(Vec3{}, Vec3{812345.5, -77e4, 3210});
  const std::vector<Primitive> all = test::any_primitives(12, offset);
  const reference::StrokedLand plain(nullptr, all, threshold);
  const SolidPointer solid = blended({}, all, threshold);
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = offset + test::any_place();
    const double expected = plain.value(at);
    RC_ASSERT(std::abs(static_cast<double>(value_alone(*solid, at)) - expected) <
              bound(all) + std::abs(expected) * 1e-6);
  }
}

RC_GTEST_PROP(Primitives, AreNothingOutsideTheirBoxes, ()) {
  const Primitive p = test::any_primitive();
  const SolidPointer solid = blended({}, {p}, threshold);
  const Box3 box = primitive_box(p);
  RC_ASSERT(box.grown(1e-3).meets(solid->support()));
  for (int i = 0; i < 60; ++i) {
    const Vec3 at = test::any_place(2);
    if (!box.holds(at)) RC_ASSERT(reference::primitive_field(p, at) == 0);
    if (!box.grown(1e-3).holds(at)) RC_ASSERT(value_alone(*solid, at) == -7.5f);
  }
}

RC_GTEST_PROP(Primitives, SlopeAsTheirDifferencesDo, ()) {
  Primitive p = test::any_primitive();
  p.noise = 0;
  const SolidPointer solid = blended({}, {p}, threshold);
  const Vec3 at = p.skeleton[0] + test::any_place(0.3);
  float v = 0, d[3] = {};
  solid->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, d, d + 1, d + 2);
  RC_ASSERT(v == value_alone(*solid, at));
  const double h = 1e-4;
  const auto field = [&](Vec3 q) { return reference::primitive_field(p, q); };
  for (int k = 0; k < 3; ++k) {
    const Vec3 step{k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
    const double ahead = (field(at + step) - field(at)) / h, behind = (field(at) - field(at - step)) / h;
    const double scale = 1e-2 * (1 + std::abs(p.energy) / p.falloff);
    // Nearest to two parts of a curve at once: a crease.
    if (std::abs(ahead - behind) > scale) continue;
    RC_ASSERT(std::abs(static_cast<double>(d[k]) - 0.5 * (ahead + behind)) < scale);
  }
}

RC_GTEST_PROP(Primitives, RuggedOnesSlopeAsTheirDifferencesDo, ()) {
  Primitive p = test::any_primitive(*rc::gen::element(Vec3{}, Vec3{8e4, -7e4, 3e3}));
  p.noise = p.falloff * test::any_number(1, 60, 0.01);
  p.noise_scale = p.falloff * test::any_number(2, 30, 0.1);
  const SolidPointer solid = blended({}, {p}, threshold);
  double finest = std::min(p.noise_scale, p.falloff);
  // Lumps of flat ellipsoids are drawn out upon a larger one and narrower themselves.
  const double flat = std::min({p.half.x, p.half.y, p.half.z});
  if (p.shape == PrimitiveShape::ellipsoid) finest *= flat / (flat + p.falloff);
  const double h = 0x1p-11 * finest;
  const auto field = [&](Vec3 q) { return reference::primitive_field(p, q); };
  for (int i = 0; i < 10; ++i) {
    const Vec3 at = p.skeleton.back() + test::any_place(0.02) * p.falloff;
    float v = 0, d[3] = {};
    solid->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, d, d + 1, d + 2);
    RC_ASSERT(v == value_alone(*solid, at));
    const double scale = 1e-4 + 0.06 * std::abs(p.energy) * (1 / p.falloff + p.noise / p.falloff / finest);
    for (int k = 0; k < 3; ++k) {
      const Vec3 step{k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
      const double ahead = (field(at + step) - field(at)) / h, behind = (field(at) - field(at - step)) / h;
      // A crease; the gradient's own differences may fall short of it by as much.
      if (std::abs(ahead - behind) > 0.3 * scale) continue;
      RC_ASSERT(std::abs(static_cast<double>(d[k]) - 0.5 * (ahead + behind)) < scale);
    }
  }
}

RC_GTEST_PROP(Primitives, HaveTheSameBitsInBricksBatchesAndAlone, ()) {
  const Vec3 offset = *rc::gen::element(Vec3{}, Vec3{4e5, 7e6, -3e3});
  const SolidPointer solid = blended({}, test::any_primitives(30, offset), threshold);
  const test::AnyBrick brick(offset, *rc::gen::element(1.0, 0.05, 800.0));
  std::vector<float> in_brick(brick.count()), in_batch(brick.count()), with_slope(brick.count()), dx(brick.count()),
      dy(brick.count()), dz(brick.count());
  solid->values(brick.brick(), in_brick.data());
  solid->values(brick.points(), in_batch.data());
  solid->gradients(brick.points(), with_slope.data(), dx.data(), dy.data(), dz.data());
  for (size_t i = 0; i < brick.count(); ++i) {
    const Vec3 at = brick.at(i);
    RC_ASSERT(in_brick[i] == in_batch[i]);
    RC_ASSERT(in_brick[i] == with_slope[i]);
    RC_ASSERT(in_brick[i] == value_alone(*solid, at));
    float v = 0, d[3] = {};
    solid->gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &v, d, d + 1, d + 2);
    RC_ASSERT(d[0] == dx[i] && d[1] == dy[i] && d[2] == dz[i]);
  }
}

RC_GTEST_PROP(Primitives, AreTheSameHoweverTheyAreGrouped, ()) {
  // Points next to each other, and some that lie too far from the others for one heap.
  std::vector<Primitive> all = test::any_primitives(25);
  for (const Primitive& p : test::any_primitives(5, {3e5, 0, 0})) all.push_back(p);
  for (const Primitive& p : test::any_primitives(3, {0, -5e8, 0})) all.push_back(p);
  const SolidPointer at_once = blended({}, all, threshold);
  SolidPointer one_by_one = empty_solid(threshold);
  std::vector<SolidPointer> parts;
  for (const Primitive& p : all) {
    one_by_one = parts.empty() ? blended({}, {p}, threshold) : with_primitives(one_by_one, {p}, threshold);
    parts.push_back(blended({}, {p}, threshold));
  }
  const SolidPointer together = blended(parts, {}, threshold);
  const auto hash_of = [](const SolidPointer& solid) { return Volume(solid, threshold).hash(); };
  RC_ASSERT(hash_of(at_once) == hash_of(one_by_one));
  for (const Vec3 offset : {Vec3{}, Vec3{3e5, 0, 0}, Vec3{0, -5e8, 0}}) {
    const test::AnyBrick brick(offset);
    std::vector<float> a(brick.count()), b(brick.count()), c(brick.count()), gx(brick.count()), hx(brick.count()),
        y(brick.count()), z(brick.count());
    at_once->gradients(brick.points(), a.data(), gx.data(), y.data(), z.data());
    one_by_one->gradients(brick.points(), b.data(), hx.data(), y.data(), z.data());
    RC_ASSERT(a == b);
    RC_ASSERT(gx == hx);
    together->values(brick.brick(), c.data());
    RC_ASSERT(a == c);
  }
}

RC_GTEST_PROP(Primitives, StayWithinTheRangeTheyTell, ()) {
  const std::vector<Primitive> all = test::any_primitives(20);
  const SolidPointer solid = blended({}, all, threshold);
  const test::AnyBrick brick;
  const FieldPoints points = brick.brick();
  const FieldRange range = solid->range(points.box);
  std::vector<float> v(brick.count());
  solid->values(points, v.data());
  for (const float value : v) RC_ASSERT(value >= range.low && value <= range.high);
}

RC_GTEST_PROP(Primitives, AreRockOnlyWithinTheBoxesOfTheirSketch, ()) {
  const std::vector<Primitive> all = test::any_primitives(10);
  const SolidPointer solid = blended({}, all, threshold);
  const SurfaceSketch sketch = solid->sketch();
  RC_ASSERT(sketch.boxes.size() >= all.size());
  for (int i = 0; i < 50; ++i) {
    const Vec3 at = test::any_place();
    const auto holds = [&](const Box3& box) { return box.holds(at); };
    if (std::ranges::none_of(sketch.boxes, holds)) RC_ASSERT(value_alone(*solid, at) < 0);
  }
}

TEST(Primitives, ManyStayWithinTheRangeTheyTell) {
  const SolidPointer solid = blended({}, many_points(5000, 200, 3), threshold);
  const Stream random(9);
  for (uint64_t i = 0; i < 300; ++i) {
    const Vec3 low{random.uniform(i, 0, -20, 200), random.uniform(i, 1, -20, 200), random.uniform(i, 2, -20, 70)};
    const double side = random.uniform(i, 3, 0, 60);
    const Vec3 at = low + Vec3{random.uniform(i, 4), random.uniform(i, 5), random.uniform(i, 6)} * side;
    const FieldRange range = solid->range({low, low + Vec3{side, side, side}});
    const float v = value_alone(*solid, at);
    EXPECT_LE(range.low, v);
    EXPECT_GE(range.high, v);
  }
  const FieldRange far = solid->range({{1e4, 0, 0}, {2e4, 10, 10}});
  EXPECT_EQ(far.low, -7.5f);
  EXPECT_EQ(far.high, -7.5f);
}

TEST(Primitives, TakeFewBytes) {
  const SolidPointer solid = blended({}, many_points(20000, 2000, 1), threshold);
  EXPECT_LE(static_cast<double>(solid->bytes()) / 20000, 25.0);
}

TEST(Primitives, AThousandStrokesOneByOneMakeTheSameFieldAndFewHeaps) {
  const std::vector<Primitive> all = many_points(1000, 100, 2);
  SolidPointer one_by_one = blended({}, {all[0]}, threshold);
  for (size_t i = 1; i < all.size(); ++i) one_by_one = with_primitives(one_by_one, {all[i]}, threshold);
  const SolidPointer at_once = blended({}, all, threshold);
  EXPECT_TRUE(one_by_one->children().empty());
  // Heaps of their own would take hundreds of bytes each.
  EXPECT_LT(static_cast<double>(one_by_one->bytes()), 1.5 * static_cast<double>(at_once->bytes()));
  const Stream random(4);
  for (uint64_t i = 0; i < 500; ++i) {
    const Vec3 at{random.uniform(i, 0, 0, 100), random.uniform(i, 1, 0, 100), random.uniform(i, 2, 0, 60)};
    EXPECT_EQ(value_alone(*one_by_one, at), value_alone(*at_once, at));
  }
}

TEST(Primitives, StrongOnesOnOneSpotAddUpExactly) {
  std::vector<Primitive> all(3000, point_at({1, 2, 3}, 5, 126.5));
  all.push_back(point_at({1, 2, 3}, 5, 3e5));
  const Volume volume(blended({}, all, threshold), threshold);
  EXPECT_EQ(volume.value({1, 2, 3}), static_cast<float>(3000 * 126.5 + 3e5 - 7.5));
}

TEST(Primitives, SameBitsOnAnyMachine) {
  const std::vector<Primitive> all = many_points(3000, 150, 5);
  const SolidPointer solid = blended({}, all, threshold);
  const Volume volume(solid, threshold);
  const Stream random(6);
  std::vector<double> x, y, z;
  for (uint64_t i = 0; i < 5000; ++i) {
    x.push_back(random.uniform(i, 0, -10, 160));
    y.push_back(random.uniform(i, 1, -10, 160));
    z.push_back(random.uniform(i, 2, -10, 70));
  }
  test::expect_same_bits([&] {
    std::vector<float> v(x.size()), g(x.size() * 3);
    volume.values(x, y, z, v, Context());
    double ax[8], ay[8], az[8];
    for (int i = 0; i < 8; ++i) ax[i] = 20 + 1.5 * i, ay[i] = 30 + 1.5 * i, az[i] = 10 + 1.5 * i;
    std::vector<double> bx, by, bz;
    for (const double c : az)
      for (const double b : ay)
        for (const double a : ax) bx.push_back(a), by.push_back(b), bz.push_back(c);
    const FieldLattice lattice{ax, ay, az, 8, 8, 8};
    std::vector<float> brick(512), slopes(3 * 512);
    FieldPoints points{bx.data(), by.data(), bz.data(), 512, box_around(bx.data(), by.data(), bz.data(), 512)};
    solid->gradients(points, brick.data(), slopes.data(), slopes.data() + 512, slopes.data() + 1024);
    Hasher hasher;
    hasher.add(hash_bytes(brick.data(), 512 * 4)).add(hash_bytes(slopes.data(), 3 * 512 * 4));
    points.lattice = &lattice;
    solid->values(points, brick.data());
    hasher.add(hash_bytes(brick.data(), 512 * 4)).add(hash_bytes(v.data(), v.size() * 4));
    hasher.add(static_cast<double>(volume.value({40, 40, 20})));
    return hasher.finish();
  });
}

TEST(Primitives, WhatIsNoShapeIsRefusedByItsPlace) {
  const auto refusal = [](auto change) {
    Primitive p = point_at({0, 0, 0}, 1, 1);
    change(p);
    return test::error_of([&] { blended({}, {point_at({1, 1, 1}, 1, 1), p}, threshold); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto names = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find("primitive 1"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  names(refusal([&](Primitive& p) { p.skeleton[0].y = nan; }), "not finite");
  names(refusal([&](Primitive& p) { p.skeleton.clear(); }), "0 points");
  names(refusal([&](Primitive& p) { p.shape = PrimitiveShape::segment; }), "1 point");
  names(refusal([&](Primitive& p) { p.falloff = 0; }), "'falloff'");
  names(refusal([&](Primitive& p) { p.falloff = nan; }), "'falloff'");
  names(refusal([&](Primitive& p) { p.energy = nan; }), "'energy'");
  names(refusal([&](Primitive& p) { p.noise = 1; }), "noise");
  names(refusal([&](Primitive& p) { p.noise = nan; }), "'noise'");
  names(refusal([&](Primitive& p) { p.shape = PrimitiveShape::sphere, p.radius = -1; }), "'radius'");
  names(refusal([&](Primitive& p) { p.shape = PrimitiveShape::ellipsoid, p.half = {1, 0, 1}; }), "'half'");
  names(refusal([&](Primitive& p) { p.shape = PrimitiveShape::cone, p.skeleton = {{1, 1, 1}, {1, 1, 1}}; }), "length");
}

TEST(Primitives, NoneMakeNothing) {
  const SolidPointer nothing = blended({}, {}, threshold);
  EXPECT_TRUE(nothing->support().empty());
  EXPECT_EQ(value_alone(*nothing, {1, 2, 3}), -7.5f);
  const SolidPointer something = blended({}, {point_at({0, 0, 0}, 4, 12)}, threshold);
  EXPECT_EQ(value_alone(*blended({something, nothing}, {}, threshold), {1, 0, 0}), value_alone(*something, {1, 0, 0}));
  EXPECT_EQ(blended({something}, {}, threshold)->bytes(), something->bytes());
}

namespace {

std::vector<FieldPoint> as_points(const std::vector<Primitive>& primitives) {
  std::vector<FieldPoint> points;
  for (const Primitive& p : primitives) points.push_back({p.skeleton.front(), p.falloff, p.energy});
  return points;
}

Hash hash_of(const SolidPointer& solid) {
  Hasher hasher;
  solid->hash(hasher);
  return hasher.finish();
}

}  // namespace

RC_GTEST_PROP(FieldPoints, MakeTheHeapThatTheSamePrimitivesMake, ()) {
  const int more = *rc::gen::inRange(0, 2000);
  std::vector<Primitive> all = many_points(static_cast<size_t>(more), *rc::gen::element(0.0, 30.0, 4000.0), 9);
  // Some that do not fit into a heap: too wide, too strong, too far; and two zeros.
  if (*rc::gen::arbitrary<bool>()) all.push_back(point_at({-0.0, 0, 5}, 5000, 3));
  if (*rc::gen::arbitrary<bool>()) all.push_back(point_at({1, 2, -0.0}, 5, -130));
  if (*rc::gen::arbitrary<bool>()) all.push_back(point_at({1, 2e8, 3}, 5, -0.0));
  const std::vector<FieldPoint> points = as_points(all);
  const SolidPointer base =
      *rc::gen::arbitrary<bool>() ? empty_solid(threshold) : blended({}, many_points(50, 30, 4), threshold);
  const SolidPointer a = with_primitives(base, all, threshold), b = with_points(base, points, threshold);
  RC_ASSERT(hash_of(a) == hash_of(b));
  RC_ASSERT(primitives_in(*a) == primitives_in(*b));
  RC_ASSERT(a->support() == b->support());
  RC_ASSERT(a->bytes() == b->bytes());
  const Stream random(11);
  for (uint64_t i = 0; i < 60; ++i) {
    const Vec3 near = all.empty() ? Vec3{} : all[random.bits(i) % all.size()].skeleton.front();
    const Vec3 at = near + Vec3{random.uniform(i, 1, -5, 5), random.uniform(i, 2, -5, 5), random.uniform(i, 3, -5, 5)};
    RC_ASSERT(value_alone(*a, at) == value_alone(*b, at));
    const Box3 box = Box3{at, at}.grown(random.uniform(i, 4, 0, 20));
    RC_ASSERT(a->range(box).low == b->range(box).low);
    RC_ASSERT(a->range(box).high == b->range(box).high);
  }
}

TEST(FieldPoints, AreTheSameForAnyNumberOfThreads) {
  const std::vector<FieldPoint> points = as_points(many_points(40'000, 700, 5));
  test::expect_same_bits([&] {
    const SolidPointer solid = with_points(empty_solid(threshold), points, threshold);
    Hasher hasher;
    for (const FieldPoint& p : std::span(points).first(200)) hasher.add(static_cast<double>(value_alone(*solid, p.at)));
    const FieldRange range = solid->range({{100, 100, 0}, {400, 400, 60}});
    hasher.add(static_cast<double>(range.low)).add(static_cast<double>(range.high));
    return hasher.add(hash_of(solid)).finish();
  });
}

TEST(FieldPoints, TakeAtMost32BytesEach) {
  const std::vector<FieldPoint> points = as_points(many_points(20'000, 700, 5));
  EXPECT_LT(with_points(empty_solid(threshold), points, threshold)->bytes(), 32 * points.size());
}

TEST(FieldPoints, AreRefusedAsPrimitivesAre) {
  for (const Primitive& wrong : {point_at({0, NAN, 0}, 1, 1), point_at({}, 0, 1), point_at({}, 1, 1e7)}) {
    const std::vector<Primitive> all{point_at({}, 1, 1), wrong};
    const std::string text = test::error_of([&] { with_primitives(empty_solid(threshold), all, threshold); });
    EXPECT_EQ(test::error_of([&] { with_points(empty_solid(threshold), as_points(all), threshold); }), text);
  }
}

}  // namespace tepui::primitive_test
