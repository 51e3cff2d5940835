#include "tepui/generate/brownian.h"

#include <cmath>
#include <limits>

#include "reference/brownian.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::brownian_test {

namespace {

const Context quiet;

Frame any_world(int64_t resolution) {
  return make_world({*rc::gen::inRange(1, 40) * 100.0, *rc::gen::inRange(1, 40) * 100.0}, resolution,
                    {*rc::gen::element(0.0, -250.5, 1e6), 33.3});
}

BrownianParams any_params() {
  BrownianParams p;
  p.hurst = *rc::gen::element(0.02, 0.3, 0.5, 0.8, 0.98);
  p.size = *rc::gen::element(percent(10), percent(100), percent(300), metres(70));
  p.detail = *rc::gen::element(percent(0.05), percent(2), metres(1), metres(1e5));
  p.normalise = *rc::gen::element(Normalise::world, Normalise::none);
  p.seed.node = *rc::gen::inRange(-5, 5);
  return p;
}

/// Half the slope of the logarithm of the mean squared difference over that of the distance, along both axes, by least
/// squares over lags of 4 to 128 cells.
double fitted_hurst(const BrownianParams& params, const Frame& world) {
  const int64_t lags[] = {4, 8, 16, 32, 64, 128};
  double sums[std::size(lags)] = {};
  for (int64_t seed = 0; seed < 4; ++seed) {
    BrownianParams p = params;
    p.seed.node = seed;
    const Terrain land = brownian(world, p, quiet);
    const Grid<float>& z = land.height();
    for (size_t k = 0; k < std::size(lags); ++k)
      for (int64_t y = 0; y + 128 < z.height(); y += 3)
        for (int64_t x = 0; x + 128 < z.width(); ++x) {
          const double east = z(x + lags[k], y) - z(x, y), north = z(x, y + lags[k]) - z(x, y);
          sums[k] += east * east + north * north;
        }
  }
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t k = 0; k < std::size(lags); ++k) {
    const double x = std::log(static_cast<double>(lags[k])), y = std::log(sums[k]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return 0.5 * (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

TEST(Brownian, HasItsHurstExponent) {
  // Between the ends: from 16 times the detail to a sixteenth of the size.
  const Frame world = make_world({768, 768}, 385);
  for (const double hurst : {0.2, 0.5, 0.8}) {
    BrownianParams p;
    p.hurst = hurst;
    p.size = metres(4096);
    p.detail = metres(0.5);
    p.normalise = Normalise::none;
    EXPECT_NEAR(fitted_hurst(p, world), hurst, 0.06) << hurst;
  }
}

TEST(Brownian, IsFarMoreJaggedThanNoise) {
  // Both 15 % high: how much a step of one cell changes the slope.
  const Frame world = make_world({1000, 1000}, 513);
  const auto jaggedness = [](const Terrain& land) {
    double sum = 0;
    for (int64_t y = 0; y < land.frame().height; ++y)
      for (int64_t x = 1; x + 1 < land.frame().width; ++x)
        sum += std::abs(land.height()(x + 1, y) - 2 * land.height()(x, y) + land.height()(x - 1, y));
    return sum;
  };
  EXPECT_GT(jaggedness(brownian(world, {}, quiet)), 4 * jaggedness(noise(world, {}, quiet)));
}

RC_GTEST_PROP(Brownian, EqualsItsPlainTwin, ()) {
  BrownianParams p = any_params();
  p.normalise = *rc::gen::element(Normalise::samples, Normalise::none);
  const Frame world = any_world(*rc::gen::inRange<int64_t>(2, 30));
  const Terrain fast = brownian(world, p, quiet), plain = reference::brownian(world, p);
  RC_ASSERT(fast.relief() == plain.relief());
  // Of the height; "samples" stretches small ranges of few samples and so the error.
  const double bound = p.normalise == Normalise::none ? 2e-5 : 1e-3;
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= bound * fast.relief().top);
}

RC_GTEST_PROP(Brownian, HalfResolutionIsEverySecondSample, ()) {
  const BrownianParams p = any_params();
  const auto steps = *rc::gen::inRange<int64_t>(1, 40);
  const Frame small = any_world(steps + 1), large = make_world(small.size, 2 * steps + 1, small.origin);
  const Terrain half = brownian(small, p, quiet), full = brownian(large, p, quiet);
  for (int64_t y = 0; y < small.height; ++y)
    for (int64_t x = 0; x < small.width; ++x) RC_ASSERT(half.height()(x, y) == full.height()(2 * x, 2 * y));
}

RC_GTEST_PROP(Brownian, CropEqualsTheWhole, ()) {
  const BrownianParams p = any_params();
  const Frame world = any_world(*rc::gen::inRange<int64_t>(1, 80));
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, world.width - x0 + 1),
             h = *rc::gen::inRange<int64_t>(1, world.height - y0 + 1);
  const Terrain whole = brownian(world, p, quiet), crop = brownian(world.window(x0, y0, w, h), p, quiet);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) RC_ASSERT(crop.height()(x, y) == whole.height()(x0 + x, y0 + y));
}

TEST(Brownian, HasTheSameBitsForAnyThreadsAndLevel) {
  const Frame world = make_world({3000, 2000}, 201);
  test::expect_same_bits([&] { return brownian(world, {}, quiet).hash(); });
}

TEST(Brownian, FillsItsHeight) {
  // 257 samples are the measuring lattice.
  const MinMax range = min_max(brownian(make_world({1000, 1000}, 257), {}, quiet).height(), quiet);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 150);
}

TEST(Brownian, DetailEndsTheOctaves) {
  EXPECT_EQ(brownian_spec(0.5, 1000, 2000, 1).octaves, 1);
  EXPECT_EQ(brownian_spec(0.5, 1000, 1000, 1).octaves, 1);
  EXPECT_EQ(brownian_spec(0.5, 1000, 999, 1).octaves, 2);
  EXPECT_EQ(brownian_spec(0.5, 1000, 125, 1).octaves, 4);
  EXPECT_EQ(brownian_spec(0.5, 0.1 * 3, 0.1 * 3 / 8 * (1 - 1e-15), 1).octaves, 4);
}

TEST(Brownian, SmallestLandIsDefined) {
  for (const Vec2 size : {Vec2{100, 100}, {1000, 1}, {1, 1000}})
    for (const int64_t resolution : {1, 2, 300})
      for (const Normalise normalise : {Normalise::world, Normalise::samples, Normalise::none}) {
        BrownianParams p;
        p.normalise = normalise;
        const Terrain land = brownian(make_world(size, resolution), p, quiet);
        EXPECT_TRUE(std::ranges::all_of(land.height().cells(), [](float z) { return std::isfinite(z); }));
      }
}

TEST(Brownian, HurstExponentsOutsideZeroToOneAreRefused) {
  for (const double hurst : {0.0, 1.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    BrownianParams p;
    p.hurst = hurst;
    EXPECT_NE(test::error_of([&] {
                brownian(make_world({100, 100}, 9), p, quiet);
              }).find("between 0 and 1"),
              std::string::npos);
  }
}

TEST(Brownian, DetailTooFineForItsSizeOrPlaceIsRefused) {
  BrownianParams p;
  p.detail = metres(1e-6);
  EXPECT_NE(test::error_of([&] { brownian(make_world({100, 100}, 9), p, quiet); }).find("at least"), std::string::npos);
  p.size = metres(0.01);
  p.detail = metres(0.001);
  EXPECT_NE(test::error_of([&] {
              brownian(make_world({1000, 1000}, 5, {1e10, 0}), p, quiet);
            }).find("octave"),
            std::string::npos);
}

TEST(Brownian, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(brownian(make_world({100, 100}, 65), {}, Context(nullptr, &cancel)), Error);
}

TEST(Brownian, TakesOneGridAndTheLattice) {
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain land = brownian(make_world({1000, 1000}, 1025), {}, quiet);
  EXPECT_LE(pool_use().peak - before, land.height().bytes() * 5 / 4);
}

}  // namespace tepui::brownian_test
