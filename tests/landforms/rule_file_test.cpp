#include "tepui/landforms/rule_file.h"

#include <gtest/gtest.h>

#include "tepui/core/error.h"
#include "tepui/core/json.h"
#include "tepui/landforms/rule_checks.h"
#include "tepui/landforms/shipped_rules.h"

namespace tepui::rule_file_test {

/// Rules with these symbols; a and b are shapes that rise, flat does not.
std::string rules_with(const std::string& symbols, const std::string& more = "",
                       const std::string& shapes = R"("a": { "step": 0.5 })") {
  return "{ \"axiom\": \"A\", " + more + "\n\"symbols\": {" + symbols + "},\n\"shapes\": {" + shapes + "} }";
}

Error refused(const std::string& text) {
  try {
    parse_rules(text, "mine.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    return error;
  }
  ADD_FAILURE() << "not refused: " << text;
  return Error(ErrorKind::failure, "");
}

/// Says so at that place.
void expect_refused(const std::string& text, const std::string& says, const std::string& where) {
  const Error error = refused(text);
  EXPECT_NE(error.message().find(says), std::string::npos) << error.message();
  EXPECT_EQ(error.where(), "mine.json:" + where) << error.message();
}

TEST(RuleSet, ShippedRulesAreSoundAndEndSoon) {
  EXPECT_EQ(shipped_rules().size(), 5u);
  for (const ShippedRules& rules : shipped_rules()) {
    const RuleSet& set = shipped_rule_set(rules.name);
    EXPECT_FALSE(set.about.empty());
    EXPECT_LE(most_points_of(set), 10000) << rules.name;
    EXPECT_GE(set.tallest, set.height.high) << rules.name;
  }
}

TEST(RuleSet, ThePapersRulesAreThosePrinted) {
  const RuleSet& set = shipped_rule_set("paper");
  const RuleSymbol& b = set.symbols[1];
  EXPECT_DOUBLE_EQ(b.alternatives[0].odds.at({0.5, 0}, 0.5), 0.85 - 0.3 * 0.5);
  EXPECT_DOUBLE_EQ(b.alternatives[0].odds.at({0.5, 0}, 0.5) + b.alternatives[1].odds.at({0.5, 0}, 0.5), 1);
  const double p_c = 0.3 + 0.4 * 0.25;
  EXPECT_DOUBLE_EQ(set.symbols[2].alternatives[0].odds.at({0.25, 0}, 0.5), p_c / 2);
  EXPECT_DOUBLE_EQ(set.symbols[2].alternatives[2].odds.at({0.25, 0}, 0.5), 1 - p_c);
  EXPECT_DOUBLE_EQ(set.tallest, 2.5 / (1 - 0.92));
  EXPECT_EQ(set.depth, 32);
}

TEST(RuleSet, GrowthWithoutEndIsRefusedWhereItBegins) {
  expect_refused(rules_with(R"("A": [{ "then": ["a", "A"] }])"), "'A' never ends", "2:13");
  expect_refused(rules_with(R"("A": [{ "then": ["a", "B"] }, { "then": ["a"] }], "B": [{ "then": ["a", "B"] }])"),
                 "'B' never ends", "2:63");
  // On the spot.
  expect_refused(rules_with(R"("A": [{ "then": ["B"] }, { "then": ["a"] }], "B": [{ "then": ["A"] }, { "then": [] }])"),
                 "leads back to itself before anything has risen: A, B, A", "2:13");
  expect_refused(rules_with(R"("A": [{ "then": ["a", "A"] }, { "then": ["a"] }])", "", R"("a": { "radius": 1 })"),
                 "before anything has risen", "2:13");
  // Two of each.
  expect_refused(rules_with(R"("A": [{ "then": ["a"] }, { "then": ["a", "A", "A"] }])"),
                 "grows several symbols that lead back to it", "2:38");
  EXPECT_NO_THROW(parse_rules(
      rules_with(R"("A": [{ "then": ["a"] }, { "then": ["a", "A", "A"] }])", R"("limits": { "depth": 8 },)"),
      "mine.json"));
  expect_refused(rules_with(R"("A": [{ "then": ["a"] }, { "then": ["a", "A"] }])", R"("limits": { "depth": 2000 },)"),
                 "\"depth\" must be from 1 to 1000", "1:38");
}

TEST(RuleSet, UnknownUnusedAndImpossibleThingsAreRefused) {
  expect_refused(rules_with(R"("A": [{ "then": ["slise"] }])", "", R"("slice": { "step": 1 })"),
                 "there is no shape or symbol 'slise'", "2:30");
  EXPECT_NE(
      refused(rules_with(R"("A": [{ "then": ["slise"] }])", "", R"("slice": { "step": 1 })")).hint().find("slice"),
      std::string::npos);
  expect_refused(R"({ "axiom": "Z", "symbols": { "A": [{ "then": ["a"] }] }, "shapes": { "a": {} } })",
                 "there is no symbol 'Z'", "1:12");
  expect_refused(rules_with(R"("A": [{ "then": ["a"] }], "B": [{ "then": ["a"] }])"), "never leads to the symbol 'B'",
                 "2:39");
  expect_refused(rules_with(R"("A": [{ "then": ["a"] }])", "", R"("a": {}, "b": {})"), "never leads to the shape 'b'",
                 "3:21");
  expect_refused(rules_with(R"("A": [{ "odds": { "base": -1, "resistance": 0.5 }, "then": ["a"] }])"), "never chosen",
                 "2:19");
  expect_refused(rules_with(R"("A": [{ "from": 0.6, "until": 0.4, "then": ["a"] }])"), "never chosen", "2:19");
  expect_refused(rules_with(R"("A": [])"), "a list of alternatives", "2:18");
  expect_refused(rules_with(R"("A": [{ "than": ["a"] }])"), "has no key 'than'", "2:21");
  expect_refused(rules_with(R"("a": [{ "then": ["a"] }])"), "both a shape and a symbol", "2:13");
  expect_refused(rules_with(R"("A": [{ "then": ["a"] }])", "", R"("a": { "radius": -1 })"), "from 0 to 10", "3:29");
  expect_refused(rules_with(R"("A": [{ "then": ["a"] }])", "", R"("a": { "rise": 1, "step": 1 })"),
                 "by a share of its size and by metres", "3:17");
  expect_refused("[]", "must be an object", "1:1");
  EXPECT_THROW(parse_rules("{", "mine.json"), Error);
  EXPECT_THROW(parse_rules("", "mine.json"), Error);
}

TEST(RuleSet, NumbersFollowTheRock) {
  const RuleNumber number{0.5, 0.2, 1, -0.25, 0.1};
  EXPECT_DOUBLE_EQ(number.at({0, 0}, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(number.at({0.25, 1}, 0.5), 0.5 + 0.05 - 0.25);
  EXPECT_DOUBLE_EQ(number.at({0.7, 0}, 0.5), 0.5 + 0.14 + 1);
  EXPECT_DOUBLE_EQ(number.at({0, 0}, 0), 0.4);
  EXPECT_DOUBLE_EQ(number.highest(), 0.5 + 0.2 + 1 + 0.1);
}

}  // namespace tepui::rule_file_test
