#include "tepui/generate/shape.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/shape.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::shape_test {

namespace {

const Context quiet;
constexpr ShapeKind kinds[] = {ShapeKind::box,     ShapeKind::cylinder, ShapeKind::cone,
                               ShapeKind::pyramid, ShapeKind::prism,    ShapeKind::cliff};

Frame any_world() {
  const double w = *rc::gen::element(1.0, 100.0, 777.7), h = *rc::gen::element(1.0, 100.0, 250.5);
  return make_world({w, h}, *rc::gen::inRange<int64_t>(1, 70), {*rc::gen::element(0.0, -512.25, 4e6), 17.0});
}

ShapeParams any_params() {
  ShapeParams p;
  p.kind = *rc::gen::elementOf(std::vector<ShapeKind>(std::begin(kinds), std::end(kinds)));
  p.x = percent(*rc::gen::element(50.0, 31.4159, 0.0, -20.0));
  p.y = percent(*rc::gen::element(50.0, 61.8034, 100.0));
  p.width = percent(*rc::gen::element(0.0, 1.23, 61.7, 341.0));
  p.depth = percent(*rc::gen::element(0.0, 44.3, 99.7));
  p.rotation = {*rc::gen::element(0.0, 90.0, 17.0, -133.3)};
  return p;
}

double volume(const Terrain& land) {
  const auto cells = land.height().cells();
  return std::accumulate(cells.begin(), cells.end(), 0.0) * land.frame().cell.x * land.frame().cell.y;
}

int64_t raised(const Terrain& land) {
  return std::ranges::count_if(land.height().cells(), [](float z) { return z > 0; });
}

}  // namespace

RC_GTEST_PROP(Shape, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const ShapeParams p = any_params();
  const Terrain fast = shape(world, p, quiet);
  RC_ASSERT(fast.relief() == (Relief{0, p.height.in(world)}));
  if (p.width.value == 0 || p.depth.value == 0) {
    RC_ASSERT(p.kind == ShapeKind::cliff || raised(fast) == 0);
    return;
  }
  const Terrain plain = reference::shape(world, p);
  // Walls within rounding of a sample may fall on either side of it.
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const float a = fast.height()(x, y), b = plain.height()(x, y);
      if (std::abs(a - b) <= 1e-5 * fast.relief().top) continue;
      bool wall = false;
      for (const double nudge : {-1e-8, 1e-8}) {
        ShapeParams moved = p;
        const Vec2 d{nudge * world.longer_side(), nudge * world.longer_side()};
        moved.x = metres(p.x.value * 0.01 * world.size.x + d.x);
        moved.y = metres(p.y.value * 0.01 * world.size.y + d.y);
        wall = wall || std::abs(reference::shape(world, moved).height()(x, y) - a) <= 1e-5 * fast.relief().top;
      }
      RC_ASSERT(wall);
    }
}

RC_GTEST_PROP(Shape, BoxOfWholeCellsHoldsAsManySamples, ()) {
  const double cell = *rc::gen::element(1.0, 0.1, 3.7, 1.0 / 3, 30.0);
  const auto side = *rc::gen::inRange<int64_t>(20, 90);
  const auto n = *rc::gen::inRange<int64_t>(1, 15), m = *rc::gen::inRange<int64_t>(1, 15);
  const Frame world = make_world({cell * static_cast<double>(side - 1), cell * static_cast<double>(side - 1)}, side);
  ShapeParams p;
  p.width = metres(cell * static_cast<double>(n));
  p.depth = metres(cell * static_cast<double>(m));
  // On a sample, half-way, or anywhere, as long as all of the box is on the land.
  p.x = metres(cell * (9 + *rc::gen::element(0.0, 0.5, 0.3141)));
  p.y = metres(cell * (9 + *rc::gen::element(0.0, 0.5, 0.7071)));
  RC_ASSERT(raised(shape(world, p, quiet)) == n * m);
  p.rotation = {90};
  RC_ASSERT(raised(shape(world, p, quiet)) == n * m);
}

TEST(Shape, RockBoxOfThePaperIs300Samples) {
  const Frame world = make_world({399, 399}, 400);
  ShapeParams p;
  p.width = p.depth = metres(300);
  p.height = metres(60);
  const Terrain land = shape(world, p, quiet);
  EXPECT_EQ(volume(land), 300.0 * 300 * 60);
  EXPECT_EQ(land.height()(49, 200), 0);
  EXPECT_EQ(land.height()(50, 50), 60);
  EXPECT_EQ(land.height()(349, 349), 60);
  EXPECT_EQ(land.height()(350, 200), 0);
}

TEST(Shape, VolumesAreThoseOfTheSolids) {
  const Frame world = make_world({1000, 800}, 1001);
  ShapeParams p;
  p.width = metres(500);
  p.depth = metres(300);
  p.height = metres(90);
  const double block = 500.0 * 300 * 90, pi = std::acos(-1.0);
  for (const double rotation : {0.0, 27.0, 90.0}) {
    p.rotation = {rotation};
    const double expected[] = {block, block * pi / 4, block * pi / 12, block / 3, block / 2};
    for (size_t i = 0; i < 5; ++i) {
      p.kind = kinds[i];
      EXPECT_NEAR(volume(shape(world, p, quiet)) / expected[i], 1, 2e-3) << i << " at " << rotation;
    }
  }
}

TEST(Shape, CliffIsHighFromItsMiddleOn) {
  const Frame world = make_world({100, 50}, 101);
  ShapeParams p;
  p.kind = ShapeKind::cliff;
  p.height = metres(7);
  p.width = p.depth = metres(0);
  const Terrain east = shape(world, p, quiet);
  p.rotation = {180};
  const Terrain west = shape(world, p, quiet);
  p.rotation = {90};
  const Terrain north = shape(world, p, quiet);
  for (int64_t y = 0; y < 51; ++y)
    for (int64_t x = 0; x < 101; ++x) {
      EXPECT_EQ(east.height()(x, y), x >= 50 ? 7 : 0);
      EXPECT_EQ(west.height()(x, y), x <= 50 ? 7 : 0);
      EXPECT_EQ(north.height()(x, y), y >= 25 ? 7 : 0);
    }
}

TEST(Shape, QuarterTurnsKeepTheSidesThatWallsHold) {
  const Frame world = make_world({100, 100}, 101);
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::prism, ShapeKind::pyramid, ShapeKind::cone}) {
    ShapeParams p;
    p.kind = kind;
    p.width = metres(60);
    p.depth = metres(20);
    const Terrain plain = shape(world, p, quiet);
    p.rotation = {180};
    EXPECT_EQ(shape(world, p, quiet).hash(), plain.hash());
    p.rotation = {90};
    const Terrain turned = shape(world, p, quiet);
    p.rotation = {270};
    EXPECT_EQ(shape(world, p, quiet).hash(), turned.hash());
    for (int64_t y = 0; y < 101; ++y)
      for (int64_t x = 0; x < 101; ++x) ASSERT_EQ(turned.height()(x, y), plain.height()(y, x)) << x << ' ' << y;
  }
}

TEST(Shape, RoundAndPointedShapesAreSymmetric) {
  const Frame world = make_world({200, 200}, 201);
  ShapeParams p;
  p.width = p.depth = metres(120);
  for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::cone, ShapeKind::pyramid}) {
    p.kind = kind;
    p.rotation = {0};
    const Terrain land = shape(world, p, quiet);
    const Grid<float>& z = land.height();
    for (int64_t y = 0; y < 201; ++y)
      for (int64_t x = 0; x < 201; ++x) {
        ASSERT_EQ(z(x, y), z(200 - x, y));
        ASSERT_EQ(z(x, y), z(x, 200 - y));
        ASSERT_EQ(z(x, y), z(y, x));
      }
    EXPECT_EQ(z(100, 100), 30);
    for (const double turn : {90.0, 180.0, -90.0, 360.0}) {
      p.rotation = {turn};
      EXPECT_TRUE(test::same_cells(shape(world, p, quiet).height(), z));
    }
  }
}

RC_GTEST_PROP(Shape, SharedSamplesAndCropsAreEqual, ()) {
  const Frame coarse = any_world();
  const ShapeParams p = any_params();
  const Frame fine = make_world(coarse.size, 2 * (std::max(coarse.width, coarse.height) - 1) + 1, coarse.origin);
  RC_PRE(coarse.width * coarse.height > 1);
  const Terrain land = shape(fine, p, quiet), preview = shape(coarse, p, quiet);
  for (int64_t y = 0; y < coarse.height; ++y)
    for (int64_t x = 0; x < coarse.width; ++x) RC_ASSERT(preview.height()(x, y) == land.height()(2 * x, 2 * y));
  const auto x0 = *rc::gen::inRange<int64_t>(0, fine.width), y0 = *rc::gen::inRange<int64_t>(0, fine.height);
  const Terrain crop = shape(fine.window(x0, y0, fine.width - x0, fine.height - y0), p, quiet);
  for (int64_t y = y0; y < fine.height; ++y)
    for (int64_t x = x0; x < fine.width; ++x) RC_ASSERT(crop.height()(x - x0, y - y0) == land.height()(x, y));
}

TEST(Shape, SameBitsOnAnyMachine) {
  const Frame world = make_world({300, 170}, 157);
  for (const ShapeKind kind : kinds) {
    ShapeParams p;
    p.kind = kind;
    p.rotation = {33};
    test::expect_same_bits([&] { return shape(world, p, quiet).hash(); });
  }
}

TEST(Shape, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(shape(make_world({100, 100}, 65), {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::shape_test
