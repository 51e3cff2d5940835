#include "tepui/geology/minerals.h"

#include <cmath>

#include "tests/support/support.h"

namespace tepui::minerals_test {

TEST(Minerals, AreThoseOfTheTable) {
  ASSERT_EQ(minerals().size(), 11u);
  EXPECT_EQ(mineral_hardness("none"), 0);
  EXPECT_EQ(mineral_hardness("diamond"), 1);
  EXPECT_EQ(mineral_hardness("quartz"), 100 / 1500.0);
  // The normalised column, with its three digits; that of talc and gypsum is cut off, not rounded.
  EXPECT_NEAR(mineral_hardness("apatite"), 0.032, 0.0005);
  EXPECT_NEAR(mineral_hardness("topaz"), 0.133, 0.0005);
  EXPECT_NEAR(mineral_hardness("corundum"), 0.267, 0.0005);
}

TEST(Minerals, GetHarderDownTheTable) {
  for (size_t i = 1; i < minerals().size(); ++i) EXPECT_GT(minerals()[i].hardness(), minerals()[i - 1].hardness());
}

TEST(Minerals, CapitalsDoNotMatter) { EXPECT_EQ(mineral_hardness("Quartz"), mineral_hardness("quartz")); }

TEST(Minerals, UnknownOnesAreRefusedWithTheNearest) {
  EXPECT_NE(test::error_of([] { mineral_hardness("quarz"); }).find("did you mean 'quartz'?"), std::string::npos);
  EXPECT_NE(test::error_of([] { mineral_hardness("Gypsun"); }).find("did you mean 'gypsum'?"), std::string::npos);
  EXPECT_NE(test::error_of([] { mineral_hardness("adamantium"); }).find("there is none, talc"), std::string::npos);
  EXPECT_NE(test::error_of([] { mineral_hardness(""); }).find("no mineral ''"), std::string::npos);
}

}  // namespace tepui::minerals_test
