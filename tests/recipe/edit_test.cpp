#include "tepui/recipe/edit.h"

#include <algorithm>

#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"
#include "tepui/recipe/rename_node.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::edit_test {

namespace {

/// A JSON text in a random hand: blanks, line ends, comments and layout as people mix them.
class Hand {
 public:
  std::string document() {
    newline_ = *rc::gen::element<std::string>("\n", "\r\n");
    return object(0, 1) + *rc::gen::element<std::string>("", "\n", "  // end");
  }

 private:
  std::string blank() const { return *rc::gen::element<std::string>("", " ", "  ", "\t"); }
  std::string comment() {
    const std::string note = fmt_number();
    return *rc::gen::element<std::string>("/* n" + note + ", { */", "// n" + note + " } \"" + newline_);
  }
  std::string fmt_number() { return std::to_string(++notes_); }
  std::string gap(const std::string& line) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        return blank() + comment() + blank();
      case 1:
        return " " + comment() + line;
      default:
        return line.empty() ? blank() : line;
    }
  }
  std::string scalar() {
    return *rc::gen::element<std::string>("1", "-2.50e3", "true", "null", "\"a, b // c\"", "\"q\\\"}\"", "0.10");
  }
  std::string value(int depth) {
    const int kind = depth > 3 ? 0 : *rc::gen::inRange(0, 4);
    return kind == 2 ? object(depth, 0) : kind == 3 ? list(depth) : scalar();
  }
  std::string object(int depth, int least) {
    const std::string line =
        *rc::gen::arbitrary<bool>() ? newline_ + std::string(2 * static_cast<size_t>(depth) + 2, ' ') : "";
    const int count = *rc::gen::inRange(least, 5);
    std::string text = "{";
    for (int i = 0; i < count; ++i)
      text += gap(line) + "\"k" + std::to_string(i) + "\"" + blank() + ":" + blank() + value(depth + 1) + blank() +
              (i + 1 < count ? "," : "");
    return text + gap(line.empty() ? "" : newline_ + std::string(2 * static_cast<size_t>(depth), ' ')) + "}";
  }
  std::string list(int depth) {
    const int count = *rc::gen::inRange(0, 4);
    std::string text = "[";
    for (int i = 0; i < count; ++i) text += gap("") + value(depth + 1) + (i + 1 < count ? "," : "");
    return text + gap("") + "]";
  }

  std::string newline_ = "\n";
  int notes_ = 0;
};

const Json& value_at(const Json& document, const JsonPath& path) {
  const Json* at = &document;
  for (const std::string& key : path)
    at = at->is_array() ? &at->items[static_cast<size_t>(std::stoi(key))] : at->find(key);
  return *at;
}

void all_paths(const Json& value, const JsonPath& path, std::vector<JsonPath>& list) {
  for (const JsonMember& member : value.members) {
    list.push_back(path);
    list.back().push_back(member.key);
    all_paths(member.value, JsonPath(list.back()), list);
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    list.push_back(path);
    list.back().push_back(std::to_string(i));
    all_paths(value.items[i], JsonPath(list.back()), list);
  }
}

JsonPath random_path(const Json& document) {
  std::vector<JsonPath> list;
  all_paths(document, {}, list);
  RC_PRE(!list.empty());
  return list[*rc::gen::inRange<size_t>(0, list.size())];
}

/// The document without what stands at the path, written in one hand.
std::string without(const Json& document, const JsonPath& path) {
  Json copy = document;
  Json* at = &copy;
  for (size_t i = 0; i + 1 < path.size(); ++i)
    at = at->is_array() ? &at->items[static_cast<size_t>(std::stoi(path[i]))] : at->find(path[i]);
  if (at->is_array())
    at->items.erase(at->items.begin() + std::stoi(path.back()));
  else
    std::erase_if(at->members, [&](const JsonMember& member) { return member.key == path.back(); });
  return json_text(copy);
}

/// How many of the hand's comments the text has.
std::ptrdiff_t comments_in(const std::string& text) {
  std::ptrdiff_t count = 0;
  for (size_t at = 0; (at = text.find("* n", at)) != std::string::npos; ++at) ++count;
  for (size_t at = 0; (at = text.find("// n", at)) != std::string::npos; ++at) ++count;
  return count;
}

Json parsed(const std::string& text) {
  static std::vector<std::unique_ptr<Source>> kept;
  kept.push_back(std::make_unique<Source>(Source{"a.json", text}));
  return parse_json(*kept.back());
}

}  // namespace

RC_GTEST_PROP(Edit, AnEditAndItsInverseRestoreTheBytes, ()) {
  const Source source{"a.json", Hand().document()};
  const JsonPath path = random_path(parse_json(source));
  JsonPath fresh = path;
  fresh.back() = "fresh";
  const bool in_list = value_at(parse_json(source), {path.begin(), path.end() - 1}).is_array();
  const int kind = *rc::gen::inRange(0, in_list ? 2 : 3);
  const Splice edit = kind == 0   ? set_value(source, path, "{ \"x\": [1, 2] }")
                      : kind == 1 ? remove_value(source, path)
                                  : set_value(source, fresh, "7");
  const std::string changed = spliced(source.text, edit);
  RC_ASSERT(changed != source.text);
  parsed(changed);
  RC_ASSERT(spliced(changed, inverse(source.text, edit)) == source.text);
}

RC_GTEST_PROP(Edit, WhatIsSetIsReadBackAndAllElseStays, ()) {
  const Source source{"a.json", Hand().document()};
  const Json before = parse_json(source);
  const JsonPath path = random_path(before);
  const std::string changed = spliced(source.text, set_value(source, path, "[\"new\", 1.50]"));
  const Json after = parsed(changed);
  RC_ASSERT(json_text(value_at(after, path)) == json_text(parsed("[\"new\", 1.50]")));
  RC_ASSERT(without(after, path) == without(before, path));
}

RC_GTEST_PROP(Edit, AKeyThatIsAddedAndRemovedLeavesTheBytesAsTheyWere, ()) {
  const Source source{"a.json", Hand().document()};
  JsonPath path = random_path(parse_json(source));
  RC_PRE(value_at(parse_json(source), {path.begin(), path.end() - 1}).is_object());
  path.back() = "fresh";
  const Source added{"a.json", spliced(source.text, set_value(source, path, "true"))};
  RC_ASSERT(comments_in(added.text) == comments_in(source.text));
  RC_ASSERT(without(parse_json(added), path) == json_text(parse_json(source)));
  RC_ASSERT(spliced(added.text, remove_value(added, path)) == source.text);
}

RC_GTEST_PROP(Edit, WhatIsRemovedIsGoneAndTheCommentsAroundItStay, ()) {
  const Source source{"a.json", Hand().document()};
  const Json before = parse_json(source);
  const JsonPath path = random_path(before);
  const Position inside = value_at(before, path).at;
  const std::string changed = spliced(source.text, remove_value(source, path));
  RC_ASSERT(json_text(parsed(changed)) == without(before, path));
  // Those between the key and its value, and in the value, go with it.
  size_t from = inside.begin;
  while (from > 0 && source.text[from] != '"' && source.text[from] != '{' && source.text[from] != '[' &&
         source.text[from] != ',')
    --from;
  const std::string value_text = source.text.substr(from, inside.end - from);
  RC_ASSERT(comments_in(changed) >= comments_in(source.text) - comments_in(value_text));
}

TEST(Edit, KeepsTheStyleOfARecipe) {
  const Source source{"a.json",
                      "{\r\n  \"tepui\": 1, // the format\r\n  \"seed\": 7,\r\n  // all of it\r\n  \"nodes\": {\r\n"
                      "    \"hills\": { \"op\": \"noise\", \"scale\": \"40%\" }, // broad\r\n"
                      "    \"land\":  { \"op\": \"levelling\", \"in\": \"hills\" } // smooth\r\n  }\r\n}\r\n"};
  const auto set = [&](const JsonPath& path, const char* value) {
    return spliced(source.text, set_value(source, path, value));
  };
  EXPECT_CONTAINS(set({"nodes", "hills", "octaves"}, "6"), "\"scale\": \"40%\", \"octaves\": 6 }, // broad\r\n");
  EXPECT_CONTAINS(set({"nodes", "rough"}, "{ \"op\": \"noise\" }"),
                  "\"in\": \"hills\" }, // smooth\r\n    \"rough\": { \"op\": \"noise\" }\r\n  }");
  EXPECT_CONTAINS(set({"world", "size"}, "[10, 10]"),
                  "\"seed\": 7,\r\n  \"world\": { \"size\": [10, 10] },\r\n  // all of it\r\n");
  EXPECT_CONTAINS(set({"title"}, "\"Hills\""), "1, // the format\r\n  \"title\": \"Hills\",\r\n  \"seed\": 7");
  EXPECT_CONTAINS(set({"outputs", "a.tif"}, "\"land\""), "  },\r\n  \"outputs\": { \"a.tif\": \"land\" }\r\n}\r\n");
  const std::string without_hills = spliced(source.text, remove_value(source, {"nodes", "hills"}));
  EXPECT_CONTAINS(without_hills, "{\r\n    // broad\r\n    \"land\":");
  const std::string without_seed = spliced(source.text, remove_value(source, {"seed"}));
  EXPECT_CONTAINS(without_seed, "// the format\r\n  // all of it\r\n  \"nodes\"");
}

TEST(Edit, RefusesWhatIsNoJsonAndWhatIsNotThere) {
  const Source source{"a.json", "{ \"a\": 1, \"list\": [1, 2] }"};
  EXPECT_CONTAINS(test::error_of([&] { set_value(source, {"a"}, "1 2"); }), "not JSON");
  EXPECT_CONTAINS(test::error_of([&] { set_value(source, {"a", "b"}, "1"); }), "has no 'b'");
  EXPECT_CONTAINS(test::error_of([&] { set_value(source, {"list", "4"}, "1"); }), "the next index is 2");
  EXPECT_CONTAINS(test::error_of([&] { remove_value(source, {"lisp"}); }), "did you mean 'list'?");
  EXPECT_CONTAINS(test::error_of([&] { remove_value(source, {}); }), "cannot be removed");
  EXPECT_EQ(spliced(source.text, set_value(source, {"list", "2"}, "3")), "{ \"a\": 1, \"list\": [1, 2, 3] }");
}

TEST(Edit, NamesMeanWhatTheyMeanToSet) {
  const Json document = parsed(R"({ "vars": { "age": 1, "title": 2 }, "nodes": { "rock": { "beds": [] } },
                                    "outputs": { "a.png": {} } })");
  EXPECT_EQ(path_of_name(document, "age"), (JsonPath{"vars", "age"}));
  EXPECT_EQ(path_of_name(document, "title"), (JsonPath{"vars", "title"}));
  EXPECT_EQ(path_of_name(document, "seed"), (JsonPath{"seed"}));
  EXPECT_EQ(path_of_name(document, "resolution"), (JsonPath{"world", "resolution"}));
  EXPECT_EQ(path_of_name(document, "rock.beds.0.rock"), (JsonPath{"nodes", "rock", "beds", "0", "rock"}));
  EXPECT_EQ(path_of_name(document, "nodes.new"), (JsonPath{"nodes", "new"}));
  EXPECT_EQ(path_of_name(document, "outputs.a.png.render"), (JsonPath{"outputs", "a.png", "render"}));
  EXPECT_EQ(path_of_name(document, "outputs.b.png"), (JsonPath{"outputs", "b.png"}));
  EXPECT_CONTAINS(test::error_of([&] { path_of_name(document, "agee"); }), "did you mean 'age'?");
  EXPECT_CONTAINS(test::error_of([&] { path_of_name(document, "rok.count"); }), "did you mean 'rock'?");
  EXPECT_EQ(value_of_word("0.70"), "0.70");
  EXPECT_EQ(value_of_word("1..700"), "\"1..700\"");
  EXPECT_EQ(value_of_word("[1, 2]"), "[1, 2]");
}

TEST(RenameNode, ReachesEveryReferenceAndComesBack) {
  for (const Preset& preset : presets()) {
    const Source source{preset.name + ".json", preset.text};
    const Json document = parse_json(source);
    for (const JsonMember& node : document.find("nodes")->members) {
      const Source renamed{source.name, spliced(source.text, rename_node(source, node.key, "another_name"))};
      EXPECT_NE(renamed.text, source.text);
      if (preset.files.empty()) parse_recipe(renamed);
      EXPECT_EQ(spliced(renamed.text, rename_node(renamed, "another_name", node.key)), source.text)
          << preset.name << " " << node.key;
    }
  }
  const Source source{"a.json", R"({ "nodes": { "a": { "op": "noise" }, "b": { "op": "levelling", "in": "a" } } })"};
  const Source laid{"b.json", R"({ "nodes": { "a": { "op": "noise" } }, "ui": { "at": { "a": [1, 2] },
    "groups": [{ "name": "a", "nodes": ["a"] }] } })"};
  EXPECT_EQ(spliced(laid.text, rename_node(laid, "a", "c")),
            R"({ "nodes": { "c": { "op": "noise" } }, "ui": { "at": { "c": [1, 2] },
    "groups": [{ "name": "a", "nodes": ["c"] }] } })");
  EXPECT_CONTAINS(test::error_of([&] { rename_node(source, "a", "b"); }), "already");
  EXPECT_CONTAINS(test::error_of([&] { rename_node(source, "c", "d"); }), "no node 'c'");
}

TEST(Edit, KeysAreAddedInTheStyleOfTheirObject) {
  const std::vector<NamedText> two{{"c", "1"}, {"d", "[2]"}};
  EXPECT_EQ(spliced("{ \"a\": { \"b\": 0 } }", add_members({"", "{ \"a\": { \"b\": 0 } }"}, {"a"}, two)),
            "{ \"a\": { \"b\": 0, \"c\": 1, \"d\": [2] } }");
  const std::string lines = "{\n  \"b\": 0  // last\n}";
  EXPECT_EQ(spliced(lines, add_members({"", lines}, {}, two)), "{\n  \"b\": 0,  // last\n  \"c\": 1,\n  \"d\": [2]\n}");
  EXPECT_EQ(spliced("{}", add_members({"", "{}"}, {"a"}, two)), "{ \"a\": { \"c\": 1, \"d\": [2] } }");
  EXPECT_EQ(spliced("{}", add_members({"", "{}"}, {}, {})), "{}");
  EXPECT_CONTAINS(test::error_of([&] { add_members({"", "{ \"a\": 5 }"}, {"a"}, two); }), "no keys");
}

}  // namespace tepui::edit_test
