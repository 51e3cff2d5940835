#include "tepui/core/random.h"

#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "tests/support/support.h"

namespace tepui::random_test {

TEST(Random, UniformFillsTheUnitIntervalEvenly) {
  constexpr int bins = 64, draws = 640'000;
  for (const uint64_t channel : {0u, 1u, 5u}) {
    std::array<int, bins> count{};
    const Stream stream(17);
    for (uint64_t i = 0; i < draws; ++i) {
      const double u = stream.uniform(i, channel);
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      ++count[static_cast<size_t>(u * bins)];
    }
    double chi_square = 0;
    for (const int n : count) chi_square += (n - 10'000.0) * (n - 10'000.0) / 10'000.0;
    // 63 degrees of freedom: 119 is exceeded once in 50,000 draws.
    EXPECT_LT(chi_square, 119);
  }
}

TEST(Random, NeighbouringDrawsChannelsAndKeysAreUncorrelated) {
  constexpr uint64_t draws = 200'000;
  double by_index = 0, by_channel = 0, by_key = 0;
  for (uint64_t i = 0; i < draws; ++i) {
    const Stream a(i), b(i + 1);
    const double here = a.uniform(3, 2) - 0.5;
    by_index += here * (a.uniform(4, 2) - 0.5);
    by_channel += here * (a.uniform(3, 3) - 0.5);
    by_key += here * (b.uniform(3, 2) - 0.5);
  }
  const double sigma = std::sqrt(static_cast<double>(draws)) / 12;
  EXPECT_LT(std::abs(by_index), 5 * sigma);
  EXPECT_LT(std::abs(by_channel), 5 * sigma);
  EXPECT_LT(std::abs(by_key), 5 * sigma);
}

RC_GTEST_PROP(Random, DrawsDoNotDependOnTheirOrder, (uint64_t key)) {
  const Stream stream(key);
  std::vector<uint64_t> forward, backward;
  for (uint64_t i = 0; i < 50; ++i) forward.push_back(stream.bits(i, i % 3));
  for (uint64_t i = 50; i-- > 0;) backward.insert(backward.begin(), Stream(key).bits(i, i % 3));
  RC_ASSERT(forward == backward);
}

TEST(Random, MixIsABijectionOnASample) {
  std::set<uint64_t> seen;
  for (uint64_t i = 0; i < 100'000; ++i) seen.insert(mix_bits(i));
  EXPECT_EQ(seen.size(), 100'000u);
}

TEST(Random, HalfOfTheBitsChangeWithEveryBitOfTheInput) {
  for (int bit = 0; bit < 64; ++bit) {
    double flips = 0;
    for (uint64_t i = 0; i < 200; ++i)
      flips += static_cast<double>(std::popcount(Stream(i).bits(9) ^ Stream(i ^ (uint64_t{1} << bit)).bits(9)));
    EXPECT_NEAR(flips / 200, 32, 2) << bit;
  }
}

TEST(Random, SeedsOperatorsAndRecipesHaveTheirOwnStreams) {
  std::set<uint64_t> keys;
  for (int64_t node = -3; node < 4; ++node)
    for (uint64_t recipe = 0; recipe < 5; ++recipe)
      for (const char* name : {"noise", "circular_faults", ""}) keys.insert(Seed{node, recipe}.stream(name).key());
  EXPECT_EQ(keys.size(), 7u * 5 * 3);
  EXPECT_EQ((Seed{2, 3}.stream("noise").key()), (Seed{2, 3}.stream("noise").key()));
}

/// Recipes promise the same bytes tomorrow.
TEST(Random, BitsArePinned) {
  EXPECT_EQ(Stream(1).bits(0), 16073369011956975135u);
  EXPECT_EQ(Stream(1).bits(12345, 6), 14801227071583763377u);
  EXPECT_EQ((Seed{0, 7}.stream("noise").key()), 14765270927571331465u);
}

}  // namespace tepui::random_test
