#include "tepui/terrain/horizon.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tepui/core/hash.h"
#include "tests/support/support.h"

namespace tepui::horizon_test {

namespace {

constexpr double degree = std::numbers::pi / 180;

/// Looks at every sample ahead in one of the eight main directions.
float plain_horizon(const Grid<float>& z, int64_t x, int64_t y, int64_t dx, int64_t dy, double cell) {
  const double step = cell * std::sqrt(static_cast<double>(dx * dx + dy * dy));
  double tangent = 0;
  for (int64_t k = 1; x + k * dx >= 0 && y + k * dy >= 0 && x + k * dx < z.width() && y + k * dy < z.height(); ++k)
    tangent = std::max(tangent, (static_cast<double>(z(x + k * dx, y + k * dy)) - static_cast<double>(z(x, y))) /
                                    (static_cast<double>(k) * step));
  return static_cast<float>(tangent);
}

}  // namespace

RC_GTEST_PROP(Horizon, EqualsLookingAtEverySampleInTheMainDirections, ()) {
  const auto w = *rc::gen::inRange<int64_t>(2, 40), h = *rc::gen::inRange<int64_t>(2, 40);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>(), 10, {0, 200});
  static constexpr int64_t steps[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
  for (int k = 0; k < 8; ++k) {
    const Grid<float> swept = horizon_map(land.height(), {10, 10}, 45 * k * degree, Context());
    Grid<float> plain(w, h);
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) plain(x, y) = plain_horizon(land.height(), x, y, steps[k][0], steps[k][1], 10);
    RC_ASSERT(test::max_difference(swept, plain) < 2e-4);
  }
}

TEST(Horizon, OfALongRidgeIsTheSameFromAnyObliqueDirection) {
  // A ridge along y at x = 100: seen at `azimuth` from a distance d it rises height * sin(azimuth) / d.
  const int64_t n = 161;
  Grid<float> z(n, n, 0.0f);
  for (int64_t y = 0; y < n; ++y) z(100, y) = 50;
  for (const double azimuth : {60.0, 70.0, 80.0, 100.0, 115.0}) {
    const Grid<float> horizon = horizon_map(z, {2, 2}, azimuth * degree, Context());
    for (const int64_t x : {40, 60, 90})
      EXPECT_NEAR(horizon(x, n / 2), 50 * std::sin(azimuth * degree) / (2 * static_cast<double>(100 - x)), 0.02)
          << azimuth << " at " << x;
    EXPECT_EQ(horizon(120, n / 2), 0.0f);
  }
}

TEST(SkyLight, IsOneOnOpenLevelGround) {
  const Grid<float> flat(33, 20, 250.0f), none(33, 20, 0.0f);
  const Grid<float> sky = sky_light(flat, {7, 9}, none, none, Context());
  for (const float v : sky.cells()) EXPECT_NEAR(v, 1, 1e-4f);
}

RC_GTEST_PROP(SkyLight, OfATiltedPlaneIsHalfOfOnePlusItsCosine, ()) {
  const double gx = *rc::gen::inRange(-150, 150) / 100.0, gy = *rc::gen::inRange(-150, 150) / 100.0;
  const int64_t n = 41;
  Grid<float> z(n, n), dx(n, n, static_cast<float>(gx)), dy(n, n, static_cast<float>(gy));
  for (int64_t y = 0; y < n; ++y)
    for (int64_t x = 0; x < n; ++x)
      z(x, y) = static_cast<float>(gx * static_cast<double>(x) + gy * static_cast<double>(y));
  const Grid<float> sky = sky_light(z, {1, 1}, dx, dy, Context());
  const double expected = 0.5 * (1 + 1 / std::sqrt(1 + gx * gx + gy * gy));
  RC_ASSERT(std::abs(static_cast<double>(sky(n / 2, n / 2)) - expected) < 0.02);
}

RC_GTEST_PROP(SkyLight, StaysBetweenNoneAndAll, ()) {
  const auto w = *rc::gen::inRange<int64_t>(2, 30), h = *rc::gen::inRange<int64_t>(2, 30);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>(), 5, {0, 100});
  const Grid<float> level(w, h, 0.0f);
  for (const float v : sky_light(land.height(), {5, 5}, level, level, Context()).cells()) {
    RC_ASSERT(v >= 0.0f);
    RC_ASSERT(v <= 1.0001f);
  }
}

TEST(SkyLight, IsDimInAPit) {
  const int64_t n = 61;
  Grid<float> z(n, n, 0.0f);
  const Grid<float> level(n, n, 0.0f);
  for (int64_t y = 25; y <= 35; ++y)
    for (int64_t x = 25; x <= 35; ++x) z(x, y) = -10;
  const Grid<float> sky = sky_light(z, {1, 1}, level, level, Context());
  EXPECT_LT(sky(30, 30), 0.4f);
  EXPECT_LT(sky(26, 30), sky(30, 30));
  EXPECT_GT(sky(5, 5), 0.99f);
}

TEST(SkyLight, SameBitsForAnyThreads) {
  const Terrain land = test::sample_land(67, 45, 3);
  const Grid<float> level(67, 45, 0.0f);
  test::expect_same_bits([&] {
    const Grid<float> sky = sky_light(land.height(), {10, 12}, level, level, Context());
    return hash_bytes(sky.data(), sky.bytes());
  });
}

}  // namespace tepui::horizon_test
