#include "tepui/core/simd.h"

#include "tests/support/support.h"

namespace tepui::simd_test {

TEST(Simd, ForcedLevelIsTheLevelThatRuns) {
  for (const std::string& level : simd_levels()) {
    force_simd_level(level);
    EXPECT_EQ(simd_level(), level);
  }
  force_simd_level("best");
  EXPECT_EQ(simd_level(), simd_levels().front());
}

TEST(Simd, UnknownLevelIsRefusedWithThoseThereAre) {
  EXPECT_NE(test::error_of([] { force_simd_level("avx9"); }).find("SSE4"), std::string::npos);
  force_simd_level("best");
}

}  // namespace tepui::simd_test
