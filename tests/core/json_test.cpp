#include "tepui/core/json.h"

#include <functional>

#include "tests/support/support.h"

namespace tepui::json_test {

namespace {

Json parse(const std::string& text) {
  static std::vector<std::unique_ptr<Source>> kept;
  kept.push_back(std::make_unique<Source>(Source{"test.json", text}));
  return parse_json(*kept.back());
}

std::string where_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    return error.where();
  }
  ADD_FAILURE() << "no error for " << text;
  return {};
}

/// The text of a random document, with the offset of each value in the order they are met.
void write_random(int depth, std::string& text, std::vector<size_t>& offsets) {
  const int kind = *rc::gen::inRange(0, depth > 3 ? 4 : 6);
  offsets.push_back(text.size());
  if (kind == 0) text += *rc::gen::element<std::string>("true", "false", "null");
  if (kind == 1) text += std::to_string(*rc::gen::inRange(-100000, 100000));
  if (kind == 2) text += *rc::gen::element<std::string>("0.5", "-1e-7", "12.25E3", "3e+2");
  if (kind == 3) text += "\"" + *rc::gen::element<std::string>("", "word", "a\\\"b", "\\\\", "é \\n x") + "\"";
  if (kind >= 4) {
    const int count = *rc::gen::inRange(0, 4);
    text += kind == 4 ? "[" : "{";
    for (int i = 0; i < count; ++i) {
      text += *rc::gen::element<std::string>("", " ", "\n  ", " // note\n", " /* a\nb */ ");
      if (kind == 5) text += "\"k" + std::to_string(i) + "\" : ";
      write_random(depth + 1, text, offsets);
      if (i + 1 < count) text += ",";
    }
    text += kind == 4 ? "]" : "}";
  }
}

void collect(const Json& value, std::vector<Position>& positions) {
  positions.push_back(value.at);
  for (const Json& item : value.items) collect(item, positions);
  for (const JsonMember& member : value.members) collect(member.value, positions);
}

}  // namespace

RC_GTEST_PROP(Json, EveryValueKnowsItsPlace, ()) {
  std::string text = "\n ";
  std::vector<size_t> offsets;
  write_random(0, text, offsets);
  const Json document = parse(text + "\n");
  std::vector<Position> positions;
  collect(document, positions);
  RC_ASSERT(positions.size() == offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offsets[i]), '\n');
    const size_t before = text.rfind('\n', offsets[i] == 0 ? 0 : offsets[i] - 1);
    RC_ASSERT(positions[i].line == line);
    RC_ASSERT(positions[i].column == static_cast<int>(offsets[i] - before));
  }
}

RC_GTEST_PROP(Json, TextReadsBackAsItself, ()) {
  std::string text;
  std::vector<size_t> offsets;
  write_random(0, text, offsets);
  const std::string once = json_text(parse(text));
  RC_ASSERT(json_text(parse(once)) == once);
}

TEST(Json, DuplicateKeysAreRefusedWithBothPlaces) {
  EXPECT_EQ(where_of("{\n \"a\": 1,\n  \"a\": 2 }"), "test.json:3:3");
  EXPECT_NE(test::error_of([] { parse("{\"a\": 1, \"a\": 2}"); }).find("line 1"), std::string::npos);
}

TEST(Json, HostileTextIsACleanError) {
  EXPECT_EQ(where_of("{ \"a\": NaN }"), "test.json:1:8");
  EXPECT_FALSE(where_of("[1e999]").empty());
  EXPECT_FALSE(where_of(std::string(100000, '[')).empty());
  EXPECT_FALSE(where_of("").empty());
  EXPECT_FALSE(where_of("{\"a\": \"\xff\xfe\"}").empty());
  EXPECT_FALSE(where_of("[1] 2").empty());
  EXPECT_FALSE(where_of("{\"a\": 1,}").empty());
}

TEST(Json, TextInUtf16IsNamed) {
  const std::string little("\xff\xfe{\0}\0", 6), big("\xfe\xff\0{\0}", 6), unmarked("{\0}\0", 4);
  for (const std::string& text : {little, big, unmarked}) {
    EXPECT_EQ(where_of(text), "test.json:1:1");
    EXPECT_NE(test::error_of([&] { parse(text); }).find("UTF-16"), std::string::npos);
  }
  EXPECT_EQ(parse("\xef\xbb\xbf[1]").items.size(), 1u);
}

TEST(Json, ValuesAreCounted) {
  std::string brackets = "[";
  for (int i = 0; i < 1000000; ++i) brackets += "[],";
  EXPECT_NE(test::error_of([&] { parse(brackets + "[]]"); }).find("more than 1000000 values"), std::string::npos);
}

TEST(Json, EveryPrefixIsACleanError) {
  const std::string text =
      R"({"tepui": 1, /* note */ "nodes": {"a": {"op": "noise", "radius": [1, "2%"], "x": -1.5e3, "y": true}}})";
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(where_of(text.substr(0, length)).empty()) << length;
}

TEST(Json, ManyKeysAreReadInTimeLinearInTheirNumber) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
  EXPECT_EQ(parse(text + "}").members.size(), 200000u);
}

}  // namespace tepui::json_test
