#include "tepui/core/srgb.h"

#include <cmath>

#include "tests/support/support.h"

namespace tepui::srgb_test {
namespace {

TEST(Srgb, ThereAndBackIsTheSame) {
  for (int i = 0; i <= 255; ++i) {
    EXPECT_NEAR(srgb_from_linear(linear_from_srgb(i / 255.0)), i / 255.0, 1e-12);
    EXPECT_EQ(std::lround(255 * srgb_from_linear(std::lround(65535 * linear_from_srgb(i / 255.0)) / 65535.0)), i);
  }
  EXPECT_EQ(linear_from_srgb(1), 1);
  EXPECT_NEAR(linear_from_srgb(0.5), 0.21404, 1e-5);
}

}  // namespace
}  // namespace tepui::srgb_test
