#include "tepui/generate/noise.h"

#include <algorithm>
#include <cmath>

#include "reference/noise.h"
#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tests/support/support.h"

namespace tepui::noise_test {

namespace {

NoiseParams random_params() {
  NoiseParams p;
  p.kind = *rc::gen::element(NoiseKind::simplex, NoiseKind::value);
  p.sum = *rc::gen::element(NoiseSum::fbm, NoiseSum::ridged, NoiseSum::billow);
  p.scale = percent(*rc::gen::inRange(5, 200));
  p.octaves = *rc::gen::inRange(1, 12);
  p.lacunarity = *rc::gen::element(1.0, 1.7, 2.0, 3.0);
  p.gain = *rc::gen::element(0.0, 0.4, 0.5, 0.8);
  p.warp = *rc::gen::element(percent(0), percent(3), metres(40));
  p.normalise = *rc::gen::element(Normalise::world, Normalise::none);
  p.seed.node = *rc::gen::inRange(-5, 5);
  return p;
}

Frame random_world(int64_t resolution) {
  return make_world({*rc::gen::inRange(1, 40) * 100.0, *rc::gen::inRange(1, 40) * 100.0}, resolution,
                    {*rc::gen::element(0.0, -250.5, 1e6), 33.3});
}

Terrain made(const Frame& frame, const NoiseParams& p) { return noise(frame, p, {}); }

}  // namespace

RC_GTEST_PROP(NoiseOperator, HalfResolutionIsEverySecondSample, ()) {
  const NoiseParams p = random_params();
  const auto steps = *rc::gen::inRange<int64_t>(1, 40);
  const Frame small = random_world(steps + 1);
  const Frame large = make_world(small.size, 2 * steps + 1, small.origin);
  const Terrain half = made(small, p), full = made(large, p);
  for (int64_t y = 0; y < small.height; ++y)
    for (int64_t x = 0; x < small.width; ++x) RC_ASSERT(half.height()(x, y) == full.height()(2 * x, 2 * y));
}

RC_GTEST_PROP(NoiseOperator, ACropEqualsTheWhole, ()) {
  const NoiseParams p = random_params();
  const Frame world = random_world(*rc::gen::inRange<int64_t>(1, 80));
  const auto x0 = *rc::gen::inRange<int64_t>(0, world.width), y0 = *rc::gen::inRange<int64_t>(0, world.height);
  const auto w = *rc::gen::inRange<int64_t>(1, world.width - x0 + 1),
             h = *rc::gen::inRange<int64_t>(1, world.height - y0 + 1);
  const Terrain whole = made(world, p), crop = made(world.window(x0, y0, w, h), p);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) RC_ASSERT(crop.height()(x, y) == whole.height()(x0 + x, y0 + y));
}

RC_GTEST_PROP(NoiseOperator, EqualsItsPlainTwin, ()) {
  NoiseParams p = random_params();
  p.octaves = std::min(p.octaves, 6);
  p.normalise = *rc::gen::element(Normalise::samples, Normalise::none);
  const Frame world = random_world(*rc::gen::inRange<int64_t>(2, 40));
  const Terrain fast = made(world, p), plain = reference::noise(world, p);
  RC_ASSERT(fast.relief() == plain.relief());
  // Of the height; "samples" stretches small ranges of few samples and so the error.
  const double bound = p.normalise == Normalise::none ? 2e-5 : 1e-3;
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= bound * fast.relief().top);
}

TEST(NoiseOperator, EqualsItsPlainTwinOnTheWorldsLattice) {
  const Frame world = make_world({3000, 2000}, 61);
  const Terrain fast = made(world, {}), plain = reference::noise(world, {});
  EXPECT_LE(test::max_difference(fast.height(), plain.height()), 2e-5 * fast.relief().top);
}

TEST(NoiseOperator, HasTheSameBitsForAnyThreadsAndLevel) {
  const Frame world = make_world({3000, 2000}, 301);
  for (const NoiseSum sum : {NoiseSum::fbm, NoiseSum::ridged}) {
    NoiseParams p;
    p.sum = sum;
    test::expect_same_bits([&] { return made(world, p).hash(); });
  }
}

TEST(NoiseOperator, FillsItsHeight) {
  const Frame world = make_world({4000, 4000}, 257);
  for (const NoiseSum sum : {NoiseSum::fbm, NoiseSum::ridged, NoiseSum::billow})
    for (const Normalise normalise : {Normalise::world, Normalise::samples, Normalise::none}) {
      NoiseParams p;
      p.sum = sum;
      p.normalise = normalise;
      const Terrain land = made(world, p);
      const double top = sum == NoiseSum::ridged ? 360 : 600;
      EXPECT_EQ(land.relief(), (Relief{0, top}));
      const MinMax range = min_max(land.height(), {});
      if (normalise == Normalise::none) {
        EXPECT_GE(range.low, 0);
        EXPECT_LE(range.high, top);
      } else {
        // 257 samples are the measuring lattice.
        EXPECT_EQ(range.low, 0);
        EXPECT_EQ(range.high, top);
      }
    }
}

TEST(NoiseOperator, FinerSamplesBarelyLeaveTheMeasuredRange) {
  const Terrain land = made(make_world({4000, 4000}, 1025), {});
  const MinMax range = min_max(land.height(), {});
  EXPECT_GE(range.low, -0.03f * 600);
  EXPECT_LE(range.high, 1.03f * 600);
}

TEST(NoiseOperator, SmallestLandIsDefined) {
  for (const Vec2 size : {Vec2{100, 100}, {1000, 1}, {1, 1000}})
    for (const int64_t resolution : {1, 2, 300}) {
      const Frame world = make_world(size, resolution);
      for (const Normalise normalise : {Normalise::world, Normalise::samples, Normalise::none}) {
        NoiseParams p;
        p.normalise = normalise;
        const Terrain land = made(world, p);
        EXPECT_EQ(land.height().width(), world.width);
        EXPECT_TRUE(std::ranges::all_of(land.height().cells(), [](float z) { return std::isfinite(z); }));
        if (world.width * world.height == 1 && normalise == Normalise::samples) {
          EXPECT_EQ(land.height()(0, 0), 0);
        }
      }
    }
}

TEST(NoiseOperator, SeedsGiveOtherLand) {
  const Frame world = make_world({1000, 1000}, 65);
  NoiseParams p;
  const Hash first = made(world, p).hash();
  EXPECT_EQ(made(world, p).hash(), first);
  p.seed.node = 1;
  EXPECT_NE(made(world, p).hash(), first);
  p.seed = {0, 1};
  EXPECT_NE(made(world, p).hash(), first);
}

TEST(NoiseOperator, ALargerWorldKeepsItsLook) {
  const Terrain small = made(make_world({1000, 1000}, 65), {}), large = made(make_world({8000, 8000}, 65), {});
  for (int64_t i = 0; i < small.height().size(); ++i)
    EXPECT_NEAR(small.height().data()[i] * 8, large.height().data()[i], 1e-3 * large.relief().top);
}

TEST(NoiseOperator, OctavesRoughenTheLand) {
  const Frame world = make_world({1000, 1000}, 129);
  const auto roughness = [&](int octaves) {
    NoiseParams p;
    p.octaves = octaves;
    p.warp = metres(0);
    const Terrain land = made(world, p);
    double sum = 0;
    for (int64_t y = 0; y < 129; ++y)
      for (int64_t x = 1; x < 128; ++x)
        sum += std::abs(land.height()(x + 1, y) - 2 * land.height()(x, y) + land.height()(x - 1, y));
    return sum;
  };
  EXPECT_LT(3 * roughness(1), roughness(4));
  EXPECT_LT(1.5 * roughness(4), roughness(7));
}

TEST(NoiseOperator, CancelThrows) {
  const CancelFlag cancel = true;
  try {
    noise(make_world({1000, 1000}, 129), {}, Context(nullptr, &cancel));
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(NoiseOperator, TakesOneGridAndTheLattice) {
  const Frame world = make_world({1000, 1000}, 1025);
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain land = made(world, {});
  EXPECT_LE(pool_use().peak - before, land.height().bytes() * 5 / 4);
}

TEST(NoiseOperator, FeaturesTooFineForTheirPlaceAreRefused) {
  NoiseParams p;
  p.scale = metres(0.001);
  p.octaves = 16;
  p.lacunarity = 4;
  EXPECT_NE(test::error_of([&] { made(make_world({1000, 1000}, 5, {1e9, 0}), p); }).find("octave"), std::string::npos);
}

TEST(NoiseOperator, HeightsThatNoLayerHoldsAreRefused) {
  Fields<NoiseParams> fields;
  describe(fields);
  const Field& height = fields.table().fields[static_cast<size_t>(fields.table().find("height"))];
  test::error_of([&] { check_range(height, metres(1e39)); });
  NoiseParams p;
  p.height = metres(1e39);
  for (const float z : made(make_world({100, 100}, 9), p).height().cells()) EXPECT_TRUE(std::isfinite(z));
}

TEST(NoiseOperator, DefaultsAreWithinTheirRanges) {
  Fields<NoiseParams> fields;
  describe(fields);
  EXPECT_EQ(fields.table().reach, Reach::point);
  for (const Field& field : fields.table().fields) check_range(field, field.fallback);
}

TEST(NoiseOperator, RidgesAreNoSteeperThanRollingLandByDefault) {
  const Frame world = make_world({2048, 2048}, 1025);
  const auto steep = [&](NoiseSum sum) {
    NoiseParams p;
    p.sum = sum, p.warp = percent(6);
    const Grid<float> z = noise(world, p, {}).height().clone();
    int64_t count = 0;
    for (int64_t y = 0; y + 1 < z.height(); ++y)
      for (int64_t x = 0; x + 1 < z.width(); ++x) {
        const double dx = static_cast<double>(z(x + 1, y) - z(x, y)) / 2,
                     dy = static_cast<double>(z(x, y + 1) - z(x, y)) / 2;
        count += dx * dx + dy * dy > 1 ? 1 : 0;
      }
    return static_cast<double>(count) / static_cast<double>(z.size());
  };
  EXPECT_LT(steep(NoiseSum::ridged), 0.25);
  EXPECT_LT(steep(NoiseSum::ridged), 2 * steep(NoiseSum::fbm) + 0.05);
}

}  // namespace tepui::noise_test
