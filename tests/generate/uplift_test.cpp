#include "tepui/generate/uplift.h"

#include <cmath>

#include "reference/uplift.h"
#include "tepui/core/error.h"
#include "tepui/generate/uplift_mean.h"
#include "tests/support/support.h"

namespace tepui::uplift_test {

namespace {

const Context quiet;

/// A world of any shape: 1 x 1, thin, wide; not at the origin.
Frame any_world() {
  const double w = *rc::gen::element(1.0, 100.0, 1000.0, 3777.0), h = *rc::gen::element(1.0, 100.0, 1000.0, 2500.5);
  const auto resolution = *rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 90));
  return make_world({w, h}, resolution, {*rc::gen::element(0.0, -512.25, 4e6), 17.0});
}

/// Every regime: one height and many, cones below a cell and beyond the land, needles and plateaus.
UpliftParams any_params() {
  UpliftParams p;
  p.peaks = *rc::gen::element(0, 1, 2, 7, 40, 300);
  const double low = *rc::gen::element(0.0, 0.5, 10.0, 34.0);
  p.peak_height = {percent(low), percent(low + *rc::gen::element(0.0, 1.0, 50.0))};
  p.ruggedness = *rc::gen::element(0.0, 0.01, 0.5, 1.0, 20.0, 1e5);
  p.height = *rc::gen::element(percent(15), metres(0), metres(1200));
  p.normalise = *rc::gen::element(Normalise::world, Normalise::samples, Normalise::none);
  p.seed.node = *rc::gen::inRange<int64_t>(0, 1000);
  return p;
}

Grid<float> cut(const Grid<float>& grid, int64_t x0, int64_t y0, int64_t w, int64_t h, int64_t step = 1) {
  Grid<float> part(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) part(x, y) = grid(x0 + step * x, y0 + step * y);
  return part;
}

/// The mean of these very peaks.
Grid<float> mean_of(const Frame& world, const std::vector<UpliftPeak>& peaks, double ruggedness) {
  const PeakSource source = [&](int64_t first, int64_t count) {
    return std::vector<UpliftPeak>(peaks.begin() + first, peaks.begin() + first + count);
  };
  return mean_uplift(world, static_cast<int64_t>(peaks.size()), ruggedness, source, quiet);
}

double highest(const Frame& world, const UpliftParams& p) {
  return static_cast<double>(min_max(mean_uplift(world, p, quiet), quiet).high);
}

/// How far float sums may lie from the plain twin's: an addition for each peak, and a few roundings in each cone.
double rounding(const Frame& world, const UpliftParams& p) {
  return 0x1p-24 * (static_cast<double>(p.peaks) + 16) * p.peak_height.high.in(world);
}

}  // namespace

RC_GTEST_PROP(Uplift, EqualsTheReference, ()) {
  const Frame world = any_world();
  const UpliftParams p = any_params();
  const Grid<float> fast = mean_uplift(world, p, quiet);
  const Grid<double> plain = reference::mean_uplift(world, p);
  for (int64_t i = 0; i < fast.size(); ++i) RC_ASSERT(std::abs(fast.data()[i] - plain.data()[i]) <= rounding(world, p));
}

RC_GTEST_PROP(Uplift, LandEqualsTheReference, ()) {
  const Frame world = any_world();
  const UpliftParams p = any_params();
  const Terrain fast = uplift(world, p, quiet), plain = reference::uplift(world, p);
  if (p.normalise == Normalise::none) {
    RC_ASSERT(std::abs(fast.relief().top - plain.relief().top) <= rounding(world, p));
    RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= rounding(world, p));
    return;
  }
  RC_ASSERT(fast.relief() == plain.relief());
  // Needles between the samples of the lattice make a range of next to nothing, which stretches the rounding.
  const double top = highest(p.normalise == Normalise::samples ? world : world.measuring_lattice(), p);
  RC_PRE(top == 0 || top > 1e-2 * p.peak_height.high.in(world) / static_cast<double>(p.peaks));
  const double over = std::max(1.0, top > 0 ? highest(world, p) / top : 0);
  const double bound = top > 0 ? 4 * rounding(world, p) / top * p.height.in(world)*over : 0;
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= bound);
}

RC_GTEST_PROP(Uplift, OnePeakIsAConeOfItsHeightAndFoot, ()) {
  const Frame world = any_world();
  const double height = *rc::gen::element(1.0, 30.0, 400.0), ruggedness = *rc::gen::element(0.1, 1.0, 20.0);
  // On a sample, so that its very top is met.
  const auto i = *rc::gen::inRange<int64_t>(0, world.width), j = *rc::gen::inRange<int64_t>(0, world.height);
  const Vec2 place{static_cast<double>(i) * world.cell.x, static_cast<double>(j) * world.cell.y};
  const Grid<float> cone = mean_of(world, {{place, height}}, ruggedness);
  RC_ASSERT(cone(i, j) == static_cast<float>(height));
  for (int64_t y = 0; y < cone.height(); ++y)
    for (int64_t x = 0; x < cone.width(); ++x) {
      const double d = std::hypot(static_cast<double>(x - i) * world.cell.x, static_cast<double>(y - j) * world.cell.y);
      if (d > height / ruggedness * (1 + 1e-6)) RC_ASSERT(cone(x, y) == 0);
      RC_ASSERT(std::abs(cone(x, y) - std::max(0.0, height - ruggedness * d)) <= 1e-6 * height);
    }
}

RC_GTEST_PROP(Uplift, IsLinearInTheHeightsOfConesApart, ()) {
  const Frame world = make_world({1000, 1000}, 101);
  const auto west = static_cast<double>(*rc::gen::inRange(1, 200)),
             east = static_cast<double>(*rc::gen::inRange(1, 200));
  const UpliftPeak a{{250, 400}, west}, b{{750.5, 600}, east};
  const Grid<float> both = mean_of(world, {a, b}, 1), one = mean_of(world, {a}, 1), other = mean_of(world, {b}, 1);
  for (int64_t i = 0; i < both.size(); ++i) {
    RC_ASSERT(both.data()[i] == 0.5f * (one.data()[i] + other.data()[i]));
    RC_ASSERT(one.data()[i] == 0 || other.data()[i] == 0);
  }
  // A cone of twice the height and slope is twice the cone.
  const Grid<float> twice = mean_of(world, {{a.place, 2 * west}}, 2);
  for (int64_t i = 0; i < twice.size(); ++i) RC_ASSERT(twice.data()[i] == 2 * one.data()[i]);
}

RC_GTEST_PROP(Uplift, TheMeanOfLikePeaksIsThatPeak, ()) {
  const Frame world = any_world();
  const UpliftPeak peak{{world.size.x * 0.37, world.size.y * 0.81}, 50};
  const auto count = static_cast<size_t>(*rc::gen::element(2, 3, 64, 5000));
  const Grid<float> one = mean_of(world, {peak}, 0.7), many = mean_of(world, std::vector(count, peak), 0.7);
  for (int64_t i = 0; i < one.size(); ++i)
    RC_ASSERT(std::abs(many.data()[i] - one.data()[i]) <= 0x1p-24f * static_cast<float>(count) * one.data()[i]);
}

RC_GTEST_PROP(Uplift, IsNeverNegativeNorAboveItsHighestPeak, ()) {
  const Frame world = any_world();
  UpliftParams p = any_params();
  p.normalise = Normalise::none;
  const double most = p.peak_height.high.in(world);
  for (const float z : uplift(world, p, quiet).height().cells()) RC_ASSERT(z >= 0 && z <= most * (1 + 1e-4));
}

TEST(Uplift, MorePeaksMakeLowerLand) {
  const Frame world = make_world({1000, 1000}, 129);
  UpliftParams p;
  const auto top = [&](int64_t peaks) {
    p.peaks = peaks;
    return highest(world, p);
  };
  EXPECT_GT(top(1), top(10));
  EXPECT_GT(top(10), top(100));
  EXPECT_GT(top(100), top(10000));
}

TEST(Uplift, WithoutSlopeIsAPlateauAtTheMeanHeight) {
  const Frame world = make_world({100, 60}, 21);
  UpliftParams p;
  p.ruggedness = 0;
  p.normalise = Normalise::none;
  double mean = 0;
  for (const UpliftPeak& peak : draw_uplift_peaks(world, p, 0, p.peaks)) mean += peak.height;
  mean /= static_cast<double>(p.peaks);
  for (const float z : uplift(world, p, quiet).height().cells()) EXPECT_NEAR(z, mean, 1e-5 * mean);
}

RC_GTEST_PROP(Uplift, HalfResolutionIsEverySecondSample, ()) {
  const auto half_steps = *rc::gen::inRange<int64_t>(1, 40);
  const Vec2 size{*rc::gen::element(100.0, 1234.5), *rc::gen::element(100.0, 777.7)};
  const UpliftParams p = any_params();
  const Frame fine = make_world(size, 2 * half_steps + 1), coarse = make_world(size, half_steps + 1);
  const Grid<float> all = mean_uplift(fine, p, quiet), some = mean_uplift(coarse, p, quiet);
  RC_ASSERT(test::same_cells(cut(all, 0, 0, coarse.width, coarse.height, 2), some));
  if (p.normalise != Normalise::samples) {
    const Terrain land = uplift(fine, p, quiet), preview = uplift(coarse, p, quiet);
    RC_ASSERT(land.relief() == preview.relief());
    RC_ASSERT(test::same_cells(cut(land.height(), 0, 0, coarse.width, coarse.height, 2), preview.height()));
  }
}

RC_GTEST_PROP(Uplift, CropEqualsTheWhole, ()) {
  const Frame world = any_world();
  UpliftParams p = any_params();
  p.normalise = *rc::gen::element(Normalise::world, Normalise::none);
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, world.width - x0 + 1);
  const auto h = *rc::gen::inRange<int64_t>(1, world.height - y0 + 1);
  const Terrain whole = uplift(world, p, quiet), crop = uplift(world.window(x0, y0, w, h), p, quiet);
  RC_ASSERT(whole.relief() == crop.relief());
  RC_ASSERT(test::same_cells(cut(whole.height(), x0, y0, w, h), crop.height()));
}

TEST(Uplift, WideLandEqualsItsTiles) {
  // Wider than a block of columns, more peaks than a batch, and cones so wide for their cells that many samples lie
  // within a rounding error of a foot.
  const Frame world = make_world({50000, 400}, 5001);
  UpliftParams p;
  p.peaks = 5000;
  p.peak_height = {metres(1), metres(20000)};
  p.normalise = Normalise::none;
  const Terrain whole = uplift(world, p, quiet);
  for (int64_t x0 = 0; x0 + 1000 <= world.width; x0 += 997) {
    const Terrain tile = uplift(world.window(x0, 3, 1000, 30), p, quiet);
    EXPECT_TRUE(test::same_cells(cut(whole.height(), x0, 3, 1000, 30), tile.height())) << x0;
  }
}

TEST(Uplift, FeetOfVastConesEqualTheirTiles) {
  // Rows that graze a foot: samples just outside, which a float takes for lifted, must be so in every tile.
  const Frame world = make_world({4000, 300}, 4001);
  std::vector<UpliftPeak> peaks;
  for (int i = 0; i < 250; ++i) peaks.push_back({{50.3 + 15.1 * i, -1e6}, 1e6 + 20.03 + 1.01 * i});
  const auto part = [&](const Frame& frame) { return mean_of(frame, peaks, 1); };
  const Grid<float> whole = part(world);
  for (const int64_t x0 : {0, 1, 5, 333, 2047})
    EXPECT_TRUE(test::same_cells(cut(whole, x0, 0, 1500, 301), part(world.window(x0, 0, 1500, 301)))) << x0;
}

TEST(Uplift, ManyPeaksStillSumPrecisely) {
  const Frame world = make_world({100, 100}, 17);
  UpliftParams p;
  p.peaks = 100000;
  const Grid<float> fast = mean_uplift(world, p, quiet);
  const Grid<double> plain = reference::mean_uplift(world, p);
  for (int64_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast.data()[i] / plain.data()[i], 1, 2e-6);
}

TEST(Uplift, SameBitsOnAnyMachine) {
  const Frame world = make_world({3000, 1700}, 157, {-40, 12});
  UpliftParams p;
  p.peaks = 150;
  test::expect_same_bits([&] { return uplift(world, p, quiet).hash(); });
  p.ruggedness = 9;
  p.normalise = Normalise::none;
  test::expect_same_bits([&] { return uplift(world, p, quiet).hash(); });
}

TEST(Uplift, PeaksFillTheWorldAndTheirInterval) {
  const Frame world = make_world({1000, 400}, 3);
  UpliftParams p;
  p.peak_height = {metres(10), metres(30)};
  int west = 0, low = 0;
  for (const auto& [place, height] : draw_uplift_peaks(world, p, 0, 20000)) {
    EXPECT_TRUE(place.x >= 0 && place.x <= 1000 && place.y >= 0 && place.y <= 400);
    EXPECT_TRUE(height >= 10 && height <= 30);
    west += place.x < 250;
    low += height < 15;
  }
  EXPECT_NEAR(west / 20000.0, 0.25, 0.01);
  EXPECT_NEAR(low / 20000.0, 0.25, 0.01);
}

TEST(Uplift, APeakDoesNotDependOnHowManyThereAre) {
  const Frame world = make_world({1000, 600}, 30);
  const auto all = draw_uplift_peaks(world, {}, 0, 50), some = draw_uplift_peaks(world, {}, 20, 10);
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].place, all[20 + i].place);
    EXPECT_EQ(some[i].height, all[20 + i].height);
  }
}

TEST(Uplift, NoPeaksAndNoHeightAreFlat) {
  const Frame world = make_world({100, 50}, 41);
  UpliftParams none;
  none.peaks = 0;
  UpliftParams low;
  low.peak_height = {metres(0), metres(0)};
  low.ruggedness = 0;
  for (UpliftParams p : {none, low})
    for (const Normalise normalise : {Normalise::world, Normalise::samples, Normalise::none}) {
      p.normalise = normalise;
      const Terrain land = uplift(world, p, quiet);
      for (const float z : land.height().cells()) EXPECT_EQ(z, 0);
      EXPECT_EQ(land.relief(), (Relief{0, normalise == Normalise::none ? 0 : 7.5}));
    }
}

TEST(Uplift, HighestPointOfTheWorldIsItsHeight) {
  const Terrain land = uplift(make_world({1000, 1000}, 257), {}, quiet);
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  EXPECT_GE(low, 0);
  EXPECT_EQ(high, 150);
}

TEST(Uplift, HeightFromHighToLowIsRefusedAcrossUnits) {
  UpliftParams p;
  p.peak_height = {percent(50), metres(10)};
  EXPECT_NE(test::error_of([&] {
              uplift(make_world({100, 100}, 9), p, quiet);
            }).find("high to low"),
            std::string::npos);
}

TEST(Uplift, ReportAsOftenForFewSamples) {
  for (const int64_t resolution : {1, 9, 65, 1025}) {
    const Frame world = make_world({1000, 1000}, resolution);
    EXPECT_LT(test::widest_progress_gap([&](const Context& context) { uplift(world, {}, context); }), 0.2)
        << resolution;
  }
}

TEST(Uplift, StopWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(uplift(make_world({100, 100}, 65), {}, Context(nullptr, &cancel)), Error);
}

TEST(Uplift, AMillionPeaksReportOftenAndStopAtOnce) {
  struct Stopper : ProgressSink {
    void progress(int, std::string_view, double fraction) override {
      EXPECT_LT(fraction, 0.05);
      if (++calls == 50) cancel = true;
    }
    void warn(std::string_view) override {}
    std::atomic<int> calls = 0;
    CancelFlag cancel = false;
  } stopper;
  UpliftParams p;
  p.peaks = 1000000;
  EXPECT_THROW(uplift(make_world({1000, 1000}, 257), p, Context(&stopper, &stopper.cancel)), Error);
  EXPECT_LT(stopper.calls, 100);
}

TEST(Uplift, TakesAtMostThreeGrids) {
  const Frame world = make_world({2000, 1500}, 2001);
  for (const int64_t peaks : {60, 9000}) {
    UpliftParams p;
    p.peaks = peaks;
    p.ruggedness = 20;
    pool_reset_peak();
    const size_t before = pool_use().used;
    const Terrain land = uplift(world, p, quiet);
    EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
  }
}

}  // namespace tepui::uplift_test
