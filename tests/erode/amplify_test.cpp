#include "tepui/erode/amplify.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/generate/noise.h"
#include "tepui/hydrology/breach.h"
#include "tepui/hydrology/pits.h"
#include "tepui/terrain/resample.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::amplify_test {
namespace {

Terrain coarse(int64_t resolution, uint64_t seed) {
  NoiseParams params;
  params.height = metres(500);
  params.seed.recipe = seed;
  return noise(make_world({6000, 4000}, resolution), params, Context());
}

AmplifyParams any_params() {
  AmplifyParams params;
  params.factor = *rc::gen::element(2, 4);
  params.strength = *rc::gen::element(0.1, 1.0);
  params.seed.recipe = *rc::gen::arbitrary<uint64_t>();
  return params;
}

RC_GTEST_PROP(Amplify, LiesOnTheSameRectangle, ()) {
  const Terrain land = coarse(*rc::gen::inRange<int64_t>(2, 16), 1);
  const AmplifyParams params = any_params();
  const Terrain out = amplify(land, nullptr, params, Context());
  RC_ASSERT(out.frame() == amplified_frame(land.frame(), params));
  RC_ASSERT(out.frame().width == (land.frame().width - 1) * params.factor + 1);
  RC_ASSERT(std::abs(out.frame().x(out.frame().width - 1) - land.frame().x(land.frame().width - 1)) < 1e-6);
}

RC_GTEST_PROP(Amplify, LeavesNoPits, ()) {
  const Terrain out = amplify(coarse(24, *rc::gen::inRange<uint64_t>(0, 99)), nullptr, any_params(), Context());
  RC_ASSERT(pits(out, {}, Context()).empty());
}

/// By how many metres means around the old samples differ from those of the old land, interpolated, without its pits.
std::vector<double> changes_of_means(const Terrain& land, const Terrain& out) {
  const Terrain plain = resample(breach(land, {}, Context()), &out, {}, Context());
  std::vector<double> changes;
  for (int64_t y = 2; y < land.frame().height - 2; ++y)
    for (int64_t x = 2; x < land.frame().width - 2; ++x) {
      double sum = 0, weights = 0;
      for (int64_t j = -7; j <= 7; ++j)
        for (int64_t i = -7; i <= 7; ++i) {
          const double weight = (8.0 - std::abs(static_cast<double>(i))) * (8.0 - std::abs(static_cast<double>(j)));
          const double d = static_cast<double>(out.height()(4 * x + i, 4 * y + j)) -
                           static_cast<double>(plain.height()(4 * x + i, 4 * y + j));
          sum += weight * d, weights += weight;
        }
      changes.push_back(sum / weights);
    }
  return changes;
}

TEST(Amplify, KeepsTheBroadShape) {
  const Terrain land = breach(coarse(65, 3), {}, Context());
  double square = 0;
  const std::vector<double> changes = changes_of_means(land, amplify(land, nullptr, {}, Context()));
  for (double d : changes) square += d * d;
  EXPECT_LT(std::sqrt(square / static_cast<double>(changes.size())), 0.01 * 500);
}

TEST(Amplify, KeepsTheBroadShapeButForTheWallsOfNotches) {
  const Terrain land = coarse(65, 3);
  ASSERT_FALSE(pits(land, {}, Context()).empty());
  std::vector<double> changes = changes_of_means(land, amplify(land, nullptr, {}, Context()));
  for (double& d : changes) d = std::abs(d);
  std::ranges::sort(changes);
  EXPECT_LT(changes[changes.size() * 9 / 10], 0.01 * 500);
}

/// Metres by which a land differs from the old one between its samples.
Grid<float> detail_of(const Terrain& out, const Terrain& land) {
  const Terrain plain = resample(land, &out, {}, Context());
  Grid<float> d(out.frame().width, out.frame().height);
  for (int64_t i = 0; i < d.size(); ++i) d.data()[i] = out.height().data()[i] - plain.height().data()[i];
  return d;
}

double root_mean_square(const Grid<float>& map, int64_t from, int64_t to) {
  double sum = 0;
  for (int64_t y = 8; y < map.height() - 8; ++y)
    for (int64_t x = from; x < to; ++x) sum += static_cast<double>(map(x, y)) * static_cast<double>(map(x, y));
  return std::sqrt(sum / static_cast<double>((map.height() - 16) * (to - from)));
}

TEST(Amplify, DetailGrowsWithStrength) {
  const Terrain land = breach(coarse(65, 5), {}, Context());
  double before = -1;
  for (double strength : {0.0, 0.3, 1.0, 3.0}) {
    AmplifyParams params;
    params.strength = strength;
    const Grid<float> detail = detail_of(amplify(land, nullptr, params, Context()), land);
    const double now = root_mean_square(detail, 8, detail.width() - 8);
    EXPECT_GT(now, 1.3 * before) << strength;
    before = now;
  }
}

/// A slope to the west, with noise in its eastern half, so many metres high.
Terrain slope_land(double rough) {
  const Terrain noisy = coarse(65, 6);
  Grid<float> z(noisy.frame().width, noisy.frame().height);
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      const double hill = x < z.width() / 2 ? 0 : rough / 500 * static_cast<double>(noisy.height()(x, y));
      z(x, y) = static_cast<float>(40 * static_cast<double>(x) + hill);
    }
  return noisy.with_height(std::move(z));
}

TEST(Amplify, RoughGroundGetsMoreDetailThanSmooth) {
  const Terrain land = slope_land(100);
  const Grid<float> detail = detail_of(amplify(land, nullptr, {}, Context()), land);
  const int64_t half = detail.width() / 2;
  EXPECT_GT(root_mean_square(detail, half + 16, detail.width() - 8), 1.5 * root_mean_square(detail, 8, half - 16));
}

/// From 0, if detail runs in all directions around a place, to 1 if it runs in one.
double sameness_of_directions(const Grid<float>& detail) {
  constexpr int64_t block = 32;
  double same = 0, all = 0;
  for (int64_t v = block; v + 2 * block < detail.height(); v += block)
    for (int64_t u = block; u + 2 * block < detail.width(); u += block) {
      double xx = 0, xy = 0, yy = 0;
      for (int64_t y = v; y < v + block; ++y)
        for (int64_t x = u; x < u + block; ++x) {
          const auto gx = static_cast<double>(detail(x + 1, y) - detail(x - 1, y));
          const auto gy = static_cast<double>(detail(x, y + 1) - detail(x, y - 1));
          xx += gx * gx, xy += gx * gy, yy += gy * gy;
        }
      same += std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy), all += xx + yy;
    }
  return same / all;
}

TEST(Amplify, GulliesOfAnEvenSlopeDoNotRunSideBySide) {
  const Terrain land = slope_land(0);
  EXPECT_LT(sameness_of_directions(detail_of(amplify(land, nullptr, {}, Context()), land)), 0.7);
}

TEST(Amplify, SameBitsForAnyThreadCountAndLevel) {
  const Terrain land = coarse(50, 4);
  test::expect_same_bits([&] { return amplify(land, nullptr, {}, Context()).hash(); });
}

TEST(Amplify, RefusesFactorsThatAreNoPowerOfTwo) {
  AmplifyParams params;
  params.factor = 3;
  EXPECT_CONTAINS(test::error_of([&] { amplify(coarse(20, 1), nullptr, params, Context()); }), "2, 4 or 8");
}

}  // namespace
}  // namespace tepui::amplify_test
