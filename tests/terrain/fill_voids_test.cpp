#include "tepui/terrain/fill_voids.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/random.h"
#include "tests/support/support.h"

namespace tepui::fill_voids_test {
namespace {

Grid<float> holes(int64_t width, int64_t height, uint64_t seed, double share) {
  Grid<float> voids(width, height);
  for (int64_t i = 0; i < voids.size(); ++i)
    voids.data()[i] = Stream(seed).uniform(static_cast<uint64_t>(i)) < share ? 1 : 0;
  voids.data()[Stream(seed).bits(0, 1) % static_cast<uint64_t>(voids.size())] = 0;
  return voids;
}

/// The plain twin: Gauss-Seidel in double until nothing moves.
Grid<float> relaxed(const Grid<float>& values, const Grid<float>& voids) {
  const int64_t width = values.width(), height = values.height();
  std::vector<double> z(values.cells().begin(), values.cells().end());
  const auto at = [&](int64_t x, int64_t y) -> double& { return z[static_cast<size_t>(y * width + x)]; };
  double moved = 1;
  for (int i = 0; i < 20000 && moved > 1e-7; ++i) {
    moved = 0;
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        if (voids(x, y) == 0) continue;
        double sum = 0;
        int count = 0;
        for (const auto& [u, v] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}})
          if (u >= 0 && v >= 0 && u < width && v < height) sum += at(u, v), ++count;
        moved = std::max(moved, std::abs(at(x, y) - sum / count));
        at(x, y) = sum / count;
      }
  }
  Grid<float> result(width, height);
  std::transform(z.begin(), z.end(), result.data(), [](double v) { return static_cast<float>(v); });
  return result;
}

RC_GTEST_PROP(FillVoids, KeepsTheLandAndStaysWithinItsRange, (uint64_t seed)) {
  const int64_t width = *rc::gen::inRange(1, 60), height = *rc::gen::inRange(1, 60);
  const Terrain land = test::sample_land(width, height, seed);
  const Grid<float> voids = holes(width, height, seed, *rc::gen::inRange(0, 101) * 0.01);
  Grid<float> filled = land.height().clone();
  double low = 1e30, high = -1e30;
  for (int64_t i = 0; i < filled.size(); ++i) {
    if (voids.data()[i] != 0) {
      filled.data()[i] = 0;
      continue;
    }
    low = std::min(low, static_cast<double>(filled.data()[i]));
    high = std::max(high, static_cast<double>(filled.data()[i]));
  }
  fill_voids(filled, voids, Context());
  for (int64_t i = 0; i < filled.size(); ++i) {
    const float z = filled.data()[i];
    if (voids.data()[i] == 0) RC_ASSERT(z == land.height().data()[i]);
    RC_ASSERT(z >= static_cast<float>(low) && z <= static_cast<float>(high));
  }
}

TEST(FillVoids, KeepsConstants) {
  Grid<float> z(37, 21, 123.25f);
  const Grid<float> voids = holes(37, 21, 4, 0.7);
  for (int64_t i = 0; i < z.size(); ++i)
    if (voids.data()[i] != 0) z.data()[i] = 0;
  fill_voids(z, voids, Context());
  for (const float v : z.cells()) EXPECT_EQ(v, 123.25f);
}

TEST(FillVoids, SolvesLaplaceNearly) {
  // A wide void in a rough land, and one at the rim.
  const Terrain land = test::sample_land(96, 80, 7);
  Grid<float> voids(96, 80, 0);
  for (int64_t y = 0; y < 80; ++y)
    for (int64_t x = 0; x < 96; ++x)
      if ((x > 20 && x < 60 && y > 15 && y < 70) || (x > 85 && y > 40)) voids(x, y) = 1;
  Grid<float> filled = land.height().clone();
  fill_voids(filled, voids, Context());
  EXPECT_LT(test::max_difference(filled, relaxed(filled, voids)), 0.01 * land.relief().span());
}

TEST(FillVoids, SameBitsEverywhere) {
  const Terrain land = test::sample_land(150, 130, 2);
  const Grid<float> voids = holes(150, 130, 8, 0.5);
  test::expect_same_bits([&] {
    Grid<float> filled = land.height().clone();
    fill_voids(filled, voids, Context());
    return hash_large(filled.data(), filled.bytes());
  });
}

TEST(FillVoids, NothingButVoidsIsAnError) {
  Grid<float> z(5, 4, 0);
  const Grid<float> voids(5, 4, 1);
  EXPECT_NE(test::error_of([&] { fill_voids(z, voids, Context()); }).find("every sample is void"), std::string::npos);
}

}  // namespace
}  // namespace tepui::fill_voids_test
