#include "tepui/graph/evaluate.h"

#include <atomic>
#include <map>

#include "tepui/core/parallel.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/operators.h"
#include "tests/support/support.h"

namespace tepui::evaluate_test {

namespace {

constexpr const char* diamond = R"({ "tepui": 1, "seed": 3, "world": { "size": 640, "resolution": 65 },
  "nodes": {
    "hills":  { "op": "noise", "height": 50 },
    "faults": { "op": "circular_faults", "faults": 40, "radius": [10, 200], "height": 100 },
    "smooth": { "op": "levelling", "in": "faults", "radius": 30 },
    "land":   { "op": "combine", "in": "smooth", "with": "hills", "mode": "add" },
    "spare":  { "op": "noise", "seed": 5 } } })";

Plan parse(const std::string& text, const Overrides& overrides = {}) {
  return plan(parse_recipe({"test.json", text}, overrides));
}

const NodeReport& report(const Evaluation& evaluation, const std::string& name) {
  for (const NodeReport& node : evaluation.nodes)
    if (node.name == name) return node;
  throw std::runtime_error("no report of " + name);
}

/// The words that connect an operator's ports to nodes of their kinds: n is land, r rock, v a volume, p a mesh,
/// l lines, w a planet.
std::string connected(const Operator& op) {
  const std::map<std::string, std::string> nodes{{"terrain", "n"}, {"geology", "r"}, {"volume", "v"},
                                                 {"mesh", "p"},    {"lines", "l"},   {"planet", "w"}};
  std::string words;
  for (const Port& port : op.inputs)
    if (!port.optional) words += ", \"" + port.name + "\": \"" + nodes.at(port.kind->name) + "\"";
  return words;
}

struct ShoreParams {
  std::optional<double> level{};
};
void describe(Fields<ShoreParams>& f) {
  f.about("Land at the level of the sea");
  f("level", &ShoreParams::level, "of the sea; auto: the world's, or 1").sea_level();
}
Terrain shore(const Frame& world, const ShoreParams& params, const Context&) {
  return {world, {}, Grid<float>(world.width, world.height, static_cast<float>(params.level.value_or(1)))};
}
const Operator shore_op = op<shore>("test/shore", 1, "");

}  // namespace

TEST(Evaluate, TheWorldsSeaLevelIsPutInWhereANodeLeavesItOpen) {
  Graph graph;
  graph.world.resolution = 3;
  graph.nodes.push_back({"a", &shore_op, {}, {Automatic{}}, {}});
  graph.nodes.push_back({"b", &shore_op, {}, {ParamValue(5.0)}, {}});
  ValueCache cache(size_t{1} << 20);
  const auto level = [&](int node) {
    return get<Terrain>(evaluate(graph, {node}, cache, {}).values[0]).height()(0, 0);
  };
  EXPECT_EQ(level(0), 1);
  graph.world.sea_level = 7;
  EXPECT_EQ(level(0), 7);  // it is in the key, too
  EXPECT_EQ(level(1), 5);
}

TEST(Evaluate, OnlyWhatIsNeededIsComputed) {
  const Plan recipe = parse(diamond);
  ValueCache cache(0);
  const Evaluation evaluation = evaluate(recipe, {recipe.find_node("land")}, cache, {});
  EXPECT_EQ(evaluation.nodes.size(), 4u);
  EXPECT_EQ(evaluation.values.size(), 1u);
  EXPECT_EQ(report(evaluation, "land").hash, evaluation.values[0].hash());
}

TEST(Evaluate, SameBitsForAnyThreadCountAndLevel) {
  const Plan recipe = parse(diamond);
  test::expect_same_bits([&] {
    ValueCache cache(0);
    return evaluate(recipe, {recipe.find_node("land")}, cache, {}).values[0].hash();
  });
}

TEST(Evaluate, AnEditComputesOnlyWhatDependsOnIt) {
  ValueCache cache(size_t{1} << 30);
  const Plan before = parse(diamond);
  const Evaluation first = evaluate(before, {before.find_node("land")}, cache, {});
  for (const NodeReport& node : first.nodes) EXPECT_FALSE(node.cached) << node.name;
  const Evaluation again = evaluate(before, {before.find_node("land")}, cache, {});
  for (const NodeReport& node : again.nodes) EXPECT_TRUE(node.cached) << node.name;

  const Plan after = parse(diamond, {.set = {"smooth.radius=50"}});
  const Evaluation edited = evaluate(after, {after.find_node("land")}, cache, {});
  EXPECT_TRUE(report(edited, "hills").cached);
  EXPECT_TRUE(report(edited, "faults").cached);
  EXPECT_FALSE(report(edited, "smooth").cached);
  EXPECT_FALSE(report(edited, "land").cached);
  EXPECT_NE(report(edited, "land").hash, report(first, "land").hash);
}

TEST(Evaluate, SeedAndResolutionEnterTheKey) {
  ValueCache cache(size_t{1} << 30);
  const auto cached = [&](const Overrides& overrides) {
    const Plan recipe = parse(diamond, overrides);
    return report(evaluate(recipe, {recipe.find_node("hills")}, cache, {}), "hills").cached;
  };
  EXPECT_FALSE(cached({}));
  EXPECT_TRUE(cached({}));
  EXPECT_FALSE(cached({.seed = 4}));
  EXPECT_FALSE(cached({.resolution = 33}));
  EXPECT_FALSE(cached({.set = {"hills.seed=2"}}));
}

TEST(Evaluate, WhatANodeTellsIsReportedAndRemembered) {
  Plan recipe = parse(diamond);
  const int hills = recipe.find_node("hills");
  Operator teller = *recipe.nodes[static_cast<size_t>(hills)].op;
  const auto noise = teller.run;
  teller.run = [noise](const OperatorCall& call, const Context& context) {
    context.tell("drift", 1);
    context.tell("shed", 2.5, "m3");
    context.stage("end", 0.5, 1).tell("drift", 0);
    return noise(call, context);
  };
  recipe.nodes[static_cast<size_t>(hills)].op = &teller;
  ValueCache cache(size_t{1} << 30);
  const std::vector<ToldNumber> told{{"drift", 0, ""}, {"shed", 2.5, "m3"}};
  for (const bool cached : {false, true}) {
    const Evaluation evaluation = evaluate(recipe, {recipe.find_node("land")}, cache, {});
    EXPECT_EQ(report(evaluation, "hills").cached, cached);
    EXPECT_EQ(report(evaluation, "hills").told, told);
    EXPECT_TRUE(report(evaluation, "land").told.empty());
  }
}

TEST(Evaluate, CacheKeepsItsBudget) {
  const Plan recipe = parse(diamond);
  const size_t layer = 65 * 65 * sizeof(float);
  ValueCache cache(2 * layer);
  evaluate(recipe, {recipe.find_node("land")}, cache, {});
  EXPECT_LE(cache.bytes(), 2 * layer);
  EXPECT_GT(cache.bytes(), 0u);
  ValueCache none(0);
  evaluate(recipe, {recipe.find_node("land")}, none, {});
  EXPECT_EQ(none.bytes(), 0u);
}

TEST(Evaluate, AFailureNamesTheNodeAndIsNeverCached) {
  const Plan recipe = parse(R"({ "tepui": 1, "world": { "size": 100, "resolution": 33 }, "nodes": {
    "n": { "op": "noise" }, "m": { "op": "materials", "in": "n", "count": 3 },
    "h": { "op": "hardness", "in": "m", "values": [0.1, 0.2] }, "slow": { "op": "noise", "seed": 2, "octaves": 12 },
    "sum": { "op": "combine", "in": "h", "with": "slow" } } })");
  ValueCache cache(size_t{1} << 30);
  for (int round = 0; round < 20; ++round) {
    try {
      with_threads(2, [&] { evaluate(recipe, {recipe.find_node("sum")}, cache, {}); });
      FAIL() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      EXPECT_NE(error.message().find("node 'h'"), std::string::npos) << error.message();
      EXPECT_EQ(error.where(), "test.json:3:5");
    }
  }
  ValueCache fresh(0);
  const Evaluation clean = evaluate(recipe, {recipe.find_node("slow")}, fresh, {});
  const Evaluation kept = evaluate(recipe, {recipe.find_node("slow")}, cache, {});
  EXPECT_EQ(clean.nodes[0].hash, kept.nodes[0].hash);
}

TEST(Evaluate, WorldsBeyondMemoryAreRefusedWithTheNumber) {
  const Plan recipe = parse(diamond, {.resolution = 1000000});
  ValueCache cache(0);
  const std::string message = test::error_of([&] { evaluate(recipe, {recipe.find_node("hills")}, cache, {}); });
  EXPECT_NE(message.find("node 'hills': 1000000 x 1000000 samples need 3.6 TiB"), std::string::npos) << message;
  // In windows there is no need for that much.
  LandWindows windows = land_windows(recipe, recipe.find_node("hills"), cache, {});
  EXPECT_EQ(windows.frame().width, 1000000);
  const Value window = windows.window(windows.frame().window(999990, 500000, 10, 5), {});
  EXPECT_EQ(window.kind().lies(window).width, 10);
}

TEST(Evaluate, CancelStopsTheRun) {
  CancelFlag flag{true};
  const Plan recipe = parse(diamond);
  ValueCache cache(0);
  try {
    evaluate(recipe, {recipe.find_node("land")}, cache, Context(nullptr, &flag));
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(Evaluate, ALayerReferenceGivesThatLayerAlone) {
  const Plan recipe = parse(R"({ "tepui": 1, "world": { "size": 100, "resolution": 17 }, "nodes": {
    "n": { "op": "noise" }, "m": { "op": "materials", "in": "n", "count": 3 } } })");
  ValueCache cache(0);
  const Evaluation evaluation = evaluate(recipe, {1}, cache, {});
  const Terrain only = get<Terrain>(select(evaluation.values[0], recipe.reference("m.material")));
  ASSERT_EQ(only.layers().size(), 1u);
  EXPECT_EQ(only.layers()[0].name, "material");
  EXPECT_NE(test::error_of([&] {
              select(evaluation.values[0], recipe.reference("m.materail"));
            }).find("did you mean 'material'"),
            std::string::npos);
}

TEST(Evaluate, EveryOperatorUsesAtMostThreeGridsBeyondItsInputs) {
  constexpr int side = 385;
  const std::map<std::string, std::string> more{
      {"adjust", R"(, "in": "n", "scale": 2, "terraces": 5)"},
      {"arches", R"(, "in": "v", "spacing": "20%")"},
      {"brownian", ""},
      {"circular_faults", ""},
      {"climate", R"(, "in": "n", "rain": 800)"},
      {"combine", R"(, "in": "n", "with": "k")"},
      {"crop", R"(, "in": "n", "x": ["10%", "90%"])"},
      {"diamond_square", ""},
      {"dunes", R"(, "in": "n", "size": "30%")"},
      {"fault", R"(, "in": "r")"},
      {"fold", R"(, "in": "r")"},
      {"gradation", R"(, "in": "h")"},
      {"geology_from_materials", R"(, "in": "h", "shape": "columns")"},
      {"amplify", R"(, "in": "n", "factor": 2)"},
      {"hardness", R"(, "in": "m")"},
      {"levelling", R"(, "in": "n", "radius": 40)"},
      {"linear_faults", ""},
      {"mask", R"(, "in": "n")"},
      {"materials", R"(, "in": "n")"},
      {"noise", R"(, "seed": 5)"},
      {"planet", R"(, "level": 4)"},
      {"planet_map", R"(, "in": "w", "width": 540)"},
      {"particle_deposition", R"(, "particles": 10000)"},
      {"resample", R"(, "in": "n", "resolution": 350)"},
      {"rock_blend", R"(, "in": "r", "with": "r")"},
      {"rock_body", R"(, "in": "r")"},
      {"rock_planes", ""},
      {"skyline", ""},
      {"shape", ""},
      {"strata", R"(, "dip": 10)"},
      {"table_mountain", ""},
      {"taper", R"(, "in": "r")"},
      {"take", R"(, "in": "m", "layer": "material")"},
      {"thermal", R"(, "in": "n", "steps": 3)"},
      {"plants", R"(, "in": "s", "variety": 2)"},
      {"scatter", R"(, "in": "g")"},
      {"snow", R"(, "in": "c")"},
      {"turbulence", ""},
      {"uplift", R"(, "peaks": 5000)"},
      {"blend", R"(, "in": "v", "with": "v")"},
      {"difference", R"(, "in": "v", "with": "v")"},
      {"implicitize", R"(, "in": "n")"},
      {"instances", R"(, "in": "v")"},
      {"intersection", R"(, "in": "v", "with": "v")"},
      {"polygonize", R"(, "in": "v", "cell": 100)"},
      {"sculpt", R"(, "in": "v")"},
      {"simplify", R"(, "in": "p")"},
      {"strata_erosion", R"(, "in": "v", "rock": "r")"},
      {"transform", R"(, "in": "v")"},
      {"union", R"(, "in": "v", "with": "v")"},
      {"warp", R"(, "in": "v")"},
      {"weathering", R"(, "in": "n", "retreat": 5)"},
  };
  // What they read is made once for all of them.
  ValueCache cache(size_t{1} << 30);
  for (const Operator& op : operators()) {
    // What needs a file, or land from one.
    if ((op.outside && !more.contains(op.name)) || op.name == "reproject") continue;
    SCOPED_TRACE(op.name);
    const std::string words = more.contains(op.name) ? more.at(op.name) : connected(op);
    const Plan recipe =
        parse(R"({ "tepui": 1, "world": { "size": 2000, "resolution": )" + std::to_string(side) + R"( }, "nodes": {
      "n": { "op": "noise", "octaves": 2 }, "k": { "op": "noise", "seed": 1, "octaves": 2 }, "m": { "op": "materials", "in": "n" },
      "h": { "op": "hardness", "in": "m" }, "it": { "op": ")" +
              op.name + "\"" + words + R"( }, "r": { "op": "strata" }, "v": { "op": "implicitize", "in": "n" },
      "p": { "op": "polygonize", "in": "v", "cell": 100 }, "l": { "op": "rivers", "in": "n" },
      "c": { "op": "climate", "in": "n" }, "s": { "op": "soil", "in": "c" }, "g": { "op": "plants", "in": "s" },
      "w": { "op": "planet", "level": 4 } } })");
    const Evaluation inputs = evaluate(recipe, {0, 1, 2, 3, 9, 10, 11}, cache, {});
    pool_trim();
    pool_reset_peak();
    const size_t before = pool_use().used;
    const Evaluation result = evaluate(recipe, {4}, cache, {});
    // Five layers come from weathering and droplets alone; water needs directions, basins, an order and sums.
    // Rivers that cut need 12 or 14 grids, of the next lattice of 2^k + 1 samples (1.8 times the land's here) or of
    // the finer land (4 times); midpoints are moved on such a lattice, too. Climate has six layers and needs the
    // horizon in all directions; dunes, a year of snow and glaciers hold what lies, moves and falls. Maps of a planet
    // have up to nine layers; pieces and views of it hold the land that is refined for them, with all that is known
    // of its vertices, around it and on every level. The pool rounds sizes up by at most an eighth, and something is
    // held that does not grow with the land.
    const std::map<std::string, double> special{{"amplify", 14 * 4.0},
                                                {"climate", 32},
                                                {"diamond_square", 2.2 * 1.8},
                                                {"droplets", 9},
                                                {"dunes", 14},
                                                {"floating_islands", 6},
                                                {"galleries", 10},
                                                {"glaciers", 12},
                                                {"planet_map", 10},
                                                {"planet_patch", 352},
                                                {"planet_view", 112},
                                                {"plants", 7},
                                                {"river_erosion", 5},
                                                {"snow", 13},
                                                {"soil", 7},
                                                {"stream_power", 12 * 1.8},
                                                {"weathering", 6}};
    constexpr double fixed = 1 << 18;
    const double grids = special.contains(op.name) ? special.at(op.name) : op.module == "hydrology" ? 10 : 3;
    EXPECT_LE(static_cast<double>(pool_use().peak - before), fixed + grids * 1.125 * side * side * sizeof(float));
  }
}

}  // namespace tepui::evaluate_test
