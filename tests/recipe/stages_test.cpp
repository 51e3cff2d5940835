// Nodes that "every" divides: the same land as without, stages that can be named, kept, drawn and gone on from.
#include "tepui/recipe/stages.h"

#include <fmt/format.h>

#include <filesystem>

#include "tepui/core/number.h"
#include "tepui/output/build.h"
#include "tepui/output/frames.h"
#include "tepui/output/line_document.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::stages_test {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

/// A rough land, and a life of it, with whatever else the node says.
std::string life(const std::string& node, const std::string& outputs = "") {
  return R"({ "tepui": 1, "seed": 5, "world": { "size": 320, "resolution": 33 }, "nodes": {
    "land": { "op": "circular_faults", "faults": 60, "radius": [10, 120], "height": 100 },
    "life": { "op": "weathering", "in": "land", )" +
         node + " } }, \"outputs\": {" + outputs + "} }";
}

Plan parse(const std::string& text, const Names& set = {}) {
  return plan(parse_recipe({"life.json", text}, {.set = set}));
}

std::string error_of(const std::string& text) {
  return test::error_of([&] { parse(text); });
}

std::string place_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.where();
  }
  return "no error";
}

Names node_names(const Plan& recipe) {
  Names names;
  for (const Node& node : recipe.nodes) names.push_back(node.name);
  return names;
}

ParamValue param(const Plan& recipe, const std::string& node, const std::string& name) {
  const Node& found = recipe.nodes.at(static_cast<size_t>(recipe.find_node(node)));
  return found.params.at(static_cast<size_t>(found.op->params.find(name)));
}

Evaluation run(const Plan& recipe, const std::string& node, ValueCache& cache, const Context& context = {}) {
  return evaluate(recipe, {recipe.reference(node).node}, cache, context);
}

Terrain land_of(const Plan& recipe, const std::string& node) {
  ValueCache cache(0);
  return get<Terrain>(run(recipe, node, cache).values.front());
}

Names computed(const std::vector<NodeReport>& nodes) {
  Names names;
  for (const NodeReport& node : nodes)
    if (!node.cached) names.push_back(node.name);
  return names;
}

/// A build as a new program would do it; the names of the files that it wrote.
struct Files {
  Names written, computed;
};
Files build_files(const Plan& recipe, const std::string& folder, const Names& only = {}, bool cached = true) {
  DiskCache disk(folder + "/cache");
  ValueCache cache(0, cached ? &disk : nullptr);
  const Build built = build(recipe, folder + "/out", {only, cached}, cache, {});
  Files files;
  for (const BuiltFile& file : built.files)
    if (!file.kept) files.written.push_back(fs::path(file.path).filename().string());
  files.computed = computed(built.nodes);
  return files;
}

}  // namespace

TEST(Stages, MayBeListed) {
  const Plan recipe = parse(life(R"("steps": 50, "every": [2, 10, 40])"));
  EXPECT_EQ(node_names(recipe), (Names{"land", "life@0", "life@2", "life@10", "life@40", "life"}));
  EXPECT_EQ(std::get<double>(param(recipe, "life", "from")), 40);
  EXPECT_EQ(land_of(recipe, "life").hash(), land_of(parse(life(R"("steps": 50)")), "life").hash());
  for (const char* ages : {"[10, 2]", "[2, 2]", "[2, 60]", "[50, 50]"})
    EXPECT_CONTAINS(error_of(life(fmt::format(R"("steps": 50, "every": {})", ages))), "in increasing order");
  for (const char* ages : {"[0, 2]", "[-1]", "[\"a\"]", "[[2]]", "[1.5]"})
    EXPECT_NE(error_of(life(fmt::format(R"("steps": 50, "every": {})", ages))), "") << ages;
  EXPECT_CONTAINS(error_of(life(R"("steps": 50, "every": [])")), "empty");
  EXPECT_EQ(node_names(parse(life(R"("steps": 50, "every": [2, 50])"))), (Names{"land", "life@0", "life@2", "life"}));
  EXPECT_EQ(node_names(parse(life(R"("retreat": 9, "every": "2,5.5")"))),
            (Names{"land", "life@0", "life@2", "life@5.5", "life"}));
}

TEST(Stages, AreNodesThatGoOnFromEachOther) {
  const Plan recipe = parse(life(R"("retreat": 12.5, "every": "5m")"));
  EXPECT_EQ(node_names(recipe), (Names{"land", "life@0", "life@5", "life@10", "life"}));
  EXPECT_EQ(std::get<Length>(param(recipe, "life@0", "retreat")), metres(0));
  EXPECT_EQ(std::get<Length>(param(recipe, "life@10", "retreat")), metres(10));
  EXPECT_EQ(std::get<double>(param(recipe, "life@5", "from")), 0);
  EXPECT_EQ(std::get<double>(param(recipe, "life", "from")), 10);
  EXPECT_EQ(recipe.nodes[2].inputs[0][0].node, 0);
  EXPECT_EQ(recipe.nodes[3].inputs[0][0].node, 2);
  EXPECT_EQ(recipe.nodes[4].inputs[0][0].node, 3);
  for (const auto& [text, node, layer] :
       std::vector<std::tuple<std::string, int, std::string>>{{"life", 4, ""},
                                                              {"life@12.5", 4, ""},
                                                              {"life@5", 2, ""},
                                                              {"life@5.0.bedrock", 2, "bedrock"},
                                                              {"life@12.5.bedrock", 4, "bedrock"},
                                                              {"life@1e1", 3, ""},
                                                              {"life@0.height", 1, "height"}}) {
    EXPECT_EQ(recipe.reference(text).node, node) << text;
    EXPECT_EQ(recipe.reference(text).layer, layer) << text;
  }
  EXPECT_EQ(age_text(recipe, 3), "10 m");
  EXPECT_TRUE(parse(life(R"("retreat": 12.5, "every": 5)", R"("a.tif": "life@10")")).warnings.empty());
}

TEST(Stages, StartFromTheInputWhereAnOperatorCannotGoOn) {
  const auto valleys = [](const std::string& node) {
    return R"({ "tepui": 1, "seed": 5, "world": { "size": 4000, "resolution": 65 }, "nodes": {
      "land": { "op": "noise", "height": 300 },
      "life": { "op": "stream_power", "in": "land", "steps": 5, )" +
           node + " } } }";
  };
  const Plan recipe = parse(valleys(R"("age": 0.5, "every": 0.2)"));
  EXPECT_EQ(node_names(recipe), (Names{"land", "life@0", "life@0.2", "life@0.4", "life"}));
  for (size_t i = 1; i < recipe.nodes.size(); ++i) EXPECT_EQ(recipe.nodes[i].inputs[0][0].node, 0);
  EXPECT_EQ(land_of(recipe, "life@0.4").hash(), land_of(parse(valleys(R"("age": 0.4)")), "life").hash());
  EXPECT_EQ(land_of(recipe, "life").hash(), land_of(parse(valleys(R"("age": 0.5)")), "life").hash());
}

TEST(Stages, CountStepsMetresAndDecimalsAsAPersonDoes) {
  const auto ages = [](const std::string& node) {
    const Plan recipe = parse(life(node));
    std::vector<double> list;
    for (const int stage : recipe.nodes.back().stages) list.push_back(recipe.nodes[static_cast<size_t>(stage)].age);
    return list;
  };
  using Ages = std::vector<double>;
  EXPECT_EQ(ages(R"("retreat": 0.5, "every": 0.1)"), (Ages{0, 0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(ages(R"("steps": 9, "every": 4)"), (Ages{0, 4, 8, 9}));
  EXPECT_EQ(ages(R"("retreat": "2%", "every": "0.5%")"), (Ages{0, 0.5, 1, 1.5, 2}));
  EXPECT_EQ(ages(R"("retreat": 8, "every": 4, "from": 3)"), (Ages{3, 4, 8}));
  EXPECT_EQ(ages(R"("retreat": 8, "every": 50)"), (Ages{0, 8}));
  EXPECT_EQ(ages(R"("retreat": 0, "every": 50)"), (Ages{0}));
  EXPECT_EQ(ages(R"("retreat": 1000, "every": 1)").size(), 1001u);
  const Plan steps = parse(life(R"("steps": 9, "every": 4)"));
  EXPECT_EQ(age_text(steps, steps.find_node("life@4")), "4 steps");
  EXPECT_EQ(std::get<int64_t>(param(steps, "life@0", "steps")), 0);
  EXPECT_EQ(param(parse(life(R"("retreat": 8, "every": 4)")), "life@0", "steps"), ParamValue(Automatic{}));
  EXPECT_EQ(node_names(parse(life(R"("retreat": 8, "every": 2)"), {"life.every=4"})),
            (Names{"land", "life@0", "life@4", "life"}));
  const std::string step = R"("tepui": 1, "vars": { "step": 4 })";
  EXPECT_EQ(node_names(parse(life(R"("retreat": 8, "every": "$step")").replace(2, 10, step))),
            (Names{"land", "life@0", "life@4", "life"}));
  const Source line{"make", "noise | weathering retreat=8 every=4"};
  const auto source = std::make_shared<const Source>(line);
  EXPECT_EQ(node_names(plan(build_recipe(line_document(*source, {}), {source}, {}))),
            (Names{"noise", "weathering@0", "weathering@4", "weathering"}));
}

TEST(Stages, WhatCannotBeIsRefusedAtItsPlace) {
  for (const auto& [node, message] : std::vector<std::pair<std::string, std::string>>{
           {R"("retreat": 8, "every": 0)", "'every'"},
           {R"("retreat": 8, "every": -1)", "'every'"},
           {R"("retreat": 8, "every": "nan")", "every"},
           {R"("steps": 8, "every": 0.5)", "every"},
           {R"("steps": 8, "every": "5m")", "every"},
           {R"("retreat": 8, "every": 0.001)", "8000 stages"},
           {R"("retreat": 8, "every": "1%")", "must be in metres, like 'retreat', which is 8"},
           {R"("retreat": "2%", "every": 1)", "must be in per cent, like 'retreat', which is 2%"},
           {R"("every": 1)", "must be in per cent, like 'retreat'"},
           {R"("retreat": 8, "steps": 8, "every": 1)", "both"},
           {R"("retreat": 8, "every": "$none")", "no variable 'none'"}}) {
    EXPECT_CONTAINS(error_of(life(node)), message);
    EXPECT_CONTAINS(place_of(life(node)), "life.json:3:");
  }
  const std::string noise = R"({ "tepui": 1, "nodes": { "n": { "op": "noise", "every": 3 } } })";
  EXPECT_CONTAINS(error_of(noise), "'noise' does not age land");
  EXPECT_CONTAINS(error_of(noise), "weathering");
  const std::string node = R"("retreat": 8, "every": 4)";
  for (const auto& [outputs, message] : std::vector<std::pair<std::string, std::string>>{
           {R"("a.tif": "life@5")", "does not stop at '5'\nits stages: 0, 4, 8"},
           {R"("a.tif": "life@")", "does not stop at ''"},
           {R"("a.tif": "life@4x")", "does not stop at '4x'"},
           {R"("a.tif": "life@4.")", "does not name its layer"},
           {R"("a.tif": "land@4")", "node 'land' has no stages"},
           {R"("a.tif": "life@4@8")", "does not stop at '4@8'"},
           {R"("a.tif": { "frames": "land" })", "node 'land' has no stages"},
           {R"("a.tif": { "frames": "life@4" })", "node 'life@4' has no stages"},
           {R"("a.tif": { "frames": "life", "from": "life" })", "both \"from\" and \"frames\""},
           {R"("a.png": { "timelapse": "life" })", "must end in .webp"},
           {R"("a.webp": { "timelapse": "land" })", "node 'land' has no stages"},
           {R"("a.webp": { "timelapse": "life", "figure": {} })", "no key 'figure'"},
           {R"("a.webp": { "timelapse": "life", "render": { "frame_times": 3 } })", "frame_time"},
           {R"("a_{age}.tif": { "frames": "life" }, "a_4.tif": "life")", "are the same file"}}) {
    std::string error = error_of(life(node, outputs));
    EXPECT_CONTAINS(error, message.substr(0, message.find('\n')));
    if (const size_t end = message.find('\n'); end != std::string::npos)
      EXPECT_CONTAINS(error, message.substr(end + 1));
    EXPECT_CONTAINS(place_of(life(node, outputs)), "life.json:3:");
  }
  EXPECT_CONTAINS(error_of(life(R"("retreat": 8, "evry": 4)")), "did you mean 'every'");
}

RC_GTEST_PROP(Stages, GiveTheLandOfAnUnbrokenRun, ()) {
  const bool steps = *rc::gen::arbitrary<bool>();
  const bool share = !steps && *rc::gen::arbitrary<bool>();
  const int end = *rc::gen::inRange(1, 25), every = *rc::gen::inRange(1, 12), seed = *rc::gen::inRange(0, 1000);
  const std::string measure = steps ? "steps" : "retreat";
  const std::string op = steps && *rc::gen::arbitrary<bool>() ? "thermal" : "weathering";
  const auto age_of = [&](int age) {
    return share ? fmt::format("\"{}%\"", age) : std::to_string(steps ? 16 * age : age);
  };
  const int width = *rc::gen::inRange(2, 24), height = *rc::gen::inRange(2, 24);
  const std::string world = R"({ "tepui": 1, "seed": )" + std::to_string(seed) + R"(, "world": { "size": [)" +
                            std::to_string(10 * width) + ", " + std::to_string(10 * height) + R"(], "resolution": )" +
                            std::to_string(std::max(width, height)) +
                            R"( }, "nodes": { "land": { "op": "shape", "height": 80, "rotation": 20 },
                                "life": { "op": ")" +
                            op + R"(", "in": "land", ")" + measure + "\": " + age_of(end);
  const Terrain unbroken = land_of(parse(world + " } } }"), "life");
  const Plan divided = parse(world + ", \"every\": " + age_of(every) + " } } }");
  const Terrain broken = land_of(divided, "life");
  RC_ASSERT(broken.hash() == unbroken.hash());
  // And every stage is what a node of its own would be.
  const int stage = *rc::gen::elementOf(divided.nodes.back().stages);
  const double age = divided.nodes[static_cast<size_t>(stage)].age;
  RC_PRE(age > 0);
  const Plan shorter =
      parse(world + " } } }", {"life." + measure + "=" + age_of(static_cast<int>(age) / (steps ? 16 : 1))});
  RC_ASSERT(land_of(divided, divided.nodes[static_cast<size_t>(stage)].name).hash() == land_of(shorter, "life").hash());
}

TEST(Stages, TheFirstIsTheLandAsItStarts) {
  for (const char* node : {R"("retreat": 8, "every": 4)", R"("steps": 800, "every": 400)"}) {
    const Plan recipe = parse(life(node));
    const Terrain land = land_of(recipe, "land"), start = land_of(recipe, "life@0");
    EXPECT_LT(test::max_difference(land.height(), start.height()), 1e-4);
    const Terrain end = land_of(recipe, "life");
    ASSERT_EQ(start.layers().size(), end.layers().size());
    for (size_t i = 0; i < start.layers().size(); ++i) EXPECT_EQ(start.layers()[i].name, end.layers()[i].name);
    EXPECT_FALSE(test::same_cells(end.height(), start.height()));
  }
}

TEST(Stages, ARunThatIsStoppedGoesOnFromItsLastStage) {
  /// Cancels once a task begins.
  class Stopper : public ProgressSink {
   public:
    Stopper(int task, CancelFlag& flag) : task_(task), flag_(flag) {}
    void progress(int task, std::string_view, double) override {
      if (task == task_) flag_ = true;
    }
    void warn(std::string_view) override {}

   private:
    int task_;
    CancelFlag& flag_;
  };
  const TemporaryFolder folder;
  const Plan recipe = parse(life(R"("retreat": 20, "every": 4)"));
  CancelFlag flag{false};
  Stopper stopper(recipe.find_node("life@12"), flag);
  DiskCache disk(folder.path());
  ValueCache first(0, &disk);
  EXPECT_THROW(run(recipe, "life", first, Context(&stopper, &flag)), Error);
  ValueCache second(0, &disk);
  const Evaluation rest = run(recipe, "life", second);
  EXPECT_EQ(computed(rest.nodes), (Names{"life@12", "life@16", "life"}));
  EXPECT_EQ(get<Terrain>(rest.values.front()).hash(), land_of(parse(life(R"("retreat": 20)")), "life").hash());
  // A longer life takes only what is new.
  ValueCache third(0, &disk);
  const Plan longer = parse(life(R"("retreat": 27, "every": 4)"));
  EXPECT_EQ(computed(run(longer, "life", third).nodes), (Names{"life@24", "life"}));
}

TEST(Stages, ALifeGoesOnFromAFileWithTheSameBits) {
  const TemporaryFolder folder;
  const Plan recipe = parse(life(R"("retreat": 20, "every": 8)"));
  const Terrain saved = land_of(recipe, "life@8"), end = land_of(recipe, "life");
  std::string layers;
  for (const Layer& layer : saved.layers()) layers += (layers.empty() ? "\"" : ", \"") + layer.name + "\"";
  for (const std::string ending : {".tif", ".exr"}) {
    SCOPED_TRACE(ending);
    build_files(parse(life(R"("retreat": 20, "every": 8)",
                           "\"saved" + ending + R"(": { "from": "life@8", "layers": [)" + layers + "] }")),
                folder.path());
    const std::string file = folder.path() + "/out/saved" + ending;
    const std::string next = R"({ "tepui": 1, "seed": 5, "nodes": { "saved": { "op": "read", "file": ")" + file +
                             R"(" }, "life": { "op": "weathering", "in": "saved", "retreat": 20, "from": 8 } } })";
    const Terrain resumed = land_of(parse(next), "life");
    for (const Layer& layer : end.layers()) {
      ASSERT_NE(resumed.find(layer.name), nullptr) << layer.name;
      EXPECT_TRUE(test::same_cells(resumed.find(layer.name)->grid(), layer.grid())) << layer.name;
    }
  }
}

TEST(Frames, NamesSortAsTheAgesDo) {
  const std::vector<double> metres{0, 2.5, 5, 100}, steps{0, 5, 7};
  EXPECT_EQ(frame_name("life_{age}.png", metres, 1), "life_002.5.png");
  EXPECT_EQ(frame_name("life_{age}.png", metres, 3), "life_100.0.png");
  EXPECT_EQ(frame_name("{age}/life.tif", steps, 2), "7/life.tif");
  EXPECT_EQ(frame_name("life.tif", metres, 0), "life_000.0.tif");
  EXPECT_EQ(frame_name("a/b.c/life", steps, 1), "a/b.c/life_5");
  EXPECT_EQ(frame_name("{age}-{age}.png", {0, 1e-7}, 1), "0.0000001-0.0000001.png");
}

RC_GTEST_PROP(Frames, NamesAreAsManyAsStagesAndInOrder, ()) {
  const double every = *rc::gen::inRange(1, 2000) * 0.01;
  std::vector<double> ages;
  for (int i = 0; i < 40; ++i) ages.push_back(*parse_number(fmt::format("{:.12g}", i * every)));
  Names names;
  for (size_t i = 0; i < ages.size(); ++i) names.push_back(frame_name("a{age}.png", ages, i));
  Names sorted = names;
  std::ranges::sort(sorted);
  RC_ASSERT(sorted == names);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  RC_ASSERT(sorted.size() == ages.size());
}

constexpr const char* shown = R"(
  "h_{age}.tif": { "frames": "life", "layers": ["height", "bedrock"] },
  "p_{age}.png": { "frames": "life", "render": { "size": [48, 32], "samples": 1 } },
  "m_{age}.svg": { "frames": "life", "figure": { "kind": "map", "size": [24, 24] } },
  "life.webp": { "timelapse": "life", "render": { "size": [48, 32], "samples": 1, "frame_time": 50, "hold": 70 } })";

TEST(Frames, AreOutputsLikeAnyOthers) {
  const TemporaryFolder folder;
  const std::string node = R"("retreat": 12, "every": 4)";
  const Plan recipe = parse(life(node, shown));
  EXPECT_EQ(recipe.outputs.size(), 13u);
  EXPECT_EQ(build_files(recipe, folder.path()).written,
            (Names{"h_00.tif", "h_04.tif", "h_08.tif", "h_12.tif", "p_00.png", "p_04.png", "p_08.png", "p_12.png",
                   "m_00.svg", "m_04.svg", "m_08.svg", "m_12.svg", "life.webp", "life.manifest.json"}));
  // All there already.
  const Files again = build_files(recipe, folder.path());
  EXPECT_EQ(again.written, Names());
  EXPECT_EQ(again.computed, Names());
  fs::remove(folder / "out/h_04.tif");
  fs::remove(folder / "out/p_08.png");
  EXPECT_EQ(build_files(recipe, folder.path()).written, (Names{"h_04.tif", "p_08.png"}));
  // Some of them.
  fs::remove_all(folder / "out");
  EXPECT_EQ(build_files(recipe, folder.path(), {"m_{age}.svg"}).written,
            (Names{"m_00.svg", "m_04.svg", "m_08.svg", "m_12.svg", "life.manifest.json"}));
  EXPECT_EQ(build_files(recipe, folder.path(), {"h_08.tif"}).written, (Names{"h_08.tif", "life.manifest.json"}));
  EXPECT_CONTAINS(test::error_of([&] { build_files(recipe, folder.path(), {"h_{ag}.tif"}); }), "h_{age}.tif");
  // A longer life leaves the files of its youth alone, where nothing is shown together with it.
  EXPECT_EQ(build_files(parse(life(R"("retreat": 16, "every": 4)", shown)), folder.path(), {"h_{age}.tif"}).written,
            (Names{"h_00.tif", "h_04.tif", "h_12.tif", "h_16.tif", "life.manifest.json"}));
}

TEST(Frames, HaveTheSameBytesWithoutACache) {
  const TemporaryFolder with, without;
  const Plan recipe = parse(life(R"("retreat": 12, "every": 4)", shown));
  build_files(recipe, with.path());
  EXPECT_EQ(build_files(recipe, without.path(), {}, false).written.size(), 14u);
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(with / "out")) {
    if (!entry.is_regular_file()) continue;
    ++count;
    EXPECT_EQ(test::bytes_of(entry.path()), test::bytes_of(without / ("out/" + entry.path().filename().string())))
        << entry.path();
  }
  EXPECT_EQ(count, 14);
}

TEST(Frames, AreSeenFromOneCamera) {
  const TemporaryFolder folder;
  const std::string node = R"("retreat": 12, "every": 4)", size = R"("size": [48, 32], "samples": 1)";
  const Plan recipe = parse(life(node));
  double low = 1e9, high = -1e9;
  for (const char* stage : {"life@0", "life"})
    for (const float h : land_of(recipe, stage).height().cells()) {
      low = std::min<double>(low, h);
      high = std::max<double>(high, h);
    }
  const std::string frame = fmt::format("[{}, {}]", low, high);
  build_files(parse(life(node, R"("a_{age}.png": { "frames": "life", "render": { "colour": "height", )" + size +
                                   R"( } }, "b.png": { "from": "life@8", "render": { "colour": "height", "frame": )" +
                                   frame + R"(, "range": )" + frame + ", " + size + " } }")),
              folder.path());
  EXPECT_EQ(test::bytes_of(folder / "out/a_08.png"), test::bytes_of(folder / "out/b.png"));
}

TEST(Registry, OperatorsWithAStartOfTheirAgeHaveAnEnd) {
  for (const Operator& op : operators()) {
    SCOPED_TRACE(op.name);
    const auto with = [&](AgeRole role) { return std::ranges::count(op.params.fields, role, &Field::age); };
    EXPECT_LE(with(AgeRole::start), 1);
    EXPECT_LE(with(AgeRole::start) > 0, with(AgeRole::end) > 0);
    if (!has_ages(op)) continue;
    EXPECT_LT(op.params.find(every_key), 0);
    EXPECT_TRUE(std::ranges::any_of(op.inputs, [&](const Port& port) { return port.kind == op.output; }));
    for (const Field& field : op.params.fields) {
      if (field.age == AgeRole::none) continue;
      EXPECT_TRUE(field.age == AgeRole::end || field.type == ParamType::number) << field.name;
      if (field.automatic) continue;
      EXPECT_NO_THROW(param_from_json(field, json_integer(0))) << field.name;
    }
  }
}

}  // namespace tepui::stages_test
