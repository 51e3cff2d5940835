#include "tepui/recipe/compose.h"

#include "tepui/graph/evaluate.h"
#include "tepui/recipe/recipe.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::compose_test {

namespace {

Graph mesa() {
  Graph graph;
  graph.seed = 7;
  graph.world.size = {500, 500};
  graph.world.resolution = 33;
  const int faults = add_operator(graph, "faults", "circular_faults", {"faults=40", "radius=1..200", "height=90"});
  const int rock = add_operator(graph, "rock", "materials", {"count=5"}, {{"in", faults}});
  add_operator(graph, "mesa", "gradation", {"erosion=0.65"}, {{"in", rock}});
  return graph;
}

Hash hash_of(const Graph& graph) {
  ValueCache cache(0);
  return evaluate(graph, {graph.find_node("mesa")}, cache, Context()).facts.front().hash;
}

}  // namespace

TEST(Compose, MakesTheLandThatARecipeMakes) {
  const Recipe recipe = parse_recipe({"a.json", R"({ "tepui": 1, "seed": 7, "world": { "size": 500, "resolution": 33 },
    "nodes": { "faults": { "op": "circular_faults", "faults": 40, "radius": [1, 200], "height": 90 },
               "rock": { "op": "materials", "in": "faults", "count": 5 },
               "mesa": { "op": "gradation", "in": "rock", "erosion": 0.65 } } })"});
  EXPECT_EQ(hash_of(mesa()), hash_of(recipe));
}

TEST(Compose, AParameterSetLaterCountsAndOthersStay) {
  Graph graph = mesa();
  const Hash before = hash_of(graph);
  set_parameter(graph, 2, "erosion=0.1");
  EXPECT_NE(hash_of(graph), before);
  set_parameter(graph, 2, "erosion=0.65");
  EXPECT_EQ(hash_of(graph), before);
  EXPECT_CONTAINS(test::error_of([&] { set_parameter(graph, 2, "erosion=3"); }), "erosion");
  EXPECT_CONTAINS(test::error_of([&] { set_parameter(graph, 2, "erosoin=0.3"); }), "did you mean 'erosion'?");
}

TEST(Compose, RefusesWhatARecipeWouldBeRefusedFor) {
  Graph graph = mesa();
  const auto refused = [&](const std::string& name, const std::string& op, const std::vector<std::string>& words,
                           const std::vector<PortInput>& inputs, const std::string& part) {
    EXPECT_CONTAINS(test::error_of([&] { add_operator(graph, name, op, words, inputs); }), part);
    EXPECT_EQ(graph.nodes.size(), 3u);
  };
  refused("mesa", "noise", {}, {}, "already");
  refused("a", "nose", {}, {}, "did you mean 'noise'?");
  refused("a", "levelling", {}, {}, "needs an input on its port 'in'");
  refused("a", "levelling", {}, {{"inn", 2}}, "did you mean 'in'?");
  refused("a", "levelling", {}, {{"in", 3}}, "no node 3");
  refused("a", "levelling", {}, {{"in", 1}, {"in", 2}}, "takes one value");
  refused("a", "levelling", {"radius=wide"}, {{"in", 2}}, "not a length");
  refused("a", "strata_erosion", {}, {{"in", 2}}, "takes volume");
}

}  // namespace tepui::compose_test
