#include <fstream>

#include "tepui/graph/evaluate.h"
#include "tepui/output/plan.h"
#include "tests/support/support.h"

namespace tepui::hardness_file_test {

namespace {

constexpr const char* start = R"({ "tepui": 1, "world": { "size": 100, "resolution": 17 }, "nodes": {
    "n": { "op": "noise" }, "m": { "op": "materials", "in": "n", "count": 3 }, "h": { "op": "hardness", "in": "m")";

/// The node `h` of a recipe in this folder, with these words.
NodeReport run(const test::TemporaryFolder& folder, const std::string& words, ValueCache& cache) {
  std::ofstream(folder / "land.json") << start << words << "} } }";
  const Plan recipe = plan(load_recipe(folder / "land.json"));
  return evaluate(recipe, {recipe.find_node("h")}, cache, {}).nodes.back();
}

}  // namespace

TEST(HardnessFile, LiesBesideTheRecipeAndItsContentsAreInTheKey) {
  const test::TemporaryFolder folder;
  ValueCache cache(size_t{1} << 30);
  std::ofstream(folder / "rocks.csv") << "0,0.5\n1,quartz\n2,1\n";
  const NodeReport first = run(folder, R"(, "file": "rocks.csv")", cache);
  EXPECT_EQ(first.hash, run(folder, R"(, "values": [0.5, 0.06666666666666667, 1])", cache).hash);
  EXPECT_EQ(first.key, run(folder, R"(, "file": "rocks.csv")", cache).key);
  std::ofstream(folder / "rocks.csv") << "0,0.5\n1,topaz\n2,1\n";
  const NodeReport second = run(folder, R"(, "file": "rocks.csv")", cache);
  EXPECT_NE(first.key, second.key);
  EXPECT_NE(first.hash, second.hash);
}

TEST(HardnessFile, NeedNotBeNamed) {
  const test::TemporaryFolder folder;
  ValueCache cache(0);
  EXPECT_EQ(run(folder, "", cache).hash, run(folder, R"(, "values": [0, 0.5, 1])", cache).hash);
}

TEST(HardnessFile, ErrorsNameTheFileAndTheNode) {
  const test::TemporaryFolder folder;
  ValueCache cache(0);
  std::ofstream(folder / "rocks.csv") << "0,0.5\n1,quarz\n2,1\n";
  const std::string unknown = test::error_of([&] { run(folder, R"(, "file": "rocks.csv")", cache); });
  EXPECT_NE(unknown.find("node 'h'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("rocks.csv', line 2"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("did you mean 'quartz'?"), std::string::npos) << unknown;
  EXPECT_NE(test::error_of([&] { run(folder, R"(, "file": "none.csv")", cache); }).find("none.csv"), std::string::npos);
  EXPECT_NE(test::error_of([&] { run(folder, R"(, "file": "")", cache); }).find("the name of a file"),
            std::string::npos);
}

TEST(HardnessFile, MineralsAreAListOfNames) {
  const test::TemporaryFolder folder;
  ValueCache cache(0);
  EXPECT_EQ(run(folder, R"(, "minerals": ["talc", "topaz", "diamond"])", cache).hash,
            run(folder, R"(, "minerals": "talc,topaz,diamond")", cache).hash);
  EXPECT_NE(test::error_of([&] { run(folder, R"(, "values": [0.5, 1.5, 1])", cache); }).find("'values[1]' is 1.5"),
            std::string::npos);
}

}  // namespace tepui::hardness_file_test
