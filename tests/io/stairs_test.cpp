#include "tepui/terrain/stairs.h"

#include <cmath>

#include "reference/stairs.h"
#include "tepui/core/random.h"
#include "tests/support/support.h"

namespace tepui::stairs_test {
namespace {

Grid<float> slope(int64_t width, int64_t height, double dx, double dy) {
  Grid<float> z(width, height);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      z(x, y) = static_cast<float>(dx * static_cast<double>(x) + dy * static_cast<double>(y));
  return z;
}

Grid<float> rounded(const Grid<float>& z, float step) {
  Grid<float> result(z.width(), z.height());
  for (int64_t i = 0; i < z.size(); ++i) result.data()[i] = step * std::floor(z.data()[i] / step + 0.5f);
  return result;
}

RC_GTEST_PROP(Stairs, NoCellMovesByMoreThanHalfAStep, (uint64_t seed)) {
  const auto width = *rc::gen::inRange<int64_t>(1, 60), height = *rc::gen::inRange<int64_t>(1, 60);
  const auto step = static_cast<double>(*rc::gen::inRange(1, 40));
  const Grid<float> before =
      rounded(test::sample_land(width, height, seed, 10, {-300, 500}).height(), static_cast<float>(step));
  Grid<float> after(width, height);
  std::copy(before.cells().begin(), before.cells().end(), after.cells().begin());
  smooth_stairs(after, {}, step, Context());
  RC_ASSERT(test::max_difference(before, after) <= 0.5 * step * (1 + 1e-6) + 1e-4);
  RC_ASSERT(reference::roughness(after, {}) <= reference::roughness(before, {}) * (1 + 1e-6));
}

TEST(Stairs, EvenSlopeComesBack) {
  const Grid<float> truth = slope(200, 40, 0.06, 0.01);
  Grid<float> z = rounded(truth, 1);
  smooth_stairs(z, {}, 1, Context());
  double worst = 0;
  for (int64_t y = 0; y < 40; ++y)
    for (int64_t x = 20; x < 180; ++x)
      worst = std::max(worst, std::abs(static_cast<double>(z(x, y)) - static_cast<double>(truth(x, y))));
  EXPECT_LT(worst, 0.35);
  EXPECT_LT(reference::roughness(z, {}), 0.1 * reference::roughness(rounded(truth, 1), {}));
}

TEST(Stairs, IsNearlyAsSmoothAsThePlainTwin) {
  for (const uint64_t seed : {1, 2, 3}) {
    const Grid<float> before = rounded(test::sample_land(70, 50, seed, 10, {0, 90}).height(), 10);
    Grid<float> fast(70, 50);
    std::copy(before.cells().begin(), before.cells().end(), fast.cells().begin());
    smooth_stairs(fast, {}, 10, Context());
    const Grid<float> plain = reference::smooth_stairs(before, {}, 10);
    EXPECT_LE(reference::roughness(fast, {}), 1.02 * reference::roughness(plain, {}));
    EXPECT_LE(test::max_difference(fast, plain), 1);
  }
}

TEST(Stairs, VoidsAreLeftAloneAndPullOnNobody) {
  Grid<float> z = rounded(slope(40, 30, 0.2, 0), 1), voids(40, 30, 0.0f);
  Grid<float> other = rounded(slope(40, 30, 0.2, 0), 1);
  for (int64_t y = 5; y < 20; ++y)
    for (int64_t x = 10; x < 25; ++x) {
      voids(x, y) = 1;
      z(x, y) = 1e6f;
      other(x, y) = -1e6f;
    }
  smooth_stairs(z, voids, 1, Context());
  smooth_stairs(other, voids, 1, Context());
  for (int64_t y = 0; y < 30; ++y)
    for (int64_t x = 0; x < 40; ++x) {
      if (voids(x, y) != 0)
        EXPECT_EQ(z(x, y), 1e6f);
      else
        EXPECT_EQ(z(x, y), other(x, y));
    }
}

TEST(Stairs, ConstantsStayAndBitsAreTheSameEverywhere) {
  Grid<float> flat(33, 17, 12.0f);
  smooth_stairs(flat, {}, 1, Context());
  for (const float z : flat.cells()) EXPECT_EQ(z, 12);
  test::expect_same_bits([] {
    Grid<float> z = rounded(test::sample_land(300, 200, 5).height(), 8);
    smooth_stairs(z, {}, 8, Context());
    return hash_large(z.data(), static_cast<size_t>(z.size()) * sizeof(float));
  });
}

}  // namespace
}  // namespace tepui::stairs_test
