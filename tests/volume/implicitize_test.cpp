#include "tepui/volume/implicitize.h"

#include <algorithm>
#include <cmath>

#include "reference/volume.h"
#include "tepui/core/random.h"
#include "tepui/geology/strata.h"
#include "tests/support/support.h"
#include "tests/volume/any_primitive.h"

namespace tepui::implicitize_test {

namespace {

const Context quiet;

Terrain any_land() {
  return test::sample_land(*rc::gen::inRange<int64_t>(1, 30), *rc::gen::inRange<int64_t>(1, 30),
                           *rc::gen::arbitrary<uint64_t>(), *rc::gen::element(10.0, 0.7, 120.0),
                           {*rc::gen::inRange(-50, 50) * 1.0, 80});
}

ImplicitizeParams any_params() {
  ImplicitizeParams p;
  p.threshold = *rc::gen::inRange(1, 200) * 0.1;
  p.radius = p.threshold * (*rc::gen::inRange(1, 31) * 0.1);
  p.floor = metres(*rc::gen::inRange(0, 80) * 0.5);
  p.falloff = metres(*rc::gen::inRange(1, 100) * 0.2);
  return p;
}

/// A place of the land's rectangle and a little beyond.
Vec2 any_place(const Frame& f, double beyond) {
  const double w = f.x(f.width - 1) - f.x(0), h = f.y(f.height - 1) - f.y(0);
  return {f.x(0) - beyond + (w + 2 * beyond) * (*rc::gen::inRange(0, 10001) * 1e-4),
          f.y(0) - beyond + (h + 2 * beyond) * (*rc::gen::inRange(0, 10001) * 1e-4)};
}

/// Three to eight corners around the middle.
std::vector<PlanCorner> any_polygon(const Frame& f) {
  std::vector<PlanCorner> corners;
  const int count = *rc::gen::inRange(3, 9);
  const double w = f.cell.x * static_cast<double>(std::max<int64_t>(f.width - 1, 1)),
               h = f.cell.y * static_cast<double>(std::max<int64_t>(f.height - 1, 1));
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * 3.14159265 * i / count, r = *rc::gen::inRange(100, 500) * 0.001;
    corners.push_back({metres(w * (0.5 + r * std::cos(angle))), metres(h * (0.5 + r * std::sin(angle)))});
  }
  return corners;
}

Terrain any_mask(const Frame& frame) {
  const Stream random(*rc::gen::arbitrary<uint64_t>());
  Grid<float> cells(frame.width, frame.height);
  for (int64_t i = 0; i < cells.size(); ++i)
    cells.data()[i] = static_cast<float>(random.uniform(static_cast<uint64_t>(i)));
  cells(frame.width / 2, frame.height / 2) = 1;
  return Terrain(frame, {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
}

/// Land over its rectangle, a polygon or a mask.
struct AnySolid {
  Terrain land = any_land();
  ImplicitizeParams params = any_params();
  std::optional<Terrain> mask;
  Volume volume;

  AnySolid() {
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 1) params.polygon = any_polygon(land.frame());
    // A single sample under a mask is no region: that is refused.
    if (kind == 2 && land.frame().width * land.frame().height > 1) mask = any_mask(land.frame());
    volume = implicitize(land, mask ? &*mask : nullptr, nullptr, params, quiet);
  }
  reference::LandField plain() const { return {land, mask ? &*mask : nullptr, params}; }
  double falloff() const { return params.falloff.in(land.frame()); }
};

}  // namespace

RC_GTEST_PROP(Implicitize, TheSurfaceIsTheLand, ()) {
  const Terrain land = any_land();
  const ImplicitizeParams p = any_params();
  const Volume volume = implicitize(land, nullptr, nullptr, p, quiet);
  const reference::LandField plain(land, nullptr, p);
  const Frame& f = land.frame();
  for (int i = 0; i < 20; ++i) {
    const int64_t x = *rc::gen::inRange<int64_t>(0, f.width), y = *rc::gen::inRange<int64_t>(0, f.height);
    const double h = static_cast<double>(land.height()(x, y));
    RC_ASSERT(std::abs(volume.value({f.x(x), f.y(y), h})) < 1e-6f);
    const Vec2 at = any_place(f, 0);
    const double between = plain.height(at.x, at.y);
    // Between samples land may dip below the lowest of them, and there below a floor that is no deeper.
    if (between >= plain.floor()) RC_ASSERT(std::abs(volume.value({at.x, at.y, between})) < 1e-6f);
    const double off = *rc::gen::inRange(1, 2000) * 0.01;
    RC_ASSERT(volume.value({at.x, at.y, between + off}) < 0);
    if (between - off > plain.floor()) RC_ASSERT(volume.value({at.x, at.y, between - off}) > 0);
  }
}

RC_GTEST_PROP(Implicitize, EqualsTheReferenceAndStaysBetweenNothingAndTwiceTheThreshold, ()) {
  const AnySolid any;
  const reference::LandField plain = any.plain();
  const Box3 support = any.volume.support();
  for (int i = 0; i < 30; ++i) {
    const Vec2 plan = any_place(any.land.frame(), 1.2 * any.falloff());
    const Vec3 at{plan.x, plan.y, plain.floor() - 25 + *rc::gen::inRange(0, 2400) * 0.1};
    const float v = any.volume.value(at);
    const auto t = static_cast<float>(any.params.threshold);
    RC_ASSERT(v >= -t && v <= t);
    RC_ASSERT(std::abs(static_cast<double>(v) - plain.value(at)) <
              1e-5 * any.params.threshold * (1 + 1 / any.falloff() + 1 / any.params.radius));
    if (!support.holds(at)) RC_ASSERT(v == -t);
  }
}

RC_GTEST_PROP(Implicitize, HasTheSameBitsInBricksBatchesAndAlone, ()) {
  const AnySolid any;
  const Vec2 plan = any_place(any.land.frame(), any.falloff());
  const test::AnyBrick brick({plan.x, plan.y, any.plain().floor() + 30}, *rc::gen::element(1.0, 20.0));
  const Solid& solid = any.volume.root();
  const size_t n = brick.count();
  std::vector<float> in_brick(n), in_batch(n), with_slope(n), dx(n), dy(n), dz(n);
  solid.values(brick.brick(), in_brick.data());
  solid.values(brick.points(), in_batch.data());
  solid.gradients(brick.points(), with_slope.data(), dx.data(), dy.data(), dz.data());
  RC_ASSERT(in_brick == in_batch);
  RC_ASSERT(in_brick == with_slope);
  const FieldRange range = solid.range(brick.points().box);
  for (size_t i = 0; i < n; ++i) {
    RC_ASSERT(any.volume.value(brick.at(i)) == in_brick[i]);
    RC_ASSERT(in_brick[i] >= range.low && in_brick[i] <= range.high);
  }
}

RC_GTEST_PROP(Implicitize, SlopesAsItsDifferencesDo, ()) {
  const AnySolid any;
  const reference::LandField plain = any.plain();
  const Vec2 plan = any_place(any.land.frame(), 0.8 * any.falloff());
  const Vec3 at{plan.x, plan.y, plain.height(plan.x, plan.y) + *rc::gen::inRange(-300, 200) * 0.1};
  const Vec3 gradient = any.volume.gradient(at);
  const double h = 1e-5, slope[] = {gradient.x, gradient.y, gradient.z};
  for (int k = 0; k < 3; ++k) {
    const Vec3 step{k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
    const double ahead = (plain.value(at + step) - plain.value(at)) / h,
                 behind = (plain.value(at) - plain.value(at - step)) / h;
    const double scale = 1e-3 * (1 + std::abs(ahead));
    if (std::abs(ahead - behind) < scale) RC_ASSERT(std::abs(slope[k] - 0.5 * (ahead + behind)) < 4 * scale);
  }
}

RC_GTEST_PROP(Implicitize, ItsSketchTellsTheSign, ()) {
  const AnySolid any;
  const SurfaceSketch sketch = any.volume.root().sketch();
  RC_ASSERT(sketch.sheet != nullptr);
  RC_ASSERT(sketch.boxes.empty() == (any.params.polygon.empty() && !any.mask));
  for (int i = 0; i < 40; ++i) {
    const Vec2 plan = any_place(any.land.frame(), 1.2 * any.falloff());
    const Vec3 at{plan.x, plan.y, any.plain().floor() - 5 + *rc::gen::inRange(0, 2000) * 0.1};
    const auto holds = [&](const Box3& box) { return box.holds(at); };
    if (!sketch.ground.holds(at) || std::ranges::any_of(sketch.boxes, holds)) continue;
    double h = 0;
    sketch.sheet->heights(&at.x, &at.y, 1, &h);
    RC_ASSERT((any.volume.value(at) > 0) == (h > at.z));
  }
}

TEST(Implicitize, WallsAndFloorStandOutsideOfTheRegion) {
  ImplicitizeParams p;
  p.floor = metres(50);
  p.falloff = metres(10);
  const Terrain land = test::sample_land(20, 20, 3, 10, {100, 101});
  const Volume volume = implicitize(land, nullptr, nullptr, p, quiet);
  const double wall = 190 + 4.54;
  EXPECT_TRUE(volume.inside({wall - 0.02, 95, 80}));
  EXPECT_FALSE(volume.inside({wall + 0.02, 95, 80}));
  const auto down = volume.cast({95, 95, 80}, {0, 0, -1}, 200, 1);
  ASSERT_TRUE(down);
  double lowest = 1e9;
  for (const float h : land.height().cells()) lowest = std::min(lowest, static_cast<double>(h));
  EXPECT_NEAR(80 - *down, lowest - 50 - 4.54, 0.02);
}

TEST(Implicitize, RaysFindTheLandThatSamplesTell) {
  const Terrain land = test::sample_land(40, 30, 8, 10, {0, 200});
  ImplicitizeParams p;
  p.falloff = metres(2);
  const Volume volume = implicitize(land, nullptr, nullptr, p, quiet);
  const Frame& f = land.frame();
  for (int64_t y = 0; y < 30; y += 7)
    for (int64_t x = 0; x < 40; x += 7) {
      const auto hit = volume.cast({f.x(x), f.y(y), 5000}, {0, 0, -1}, 6000, 0.5);
      ASSERT_TRUE(hit);
      EXPECT_NEAR(5000 - *hit, static_cast<double>(land.height()(x, y)), 1e-3);
    }
  EXPECT_FALSE(volume.cast({0, 0, 5000}, {0, 0, 1}, 1e6, 1));
}

TEST(Implicitize, LandOfOneSampleIsANeedle) {
  Grid<float> one(1, 1, 12.0f);
  const Terrain land(make_world({100, 100}, 1), {0, 20}, std::move(one));
  ImplicitizeParams p;
  p.falloff = metres(4);
  const Volume volume = implicitize(land, nullptr, nullptr, p, quiet);
  EXPECT_EQ(volume.value({0, 0, 12}), 0.0f);
  EXPECT_TRUE(volume.inside({0, 0, 11}));
  EXPECT_TRUE(volume.inside({1.8, 0, 11}));
  EXPECT_FALSE(volume.inside({1.83, 0, 11}));
}

TEST(Implicitize, KeepsItsRockAndItsThreshold) {
  const Terrain land = test::sample_land(5, 5, 1);
  const Geology rock = strata(land.frame(), {}, quiet);
  ImplicitizeParams p;
  p.threshold = 5;
  p.radius = 10;
  const Volume volume = implicitize(land, nullptr, &rock, p, quiet);
  EXPECT_EQ(volume.rock().hash(), rock.hash());
  EXPECT_EQ(volume.threshold(), 5);
  EXPECT_EQ(volume.value({20, 20, 5000}), -5.0f);
}

TEST(Implicitize, RefusesWhatWouldNotRise) {
  const Terrain land = test::sample_land(5, 5, 1);
  ImplicitizeParams p;
  p.radius = 23;
  EXPECT_NE(test::error_of([&] { implicitize(land, nullptr, nullptr, p, quiet); }).find("22.5"), std::string::npos);
  p = {};
  p.falloff = metres(0);
  EXPECT_NE(test::error_of([&] { implicitize(land, nullptr, nullptr, p, quiet); }).find("falloff"), std::string::npos);
  p = {};
  p.polygon = {{metres(0), metres(0)}, {metres(10), metres(0)}};
  EXPECT_NE(test::error_of([&] { implicitize(land, nullptr, nullptr, p, quiet); }).find("2 corners"),
            std::string::npos);
  Grid<float> none(5, 5, 0.0f);
  const Terrain mask = Terrain(land.frame(), {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(none)));
  EXPECT_NE(test::error_of([&] { implicitize(land, &mask, nullptr, {}, quiet); }).find("is empty"), std::string::npos);
  EXPECT_NE(test::error_of([&] {
              p.polygon.push_back({metres(10), metres(10)});
              implicitize(land, &mask, nullptr, p, quiet);
            }).find("two regions"),
            std::string::npos);
}

TEST(Implicitize, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(60, 50, 4);
  ImplicitizeParams p;
  p.polygon = {{metres(50), metres(40)}, {metres(500), metres(80)}, {metres(300), metres(450)}};
  const Volume volume = implicitize(land, nullptr, nullptr, p, quiet);
  const Stream random(3);
  std::vector<double> x, y, z;
  for (uint64_t i = 0; i < 4000; ++i) {
    x.push_back(random.uniform(i, 0, -20, 620));
    y.push_back(random.uniform(i, 1, -20, 520));
    z.push_back(random.uniform(i, 2, 0, 520));
  }
  test::expect_same_bits([&] {
    std::vector<float> v(x.size());
    volume.values(x, y, z, v, quiet);
    return hash_bytes(v.data(), v.size() * sizeof(float));
  });
}

TEST(Implicitize, EveryNumberEntersTheHash) {
  const Terrain land = test::sample_land(8, 8, 1);
  const auto hash = [&](auto change) {
    ImplicitizeParams p;
    p.polygon = {{metres(5), metres(4)}, {metres(50), metres(8)}, {metres(30), metres(45)}};
    change(p);
    return implicitize(land, nullptr, nullptr, p, quiet).hash();
  };
  const Hash same = hash([](ImplicitizeParams&) {});
  EXPECT_EQ(same, hash([](ImplicitizeParams&) {}));
  EXPECT_NE(same, hash([](ImplicitizeParams& p) { p.threshold = 8; }));
  EXPECT_NE(same, hash([](ImplicitizeParams& p) { p.radius = 14; }));
  EXPECT_NE(same, hash([](ImplicitizeParams& p) { p.floor = metres(3); }));
  EXPECT_NE(same, hash([](ImplicitizeParams& p) { p.falloff = metres(3); }));
  EXPECT_NE(same, hash([](ImplicitizeParams& p) { p.polygon[1].y = metres(3); }));
  EXPECT_NE(same, implicitize(test::sample_land(8, 8, 2), nullptr, nullptr, {}, quiet).hash());
}

}  // namespace tepui::implicitize_test
