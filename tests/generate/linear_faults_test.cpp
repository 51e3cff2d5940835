#include "tepui/generate/linear_faults.h"

#include <cmath>

#include "reference/linear_faults.h"
#include "tepui/core/error.h"
#include "tepui/generate/linear_fault_count.h"
#include "tests/support/support.h"

namespace tepui::linear_faults_test {

namespace {

const Context quiet;

/// A world of any shape: 1 x 1, thin, wide; not at the origin.
Frame any_world() {
  const double w = *rc::gen::element(1.0, 100.0, 1000.0, 3777.0), h = *rc::gen::element(1.0, 100.0, 1000.0, 2500.5);
  const auto resolution = *rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 90));
  return make_world({w, h}, resolution, {*rc::gen::element(0.0, -512.25, 4e6), 17.0});
}

LinearFaultsParams any_params() {
  LinearFaultsParams p;
  p.faults = *rc::gen::element(0, 1, 2, 7, 40, 300);
  p.height = *rc::gen::element(percent(15), metres(0), metres(1200));
  p.normalise = *rc::gen::element(Normalise::world, Normalise::samples);
  p.seed.node = *rc::gen::inRange<int64_t>(0, 1000);
  return p;
}

Grid<float> cut(const Grid<float>& grid, int64_t x0, int64_t y0, int64_t w, int64_t h, int64_t step = 1) {
  Grid<float> part(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) part(x, y) = grid(x0 + step * x, y0 + step * y);
  return part;
}

}  // namespace

RC_GTEST_PROP(LinearFaults, CountsEqualTheReference, ()) {
  const Frame world = any_world();
  const LinearFaultsParams p = any_params();
  const Grid<float> fast = count_linear_faults(world, p, quiet);
  const Grid<int32_t> plain = reference::count_linear_faults(world, p);
  for (int64_t i = 0; i < fast.size(); ++i) RC_ASSERT(fast.data()[i] == static_cast<float>(plain.data()[i]));
}

RC_GTEST_PROP(LinearFaults, LandEqualsTheReference, ()) {
  const Frame world = any_world();
  const LinearFaultsParams p = any_params();
  const Terrain fast = linear_faults(world, p, quiet), plain = reference::linear_faults(world, p);
  RC_ASSERT(fast.relief() == (Relief{0, p.height.in(world)}));
  // Three float operations on exact counts, of land that may lie a little outside its range.
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 0x1p-21 * p.height.in(world));
}

RC_GTEST_PROP(LinearFaults, MoreFaultsNeverLower, ()) {
  const Frame world = any_world();
  LinearFaultsParams p = any_params();
  const Grid<float> before = count_linear_faults(world, p, quiet);
  const int more = *rc::gen::inRange(1, 30);
  p.faults += more;
  const Grid<float> after = count_linear_faults(world, p, quiet);
  for (int64_t i = 0; i < before.size(); ++i) {
    RC_ASSERT(after.data()[i] >= before.data()[i]);
    RC_ASSERT(after.data()[i] <= before.data()[i] + static_cast<float>(more));
  }
}

RC_GTEST_PROP(LinearFaults, OneFaultLiftsOneSideOfALineByOne, ()) {
  const Frame world = any_world();
  LinearFaultsParams p = any_params();
  p.faults = 1;
  const LinearFault fault = draw_linear_faults(world, p, 0, 1).front();
  const Grid<float> sum = count_linear_faults(world, p, quiet);
  // The line's equation in the form that is not solved for x: a sample on the line itself may lie on either side.
  const double length = std::hypot(1, fault.slope), slack = 1e-12 * world.longer_side();
  for (int64_t y = 0; y < sum.height(); ++y)
    for (int64_t x = 0; x < sum.width(); ++x) {
      const double east = world.x(x) - world.origin.x - fault.foot.x,
                   north = world.y(y) - world.origin.y - fault.foot.y;
      const double side = (east - fault.slope * north) / length * (fault.lifts_east ? 1 : -1);
      if (std::abs(side) > slack + 1e-9) RC_ASSERT(sum(x, y) == (side > 0 ? 1.0f : 0.0f));
    }
}

RC_GTEST_PROP(LinearFaults, HalfResolutionIsEverySecondSample, ()) {
  const auto half_steps = *rc::gen::inRange<int64_t>(1, 40);
  const Vec2 size{*rc::gen::element(100.0, 1234.5), *rc::gen::element(100.0, 777.7)};
  const LinearFaultsParams p = any_params();
  const Frame fine = make_world(size, 2 * half_steps + 1), coarse = make_world(size, half_steps + 1);
  const Grid<float> all = count_linear_faults(fine, p, quiet), some = count_linear_faults(coarse, p, quiet);
  RC_ASSERT(test::same_cells(cut(all, 0, 0, coarse.width, coarse.height, 2), some));
  if (p.normalise == Normalise::world) {
    const Terrain land = linear_faults(fine, p, quiet), preview = linear_faults(coarse, p, quiet);
    RC_ASSERT(test::same_cells(cut(land.height(), 0, 0, coarse.width, coarse.height, 2), preview.height()));
  }
}

RC_GTEST_PROP(LinearFaults, CropEqualsTheWhole, ()) {
  const Frame world = any_world();
  LinearFaultsParams p = any_params();
  p.normalise = Normalise::world;
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, world.width - x0 + 1);
  const auto h = *rc::gen::inRange<int64_t>(1, world.height - y0 + 1);
  const Terrain whole = linear_faults(world, p, quiet);
  const Terrain crop = linear_faults(world.window(x0, y0, w, h), p, quiet);
  RC_ASSERT(test::same_cells(cut(whole.height(), x0, y0, w, h), crop.height()));
}

TEST(LinearFaults, WideLandEqualsItsTilesAndItsReference) {
  // Wider than a block of columns, more faults than a batch.
  const Frame world = make_world({20000, 3}, 20001);
  LinearFaultsParams p;
  p.faults = 33000;
  const Grid<float> whole = count_linear_faults(world, p, quiet);
  for (const int64_t x0 : {0, 7777, 16000}) {
    const Frame window = world.window(x0, 1, 999, 2);
    EXPECT_TRUE(test::same_cells(cut(whole, x0, 1, 999, 2), count_linear_faults(window, p, quiet))) << x0;
  }
  const Grid<int32_t> plain = reference::count_linear_faults(world.window(16300, 0, 200, 1), p);
  for (int64_t x = 0; x < 200; ++x) EXPECT_EQ(whole(16300 + x, 0), static_cast<float>(plain(x, 0))) << x;
}

TEST(LinearFaults, SamplesOnALineAgreeAtEveryResolution) {
  // Cells that binary fractions do not hold: positions are rounded, and a crossing may fall on a sample.
  LinearFaultsParams p;
  p.faults = 64;
  for (int64_t n = 3; n < 60; ++n) {
    const Frame world = make_world({0.7, 0.3}, n);
    const Grid<float> fast = count_linear_faults(world, p, quiet);
    const Grid<int32_t> plain = reference::count_linear_faults(world, p);
    for (int64_t i = 0; i < fast.size(); ++i) EXPECT_EQ(fast.data()[i], static_cast<float>(plain.data()[i])) << n;
  }
}

TEST(LinearFaults, SameBitsOnAnyMachine) {
  const Frame world = make_world({3000, 1700}, 157, {-40, 12});
  test::expect_same_bits([&] { return linear_faults(world, {}, quiet).hash(); });
}

TEST(LinearFaults, LinesPartPointsInProportionToTheirDistance) {
  // Among lines drawn evenly, 2 d / perimeter lie between two points, wherever the two are and however they lie.
  for (const Vec2 size : {Vec2{1000, 1000}, {1000, 250}}) {
    const Frame world = make_world(size, 3);
    const auto faults = draw_linear_faults(world, {}, 0, 40000);
    const auto parted = [&](Vec2 a, Vec2 b) {
      int count = 0;
      for (const LinearFault& fault : faults) count += fault.lifts(a.x, a.y) != fault.lifts(b.x, b.y);
      return count / 40000.0;
    };
    const double perimeter = 2 * (size.x + size.y);
    const std::vector<std::pair<Vec2, Vec2>> pairs{{{0.1, 0.1}, {0.9, 0.1}},
                                                   {{0.05, 0.9}, {0.05, 0.2}},
                                                   {{0.02, 0.03}, {0.99, 0.98}},
                                                   {{0.4, 0.5}, {0.6, 0.5}},
                                                   {{0.9, 0.7}, {0.7, 0.95}}};
    for (const auto& [a, b] : pairs) {
      const Vec2 from{a.x * size.x, a.y * size.y}, to{b.x * size.x, b.y * size.y};
      EXPECT_NEAR(parted(from, to), 2 * std::hypot(to.x - from.x, to.y - from.y) / perimeter, 0.01);
    }
  }
}

TEST(LinearFaults, EverySideRisesAsOften) {
  const Frame world = make_world({1000, 400}, 3);
  int corner[2][2] = {};
  for (const LinearFault& fault : draw_linear_faults(world, {}, 0, 20000))
    for (const int x : {0, 1})
      for (const int y : {0, 1}) corner[x][y] += fault.lifts(10 + 980.0 * x, 10 + 380.0 * y);
  for (const auto& column : corner)
    for (const int lifted : column) EXPECT_NEAR(lifted / 20000.0, 0.5, 0.015);
}

TEST(LinearFaults, AFaultDoesNotDependOnHowManyThereAre) {
  const Frame world = make_world({1000, 600}, 30);
  const auto all = draw_linear_faults(world, {}, 0, 50), some = draw_linear_faults(world, {}, 20, 10);
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].foot, all[20 + i].foot);
    EXPECT_EQ(some[i].slope, all[20 + i].slope);
    EXPECT_TRUE(std::isfinite(some[i].slope));
  }
}

TEST(LinearFaults, NoFaultsAreFlat) {
  LinearFaultsParams p;
  p.faults = 0;
  const Terrain land = linear_faults(make_world({100, 50}, 41), p, quiet);
  for (const float z : land.height().cells()) EXPECT_EQ(z, 0);
  EXPECT_EQ(land.relief(), (Relief{0, 7.5}));
}

TEST(LinearFaults, WorldRangeSpansTheHeight) {
  const Terrain land = linear_faults(make_world({1000, 1000}, 257), {}, quiet);
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 150);
}

TEST(LinearFaults, CellsThatNumbersCannotMeasureAreNoCrash) {
  Frame frame = make_world({100, 100}, 9);
  frame.cell = {1e-320, 1e-320};
  frame.size = {1e-319, 1e-319};
  EXPECT_EQ(count_linear_faults(frame, {}, quiet).size(), 81);
}

TEST(LinearFaults, ReportAsOftenForFewSamples) {
  for (const int64_t resolution : {1, 9, 65, 1025}) {
    const Frame world = make_world({1000, 1000}, resolution);
    EXPECT_LT(test::widest_progress_gap([&](const Context& context) { linear_faults(world, {}, context); }), 0.2)
        << resolution;
  }
}

TEST(LinearFaults, StopWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(linear_faults(make_world({100, 100}, 65), {}, Context(nullptr, &cancel)), Error);
}

TEST(LinearFaults, TakeAtMostThreeGrids) {
  const Frame world = make_world({2000, 1500}, 2001);
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain land = linear_faults(world, {}, quiet);
  EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
}

}  // namespace tepui::linear_faults_test
