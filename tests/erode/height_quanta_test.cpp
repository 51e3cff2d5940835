#include "tepui/erode/height_quanta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/support.h"

namespace tepui::height_quanta_test {

namespace {

/// Near powers of two and far from them, of both signs, of any size.
double any_height() {
  const int exponent = *rc::gen::inRange(-60, 120);
  const double mantissa =
      *rc::gen::element(1.0, 1 - 0x1p-25, 1 - 0x1p-27, 1 + 0x1p-26, 0.7, 0.3) + *rc::gen::inRange(-3, 4) * 0x1p-26;
  return *rc::gen::element(-1.0, 0.0, 1.0) * std::ldexp(mantissa, exponent);
}

Interval any_range() {
  const double a = any_height();
  const double b = *rc::gen::arbitrary<bool>() ? any_height() : a + std::abs(a) * *rc::gen::element(1.0, 0.1, 1e-9);
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

RC_GTEST_PROP(HeightQuanta, LayersHoldHeightsAndDifferencesExactly, ()) {
  const Interval range = any_range();
  const HeightQuanta q = HeightQuanta::of(range);
  int exponent = 0;
  RC_ASSERT(std::frexp(q.quantum, &exponent) == 0.5);
  const double share = *rc::gen::inRange(0, 1001) / 1000.0;
  const double z = std::clamp((1 - share) * range.low + share * range.high, range.low, range.high);
  const float n = q.quanta(z);
  RC_ASSERT(n == std::floor(n));
  RC_ASSERT(n >= 0 && n <= 0x1p24f);
  const double exact = q.base + static_cast<double>(n) * q.quantum;
  RC_ASSERT(static_cast<double>(q.height(n)) == exact);
  RC_ASSERT(static_cast<double>(q.depth(n)) == static_cast<double>(n) * q.quantum);
  RC_ASSERT(q.quanta(static_cast<double>(q.height(n))) == n);
  // Half a quantum, or one at the ends.
  RC_ASSERT(std::abs(exact - z) < 1.0001 * q.quantum);
  RC_ASSERT(q.quantum <=
            0x1p-23 * std::max({std::abs(range.low), std::abs(range.high), range.high - range.low, 0x1p-90}));
}

RC_GTEST_PROP(HeightQuanta, RoundedHeightsHaveTheSameQuanta, ()) {
  const Interval range = any_range();
  const HeightQuanta q = HeightQuanta::of(range);
  const auto rounded = [&](double z) { return static_cast<double>(q.height(q.quanta(z))); };
  const HeightQuanta again = HeightQuanta::of({rounded(range.low), rounded(range.high)});
  RC_ASSERT(again.quantum == q.quantum);
  RC_ASSERT(again.base == q.base);
  RC_ASSERT(again.most == q.most);
}

TEST(HeightQuanta, WhatFloatsHoldStaysAsItIs) {
  const HeightQuanta q = HeightQuanta::of({0, 1000});
  EXPECT_EQ(q.quantum, 0x1p-14);
  for (const float z : {0.0f, 0.5f, 999.9375f, 1000.0f}) EXPECT_EQ(q.height(q.quanta(static_cast<double>(z))), z);
}

TEST(HeightQuanta, LevelLandHasQuantaToo) {
  for (const double z : {0.0, -3.0, 1e-40, 3e38}) {
    const HeightQuanta q = HeightQuanta::of({z, z});
    EXPECT_GT(q.quantum, 0);
    EXPECT_EQ(q.quanta(z), 0);
    EXPECT_NEAR(static_cast<double>(q.height(0)), z, std::max(1e-7 * std::abs(z), 1e-26));
  }
}

TEST(HeightQuanta, HeightsTooFarApartAreRefused) {
  EXPECT_NE(test::error_of([] { HeightQuanta::of({-1e38, 1e38}); }).find("too far apart"), std::string::npos);
  EXPECT_NE(test::error_of([] {
              HeightQuanta::of({0, std::numeric_limits<double>::quiet_NaN()});
            }).find("too far apart"),
            std::string::npos);
}

}  // namespace tepui::height_quanta_test
