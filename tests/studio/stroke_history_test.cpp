#include <fmt/format.h>

#include <algorithm>

#include "apps/studio/document.h"
#include "apps/studio/stroke_edits.h"
#include "tepui/core/error.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"
#include "tepui/recipe/references.h"
#include "tests/support/support.h"

namespace tepui::stroke_history_test {

using namespace studio;

namespace {

DrawnStroke any_stroke() {
  DrawnStroke stroke;
  stroke.points = {{static_cast<double>(*rc::gen::inRange(0, 99)), 1, 0}, {2, 3, 0}};
  stroke.properties = {{*rc::gen::element<std::string>("radius", "amount"), 5.0}};
  return stroke;
}

std::map<std::string, std::string> texts_of(const StrokeFiles& files) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, file] : files)
    if (file != nullptr) texts[name] = file->text();
  return texts;
}

/// A step that changes the text, files, or both.
void step(Document& document, bool hold) {
  DocumentState state = hold ? document.under_hand("hand") : DocumentState{document.text(), document.strokes()};
  if (*rc::gen::arbitrary<bool>()) state.text = fmt::format(R"({{"a": {}}})", *rc::gen::inRange(0, 999));
  for (const char* name : {"a", "b"}) {
    if (*rc::gen::arbitrary<bool>()) continue;
    const auto known = state.strokes.find(name);
    const StrokeFile before = known != state.strokes.end() && known->second != nullptr ? *known->second : StrokeFile();
    const bool out = before.size() > 0 && *rc::gen::inRange(0, 3) == 0;
    state.strokes[name] = std::make_shared<const StrokeFile>(out ? before.without(0) : before.with(any_stroke()));
  }
  document.change("hand", std::move(state), hold, "a stroke");
}

const Preset& any_preset() {
  return presets()[static_cast<size_t>(*rc::gen::inRange<int64_t>(0, std::ssize(presets())))];
}

std::string new_file(const std::string& node) { return node + ".geojson"; }

}  // namespace

RC_GTEST_PROP(StrokeHistory, EveryStepHasTheTextAndTheFilesThatItHad, ()) {
  Document document({"a.json", "{}"});
  if (*rc::gen::arbitrary<bool>())
    document.keep("a", std::make_shared<const StrokeFile>(StrokeFile().with(any_stroke())));
  struct Known {
    std::string text;
    std::map<std::string, std::string> files;
  };
  std::vector<Known> known{{document.text(), texts_of(document.strokes())}};
  for (int i = 0; i < 12; ++i) {
    const bool hold = *rc::gen::arbitrary<bool>();
    step(document, hold);
    if (hold) step(document, true);
    document.release();
    known.resize(static_cast<size_t>(document.at()));
    known.push_back({document.text(), texts_of(document.strokes())});
    if (*rc::gen::inRange(0, 4) == 0) document.undo();
  }
  for (int i = 0; i < 4; ++i) {
    const auto at = *rc::gen::inRange<int64_t>(0, std::ssize(known));
    if (!document.go_to(at)) continue;
    RC_ASSERT(document.text() == known[static_cast<size_t>(at)].text);
    RC_ASSERT(texts_of(document.strokes()) == known[static_cast<size_t>(at)].files);
  }
  RC_ASSERT(texts_of(document.first_strokes()) == known.front().files);
}

RC_GTEST_PROP(StrokeHistory, ABrushIsPutBehindANodeAndGoesOnWithTheNextStroke, ()) {
  const Preset& preset = any_preset();
  const Source source{preset.name + ".json", preset.text};
  const Recipe before = parse_recipe(source);
  std::vector<std::string> nodes;
  for (const Node& node : before.nodes)
    if (node.whole < 0 && !node.is_stage()) nodes.push_back(node.name);
  RC_PRE(!nodes.empty());
  const std::string after = *rc::gen::elementOf(nodes);
  const std::string op = *rc::gen::element<std::string>("paint", "sculpt", "rock_body");
  StrokePlace place;
  try {
    place = place_after(source, after, op, new_file);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::request);
    return;
  }
  RC_TAG(op);
  RC_ASSERT(place.made);
  const Source changed{source.name, place.text};
  const Recipe recipe = parse_recipe(changed);
  RC_ASSERT(recipe.nodes.size() == before.nodes.size() + 2);
  RC_ASSERT(recipe.node(recipe.find_node(place.node)).op->name == op);
  if (op != "rock_body")
    for (const ReferencePlace& one : references_of(parse_json(changed)))
      RC_ASSERT(referred_node(one.text) != after || one.node == place.node || one.path.front() == "world");
  const StrokePlace again = place_after(changed, op == "rock_body" ? after : place.node, op, new_file);
  RC_ASSERT(!again.made);
  RC_ASSERT(again.node == place.node);
  RC_ASSERT(again.lines == place.lines);
  RC_ASSERT(again.text == changed.text);
}

}  // namespace tepui::stroke_history_test
