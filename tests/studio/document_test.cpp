#include "apps/studio/document.h"

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/recipe/presets.h"
#include "tests/support/support.h"

namespace tepui::document_test {

using namespace studio;

namespace {

/// The names of all values of a recipe that are numbers.
void gather(const Json& value, const std::string& name, std::vector<std::string>& names) {
  if (value.is_number()) names.push_back(name);
  for (const JsonMember& member : value.members)
    gather(member.value, name.empty() ? member.key : name + "." + member.key, names);
}

std::vector<std::string> numbers_of(const Json& document) {
  std::vector<std::string> names;
  for (const char* part : {"vars", "nodes", "world"})
    if (const Json* value = document.find(part)) gather(*value, part, names);
  return names;
}

Source any_recipe() {
  const Preset& preset = (*rc::gen::elementOf(std::vector<const Preset*>([] {
    std::vector<const Preset*> all;
    for (const Preset& one : presets()) all.push_back(&one);
    return all;
  }())))[0];
  return {preset.name + ".json", "// before\n" + preset.text + "/* after */\n"};
}

/// Something that a hand may do; what is refused changes nothing.
void edit(Document& document) {
  const std::string before = document.text();
  try {
    const std::vector<std::string> names = numbers_of(parse_json(document.source()));
    RC_PRE(!names.empty());
    const std::string name = *rc::gen::elementOf(names);
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        return document.reset(name);
      case 1:
        document.undo();
        return;
      case 2:
        document.redo();
        return;
      case 3:
        return document.set("vars.new", "[1, 2]", false);
      default:
        return document.set(name, std::to_string(*rc::gen::inRange(-9, 9999)), *rc::gen::arbitrary<bool>());
    }
  } catch (const Error&) {
    RC_ASSERT(document.text() == before);
  }
}

/// A recipe with other numbers at some of its places.
std::string changed(const std::string& text, const std::vector<std::string>& names) {
  Source source{"recipe", text};
  for (const std::string& name : names)
    source.text = spliced(source.text, set_value(source, path_of_name(parse_json(source), name),
                                                 std::to_string(*rc::gen::inRange(100000, 999999))));
  return source.text;
}

}  // namespace

RC_GTEST_PROP(Document, AHundredEditsUndoneRestoreTheBytes, ()) {
  const Source source = any_recipe();
  Document document(source);
  for (int i = 0; i < 100; ++i) edit(document);
  RC_ASSERT(document.first_text() == source.text);
  const std::string last = document.text();
  const int64_t steps = document.at();
  RC_ASSERT(document.go_to(0));
  RC_ASSERT(document.text() == source.text);
  RC_ASSERT(document.go_to(steps));
  RC_ASSERT(document.text() == last);
}

RC_GTEST_PROP(Document, EveryStepHasTheTextThatItHad, ()) {
  Document document(any_recipe());
  std::vector<std::string> texts{document.text()};
  for (int i = 0; i < 20; ++i) {
    document.release();
    edit(document);
    texts.resize(static_cast<size_t>(document.at()));
    texts.push_back(document.text());
  }
  const auto step = *rc::gen::inRange<int64_t>(0, std::ssize(texts));
  RC_ASSERT(document.go_to(step));
  RC_ASSERT(document.text() == texts[static_cast<size_t>(step)]);
}

RC_GTEST_PROP(Document, WhatIsHeldIsOneStep, ()) {
  const Source source = any_recipe();
  Document document(source);
  const std::vector<std::string> names = numbers_of(parse_json(source));
  RC_PRE(!names.empty());
  const std::string name = *rc::gen::elementOf(names);
  const int moves = *rc::gen::inRange(1, 40);
  for (int i = 0; i < moves; ++i) document.set(name, std::to_string(10000 + i), true);
  document.release();
  RC_ASSERT(document.at() == 1);
  RC_ASSERT(document.undo());
  RC_ASSERT(document.text() == source.text);
  RC_ASSERT(!document.undo());
  RC_ASSERT(document.redo());
  document.set(name, "77777", true);
  RC_ASSERT(document.at() == 2);
}

RC_GTEST_PROP(Document, ADifferenceMakesTheOneOfTheOther, (const std::string& a, const std::string& b)) {
  const Splice splice = difference(a, b);
  RC_ASSERT(spliced(a, splice) == b);
  RC_ASSERT(spliced(b, inverse(a, splice)) == a);
}

RC_GTEST_PROP(Merge, OfOneChangeIsThatChange, ()) {
  const std::string base = any_recipe().text;
  const std::vector<std::string> names = numbers_of(parse_json({"base", base}));
  RC_PRE(!names.empty());
  const std::string other = changed(base, {*rc::gen::elementOf(names)});
  RC_ASSERT(merge(base, base, other).text == other);
  RC_ASSERT(merge(base, other, base).text == other);
  RC_ASSERT(merge(base, other, other).text == other);
  RC_ASSERT(merge(base, other, other).clashes.empty());
}

RC_GTEST_PROP(Merge, KeepsBothWhereTheyDifferAndAsksWhereNot, ()) {
  const std::string base = any_recipe().text;
  std::vector<std::string> names = numbers_of(parse_json({"base", base}));
  RC_PRE(names.size() >= 2u);
  const std::string mine_at = *rc::gen::elementOf(names), theirs_at = *rc::gen::elementOf(names);
  const std::string mine = changed(base, {mine_at}), theirs = changed(base, {theirs_at});
  const Merge both = merge(base, mine, theirs);
  if (mine_at == theirs_at) {
    RC_ASSERT(both.clashes.size() == (mine == theirs ? 0u : 1u));
    RC_ASSERT(both.text == theirs);
    return;
  }
  RC_ASSERT(both.clashes.empty());
  RC_ASSERT(merge(base, theirs, mine).text == both.text);
  const auto at = [](const std::string& text, const std::string& name) {
    const Source source{"recipe", text};
    return text_at(source, path_of_name(parse_json(source), name));
  };
  RC_ASSERT(at(both.text, mine_at) == at(mine, mine_at));
  RC_ASSERT(at(both.text, theirs_at) == at(theirs, theirs_at));
}

TEST(Merge, OfWhatIsTakenOutAndChangedAsks) {
  const std::string base = R"({"vars": {"a": 1, "b": 2}})";
  const Merge both = merge(base, R"({"vars": {"b": 2}})", R"({"vars": {"a": 3, "b": 2}})");
  ASSERT_EQ(both.clashes.size(), 1u);
  EXPECT_EQ(both.clashes[0].mine, "");
  EXPECT_EQ(both.clashes[0].theirs, "3");
}

}  // namespace tepui::document_test
