#include "tepui/generate/diamond_square.h"

#include <cmath>

#include "reference/diamond_square.h"
#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/generate/diamond_square_lattice.h"
#include "tests/support/support.h"

namespace tepui::diamond_square_test {

namespace {

const Context quiet;

/// A world of any shape: 1 x 1, thin, wide; not at the origin.
Frame any_world(int64_t resolution) {
  const double w = *rc::gen::element(1.0, 100.0, 1000.1, 3777.0), h = *rc::gen::element(1.0, 100.0, 1000.1, 2500.5);
  return make_world({w, h}, resolution, {*rc::gen::element(0.0, -512.25, 4e6), 17.0});
}

/// Every regime: one square far beyond the world, many below its cells, few and many levels.
DiamondSquareParams any_params() {
  DiamondSquareParams p;
  p.square = *rc::gen::element(percent(100), percent(50), percent(33), percent(40.7), metres(2), percent(900));
  p.hurst = *rc::gen::element(0.05, 0.5, 0.9, 0.999);
  p.levels = *rc::gen::element(1, 2, 5, 9, 16, 17);
  p.height = *rc::gen::element(percent(15), metres(0), metres(1200));
  p.normalise = *rc::gen::element(Normalise::world, Normalise::samples, Normalise::none);
  p.seed.node = *rc::gen::inRange<int64_t>(0, 1000);
  return p;
}

Grid<float> heights(const Frame& frame, const DiamondSquareParams& p) {
  return diamond_square_heights(frame, p, quiet);
}

}  // namespace

RC_GTEST_PROP(DiamondSquare, EqualsItsPlainTwin, ()) {
  const Frame world = any_world(*rc::gen::inRange<int64_t>(1, 70));
  DiamondSquareParams p = any_params();
  // The twin computes every point of the finest lattice.
  p.levels = std::min(p.levels, 5);
  if (p.square == metres(2)) p.square = percent(20);
  const Grid<float> fast = heights(world, p);
  const Grid<double> plain = reference::diamond_square_heights(world, p);
  // Values and the roundings of each level are of the order of 1; positions are rounded to 2^-36 of a square.
  for (int64_t i = 0; i < fast.size(); ++i) RC_ASSERT(std::abs(fast.data()[i] - plain.data()[i]) <= 4e-6);
}

RC_GTEST_PROP(DiamondSquare, LandEqualsItsPlainTwin, ()) {
  const Frame world = make_world({640, 640}, *rc::gen::element<int64_t>(1, 5, 33, 129));
  DiamondSquareParams p = any_params();
  p.square = *rc::gen::element(percent(100), percent(50), percent(200));
  const Terrain fast = diamond_square(world, p, quiet), plain = reference::diamond_square(world, p);
  RC_ASSERT(fast.relief() == (Relief{0, p.height.in(world)}));
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 1e-4 * fast.relief().top);
}

RC_GTEST_PROP(DiamondSquare, SharedSamplesAreEqualAtAnyResolution, ()) {
  const auto steps = *rc::gen::inRange<int64_t>(1, 60);
  const auto factor = *rc::gen::element<int64_t>(2, 3, 4, 5);
  const Frame coarse = any_world(steps + 1);
  const Frame fine = make_world(coarse.size, factor * steps + 1, coarse.origin);
  DiamondSquareParams p = any_params();
  if (p.normalise == Normalise::samples) p.normalise = Normalise::world;
  const Terrain land = diamond_square(fine, p, quiet), preview = diamond_square(coarse, p, quiet);
  for (int64_t y = 0; y < coarse.height; ++y)
    for (int64_t x = 0; x < coarse.width; ++x)
      RC_ASSERT(preview.height()(x, y) == land.height()(factor * x, factor * y));
}

TEST(DiamondSquare, SharedSamplesAreEqualWhereCellsAreRounded) {
  // The products of index and cell differ in their last bit, some on both sides of where positions are rounded. With so
  // low an exponent and so many levels the land shows it.
  DiamondSquareParams p;
  p.square = metres(0.407);
  p.hurst = 0.05;
  p.levels = 16;
  const Frame worlds[] = {make_world({3777, 3777}, 14), make_world({3777, 3777}, 40), make_world({3777, 3777}, 196)};
  const Grid<float> coarse = heights(worlds[0], p), fine = heights(worlds[1], p), finest = heights(worlds[2], p);
  for (int64_t y = 0; y < 14; ++y)
    for (int64_t x = 0; x < 14; ++x) {
      EXPECT_EQ(coarse(x, y), fine(3 * x, 3 * y));
      EXPECT_EQ(coarse(x, y), finest(15 * x, 15 * y));
    }
}

RC_GTEST_PROP(DiamondSquare, CropEqualsTheWhole, ()) {
  const Frame world = any_world(*rc::gen::element<int64_t>(1, 2, 65, 90, 129, 700));
  DiamondSquareParams p = any_params();
  if (p.normalise == Normalise::samples) p.normalise = Normalise::world;
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, std::min<int64_t>(world.width - x0, 90) + 1);
  const auto h = *rc::gen::inRange<int64_t>(1, std::min<int64_t>(world.height - y0, 90) + 1);
  const Grid<float> whole = heights(world, p), crop = heights(world.window(x0, y0, w, h), p);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) RC_ASSERT(crop(x, y) == whole(x0 + x, y0 + y));
}

TEST(DiamondSquare, SamplesFarApartHaveTheBitsOfThoseInTheirLattice) {
  // Squares below cells: by the root windows of each sample. A sample alone, and cells below squares: by the lattice.
  for (const double square : {0.7, 1.5, 2.0}) {
    const Frame world = make_world({720, 480}, 61);
    DiamondSquareParams p;
    p.square = metres(square);
    const Grid<float> far = heights(world, p), near = heights(make_world({720, 480}, 16 * 60 + 1), p);
    for (int64_t y = 0; y < world.height; ++y)
      for (int64_t x = 0; x < world.width; ++x) {
        ASSERT_EQ(far(x, y), near(16 * x, 16 * y)) << square;
        ASSERT_EQ(far(x, y), heights(world.window(x, y, 1, 1), p)(0, 0)) << square;
      }
  }
}

RC_GTEST_PROP(DiamondSquare, MoreLevelsKeepEveryPointThereIs, ()) {
  const auto level = *rc::gen::inRange(0, 7);
  const Frame points = make_world({512, 512}, (1 << level) + 1);
  DiamondSquareParams p = any_params();
  p.square = percent(100);
  p.levels = std::max(level, 1);
  const Grid<float> first = heights(points, p);
  p.levels += *rc::gen::inRange(1, 9);
  RC_ASSERT(test::same_cells(first, heights(points, p)));
}

TEST(DiamondSquare, PointsAreMeansOfTheirNeighboursDisplaced) {
  const Frame frame = make_world({64, 64}, 65);
  DiamondSquareParams p;
  p.square = metres(64);
  p.hurst = 0.7;
  const Grid<float> z = heights(frame, p);
  const DiamondSquareLattice lattice(frame, p);
  for (int level = 1; level <= 6; ++level) {
    const int64_t step = 64 >> level;
    for (int64_t y = step; y < 64; y += step)
      for (int64_t x = step; x < 64; x += step) {
        const int64_t i = x / step, j = y / step;
        if (i % 2 == 0 && j % 2 == 0) continue;
        const bool centre = i % 2 == 1 && j % 2 == 1;
        const double mean =
            centre
                ? (z(x - step, y - step) + z(x + step, y - step) + z(x - step, y + step) + z(x + step, y + step)) / 4.0
                : (z(x - step, y) + z(x + step, y) + z(x, y - step) + z(x, y + step)) / 4.0;
        const double amplitude = std::pow(2, -0.7 * (centre ? level - 0.5 : level));
        EXPECT_NEAR(z(x, y) - mean, amplitude * lattice.draw(level, i, j), 1e-6);
      }
  }
}

TEST(DiamondSquare, DrawsAreEvenAndIndependent) {
  const Frame frame = make_world({64, 64}, 65);
  const DiamondSquareLattice lattice(frame, {});
  double sum = 0, squares = 0, beside = 0, above = 0, level = 0;
  constexpr int side = 400;
  for (int y = -side / 2; y < side / 2; ++y)
    for (int x = -side / 2; x < side / 2; ++x) {
      const double u = lattice.draw(9, x, y);
      ASSERT_LE(std::abs(u), 1);
      sum += u;
      squares += u * u;
      beside += u * lattice.draw(9, x + 1, y);
      above += u * lattice.draw(9, x, y + 1);
      level += u * lattice.draw(8, x, y);
    }
  constexpr double n = side * side;
  EXPECT_NEAR(sum / n, 0, 0.006);
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.004);
  for (const double product : {beside, above, level}) EXPECT_NEAR(product / n, 0, 0.004);
}

TEST(DiamondSquare, RoughnessFollowsTheHurstExponent) {
  // Mean squared differences over distances d and 2 d are as 1 to 4^H.
  const Frame frame = make_world({1024, 1024}, 1025);
  for (const double hurst : {0.3, 0.6, 0.85}) {
    DiamondSquareParams p;
    p.hurst = hurst;
    p.square = metres(256);
    const Grid<float> z = heights(frame, p);
    const auto variogram = [&](int64_t d) {
      double sum = 0;
      for (int64_t y = 0; y < 1025; ++y)
        for (int64_t x = 0; x + 32 < 1025; ++x) sum += std::pow(z(x + d, y) - z(x, y), 2);
      return sum;
    };
    EXPECT_NEAR(std::log2(variogram(16) / variogram(1)) / 8, hurst, 0.12) << hurst;
  }
}

TEST(DiamondSquare, SameBitsOnAnyMachine) {
  for (const int64_t resolution : {157, 257, 333}) {
    const Frame world = make_world({3000, 1700}, resolution, {-40, 12});
    test::expect_same_bits([&] { return diamond_square(world, {}, quiet).hash(); });
    DiamondSquareParams small;
    small.square = metres(0.9);
    test::expect_same_bits([&] { return diamond_square(world, small, quiet).hash(); });
  }
}

TEST(DiamondSquare, UnnormalisedCornersLieWithinTheHeight) {
  DiamondSquareParams p;
  p.square = metres(10);
  p.normalise = Normalise::none;
  const Terrain land = diamond_square(make_world({400, 300}, 41), p, quiet);
  const MinMax range = min_max(land.height(), quiet);
  EXPECT_GE(range.low, 0);
  EXPECT_LE(range.high, 45);
  EXPECT_GT(range.high - range.low, 40);
}

TEST(DiamondSquare, WorldRangeSpansTheHeight) {
  const MinMax range = min_max(diamond_square(make_world({1000, 1000}, 257), {}, quiet).height(), quiet);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 150);
}

TEST(DiamondSquare, RefusesAnExponentOutsideItsRange) {
  const Frame world = make_world({100, 100}, 9);
  for (const double hurst : {0.0, 1.0, -0.5, 7.0, std::nan("")}) {
    DiamondSquareParams p;
    p.hurst = hurst;
    EXPECT_NE(test::error_of([&] { diamond_square(world, p, quiet); }).find("between 0 and 1"), std::string::npos);
  }
}

TEST(DiamondSquare, RefusesSquaresTooSmallToCount) {
  DiamondSquareParams p;
  p.square = metres(0.001);
  EXPECT_NE(test::error_of([&] {
              diamond_square(make_world({1e6, 1}, 9), p, quiet);
            }).find("at least"),
            std::string::npos);
  p.square = metres(0);
  test::error_of([&] { diamond_square(make_world({100, 100}, 9), p, quiet); });
}

TEST(DiamondSquare, UnequalAndUnmeasurableCellsAreNoCrash) {
  Frame frame = make_world({100, 100}, 9);
  frame.cell = {100.0 / 8, 100.0 / 8000};
  frame.size.y = 8 * frame.cell.y;
  frame.height = 9;
  DiamondSquareParams p;
  p.square = metres(50);
  for (const float z : heights(frame, p).cells()) EXPECT_TRUE(std::isfinite(z));
  frame.cell = {1e-320, 1e-320};
  frame.size = {1e-319, 1e-319};
  EXPECT_EQ(heights(frame, {}).size(), 81);
}

TEST(DiamondSquare, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(diamond_square(make_world({100, 100}, 65), {}, Context(nullptr, &cancel)), Error);
}

TEST(DiamondSquare, TakesOneGridAndItsTiles) {
  const Frame world = make_world({2000, 1500}, 2001);
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain land = diamond_square(world, {}, quiet);
  EXPECT_LE(pool_use().peak - before, 2 * land.height().bytes());
}

TEST(DiamondSquare, TakesNoMoreForSquaresFarBelowItsCells) {
  const Frame world = make_world({1000, 1000}, 129);
  DiamondSquareParams p;
  p.square = metres(0.05);
  p.levels = 12;
  p.normalise = Normalise::none;
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain land = diamond_square(world, p, quiet);
  EXPECT_LE(pool_use().peak - before, 8 * land.height().bytes());
}

}  // namespace tepui::diamond_square_test
