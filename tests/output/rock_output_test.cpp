// Outputs that show land with the rock that it is made of.
#include <algorithm>

#include "tepui/output/build.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::rock_output_test {

namespace {

using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr const char* head = R"({ "tepui": 1, "seed": 3, "world": { "size": [640, 320], "resolution": 33 }, "nodes": {
    "beds": { "op": "strata" }, "lumps": { "op": "turbulence", "along": "space" },
    "land": { "op": "noise", "octaves": 2 },
    "worn": { "op": "weathering", "in": "land", "rock": "beds", "steps": 4, "every": 2 } }, "outputs": {)";

Plan parse(const std::string& outputs, const std::vector<std::string>& set = {}) {
  return plan(parse_recipe({"test.json", head + outputs + "} }"}, {.set = set}));
}

std::string refusal(const std::string& outputs) {
  return test::error_of([&] { parse(outputs); });
}

Names written(const Plan& recipe, const TemporaryFolder& folder) {
  DiskCache disk(folder / "cache");
  ValueCache cache(0, &disk);
  Names names;
  for (const BuiltFile& file : build(recipe, folder / "out", {}, cache, {}).files)
    if (!file.kept && file.path.find("manifest") == std::string::npos)
      names.push_back(file.path.substr(file.path.rfind('/') + 1));
  return names;
}

constexpr const char* picture = R"("render": { "size": [32, 20], "samples": 1, "colour": "rock" })";

}  // namespace

TEST(RockOutput, FollowsItsRock) {
  const std::string outputs = std::string(R"("a.png": { "from": "land", "rock": "beds", )") + picture + " }, " +
                              R"("b.png": { "from": "land", "rock": "beds", "figure": { "kind": "section" } })";
  const TemporaryFolder folder;
  EXPECT_EQ(written(parse(outputs), folder), (Names{"a.png", "b.png"}));
  const std::string first = test::bytes_of(folder / "out/a.png"), cut = test::bytes_of(folder / "out/b.png");
  EXPECT_EQ(written(parse(outputs), folder), Names());
  EXPECT_EQ(written(parse(outputs, {"beds.dip=20"}), folder), (Names{"a.png", "b.png"}));
  EXPECT_NE(test::bytes_of(folder / "out/a.png"), first);
  EXPECT_NE(test::bytes_of(folder / "out/b.png"), cut);
}

TEST(RockOutput, PanelsHaveRocksOfTheirOwn) {
  const auto sheet = [&](const std::string& second, const std::string& third) {
    return std::string(R"("a.png": { "sheet": { "panels": [ { "from": "land", )") + second + picture +
           R"( }, { "from": "lumps", "figure": { "kind": "section", "size": [32, 20], "axes": false } }, { "from": "land", )" +
           third + picture + " } ] } }";
  };
  const TemporaryFolder folder;
  const auto bytes = [&](const std::string& a, const std::string& b) {
    written(parse(sheet(a, b)), folder);
    return test::bytes_of(folder / "out/a.png");
  };
  const std::string beds = R"("rock": "beds", )", lumps = R"("rock": "lumps", )";
  const std::string one = bytes(beds, lumps), other = bytes(lumps, beds), same = bytes(beds, beds);
  EXPECT_NE(one, other);
  EXPECT_NE(one, same);
  EXPECT_EQ(bytes(beds, lumps), one);
}

TEST(RockOutput, FramesAndTimeLapsesTakeIt) {
  const std::string outputs = std::string(R"("f_{age}.png": { "frames": "worn", "rock": "beds", )") + picture + " }, " +
                              R"("t.webp": { "timelapse": "worn", "rock": "beds", )" + picture + " }";
  const TemporaryFolder folder;
  const Names names = written(parse(outputs), folder);
  EXPECT_EQ(names.size(), 4u);
  EXPECT_EQ(written(parse(outputs), folder), Names());
}

TEST(RockOutput, RefusesWhatIsNoRock) {
  const auto output = [&](const std::string& words) { return refusal("\"a.png\": { " + words + " }"); };
  EXPECT_CONTAINS(output(std::string(R"("from": "land", "rock": "land", )") + picture), "node 'land' gives terrain");
  EXPECT_CONTAINS(output(std::string(R"("from": "land", "rock": "bets", )") + picture), "did you mean 'beds'");
  EXPECT_CONTAINS(output(std::string(R"("from": "land", "rock": 3, )") + picture), "must be text");
  EXPECT_CONTAINS(output(R"("from": "lumps", "rock": "beds", "figure": { "kind": "section" })"),
                  "only applies to land");
  EXPECT_CONTAINS(refusal(R"("a.tif": { "from": "land", "rock": "beds" })"), "neither");
  const TemporaryFolder folder;
  EXPECT_CONTAINS(
      test::error_of([&] { written(parse(std::string(R"("a.png": { "from": "land", )") + picture + " }"), folder); }),
      "\"rock\"");
}

}  // namespace tepui::rock_output_test
