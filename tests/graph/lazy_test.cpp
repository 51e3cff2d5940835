// Evaluation with a disk cache: what is loaded, what is computed, and that neither changes a bit.
#include <filesystem>

#include "tepui/io/raster/png.h"
#include "tepui/output/build.h"
#include "tepui/output/plan.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::lazy_test {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

constexpr const char* graph = R"({ "tepui": 1, "seed": 3, "world": { "size": 640, "resolution": 65 },
  "nodes": {
    "hills":  { "op": "noise", "height": 50 },
    "faults": { "op": "circular_faults", "faults": 40, "radius": [10, 200], "height": 100 },
    "smooth": { "op": "levelling", "in": "faults", "radius": 30 },
    "rock":   { "op": "materials", "in": "smooth", "count": 3 },
    "land":   { "op": "combine", "in": "rock", "with": "hills", "mode": "add" } },
  "outputs": { "land.tif": "land", "rock.png": "rock.material", "land.glb": "land",
    "land.png": { "from": "land", "tiles": [2, 2] } } })";

Plan parse(const std::string& text, const std::vector<std::string>& set = {}) {
  return plan(parse_recipe({"test.json", text}, {.set = set}));
}

const NodeReport& report(const std::vector<NodeReport>& nodes, const std::string& name) {
  for (const NodeReport& node : nodes)
    if (node.name == name) return node;
  throw std::runtime_error("no report of " + name);
}

std::vector<std::string> names_where(const std::vector<NodeReport>& nodes, bool NodeReport::*flag, bool value = true) {
  std::vector<std::string> names;
  for (const NodeReport& node : nodes)
    if (node.*flag == value) names.push_back(node.name);
  return names;
}

/// As a program would that starts anew: nothing in memory.
Evaluation run(const Plan& recipe, const std::string& wanted, const std::string& folder, const ValueNeed& need = {},
               const Context& context = {}) {
  DiskCache disk(folder);
  ValueCache cache(0, &disk);
  return evaluate(recipe, {recipe.find_node(wanted)}, cache, context, need);
}

void remove_cells(const std::string& folder, int one_in = 1) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cells" && count++ % one_in == 0) fs::remove(entry.path());
}

const ValueNeed nothing = [](size_t, const NodeFacts&) { return false; };

using Names = std::vector<std::string>;

}  // namespace

TEST(Lazy, AnUnchangedRecipeComputesAndLoadsNothing) {
  const TemporaryFolder folder;
  const Plan recipe = parse(graph);
  const Evaluation first = run(recipe, "land", folder.path());
  EXPECT_EQ(names_where(first.nodes, &NodeReport::cached), Names());
  const Evaluation idle = run(recipe, "land", folder.path(), nothing);
  EXPECT_EQ(names_where(idle.nodes, &NodeReport::cached, false), Names());
  EXPECT_EQ(names_where(idle.nodes, &NodeReport::loaded), Names());
  for (size_t i = 0; i < first.nodes.size(); ++i) {
    EXPECT_EQ(idle.nodes[i].hash, first.nodes[i].hash);
    EXPECT_EQ(idle.nodes[i].bytes, first.nodes[i].bytes);
  }
  const Evaluation read = run(recipe, "land", folder.path());
  EXPECT_EQ(names_where(read.nodes, &NodeReport::loaded), Names{"land"});
  EXPECT_EQ(read.values[0].hash(), first.nodes.back().hash);
}

TEST(Lazy, AnEditLoadsOnlyWhatTheComputedNodesRead) {
  const TemporaryFolder folder;
  run(parse(graph), "land", folder.path());
  const Evaluation edited = run(parse(graph, {"rock.count=4"}), "land", folder.path());
  EXPECT_EQ(names_where(edited.nodes, &NodeReport::cached, false), (Names{"rock", "land"}));
  const Names loaded = names_where(edited.nodes, &NodeReport::loaded);
  for (const std::string& name : loaded) EXPECT_TRUE(name == "hills" || name == "smooth") << name;
}

TEST(Lazy, ANodeThatGivesTheSameValueStopsTheWave) {
  const TemporaryFolder folder;
  const std::string text = R"({ "tepui": 1, "world": { "size": 64, "resolution": 65 }, "nodes": {
    "n": { "op": "noise" }, "a": { "op": "adjust", "in": "n", "offset": 0, "terraces": 0, "scale": 1 },
    "l": { "op": "levelling", "in": "a", "radius": 3 } } })";
  run(parse(text), "l", folder.path());
  const Evaluation renamed = run(parse(text, {"l.in=\"n\""}), "l", folder.path());
  EXPECT_TRUE(report(renamed.nodes, "l").cached);  // a is n
}

TEST(Lazy, TheWorldOfANodeNeedsOnlyItsFrame) {
  const TemporaryFolder folder;
  test::put_bytes(folder / "x", "");
  Grid<uint16_t> stored(20, 10, uint16_t{7});
  stored(3, 3) = 9;
  write_png(folder / "in.png", stored);
  const std::string text = R"({ "tepui": 1, "world": { "from": "in" }, "nodes": {
    "in": { "op": "read", "file": ")" +
                           folder.path() + R"(/in.png", "cell": 10, "scale": 2 },
    "n": { "op": "noise", "height": 5 } } })";
  run(parse(text), "n", folder / "c");
  const Evaluation edited = run(parse(text, {"n.height=6"}), "n", folder / "c");
  EXPECT_EQ(names_where(edited.nodes, &NodeReport::cached, false), Names{"n"});
  EXPECT_EQ(names_where(edited.nodes, &NodeReport::loaded), Names());
  EXPECT_EQ(get<Terrain>(edited.values[0]).frame().width, 20);
}

TEST(Lazy, WarningsAreSaidAgainUnderTheFilesPresentName) {
  const TemporaryFolder folder;
  write_png(folder / "first.png", Grid<uint16_t>(4, 3, uint16_t{7}));
  fs::copy(folder / "first.png", folder / "second.png");
  const auto warnings = [&](const std::string& name) {
    test::WarningSink sink;
    run(parse(R"({ "tepui": 1, "nodes": { "in": { "op": "read", "file": ")" + folder.path() + "/" + name +
              R"(" } } })"),
        "in", folder / "c", nothing, sink.context());
    return sink.warnings;
  };
  const std::vector<std::string> said = warnings("first.png");
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(warnings("first.png"), said);
  const std::vector<std::string> other = warnings("second.png");
  ASSERT_EQ(other.size(), said.size());
  for (const std::string& warning : other) {
    EXPECT_NE(warning.find("second.png"), std::string::npos) << warning;
    EXPECT_EQ(warning.find("first.png"), std::string::npos) << warning;
  }
}

TEST(Lazy, ValuesThatAreGoneAreComputedAgain) {
  const TemporaryFolder folder;
  const Plan recipe = parse(graph);
  const Evaluation first = run(recipe, "land", folder.path());
  remove_cells(folder.path());
  const Evaluation again = run(recipe, "land", folder.path());
  EXPECT_EQ(names_where(again.nodes, &NodeReport::cached), Names());
  EXPECT_EQ(again.values[0].hash(), first.values[0].hash());
  const Evaluation restored = run(recipe, "land", folder.path());
  EXPECT_EQ(names_where(restored.nodes, &NodeReport::loaded), Names{"land"});
}

TEST(Lazy, ACacheThatIsWrongIsFoundOutAndReplaced) {
  const TemporaryFolder folder;
  const Plan recipe = parse(graph);
  const Evaluation first = run(recipe, "land", folder.path());
  // As if another operator had run under the key of `smooth`.
  const NodeFacts wrong = facts_of(test::sample_land(65, 65, 5));
  DiskCache(folder.path()).put_note(report(first.nodes, "smooth").key, facts_text(wrong), {});
  remove_cells(folder.path());
  test::WarningSink sink;
  const Plan edited = parse(graph, {"rock.count=4"});
  const Evaluation found = run(edited, "land", folder.path(), {}, sink.context());
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_NE(sink.warnings[0].find("'smooth'"), std::string::npos) << sink.warnings[0];
  ValueCache none(0);
  EXPECT_EQ(found.values[0].hash(), evaluate(edited, {edited.find_node("land")}, none, {}).values[0].hash());
  EXPECT_EQ(run(edited, "land", folder.path(), {}, sink.context()).values[0].hash(), found.values[0].hash());
  EXPECT_EQ(sink.warnings.size(), 1u);
}

RC_GTEST_PROP(Lazy, CachedAndUncachedGiveTheSame, ()) {
  const TemporaryFolder folder;
  const auto steps = *rc::gen::inRange(1, 6);
  for (int step = 0; step < steps; ++step) {
    const Plan recipe = parse(graph, {"rock.count=" + std::to_string(*rc::gen::inRange(2, 4)),
                                      "smooth.radius=" + std::to_string(*rc::gen::inRange(20, 22)),
                                      "hills.seed=" + std::to_string(*rc::gen::inRange(0, 2))});
    const std::string wanted = *rc::gen::element<std::string>("land", "rock", "smooth");
    const Evaluation cached = run(recipe, wanted, folder.path());
    ValueCache none(0);
    const Evaluation plain = evaluate(recipe, {recipe.find_node(wanted)}, none, {});
    RC_ASSERT(cached.values[0].hash() == plain.values[0].hash());
    RC_ASSERT(cached.nodes.size() == plain.nodes.size());
    for (size_t i = 0; i < plain.nodes.size(); ++i) RC_ASSERT(cached.nodes[i].hash == plain.nodes[i].hash);
    if (*rc::gen::inRange(0, 2) == 1) remove_cells(folder.path(), *rc::gen::inRange(1, 4));
  }
}

TEST(Build, NamesThatCannotBeWrittenAreRefusedBeforeAnythingIsMade) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "out/land.glb");
  ValueCache cache(0);
  const std::string message = test::error_of([&] { build(parse(graph, {}), folder / "out", {}, cache, {}); });
  EXPECT_NE(message.find("land.glb"), std::string::npos) << message;
  fs::remove(folder / "out/land.glb");
  EXPECT_TRUE(fs::is_empty(folder / "out"));
}

TEST(Build, KeepsFilesThatAreThereAndWritesTheOthers) {
  const TemporaryFolder folder;
  const auto run_build = [&](const std::vector<std::string>& set, const BuildOptions& options = {}) {
    DiskCache disk(folder / "cache");
    ValueCache cache(0, &disk);
    return build(parse(graph, set), folder / "out", options, cache, {});
  };
  const auto written = [](const Build& built) {
    Names names;
    for (const BuiltFile& file : built.files)
      if (!file.kept) names.push_back(file_name(file.path));
    return names;
  };
  const Names tiles{"land_x0_y0.png", "land_x1_y0.png", "land_x0_y1.png", "land_x1_y1.png"};
  const auto and_tiles = [&](Names names) {
    names.insert(names.end(), tiles.begin(), tiles.end());
    names.push_back("test.manifest.json");
    return names;
  };
  const Names all = and_tiles({"land.tif", "rock.png", "land.glb"});
  const Build first = run_build({});
  EXPECT_EQ(written(first), all);
  const std::string manifest = test::bytes_of(folder / "out/test.manifest.json");
  const Build again = run_build({});
  EXPECT_EQ(written(again), Names());
  EXPECT_EQ(names_where(again.nodes, &NodeReport::loaded), Names());
  EXPECT_EQ(written(run_build({}, {.keep = false})), all);
  EXPECT_EQ(test::bytes_of(folder / "out/test.manifest.json"), manifest);
  // What the cache says of the files is all that the manifest tells.
  fs::remove(folder / "out/test.manifest.json");
  EXPECT_EQ(written(run_build({})), Names{"test.manifest.json"});
  EXPECT_EQ(test::bytes_of(folder / "out/test.manifest.json"), manifest);

  // A file that is gone or changed is written again, as it was.
  const std::string bytes = test::bytes_of(folder / "out/land.tif");
  fs::remove(folder / "out/land.tif");
  EXPECT_EQ(written(run_build({})), Names{"land.tif"});
  EXPECT_EQ(test::bytes_of(folder / "out/land.tif"), bytes);
  test::put_bytes(folder / "out/rock.png", "mine");
  EXPECT_EQ(written(run_build({})), Names{"rock.png"});
  fs::remove(folder / "out/land_x1_y0.png");
  EXPECT_EQ(written(run_build({})), tiles);

  // An edit touches the files that it changes, and the manifest, which holds the recipe's hash.
  EXPECT_EQ(written(run_build({"hills.height=60"})), and_tiles({"land.tif", "land.glb"}));
  EXPECT_EQ(run_build({}, {.values = true}).values[0].hash(), first.nodes.back().hash);
}

TEST(Build, ASheetIsDrawnAgainWhenOneOfItsNodesChanges) {
  constexpr const char* recipe = R"({ "tepui": 1, "world": { "size": 64, "resolution": 17 },
    "nodes": { "a": { "op": "noise" }, "b": { "op": "circular_faults" }, "c": { "op": "materials", "in": "b" } },
    "outputs": { "sheet.png": { "sheet": { "columns": 2, "panels": [
      { "from": "a", "caption": "first", "render": { "size": [32, 18], "samples": 1 } },
      { "from": "b", "render": { "size": [32, 18], "samples": 1 } },
      { "from": "c", "figure": { "kind": "map", "layer": "material" } } ] } }, "a.tif": "a" } })";
  const TemporaryFolder folder;
  const auto run_build = [&](const std::vector<std::string>& set) {
    DiskCache disk(folder / "cache");
    ValueCache cache(0, &disk);
    const Build built = build(parse(recipe, set), folder / "out", {}, cache, {});
    Names names;
    for (const BuiltFile& file : built.files)
      if (!file.kept) names.push_back(file_name(file.path));
    return names;
  };
  EXPECT_EQ(run_build({}), (Names{"sheet.png", "a.tif", "test.manifest.json"}));
  const std::string bytes = test::bytes_of(folder / "out/sheet.png");
  EXPECT_EQ(run_build({}), Names());
  EXPECT_EQ(run_build({"c.count=2"}), (Names{"sheet.png", "test.manifest.json"}));
  EXPECT_NE(test::bytes_of(folder / "out/sheet.png"), bytes);
  EXPECT_EQ(run_build({"b.faults=7", "c.count=2"}), (Names{"sheet.png", "test.manifest.json"}));
  EXPECT_EQ(run_build({}), (Names{"sheet.png", "test.manifest.json"}));
  EXPECT_EQ(test::bytes_of(folder / "out/sheet.png"), bytes);
  EXPECT_EQ(run_build({"a.height=3"}), (Names{"sheet.png", "a.tif", "test.manifest.json"}));
}

TEST(Lazy, AFileThatChangesWhileItIsReadIsNotKeptUnderItsOldKey) {
  /// Writes over the file once its reading has begun, between the key and the samples.
  class Meddler : public ProgressSink {
   public:
    explicit Meddler(std::string path) : path_(std::move(path)) {}
    void progress(int, std::string_view stage, double) override {
      if (stage == "reading") test::put_bytes(path_, std::string(16, '\x41'));
    }
    void warn(std::string_view) override {}

   private:
    std::string path_;
  };
  const TemporaryFolder folder, cache;
  const std::string path = folder / "a.r32", old(16, '\0');
  const Plan recipe =
      parse(R"({ "tepui": 1, "nodes": { "land": { "op": "read", "file": ")" + path + R"(" } }, "outputs": {} })");
  test::put_bytes(path, old);
  Meddler meddler(path);
  const std::string error = test::error_of([&] { run(recipe, "land", cache.path(), {}, Context(&meddler, nullptr)); });
  EXPECT_NE(error.find("changed during the run"), std::string::npos) << error;
  test::put_bytes(path, old);
  EXPECT_EQ(get<Terrain>(run(recipe, "land", cache.path()).values.front()).height()(0, 0), 0);
}

}  // namespace tepui::lazy_test
