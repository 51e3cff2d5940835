#include "tepui/render/light/sampler.h"

#include <algorithm>

#include "tests/support/support.h"

namespace tepui::sampler_test {
namespace {

RC_GTEST_PROP(PathSampler, StaysInTheUnitSquare, (uint64_t pixel, uint64_t sample, uint32_t use)) {
  const Vec2 p = PathSampler(pixel, sample).pair(use);
  RC_ASSERT(p.x >= 0 && p.x < 1);
  RC_ASSERT(p.y >= 0 && p.y < 1);
}

// Every box of area 2^-m whose sides are powers of two holds just one of 2^m samples, wherever these begin.
TEST(PathSampler, EveryPairOfEveryPixelIsAScrambledNet) {
  for (const uint64_t pixel : {0u, 1u, 921'599u})
    for (const uint32_t use : {0u, 1u, 2u, 40u})
      for (uint32_t m = 0; m <= 10; ++m) {
        const uint64_t count = uint64_t{1} << m, first = count * (pixel % 7);
        for (uint32_t wide = 0; wide <= m; ++wide) {
          std::vector<int> boxes(count);
          for (uint64_t sample = first; sample < first + count; ++sample) {
            const Vec2 p = PathSampler(pixel, sample).pair(use);
            const auto x = static_cast<uint64_t>(p.x * static_cast<double>(uint64_t{1} << wide)),
                       y = static_cast<uint64_t>(p.y * static_cast<double>(uint64_t{1} << (m - wide)));
            ++boxes[(y << wide) + x];
          }
          EXPECT_EQ(std::ranges::count(boxes, 1), static_cast<int64_t>(count)) << pixel << ' ' << use << ' ' << m;
        }
      }
}

RC_GTEST_PROP(PathSampler, PixelsSamplesAndUsesDiffer, (uint32_t pixel, uint16_t sample, uint16_t use)) {
  const Vec2 p = PathSampler(pixel, sample).pair(use);
  RC_ASSERT(p != PathSampler(pixel + uint64_t{1}, sample).pair(use));
  RC_ASSERT(p != PathSampler(pixel, sample + uint64_t{1}).pair(use));
  RC_ASSERT(p != PathSampler(pixel, sample).pair(use + 1u));
}

TEST(PathSampler, IsNotCorrelatedBetweenPixelsOrUses) {
  constexpr uint64_t count = 4096;
  const auto correlation = [&](const std::function<double(uint64_t)>& a, const std::function<double(uint64_t)>& b) {
    double sum = 0;
    for (uint64_t i = 0; i < count; ++i) sum += (a(i) - 0.5) * (b(i) - 0.5);
    return 12 * sum / static_cast<double>(count);
  };
  const auto number = [](uint64_t pixel, uint64_t sample, uint32_t use) {
    return PathSampler(pixel, sample).pair(use).x;
  };
  // Of independent numbers its standard deviation is 1 / 64.
  EXPECT_NEAR(correlation([&](uint64_t i) { return number(i, 0, 1); }, [&](uint64_t i) { return number(i + 1, 0, 1); }),
              0, 0.08);
  EXPECT_NEAR(correlation([&](uint64_t i) { return number(i, 0, 1); }, [&](uint64_t i) { return number(i, 0, 2); }), 0,
              0.08);
  EXPECT_NEAR(correlation([&](uint64_t i) { return number(7, i, 1); }, [&](uint64_t i) { return number(7, i, 2); }), 0,
              0.08);
  EXPECT_NEAR(correlation([&](uint64_t i) { return PathSampler(7, i).pair(3).x; },
                          [&](uint64_t i) { return PathSampler(7, i).pair(3).y; }),
              0, 0.08);
}

}  // namespace
}  // namespace tepui::sampler_test
