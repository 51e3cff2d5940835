// Files of land that is computed window by window.
#include <algorithm>
#include <filesystem>

#include "tepui/io/read.h"
#include "tepui/output/build.h"
#include "tepui/terrain/crop.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::windows_test {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

constexpr const char* nodes = R"(
    "faults": { "op": "circular_faults", "faults": 60, "height": 80 },
    "rock":   { "op": "materials", "in": "faults", "count": 4 },
    "mesa":   { "op": "gradation", "in": "rock", "erosion": 0.6 },
    "land":   { "op": "levelling", "in": "mesa", "radius": "3%" },
    "worn":   { "op": "thermal", "in": "land", "steps": 3 },
    "steep":  { "op": "mask", "in": "worn", "by": "slope", "range": [20, 90] },
    "solid":  { "op": "implicitize", "in": "land" })";

Plan parse(const std::string& outputs) {
  return plan(parse_recipe({"test.json", R"({ "tepui": 1, "seed": 2, "world": { "size": [640, 320], "resolution": 129 },
    "nodes": { )" + std::string(nodes) + R"( }, "outputs": { )" +
                                             outputs + " } }"}));
}

constexpr const char* tiles = R"("a{x}_{y}.tif": { "from": "land", "tiles": [4, 2] },
    "b{x}_{y}.r16": { "from": "land", "tiles": [8, 1] }, "c{x}_{y}.npy": { "from": "rock.material", "tiles": [2, 2] },
    "d{x}_{y}.r16": { "from": "rock.material", "tiles": [2, 2] }, "e{x}_{y}.exr": { "from": "mesa", "tiles": [4, 4] },
    "f{x}_{y}.r16": { "from": "land", "tiles": [2, 1], "range": [0, 60] })";

Build run(const Plan& plan, const std::string& folder, const BuildOptions& options = {}, DiskCache* disk = nullptr,
          const Context& context = {}) {
  ValueCache cache(0, disk);
  return build(plan, folder, options, cache, context);
}

const NodeReport* report(const Build& built, const std::string& name) {
  const auto found = std::ranges::find(built.nodes, name, &NodeReport::name);
  return found != built.nodes.end() ? &*found : nullptr;
}

class Warnings : public ProgressSink {
 public:
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view message) override { list.emplace_back(message); }
  std::vector<std::string> list;
};

}  // namespace

TEST(Windows, TilesHaveTheBytesThatTheWholeLandGives) {
  const TemporaryFolder folder;
  const Plan plan = parse(tiles);
  const Build by_windows = run(plan, folder / "windows");
  // Who reads the values has them whole.
  const Build whole = run(plan, folder / "whole", {.values = true});
  ASSERT_EQ(by_windows.files.size(), whole.files.size());
  EXPECT_GT(report(by_windows, "land")->windows, 0);
  EXPECT_EQ(report(whole, "land")->windows, 0);
  // The manifest among them, which tells the heights of the land.
  for (size_t i = 0; i < whole.files.size(); ++i) {
    EXPECT_EQ(fs::path(by_windows.files[i].path).filename(), fs::path(whole.files[i].path).filename());
    EXPECT_TRUE(by_windows.files[i].record.hash == whole.files[i].record.hash) << whole.files[i].path;
  }
}

TEST(Windows, LandInWindowsHasNoHashAndIsNotKeptButItsFilesAre) {
  const TemporaryFolder folder;
  const Plan plan = parse(tiles);
  DiskCache disk(folder / "cache");
  const Build first = run(plan, folder / "out", {}, &disk);
  for (const char* name : {"faults", "rock", "mesa", "land"}) {
    ASSERT_NE(report(first, name), nullptr) << name;
    EXPECT_TRUE(report(first, name)->hash == Hash()) << name;
    EXPECT_GT(report(first, name)->windows, 0) << name;
  }
  const Build again = run(plan, folder / "out", {}, &disk);
  for (const BuiltFile& file : again.files) EXPECT_TRUE(file.kept) << file.path;
  for (const NodeReport& node : again.nodes) EXPECT_TRUE(node.cached) << node.name;
  fs::remove(folder / "out/a1_0.tif");
  const Build third = run(plan, folder / "out", {}, &disk);
  EXPECT_EQ(std::ranges::count(third.files, false, &BuiltFile::kept), 8);  // the tiles of that output
  for (size_t i = 0; i < first.files.size(); ++i)
    EXPECT_TRUE(first.files[i].record.hash == third.files[i].record.hash) << first.files[i].path;
}

TEST(Windows, LandThatAnotherOutputNeedsWholeIsComputedOnce) {
  const TemporaryFolder folder;
  const Build built = run(parse(R"("t.tif": { "from": "land", "tiles": [4, 2] }, "m.tif": "mesa")"), folder / "out");
  EXPECT_EQ(report(built, "mesa")->windows, 0);
  EXPECT_FALSE(report(built, "mesa")->hash == Hash());
  EXPECT_GT(report(built, "land")->windows, 0);
  // Here it is an operator that looks at all of the land.
  const Build worn = run(parse(R"("t{x}_{y}.tif": { "from": "land", "tiles": [4, 2] },
    "s{x}_{y}.tif": { "from": "steep", "tiles": [4, 2] })"),
                         folder / "worn");
  EXPECT_EQ(report(worn, "land")->windows, 0);
  EXPECT_EQ(report(worn, "worn")->windows, 0);
  EXPECT_GT(report(worn, "steep")->windows, 0);
  const Build all = run(parse(R"("t.tif": { "from": "land", "tiles": [4, 2] }, "l.tif": "land")"), folder / "all");
  for (const NodeReport& node : all.nodes) EXPECT_EQ(node.windows, 0) << node.name;
}

TEST(Windows, IntegerTilesTakeOneFirstPassForAllOutputs) {
  const TemporaryFolder folder;
  const Build built = run(parse(R"("a{x}_{y}.r16": { "from": "land", "tiles": [4, 2] },
    "b{x}_{y}.png": { "from": "land", "tiles": [4, 2] })"),
                          folder / "out");
  // One sample to check each output, one to start writing each, one for the outline, and eight tiles in three passes.
  EXPECT_LE(report(built, "land")->windows, 8 * 3 + 6);
  const Terrain a = read({.file = {folder / "out/a0_0.r16"}}, {}), b = read({.file = {folder / "out/b0_0.png"}}, {});
  EXPECT_TRUE(test::same_cells(a.height(), b.height()));
}

TEST(Windows, AWindowIsTheCropOfTheLand) {
  const TemporaryFolder folder;
  for (const char* node : {"land", "steep"}) {
    const std::string outputs =
        R"("w.tif": { "from": ")" + std::string(node) + R"(", "layers": ["height", "material"] })";
    run(parse(outputs), folder / "whole");
    run(parse(outputs), folder / "window", {.window = parse_window("100,50%,300,300")});
    const Terrain whole = read({.file = {folder / "whole/w.tif"}}, {});
    const Terrain window = read({.file = {folder / "window/w.tif"}}, {});
    EXPECT_EQ(window.frame().width, 41);
    EXPECT_EQ(window.frame().height, 29);
    EXPECT_EQ(window.frame().x(0), 100);
    EXPECT_EQ(window.frame().y(0), 160);
    const Terrain cut = tepui::window(whole, 20, 32, 41, 29, {});
    for (const char* layer : {"height", "material"})
      EXPECT_TRUE(test::same_cells(window.layer(layer).grid(), cut.layer(layer).grid())) << node << "." << layer;
  }
}

TEST(Windows, OfTilesThoseInTheWindowAreWritten) {
  const TemporaryFolder folder;
  const Plan plan = parse(tiles);
  const Build whole = run(plan, folder / "all");
  // The western half: the border between two tiles belongs to neither.
  const Build part =
      run(plan, folder / "part", {.only = {"a{x}_{y}.tif", "b{x}_{y}.r16"}, .window = parse_window("0,0,50%,100%")});
  EXPECT_EQ(part.files.size(), 4u + 4 + 1);
  for (const BuiltFile& file : part.files) {
    if (file.record.format == "manifest") continue;
    const auto same =
        std::ranges::find(whole.files, file.record.name, [](const BuiltFile& f) { return f.record.name; });
    ASSERT_NE(same, whole.files.end()) << file.record.name;
    EXPECT_TRUE(file.record.hash == same->record.hash) << file.record.name;
  }
}

TEST(Windows, WhatIsNotAFileOfLandIsRefusedByName) {
  const TemporaryFolder folder;
  const BuildOptions window{.window = parse_window("0,0,100,100")};
  const auto refusal = [&](const std::string& outputs, const BuildOptions& options) {
    return test::error_of([&] { run(parse(outputs), folder / "out", options); });
  };
  const std::string land = R"("land.tif": "land", )";
  EXPECT_CONTAINS(refusal(land + R"("p.png": { "from": "land", "render": {} })", window), "'p.png' is a picture");
  EXPECT_CONTAINS(refusal(land + R"("p.png": { "from": "land", "render": {} })", window), "--only: land.tif");
  EXPECT_CONTAINS(refusal(land + R"("s.glb": "solid")", window), "'s.glb' is of volumes");
  EXPECT_CONTAINS(refusal(R"("land.tif": "land")", {.window = parse_window("0,0,641,100")}), "641 m along x");
  EXPECT_CONTAINS(refusal(R"("land.tif": "land")", {.window = parse_window("0,-1,600,100")}), "m along y");
  EXPECT_CONTAINS(refusal(R"("land.tif": "land")", {.window = parse_window("1,1,2,2")}), "no sample lies within");
  EXPECT_CONTAINS(refusal(R"("land.tif": "land")", {.window = parse_window("300,0,100,100")}), "smaller value first");
  EXPECT_CONTAINS(test::error_of([] { parse_window("1,2,3"); }), "is not a window");
  EXPECT_CONTAINS(test::error_of([] { parse_window("1,2,3,4,5"); }), "is not a window");
  EXPECT_CONTAINS(test::error_of([] { parse_window("1,2,x,4"); }), "x");
}

TEST(Windows, TilesAreCheckedBeforeOneIsWritten) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& outputs) {
    return test::error_of([&] { run(parse(outputs), folder / "out"); });
  };
  EXPECT_CONTAINS(refusal(R"("a.tif": { "from": "land", "tiles": [3, 1] })"), "do not divide into 3 x 1 tiles");
  EXPECT_CONTAINS(refusal(R"("a.tif": { "from": "land", "tiles": [2, 1] },
                             "b.tif": { "from": "land", "layer": "sand", "tiles": [2, 1] })"),
                  "no layer 'sand'");
  EXPECT_FALSE(fs::exists(folder / "out/a_x0_y0.tif"));
}

TEST(Windows, WarningsOfTilesAreSaidOnce) {
  const TemporaryFolder folder;
  Warnings said;
  run(parse(R"("f{x}_{y}.r16": { "from": "land", "tiles": [4, 2], "range": [0, 40] })"), folder / "out", {}, nullptr,
      Context(&said, nullptr));
  EXPECT_EQ(said.list.size(), 1u);
  EXPECT_CONTAINS(said.list.front(), "were clamped");
}

}  // namespace tepui::windows_test
