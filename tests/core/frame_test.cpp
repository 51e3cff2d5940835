#include "tepui/core/frame.h"

#include <array>
#include <cmath>

#include "tests/support/support.h"

namespace tepui::frame_test {

namespace {

Vec2 random_size() { return {*rc::gen::inRange(1, 100'000) * 0.37, *rc::gen::inRange(1, 100'000) * 0.37}; }

}  // namespace

RC_GTEST_PROP(Frame, HalfResolutionHasEverySecondPosition, ()) {
  const Vec2 size = random_size(), origin{*rc::gen::inRange(-1000, 1000) * 0.1, *rc::gen::inRange(-1000, 1000) * 0.1};
  const auto steps = *rc::gen::inRange<int64_t>(1, 400);
  const Frame half = make_world(size, steps + 1, origin), full = make_world(size, 2 * steps + 1, origin);
  for (int64_t i = 0; i < half.width; ++i) RC_ASSERT(half.x(i) == full.x(2 * i));
  for (int64_t j = 0; j < half.height; ++j) RC_ASSERT(half.y(j) == full.y(2 * j));
}

RC_GTEST_PROP(Frame, SamplesFillTheWorldAndStayInIt, ()) {
  const Vec2 size = random_size();
  const Frame world = make_world(size, *rc::gen::inRange<int64_t>(2, 2000));
  RC_ASSERT(world.cell.x == world.cell.y);
  const double slack = world.longer_side() * 1e-11;
  RC_ASSERT(world.x(world.width - 1) <= size.x + slack);
  RC_ASSERT(world.y(world.height - 1) <= size.y + slack);
  RC_ASSERT(world.x(world.width) > size.x);
  RC_ASSERT(world.y(world.height) > size.y);
  RC_ASSERT(std::abs((size.x >= size.y ? world.x(world.width - 1) - size.x : world.y(world.height - 1) - size.y)) <=
            slack);
}

TEST(Frame, ShorterSideKeepsItsLastSampleWhereItIsAWholeNumberOfCells) {
  for (int64_t n = 1; n <= 300; ++n)
    for (const double cell : {0.1, 0.3, 1.7, 1.0 / 3}) {
      const Frame world = make_world({cell * 300, cell * static_cast<double>(n)}, 301);
      EXPECT_EQ(world.height, n + 1) << cell;
      EXPECT_EQ(world.width, 301);
    }
  EXPECT_EQ(make_world({2048, 1024}, 1025).height, 513);
  EXPECT_EQ(make_world({1023, 2048}, 1025).width, 512);
}

TEST(Frame, OfResolutionOneIsASingleSample) {
  const Frame world = make_world({300, 200}, 1, {5, 6});
  EXPECT_EQ(world.width, 1);
  EXPECT_EQ(world.height, 1);
  EXPECT_EQ(world.x(0), 5);
  EXPECT_EQ(world.y(0), 6);
  EXPECT_EQ(world.cell.x, 300);
}

RC_GTEST_PROP(Frame, WindowKeepsPositionsAndTheWorld, ()) {
  const Frame world = make_world(random_size(), *rc::gen::inRange<int64_t>(1, 300), {-12.5, 1e5});
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, world.width - x0 + 1),
             h = *rc::gen::inRange<int64_t>(1, world.height - y0 + 1);
  const Frame tile = world.window(x0, y0, w, h);
  RC_ASSERT(tile.width == w);
  RC_ASSERT(tile.height == h);
  RC_ASSERT(tile.size == world.size);
  for (int64_t i = 0; i < w; ++i) RC_ASSERT(tile.x(i) == world.x(x0 + i));
  for (int64_t j = 0; j < h; ++j) RC_ASSERT(tile.y(j) == world.y(y0 + j));
  RC_ASSERT(tile.window(0, 0, w, h) == tile);
  RC_ASSERT(tile.measuring_lattice() == world.measuring_lattice());
}

TEST(Frame, WindowOutsideIsRefused) {
  const Frame world = make_world({100, 50}, 11);
  for (const auto& at : {std::array<int64_t, 4>{-1, 0, 2, 2},
                         {0, 0, 0, 1},
                         {0, 0, 12, 1},
                         {10, 0, 2, 1},
                         {0, 5, 1, 2},
                         {1, 1, INT64_MAX, 1}})
    EXPECT_NE(test::error_of([&] { world.window(at[0], at[1], at[2], at[3]); }).find("not inside"), std::string::npos);
}

RC_GTEST_PROP(Frame, MeasuringLatticeDoesNotDependOnTheResolution, ()) {
  const Vec2 size = random_size();
  const Frame a = make_world(size, *rc::gen::inRange<int64_t>(1, 3000)),
              b = make_world(size, *rc::gen::inRange<int64_t>(1, 3000));
  RC_ASSERT(a.measuring_lattice() == b.measuring_lattice());
  RC_ASSERT(std::max(a.measuring_lattice().width, a.measuring_lattice().height) == 257);
}

TEST(Frame, WorldsWithoutAreaAreRefused) {
  for (const Vec2 size : {Vec2{0, 1}, {1, 0}, {-1, 1}, {NAN, 1}, {INFINITY, 1}})
    EXPECT_NE(test::error_of([&] { make_world(size, 10); }).find("no area"), std::string::npos);
  test::error_of([] { make_world({1, 1}, 0); });
}

TEST(Frame, WorldsBeyondWhatNumbersCanMeasureAreRefused) {
  for (const Vec2 size : {Vec2{1e-320, 1e-320}, {9e-4, 1}, {1, 1e-300}})
    EXPECT_NE(test::error_of([&] { make_world(size, 10); }).find("0.001 m to 1e+09 m"), std::string::npos);
  for (const Vec2 size : {Vec2{1.1e9, 1}, {1, 1e300}})
    EXPECT_NE(test::error_of([&] { make_world(size, 10); }).find("too large"), std::string::npos);
  EXPECT_EQ(make_world({1e-3, 1e9}, 3).height, 3);
}

TEST(Frame, UnequalFramesAreNamed) {
  const Frame a = make_world({100, 100}, 11), b = make_world({100, 100}, 21);
  require_same_frame(a, "in", a, "mask");
  const std::string text = test::error_of([&] { require_same_frame(a, "in", b, "mask"); });
  EXPECT_NE(text.find("'in' (11 x 11"), std::string::npos);
  EXPECT_NE(text.find("'mask' (21 x 21"), std::string::npos);
  EXPECT_NE(a.hash(), b.hash());
}

}  // namespace tepui::frame_test
