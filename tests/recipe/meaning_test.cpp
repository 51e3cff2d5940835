#include "tepui/recipe/meaning.h"

#include <algorithm>

#include "tepui/recipe/operators.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::meaning_test {

namespace {

bool leads_to(const std::string& word, const std::string& name) {
  return std::ranges::any_of(operators_about(word), [&](const Operator* op) { return op->name == name; });
}

}  // namespace

TEST(Meaning, WordsLeadToOperatorsThatHaveToDoWithThem) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"erosion", "weathering"}, {"erosion", "gradation"}, {"erosion", "thermal"}, {"slope", "mask"},
      {"blur", "levelling"},     {"cave", "sculpt"},       {"import", "read"},     {"clip", "crop"},
      {"resize", "resample"},    {"merge", "combine"},     {"fractal", "noise"},   {"paint", "read_mask"},
      {"vector", "read_lines"},  {"hardness", "hardness"}, {"mesh", "polygonize"}};
  for (const auto& [word, name] : pairs) EXPECT_TRUE(leads_to(word, name)) << word << " -> " << name;
}

TEST(Meaning, TextsConcernAWordByOtherWords) {
  EXPECT_TRUE(concerns("water", "sea_level"));
  EXPECT_TRUE(concerns("lakes", "height of the sea in metres"));
  EXPECT_FALSE(concerns("water", "watchful eye"));
  EXPECT_FALSE(concerns("", "sea"));
}

TEST(Meaning, AnOperatorsOwnNameComesFirst) {
  for (const Operator& op : operators()) {
    const std::vector<const Operator*> found = operators_about(op.name);
    ASSERT_FALSE(found.empty()) << op.name;
    EXPECT_TRUE(std::ranges::find(found, &op) != found.end()) << op.name;
  }
}

TEST(Meaning, NoWordLeadsToEverythingAndNonsenseToNothing) {
  EXPECT_LE(operators_about("rock").size(), 8u);
  EXPECT_TRUE(operators_about("xyzzy").empty());
  EXPECT_TRUE(operators_about("").empty());
  EXPECT_EQ(operators_about("erosion", 2).size(), 2u);
}

TEST(Meaning, SpellingIsAskedWhereAWordMeansNothing) {
  EXPECT_EQ(suggest_operator("gradatoin"), "did you mean 'gradation'?");
  EXPECT_EQ(suggest_operator("nois"), "did you mean 'noise'?");
  EXPECT_CONTAINS(suggest_operator("erosion"), "weathering");
  EXPECT_CONTAINS(test::error_of([] { require_operator("erosion"); }), "there is no operator 'erosion'");
}

}  // namespace tepui::meaning_test
