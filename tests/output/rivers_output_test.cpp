// Maps of land with the rivers that an output names.
#include <algorithm>

#include "tepui/output/build.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::rivers_output_test {

namespace {

using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr const char* head = R"({ "tepui": 1, "seed": 3, "world": { "size": [640, 320], "resolution": 33 }, "nodes": {
    "streams": { "op": "skyline", "points": 33, "ranges": 2 },
    "land": { "op": "noise", "octaves": 2 } }, "outputs": {)";

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

}  // namespace

TEST(RiversOutput, FollowsItsRivers) {
  const std::string with = R"("from": "land", "rivers": "streams", )";
  const auto outputs = [](const std::string& source) {
    return "\"a.png\": { " + source + R"("figure": { "kind": "map", "axes": false } }, "b.svg": { )" + source +
           R"("figure": { "kind": "atlas", "size": [200, 100] } })";
  };
  const TemporaryFolder folder;
  EXPECT_EQ(written(parse(outputs(with)), folder), (Names{"a.png", "b.svg"}));
  const std::string map = test::bytes_of(folder / "out/a.png"), atlas = test::bytes_of(folder / "out/b.svg");
  EXPECT_EQ(written(parse(outputs(with)), folder), Names());
  EXPECT_EQ(written(parse(outputs(with), {"streams.points=17"}), folder), (Names{"a.png", "b.svg"}));
  EXPECT_NE(test::bytes_of(folder / "out/a.png"), map);
  EXPECT_NE(test::bytes_of(folder / "out/b.svg"), atlas);
  written(parse(outputs(R"("from": "land", )") + R"(, "c.csv": "streams")"), folder);
  EXPECT_NE(test::bytes_of(folder / "out/a.png"), map);
}

TEST(RiversOutput, PanelsAndLinesAloneAreMaps) {
  const std::string outputs =
      R"("a.png": { "sheet": { "panels": [
        { "from": "land", "rivers": "streams", "figure": { "kind": "map", "size": [64, 32] } },
        { "from": "streams", "figure": { "kind": "map", "size": [64, 32], "axes": false } } ] } },
      "b.svg": { "from": "streams", "figure": { "kind": "map" } })";
  const TemporaryFolder folder;
  EXPECT_EQ(written(parse(outputs), folder), (Names{"a.png", "b.svg"}));
}

TEST(RiversOutput, RefusesWhatIsNoRiver) {
  const std::string figure = R"("figure": { "kind": "map" })";
  const auto output = [&](const std::string& words) { return refusal("\"a.png\": { " + words + " }"); };
  EXPECT_CONTAINS(output(R"("from": "land", "rivers": "land", )" + figure), "node 'land' gives terrain");
  EXPECT_CONTAINS(output(R"("from": "land", "rivers": "stream", )" + figure), "did you mean 'streams'");
  EXPECT_CONTAINS(output(R"("from": "land", "rivers": 3, )" + figure), "must be text");
  EXPECT_CONTAINS(output(R"("from": "streams", "rivers": "streams", )" + figure), "only applies to land");
  EXPECT_CONTAINS(output(R"("from": "land", "rivers": "streams", "render": {})"), "only applies to maps");
  EXPECT_CONTAINS(refusal(R"("a.tif": { "from": "land", "rivers": "streams" })"), "only applies to maps");
}

TEST(RiversOutput, WaysLeadThroughVolumes) {
  const auto refused = [](const std::string& words) {
    return test::error_of([&] {
      plan(parse_recipe({"test.json",
                         R"({ "tepui": 1, "world": { "size": [64, 64], "resolution": 9 }, "nodes": {
          "way": { "op": "skyline", "points": 9 }, "land": { "op": "noise" },
          "rock": { "op": "implicitize", "in": "land" } }, "outputs": { "a.png": { )" +
                             words + " } } }"}));
    });
  };
  const std::string inside = R"(, "render": { "camera": "inside" })";
  EXPECT_CONTAINS(refused(R"("from": "land", "along": "way")" + inside), "only applies to volumes");
  EXPECT_CONTAINS(refused(R"("from": "rock", "along": "land")" + inside), "takes lines");
  EXPECT_CONTAINS(refused(R"("from": "rock", "along": 3)" + inside), "must be text");
  EXPECT_CONTAINS(refused(R"("from": "rock", "along": "way")"), "only applies to pictures");
}

}  // namespace tepui::rivers_output_test
