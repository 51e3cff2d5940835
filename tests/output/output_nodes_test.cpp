#include "tepui/output/output_nodes.h"

#include <filesystem>

#include "tepui/io/file_list.h"
#include "tepui/output/build.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::output_nodes_test {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

Plan parse(const std::string& outputs) {
  return plan(parse_recipe({"test.json", R"({ "tepui": 1, "world": { "size": 100, "resolution": 17 }, "nodes": {
    "land": { "op": "noise", "height": 20 }, "solid": { "op": "implicitize", "in": "land" } },
    "outputs": { )" + outputs + " } }"}));
}

constexpr const char* three_meshes = R"("a.glb": "solid", "a.obj": "solid", "a.stl": { "from": "solid", "cell": 9 },
  "b.stl": { "from": "solid", "cell": 9 })";

Build run(const Plan& plan, const TemporaryFolder& folder) {
  DiskCache disk(folder / "cache");
  ValueCache cache(0, &disk);
  return build(plan, folder / "out", {}, cache, {});
}

int64_t nodes_called(const Graph& graph, const std::string& op) {
  return std::ranges::count_if(graph.nodes, [&](const Node& node) { return node.op->name == op; });
}

}  // namespace

TEST(OutputNodes, WhatSeveralOutputsNeedIsOneNode) {
  const Plan plan = parse(three_meshes);
  OutputGraph nodes(
      plan, [](const std::string& name) { return name; }, true);
  for (const Output& output : plan.outputs) nodes.add(output);
  EXPECT_EQ(nodes_called(nodes.graph(), "polygonize"), 2);  // one for each size of cell
  EXPECT_EQ(nodes_called(nodes.graph(), "write"), 4);

  const Plan drawn = parse(R"("a.png": { "from": "land", "render": {} },
    "b.webp": { "from": "land", "render": {} }, "c.png": { "from": "land", "render": { "haze": 0 } },
    "s.png": { "sheet": { "panels": [ { "from": "land", "render": {} }, { "from": "land", "render": {} } ] } })");
  OutputGraph pictures(
      drawn, [](const std::string& name) { return name; }, true);
  for (const Output& output : drawn.outputs) pictures.add(output);
  EXPECT_EQ(nodes_called(pictures.graph(), "render"), 3);  // a and b, c, and the sheet's
}

TEST(OutputNodes, ASecondRunMakesNothingAndALostFileOnlyIsWrittenAgain) {
  const TemporaryFolder folder;
  const Plan plan = parse(std::string(three_meshes) +
                          R"(, "p.png": { "from": "solid", "render": { "size": [64, 48], "draft": true } })");
  for (const BuiltFile& file : run(plan, folder).files) EXPECT_FALSE(file.kept) << file.path;
  const Build again = run(plan, folder);
  for (const BuiltFile& file : again.files) EXPECT_TRUE(file.kept) << file.path;
  for (const std::string name : {"a.obj", "p.png"}) {
    const std::string bytes = test::bytes_of(folder / ("out/" + name));
    fs::remove(folder / ("out/" + name));
    const Build third = run(plan, folder);
    // Mesh and picture come from the cache: the volume, which is never kept, is not made for them.
    EXPECT_TRUE(std::ranges::all_of(third.nodes, &NodeReport::cached)) << name;
    EXPECT_EQ(std::ranges::count(third.files, false, &BuiltFile::kept), 1) << name;
    EXPECT_EQ(test::bytes_of(folder / ("out/" + name)), bytes);
  }
}

TEST(OutputNodes, AFileThatIsRenamedIsWrittenAnew) {
  const TemporaryFolder folder;
  run(parse(R"("a.glb": "land")"), folder);
  run(parse(R"("b.glb": "land")"), folder);
  // A GLB holds its name.
  EXPECT_NE(test::bytes_of(folder / "out/a.glb"), test::bytes_of(folder / "out/b.glb"));
}

TEST(OutputNodes, ACancelledBuildLeavesNoFileAndIsFinishedLater) {
  const TemporaryFolder folder;
  const Plan plan = parse(three_meshes);
  CancelFlag cancel = true;
  DiskCache disk(folder / "cache");
  ValueCache cache(0, &disk);
  EXPECT_THROW(build(plan, folder / "out", {}, cache, Context(nullptr, &cancel)), Error);
  for (const auto& entry : fs::recursive_directory_iterator(folder / "out")) ADD_FAILURE() << entry.path();
  EXPECT_EQ(run(plan, folder).files.size(), 5u);
}

RC_GTEST_PROP(OutputNodes, PicturesAndListsOfFilesComeBackFromDisk, (uint8_t shade, bool lit)) {
  const TemporaryFolder folder;
  DiskCache disk(folder.path());
  Image image(*rc::gen::inRange(0, 9), *rc::gen::inRange(0, 9), *rc::gen::inRange(1, 5));
  std::ranges::fill(image.pixels, shade);
  if (lit) image.light.assign(4 * static_cast<size_t>(image.width * image.height), 0.5f);
  image.text = {{"Seed", "7"}};
  FileRecord record;
  record.name = "a.png";
  record.format = "PNG";
  record.bytes = 12;
  for (const Value& value : {Value(image), Value(FileList({record}))}) {
    const NodeFacts facts = facts_of(value);
    disk.store(value, facts.parts, {});
    const std::optional<Value> back = disk.load(facts, {});
    RC_ASSERT(back.has_value());
    RC_ASSERT(back->hash() == value.hash());
    NodeFacts cut = facts;
    cut.outline.resize(cut.outline.size() - 1);
    RC_ASSERT(!disk.load(cut, {}));
  }
}

}  // namespace tepui::output_nodes_test
