// Pictures with the plants and rocks that an output names.
#include <algorithm>

#include "tepui/output/build.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::scatter_output_test {

namespace {

using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr const char* head = R"({ "tepui": 1, "seed": 3, "world": { "size": [320, 160], "resolution": 33 }, "nodes": {
    "land": { "op": "noise", "octaves": 2 },
    "ground": { "op": "soil", "in": "land" },
    "air": { "op": "climate", "in": "ground" },
    "green": { "op": "plants", "in": "air" },
    "trees": { "op": "scatter", "in": "green", "species": [{ "species": "conifer", "layer": "grass" }] },
    "rocks": { "op": "scatter", "in": "green", "species": [{ "species": "rock", "layer": "grass" }] },
    "solid": { "op": "implicitize", "in": "land" },
    "beds": { "op": "strata" } }, "outputs": {)";
constexpr const char* picture = R"(, "render": { "size": [48, 32], "samples": 1 })";

Plan parse(const std::string& outputs, const std::vector<std::string>& set = {}) {
  return plan(parse_recipe({"test.json", head + outputs + "} }"}, {.set = set}));
}

std::string refused(const std::string& output) {
  return test::error_of([&] { parse("\"a.png\": { " + output + " }"); });
}

std::string drawn(const std::string& output, const std::vector<std::string>& set = {}) {
  const TemporaryFolder folder;
  DiskCache disk(folder / "cache");
  ValueCache cache(0, &disk);
  build(parse("\"a.png\": { " + output + " }", set), folder / "out", {}, cache, {});
  return test::bytes_of(folder / "out/a.png");
}

}  // namespace

TEST(ScatterOutput, FollowsItsPoints) {
  const std::string one = drawn(R"("from": "land", "scatter": "trees")" + std::string(picture)),
                    two = drawn(R"("from": "land", "scatter": ["trees", "rocks"])" + std::string(picture));
  EXPECT_NE(one, drawn(R"("from": "land")" + std::string(picture)));
  EXPECT_NE(one, two);
  EXPECT_NE(one, drawn(R"("from": "land", "scatter": "trees")" + std::string(picture), {"trees.density=0.3"}));
  EXPECT_EQ(one, drawn(R"("from": "land", "scatter": ["trees"])" + std::string(picture)));
  EXPECT_NE(drawn(R"("from": "solid", "scatter": "trees")" + std::string(picture)),
            drawn(R"("from": "solid")" + std::string(picture)));
}

TEST(ScatterOutput, RefusesWhatItCannotShow) {
  EXPECT_CONTAINS(refused(R"("from": "land", "scatter": "land")" + std::string(picture)), "takes lines");
  EXPECT_CONTAINS(refused(R"("from": "land", "scatter": 3)" + std::string(picture)), "a node or a list of names");
  EXPECT_CONTAINS(refused(R"("from": "land", "scatter": [])" + std::string(picture)), "empty list");
  EXPECT_CONTAINS(refused(R"("from": "land", "scatter": "nobody")" + std::string(picture)), "nobody");
  EXPECT_CONTAINS(refused(R"("from": "land", "scatter": "trees")"), "only applies to pictures");
  EXPECT_CONTAINS(refused(R"("from": "beds", "scatter": "trees", "figure": { "kind": "section" })"),
                  "only applies to land, volumes and meshes");
}

}  // namespace tepui::scatter_output_test
