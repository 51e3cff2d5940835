#include "tepui/generate/circular_faults.h"

#include <cmath>

#include "reference/circular_faults.h"
#include "tepui/core/error.h"
#include "tepui/generate/circular_fault_sum.h"
#include "tests/support/support.h"

namespace tepui::circular_faults_test {

namespace {

const Context quiet;

/// A world of any shape: 1 x 1, thin, wide; not at the origin.
Frame any_world() {
  const double w = *rc::gen::element(1.0, 100.0, 1000.0, 3777.0), h = *rc::gen::element(1.0, 100.0, 1000.0, 2500.5);
  const auto resolution = *rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 90));
  return make_world({w, h}, resolution, {*rc::gen::element(0.0, -512.25, 4e6), 17.0});
}

/// Every regime: constant and drawn radii, below a cell and beyond the land, every limit.
CircularFaultsParams any_params() {
  CircularFaultsParams p;
  p.faults = *rc::gen::element(0, 1, 2, 7, 40, 300);
  const double low = *rc::gen::element(0.0, 0.5, 10.0, 34.0, 400.0);
  p.radius = {percent(low), percent(low + *rc::gen::element(0.0, 1.0, 50.0))};
  p.height = *rc::gen::element(percent(15), metres(0), metres(1200));
  p.limit = *rc::gen::element(FaultLimit::none, FaultLimit::along_x, FaultLimit::around_centre);
  p.distance = *rc::gen::element(percent(0), percent(5), percent(60), percent(1000));
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

/// What rounding positions to 2^-47 of the world can change at a sample: the square root is steep at a fault's edge.
double edge_bound(const Frame& world, const std::vector<CircularFault>& faults, int64_t x, int64_t y) {
  double bound = 0;
  for (const auto& [centre, r] : faults) {
    const double d = std::hypot(world.x(x) - world.origin.x - centre.x, world.y(y) - world.origin.y - centre.y);
    const double rounding = world.longer_side() * 0x1p-46;
    if (std::abs(d - r) < 1e-3 * r + rounding) bound += std::sqrt(rounding / r);
  }
  return bound;
}

/// A single fault of radius r in the very middle of the world.
CircularFaultsParams one_fault(double r) {
  CircularFaultsParams p;
  p.faults = 1;
  p.radius = {metres(r), metres(r)};
  p.limit = FaultLimit::around_centre;
  p.distance = metres(0);
  return p;
}

}  // namespace

RC_GTEST_PROP(CircularFaults, EqualTheReference, ()) {
  const Frame world = any_world();
  const CircularFaultsParams p = any_params();
  const Grid<float> fast = sum_circular_faults(world, p, quiet);
  const Grid<double> plain = reference::sum_circular_faults(world, p);
  const std::vector<CircularFault> faults = draw_circular_faults(world, p, 0, p.faults);
  // A float addition for each fault, and a few more roundings in each.
  const double rounding = 0x1p-24 * (static_cast<double>(p.faults) + 8);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x)
      RC_ASSERT(std::abs(fast(x, y) - plain(x, y)) <= rounding * plain(x, y) + edge_bound(world, faults, x, y));
}

RC_GTEST_PROP(CircularFaults, LandEqualsTheReference, ()) {
  const Frame world = any_world();
  CircularFaultsParams p = any_params();
  p.radius.low = percent(std::max(p.radius.low.value, 10.0));
  p.radius.high = percent(std::max(p.radius.high.value, 10.0));
  const Terrain fast = circular_faults(world, p, quiet), plain = reference::circular_faults(world, p);
  RC_ASSERT(fast.relief() == (Relief{0, p.height.in(world)}));
  // Normalising stretches the sums' rounding where they hardly differ.
  const Grid<double> sums =
      reference::sum_circular_faults(p.normalise == Normalise::samples ? world : world.measuring_lattice(), p);
  const auto [low, high] = std::ranges::minmax(sums.cells());
  RC_PRE(high == 0 || high - low > 1e-3 * high);
  const double rounding = 0x1p-24 * (static_cast<double>(p.faults) + 8) * high + 1e-4;
  const double stretch = high > low ? p.height.in(world) / (high - low) : 0;
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 4 * rounding * stretch);
}

RC_GTEST_PROP(CircularFaults, MoreFaultsNeverLower, ()) {
  const Frame world = any_world();
  CircularFaultsParams p = any_params();
  const Grid<float> before = sum_circular_faults(world, p, quiet);
  p.faults += *rc::gen::inRange(1, 30);
  const Grid<float> after = sum_circular_faults(world, p, quiet);
  for (int64_t i = 0; i < before.size(); ++i) RC_ASSERT(after.data()[i] >= before.data()[i]);
}

TEST(CircularFaults, OneFaultIsAHemisphereOfHeightOne) {
  for (const double r : {3.0, 40.0, 250.0}) {
    const Frame world = make_world({200, 100}, 201);
    const Grid<float> sum = sum_circular_faults(world, one_fault(r), quiet);
    EXPECT_NEAR(sum(100, 50), 1.0, 1e-6);
    for (int64_t y = 0; y < sum.height(); ++y)
      for (int64_t x = 0; x < sum.width(); ++x) {
        const double d2 = (world.x(x) - 100) * (world.x(x) - 100) + (world.y(y) - 50) * (world.y(y) - 50);
        const double h = sum(x, y);
        if (d2 >= r * r)
          EXPECT_EQ(h, 0) << x << ", " << y;
        else
          EXPECT_NEAR(h * h + d2 / (r * r), 1.0, 1e-6) << x << ", " << y;
      }
  }
}

RC_GTEST_PROP(CircularFaults, HalfResolutionIsEverySecondSample, ()) {
  const auto half_steps = *rc::gen::inRange<int64_t>(1, 40);
  const Vec2 size{*rc::gen::element(100.0, 1234.5), *rc::gen::element(100.0, 777.7)};
  const CircularFaultsParams p = any_params();
  const Frame fine = make_world(size, 2 * half_steps + 1), coarse = make_world(size, half_steps + 1);
  const Grid<float> all = sum_circular_faults(fine, p, quiet), some = sum_circular_faults(coarse, p, quiet);
  RC_ASSERT(test::same_cells(cut(all, 0, 0, coarse.width, coarse.height, 2), some));
  if (p.normalise == Normalise::world) {
    const Terrain land = circular_faults(fine, p, quiet), preview = circular_faults(coarse, p, quiet);
    RC_ASSERT(test::same_cells(cut(land.height(), 0, 0, coarse.width, coarse.height, 2), preview.height()));
  }
}

RC_GTEST_PROP(CircularFaults, CropEqualsTheWhole, ()) {
  const Frame world = any_world();
  CircularFaultsParams p = any_params();
  p.normalise = Normalise::world;
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, world.width - x0 + 1);
  const auto h = *rc::gen::inRange<int64_t>(1, world.height - y0 + 1);
  const Terrain whole = circular_faults(world, p, quiet);
  const Terrain crop = circular_faults(world.window(x0, y0, w, h), p, quiet);
  RC_ASSERT(test::same_cells(cut(whole.height(), x0, y0, w, h), crop.height()));
}

TEST(CircularFaults, WideLandEqualsItsTiles) {
  // Wider than a block of columns, more faults than a batch.
  const Frame world = make_world({5000, 40}, 5001);
  CircularFaultsParams p;
  p.faults = 5000;
  p.radius = {metres(1), metres(300)};
  const Terrain whole = circular_faults(world, p, quiet);
  for (int64_t x0 = 0; x0 + 1000 <= world.width; x0 += 999) {
    const Terrain tile = circular_faults(world.window(x0, 3, 1000, 30), p, quiet);
    EXPECT_TRUE(test::same_cells(cut(whole.height(), x0, 3, 1000, 30), tile.height())) << x0;
  }
}

TEST(CircularFaults, ManyFaultsStillSumPrecisely) {
  const Frame world = make_world({100, 100}, 33);
  CircularFaultsParams p;
  p.faults = 100000;
  const Grid<float> fast = sum_circular_faults(world, p, quiet);
  const Grid<double> plain = reference::sum_circular_faults(world, p);
  for (int64_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast.data()[i] / plain.data()[i], 1, 1e-6);
}

TEST(CircularFaults, SameBitsOnAnyMachine) {
  const Frame world = make_world({3000, 1700}, 157, {-40, 12});
  CircularFaultsParams p;
  p.faults = 150;
  test::expect_same_bits([&] { return circular_faults(world, p, quiet).hash(); });
  p.faults = 20;
  p.limit = FaultLimit::around_centre;
  p.radius = {percent(1), percent(300)};
  test::expect_same_bits([&] { return circular_faults(world, p, quiet).hash(); });
}

RC_GTEST_PROP(CircularFaults, CentresStayWithinTheirLimit, ()) {
  const Frame world = any_world();
  const CircularFaultsParams p = any_params();
  const Vec2 middle = world.size * 0.5;
  const double distance = p.distance.in(world) * (1 + 1e-12);
  for (const auto& [centre, radius] : draw_circular_faults(world, p, 0, 200)) {
    RC_ASSERT(centre.x >= 0 && centre.x <= world.size.x && centre.y >= 0 && centre.y <= world.size.y);
    RC_ASSERT(radius >= p.radius.low.in(world) && radius <= p.radius.high.in(world));
    const Vec2 d = centre - middle;
    if (p.limit == FaultLimit::along_x) RC_ASSERT(std::abs(d.y) <= distance + 1e-9);
    if (p.limit == FaultLimit::around_centre) RC_ASSERT(std::hypot(d.x, d.y) <= distance + 1e-9);
  }
}

TEST(CircularFaults, CentresFillTheirLimitEvenly) {
  const Frame world = make_world({1000, 1000}, 3);
  CircularFaultsParams p;
  p.limit = FaultLimit::around_centre;
  p.distance = metres(200);
  int inner = 0, west = 0;
  const std::vector<CircularFault> faults = draw_circular_faults(world, p, 0, 20000);
  for (const CircularFault& fault : faults) {
    inner += std::hypot(fault.centre.x - 500, fault.centre.y - 500) < 100;
    west += fault.centre.x < 500;
  }
  EXPECT_NEAR(inner / 20000.0, 0.25, 0.01);
  EXPECT_NEAR(west / 20000.0, 0.5, 0.01);
  p.limit = FaultLimit::none;
  int corner = 0;
  for (const CircularFault& fault : draw_circular_faults(world, p, 0, 20000))
    corner += fault.centre.x < 500 && fault.centre.y < 500;
  EXPECT_NEAR(corner / 20000.0, 0.25, 0.01);
}

TEST(CircularFaults, AFaultDoesNotDependOnHowManyThereAre) {
  const Frame world = make_world({1000, 600}, 30);
  const CircularFaultsParams p;
  const std::vector<CircularFault> all = draw_circular_faults(world, p, 0, 50),
                                   some = draw_circular_faults(world, p, 20, 10);
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].centre, all[20 + i].centre);
    EXPECT_EQ(some[i].radius, all[20 + i].radius);
  }
}

TEST(CircularFaults, NoFaultsAndNoRadiusAreFlat) {
  const Frame world = make_world({100, 50}, 41);
  CircularFaultsParams none;
  none.faults = 0;
  CircularFaultsParams points;
  points.radius = {metres(0), metres(0)};
  CircularFaultsParams specks;
  specks.radius = {metres(1e-300), metres(1e-20)};
  specks.limit = FaultLimit::around_centre;
  specks.distance = metres(0);
  for (const CircularFaultsParams& p : {none, points, specks}) {
    const Terrain land = circular_faults(world, p, quiet);
    for (const float z : land.height().cells()) EXPECT_EQ(z, 0);
    EXPECT_EQ(land.relief(), (Relief{0, 7.5}));
  }
}

TEST(CircularFaults, FaultsBeyondTheLandLiftItAllByOne) {
  const Frame world = make_world({1e-3, 1e-3}, 9);
  CircularFaultsParams p;
  p.faults = 3;
  p.radius = {metres(4e9), metres(4e9)};
  for (const float sum : sum_circular_faults(world, p, quiet).cells()) EXPECT_FLOAT_EQ(sum, 3);
}

TEST(CircularFaults, WorldRangeSpansTheHeight) {
  const Frame world = make_world({1000, 1000}, 257);
  const Terrain land = circular_faults(world, {}, quiet);
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 150);
}

TEST(CircularFaults, RadiusFromHighToLowIsRefusedAcrossUnits) {
  CircularFaultsParams p;
  p.radius = {percent(50), metres(10)};
  EXPECT_NE(test::error_of([&] {
              circular_faults(make_world({100, 100}, 9), p, quiet);
            }).find("high to low"),
            std::string::npos);
}

TEST(CircularFaults, CellsThatNumbersCannotMeasureAreNoCrash) {
  Frame frame = make_world({100, 100}, 9);
  frame.cell = {1e-320, 1e-320};
  frame.size = {1e-319, 1e-319};
  EXPECT_EQ(sum_circular_faults(frame, {}, quiet).size(), 81);
}

TEST(CircularFaults, ReportAsOftenForFewSamples) {
  for (const int64_t resolution : {1, 9, 65, 1025}) {
    const Frame world = make_world({1000, 1000}, resolution);
    EXPECT_LT(test::widest_progress_gap([&](const Context& context) { circular_faults(world, {}, context); }), 0.2)
        << resolution;
  }
}

TEST(CircularFaults, StopWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(circular_faults(make_world({100, 100}, 65), {}, Context(nullptr, &cancel)), Error);
}

TEST(CircularFaults, TakeAtMostThreeGrids) {
  const Frame world = make_world({2000, 1500}, 2001);
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain land = circular_faults(world, {}, quiet);
  EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
}

}  // namespace tepui::circular_faults_test
