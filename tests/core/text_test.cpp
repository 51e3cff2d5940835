#include "tepui/core/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tepui::text_test {

TEST(LowerCase, MakesLettersSmall) { EXPECT_EQ(lower_case("AZaz@[`{ \xC4\xE4 US-ft"), "azaz@[`{ \xC4\xE4 us-ft"); }

RC_GTEST_PROP(LowerCase, ChangesNothingButLetters, (const std::string& text)) {
  const std::string lower = lower_case(text);
  RC_ASSERT(lower.size() == text.size());
  RC_ASSERT(lower_case(lower) == lower);
  for (size_t i = 0; i < text.size(); ++i)
    RC_ASSERT(lower[i] == text[i] || (text[i] >= 'A' && text[i] <= 'Z' && lower[i] == text[i] + 32));
}

}  // namespace tepui::text_test
