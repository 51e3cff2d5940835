#include "apps/studio/graph_edits.h"

#include <algorithm>

#include "apps/studio/document.h"
#include "tepui/graph/evaluate.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"
#include "tepui/recipe/references.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::graph_edits_test {

using namespace studio;

namespace {

constexpr const char* chain = R"({
  // Three in a row.
  "tepui": 1, "seed": 4,
  "world": { "size": [900, 700], "resolution": 33 },
  "ui": { "at": { "hills": [0, 0], "worn": [200, 10] }, "groups": [{ "name": "All", "nodes": ["hills", "worn"] }] },
  "nodes": {
    "hills": { "op": "noise", "height": 200 },  // the first
    "worn": { "op": "levelling", "in": "hills", "radius": 60 },
    "beds": { "op": "mask", "in": "worn" },
    "land": { "op": "combine", "in": "worn", "with": "hills", "mask": "beds.mask" }
  },
  "outputs": { "land.tif": "land", "worn.png": { "from": "worn" }, "beds.png": "beds.mask" },
  "test": { "resolution": 17, "set": { "worn.radius": 90 } }
})";

Source any_recipe() {
  std::vector<std::string> texts{chain};
  for (const Preset& preset : presets()) texts.push_back("// before\n" + preset.text + "/* after */\n");
  return {"any.json", *rc::gen::elementOf(texts)};
}

std::vector<std::string> nodes_of(const Json& document) {
  std::vector<std::string> names;
  for (const JsonMember& node : require_nodes(document).members) names.push_back(node.key);
  return names;
}

std::string any_node(const Source& source) {
  std::vector<std::string> names = nodes_of(parse_json(source));
  names.push_back("nobody");
  return *rc::gen::elementOf(names);
}

std::vector<std::string> some_nodes(const Source& source) {
  std::vector<std::string> some;
  for (const std::string& node : nodes_of(parse_json(source)))
    if (*rc::gen::inRange(0, 4) == 0) some.push_back(node);
  return some;
}

std::string any_port() { return *rc::gen::element<std::string>("in", "with", "mask", "rock", "others", "no such"); }

std::optional<size_t> any_index() {
  return *rc::gen::element<std::optional<size_t>>(std::nullopt, std::nullopt, 0, 1, 7);
}

std::string any_operator() {
  std::vector<std::string> names{"no_such_operator"};
  for (const Operator& op : operators()) names.push_back(op.name);
  return *rc::gen::elementOf(names);
}

/// A text that a random edit makes; refused where there is none.
std::string edited(const Source& source) {
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return added(source, {any_operator(), "", {}, Vec2{1, 2}, {}, WireEnd{any_node(source), any_port(), any_index()}})
          .text;
    case 1:
      return added(source, {any_operator(), "", {{any_port(), {any_node(source)}}}}).text;
    case 2:
      return removed(source, some_nodes(source));
    case 3:
      return duplicated(source, some_nodes(source)).text;
    case 4:
      return connected(source, {any_node(source), any_port(), any_index()}, std::nullopt);
    case 5:
      return inserted(source, any_node(source), {any_node(source), any_port(), any_index()});
    case 6:
      return grouped(source, {*rc::gen::element<std::string>("A", "\"B\" //", "C"), some_nodes(source), "#00ff7f"});
    case 7:
      return placed(source, {{any_node(source), Vec2{-3, 1e5}}});
    default:
      return connected(source, {any_node(source), any_port(), any_index()}, any_node(source));
  }
}

std::vector<std::string> comments_of(const std::string& text) {
  std::vector<std::string> found;
  for (const char* note : {"// before", "/* after */", "// Three in a row.", "// the first"})
    if (text.find(note) != std::string::npos) found.push_back(note);
  return found;
}

Hash value_of(const Source& source, const std::string& node) {
  const Recipe recipe = parse_recipe(source);
  ValueCache cache(size_t{1} << 28);
  return evaluate(recipe, {recipe.find_node(node)}, cache, {}).values[0].hash();
}

std::string reference_at(const Source& source, const JsonPath& path) {
  const std::optional<std::string> text = text_at(source, path);
  return text ? *text : "none";
}

}  // namespace

RC_GTEST_PROP(GraphEdits, AnySequenceIsARecipesTextAndUndoneIsTheFirst, ()) {
  const Source source = any_recipe();
  Document document(source);
  const std::vector<std::string> notes = comments_of(source.text);
  for (int i = 0; i < 20; ++i) {
    const std::string before = document.text();
    try {
      document.replace("edit", edited(document.source()), *rc::gen::arbitrary<bool>());
    } catch (const Error&) {
      RC_ASSERT(document.text() == before);
    }
    const Json now = parse_json(document.source());
    RC_ASSERT(now.is_object());
    RC_ASSERT(ui_json(now).is_object());
  }
  // A comment behind a node may go with it; those around the recipe stay.
  const std::vector<std::string> kept = comments_of(document.text());
  for (const std::string& note : notes)
    if (note != "// the first") RC_ASSERT(std::ranges::find(kept, note) != kept.end());
  RC_ASSERT(document.go_to(0));
  RC_ASSERT(document.text() == source.text);
}

RC_GTEST_PROP(GraphEdits, NothingRefersToWhatWasRemoved, ()) {
  const Source source = any_recipe();
  const std::vector<std::string> nodes = some_nodes(source);
  const Source rest{source.name, removed(source, nodes)};
  const Json document = parse_json(rest);
  for (const ReferencePlace& place : references_of(document))
    RC_ASSERT(std::ranges::find(nodes, referred_node(place.text)) == nodes.end());
  for (const std::string& node : nodes) {
    RC_ASSERT(document.find("nodes")->find(node) == nullptr);
    RC_ASSERT(!ui_json(document)["at"].contains(node));
  }
}

RC_GTEST_PROP(GraphEdits, WhatIsInsertedLeavesTheRestAsItIs, ()) {
  const Source source = any_recipe();
  std::vector<ReferencePlace> wires;
  const Json before = parse_json(source);
  for (const ReferencePlace& place : references_of(before))
    if (place.port != nullptr && !place.port->list && place.port->kind->name == "terrain") wires.push_back(place);
  RC_PRE(!wires.empty());
  const ReferencePlace wire = wires[*rc::gen::inRange<size_t>(0, wires.size())];
  const MadeNodes made = added(source, {"levelling", "", {}, {}, {}, WireEnd{wire.node, wire.port->name}});
  const Source changed{source.name, made.text};
  const std::string name = made.nodes.front();
  RC_ASSERT(reference_at(changed, wire.path) == "\"" + name + "\"");
  RC_ASSERT(reference_at(changed, {"nodes", name, "in"}) == "\"" + wire.text + "\"");
  for (const ReferencePlace& other : references_of(before))
    if (other.path != wire.path) RC_ASSERT(reference_at(changed, other.path) == "\"" + other.text + "\"");
  // Taken out again, it leaves no trace, but for a list that was none.
  if (wire.text == referred_node(wire.text)) RC_ASSERT(removed(changed, made.nodes) == source.text);
}

TEST(GraphEdits, ACopyIsTheSame) {
  const Source source{"chain.json", chain};
  const std::vector<std::string> all{"hills", "worn", "beds", "land"};
  const MadeNodes made = duplicated(source, all);
  const Source changed{source.name, made.text};
  ASSERT_EQ(made.nodes.size(), 4u);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(value_of(changed, made.nodes[i]), value_of(source, all[i])) << all[i];
    EXPECT_EQ(value_of(changed, all[i]), value_of(source, all[i])) << all[i];
  }
  // Its inner wires are its own.
  EXPECT_EQ(reference_at(changed, {"nodes", "land_2", "mask"}), "\"beds_2.mask\"");
  const MadeNodes one = duplicated(source, {"land"});
  EXPECT_EQ(reference_at({source.name, one.text}, {"nodes", "land_2", "mask"}), "\"beds.mask\"");
}

TEST(GraphEdits, WhatFollowsIsHealed) {
  const Source source{"chain.json", chain};
  const Source rest{source.name, removed(source, {"worn", "beds"})};
  EXPECT_EQ(reference_at(rest, {"nodes", "land", "in"}), "\"hills\"");
  EXPECT_EQ(reference_at(rest, {"nodes", "land", "mask"}), "none");
  EXPECT_EQ(reference_at(rest, {"outputs", "worn.png", "from"}), "\"hills\"");
  EXPECT_EQ(reference_at(rest, {"outputs", "beds.png"}), "none");
  EXPECT_EQ(reference_at(rest, {"test", "set", "worn.radius"}), "none");
  EXPECT_CONTAINS(rest.text, "// the first");
  parse_recipe(rest);
  // Nothing is there for what followed the first.
  const Source none{source.name, removed(source, {"hills"})};
  EXPECT_EQ(reference_at(none, {"nodes", "worn", "in"}), "none");
}

TEST(GraphEdits, AListLosesWhatGoesAndKeepsItsOrder) {
  const Source source{"list.json", R"({ "tepui": 1, "nodes": {
    "a": { "op": "noise" }, "b": { "op": "noise", "seed": 1 }, "c": { "op": "noise", "seed": 2 },
    "m": { "op": "implicitize", "in": "a" }, "n": { "op": "implicitize", "in": "b" }, "o": { "op": "implicitize", "in": "c" },
    "all": { "op": "union", "in": "n", "with": ["m", "n", "o"] } } })"};
  const Json document = parse_json(source);
  const Operator& op = require_node_operator(document, "all");
  const auto list = std::ranges::find_if(op.inputs, [](const Port& port) { return port.list; });
  ASSERT_NE(list, op.inputs.end());
  Source now{source.name, connected(source, {"all", list->name, 0}, "o")};
  EXPECT_EQ(wires_on(require_node(parse_json(now), "all"), list->name).front(), "o");
  now.text = connected(now, {"all", list->name, 1}, std::nullopt);
  now.text = connected(now, {"all", list->name}, "m");
  const std::vector<std::string> wires = wires_on(require_node(parse_json(now), "all"), list->name);
  EXPECT_EQ(wires, (std::vector<std::string>{"o", "o", "m"}));
  const Source rest{now.name, removed(now, {"o"})};
  EXPECT_EQ(wires_on(require_node(parse_json(rest), "all"), list->name), (std::vector<std::string>{"m"}));
  EXPECT_CONTAINS(test::error_of([&] { connected(now, {"all", list->name, 9}, "m"); }), "no place 9");
}

TEST(GraphEdits, WhatDoesNotFitIsRefused) {
  const Source source{"chain.json", chain};
  EXPECT_CONTAINS(test::error_of([&] { connected(source, {"worn", "in"}, "land"); }), "wait for itself");
  EXPECT_CONTAINS(test::error_of([&] { connected(source, {"worn", "in"}, "worn"); }), "wait for itself");
  EXPECT_CONTAINS(test::error_of([&] { connected(source, {"worn", "in"}, "nobody"); }), "no node 'nobody'");
  EXPECT_CONTAINS(test::error_of([&] { connected(source, {"worn", "out"}, "hills"); }), "no port 'out'");
  EXPECT_CONTAINS(test::error_of([&] { connected(source, {"worn", "in"}, "hills@3"); }), "no stages");
  EXPECT_CONTAINS(test::error_of([&] { connected(source, {"worn", "in"}, "hills."); }), "layer");
  EXPECT_CONTAINS(test::error_of([&] { added(source, {"polygonize", "", {{"in", {"hills"}}}}); }), "implicitize");
  EXPECT_CONTAINS(test::error_of([&] { added(source, {"noise", "a.b"}); }), "valid name");
  EXPECT_CONTAINS(test::error_of([&] { added(source, {"noise", "land"}); }), "already");
  EXPECT_CONTAINS(test::error_of([&] { added(source, {"noise", "", {}, {}, {}, WireEnd{"worn", "in"}}); }), "takes no");
  EXPECT_CONTAINS(test::error_of([&] { grouped(source, {"All", {"nobody"}}); }), "no node");
  EXPECT_CONTAINS(test::error_of([&] { grouped(source, {"New", {}}); }), "no group");
  EXPECT_CONTAINS(test::error_of([&] { placed(source, {{"hills", Vec2{1e300, 0}}}); }), "far");
}

TEST(GraphEdits, ANodeMovesUpItsOwnChain) {
  const Source source{"row.json",
                      R"({ "tepui": 1, "nodes": { "a": { "op": "noise" }, "b": { "op": "levelling", "in": "a" },
    "c": { "op": "adjust", "in": "b" } } })"};
  const Source now{source.name, inserted(source, "c", {"b", "in"})};
  EXPECT_EQ(reference_at(now, {"nodes", "b", "in"}), "\"c\"");
  EXPECT_EQ(reference_at(now, {"nodes", "c", "in"}), "\"a\"");
}

TEST(GraphEdits, WhatIsNotFinishedKeepsNothingWaiting) {
  const Source source{"chain.json", chain};
  Source more{source.name, added(source, {"combine"}).text};
  more.text = added(more, {"levelling", "", {{"in", {"combine"}}}}).text;
  const auto problems_of = [](const Source& text) {
    Problems problems(Problems::Wanted::all);
    parse_recipe(text, {}, problems);
    return problems.list();
  };
  const std::optional<FinishedPart> part = finished_part(more, problems_of(more));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->unfinished, (std::vector<std::string>{"combine", "levelling"}));
  EXPECT_EQ(value_of(part->source, "land"), value_of(source, "land"));
  // An output needs it: all of the recipe waits.
  const Source needed{source.name, connected(more, {"land", "in"}, "levelling")};
  EXPECT_FALSE(finished_part(needed, problems_of(needed)));
}

TEST(GraphUi, OnlyWhatIsSoundIsShown) {
  const Source source{"odd.json", R"({ "nodes": { "a": { "op": "noise" }, "__proto__": { "op": "noise" } }, "ui": {
    "at": { "a": [1, 2], "__proto__": [3, 4], "gone": [1, 1], "b": "c" },
    "groups": [{ "name": "G", "nodes": ["a", "gone", 7], "colour": "red" }, { "name": "H", "nodes": ["gone"] }, 5] } })"};
  const Ordered ui = ui_json(parse_json(source));
  EXPECT_EQ(ui.dump(),
            R"({"at":{"a":[1.0,2.0],"__proto__":[3.0,4.0]},"groups":[{"name":"G","nodes":["a"],"colour":null}]})");
  for (const char* odd :
       {R"({"nodes":{},"ui":5})", R"({"nodes":{},"ui":{"at":[1],"groups":{"a":1}}})", R"({"ui":[[[[]]]]})"})
    EXPECT_EQ(ui_json(parse_json({"odd", odd})).dump(), R"({"at":{},"groups":[]})");
}

TEST(GraphUi, ANodeIsInOneGroup) {
  const Source source{"chain.json", chain};
  const Source two{source.name, grouped(source, {"Two", {"worn", "land"}})};
  EXPECT_EQ(ui_json(parse_json(two))["groups"].dump(),
            R"([{"name":"All","nodes":["hills"],"colour":null},{"name":"Two","nodes":["worn","land"],"colour":null}])");
  const Source other{source.name, grouped(two, {"\"Other\"", {"land"}, "#102030", "Two"})};
  EXPECT_EQ(ui_json(parse_json(other))["groups"][1].dump(),
            R"({"name":"\"Other\"","nodes":["land"],"colour":"#102030"})");
  EXPECT_CONTAINS(test::error_of([&] { grouped(two, {"All", {"land"}, "", "Two"}); }), "already");
  const Source one{source.name, grouped(two, {"Two", {}})};
  EXPECT_EQ(ui_json(parse_json(one))["groups"].size(), 1u);
}

}  // namespace tepui::graph_edits_test
