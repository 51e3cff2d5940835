#include "tepui/core/half.h"

#include <cmath>

#include "tests/support/support.h"

namespace tepui::half_test {

TEST(Half, KeepsEveryOneOfItsNumbers) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    const float value = half;
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(static_cast<float>(Half(value))));
    else
      EXPECT_EQ(Half(value).bits, half.bits);
  }
}

RC_GTEST_PROP(Half, RoundsToTheNearest, ()) {
  const float value =
      std::ldexp(static_cast<float>(*rc::gen::inRange(-1'000'000, 1'000'000)), *rc::gen::inRange(-45, -3));
  const Half half = value;
  const float away = std::fabs(static_cast<float>(half) - value);
  for (const int step : {-1, 1}) {
    Half other;
    other.bits = static_cast<uint16_t>(half.bits + step);
    if (std::isfinite(static_cast<float>(other))) RC_ASSERT(away <= std::fabs(static_cast<float>(other) - value));
  }
}

TEST(Half, IsInfiniteBeyondTheLargest) {
  EXPECT_EQ(static_cast<float>(Half(65504.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(Half(65520.0f))));
  EXPECT_TRUE(std::isinf(static_cast<float>(Half(-1e30f))));
}

}  // namespace tepui::half_test
