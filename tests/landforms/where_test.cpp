#include "tepui/landforms/where.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tepui/core/random.h"
#include "tepui/terrain/lines_builder.h"
#include "tepui/volume/implicitize.h"
#include "tests/support/support.h"

namespace tepui::where_test {

namespace {

const Frame world = make_world({100, 100}, 21);

Volume flat() { return implicitize(Terrain(world, {0, 1}, Grid<float>(21, 21, 0)), nullptr, nullptr, {}, Context()); }

Terrain mask_of(const std::function<float(int64_t, int64_t)>& at, const Frame& frame = world) {
  Grid<float> cells(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) cells(x, y) = at(x, y);
  return Terrain(frame, {0, 1}, Grid<float>(frame.width, frame.height, 0))
      .with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
}

Lines square(double low, double high) {
  return Lines({{"", {{low, low, 0}, {high, low, 0}, {high, high, 0}, {low, high, 0}}, true, {}}});
}

}  // namespace

TEST(Where, IsEverywhereByDefault) {
  const Volume in = flat();
  const Where where({}, world, in, nullptr, nullptr);
  EXPECT_EQ(where.box(), in.support());
  EXPECT_EQ(where.weight({50, 50, 0}), 1);
  EXPECT_EQ(where.weight({5000, 50, 0}), 0);
  WhereParams half;
  half.intensity = 0.5;
  EXPECT_EQ(Where(half, world, in, nullptr, nullptr).weight({50, 50, 0}), 0.5);
}

TEST(Where, FollowsTheMaskBetweenItsSamples) {
  const Volume in = flat();
  const Terrain mask = mask_of([](int64_t x, int64_t) { return x < 10 ? 0.0f : x == 10 ? 0.5f : 1.0f; });
  const Where where({}, world, in, &mask, nullptr);
  EXPECT_EQ(where.weight({40, 20, 0}), 0);
  EXPECT_EQ(where.weight({50, 20, 0}), 0.5);
  EXPECT_NEAR(where.weight({52.5, 22, 0}), 0.75, 1e-7);
  EXPECT_EQ(where.weight({90, 20, 0}), 1);
  EXPECT_FALSE(where.may({{0, 0, -5}, {44, 100, 5}}));
  EXPECT_TRUE(where.may({{0, 0, -5}, {46, 100, 5}}));
}

TEST(Where, RefusesAMaskOfAnotherFrameAndLinesThatEncloseNothing) {
  const Volume in = flat();
  const Terrain other = mask_of([](int64_t, int64_t) { return 1.0f; }, make_world({100, 100}, 11));
  EXPECT_NE(test::error_of([&] { Where({}, world, in, &other, nullptr); }).find("the mask"), std::string::npos);
  const Lines open({{"", {{0, 0, 0}, {50, 0, 0}, {50, 50, 0}}, false, {}}});
  EXPECT_NE(test::error_of([&] { Where({}, world, in, nullptr, &open); }).find("enclose"), std::string::npos);
}

TEST(Where, IsAroundLinesWithARadius) {
  const Volume in = flat();
  LinesColumns columns = Lines({{"", {{20, 20, -3}, {60, 20, -3}}, false, {}},
                                {"", {{70, 70, 0}, {90, 70, 0}, {90, 90, 0}}, true, {}},
                                {"", {{0, 50, 0}, {100, 50, 0}}, false, {}}})
                             .columns();
  columns.numbers = {{"radius", "m", {8, std::nan(""), std::nan("")}}};
  const Lines lines(columns);
  WhereParams params;
  params.falloff = metres(4);
  const Where where(params, world, in, nullptr, &lines);
  EXPECT_EQ(where.weight({40, 20, -3}), 1);
  EXPECT_GT(where.weight({40, 26, -3}), 0);
  EXPECT_EQ(where.weight({40, 28, -3}), 0);
  EXPECT_EQ(where.weight({40, 20, -11}), 0);
  EXPECT_EQ(where.weight({85, 75, -4}), 1);  // the polygon, as ever
  EXPECT_EQ(where.weight({20, 50, 0}), 0);   // a line without a radius
  EXPECT_FALSE(where.may({{0, 30, -5}, {60, 60, 5}}));
  EXPECT_TRUE(where.may({{0, 25, -5}, {60, 60, 5}}));
}

RC_GTEST_PROP(Where, HasSoftBorders, ()) {
  const Volume in = flat();
  const Lines lines = square(30, 60);
  WhereParams params;
  params.falloff = metres(8);
  if (*rc::gen::arbitrary<bool>()) params.levels = Interval{-4, 3};
  if (*rc::gen::arbitrary<bool>()) params.within = RegionShape::box;
  params.heights = Heights::sea_level;
  const Where where(params, world, in, nullptr, &lines);
  const Stream random(*rc::gen::arbitrary<uint64_t>());
  for (uint64_t i = 0; i < 200; ++i) {
    const Vec3 p{random.uniform(i, 0, 10, 80), random.uniform(i, 1, 10, 80), random.uniform(i, 2, -8, 8)};
    const double w = where.weight(p);
    RC_ASSERT(w >= 0 && w <= 1);
    RC_ASSERT(w == 0 || where.may({p, p}));
    RC_ASSERT(std::abs(where.weight(p + Vec3{0.01, 0.005, 0}) - w) < 0.01);
    if (p.x < 21 || p.x > 69 || p.y < 21 || p.y > 69) RC_ASSERT(w == 0);
    if (params.levels && (p.z > 8 || p.z < -9)) RC_ASSERT(w == 0);
  }
  RC_ASSERT(where.weight({45, 45, 0}) == 1);
}

}  // namespace tepui::where_test
