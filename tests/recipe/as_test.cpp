// "as": what a node gives something as.
#include "tepui/output/schema.h"
#include "tepui/recipe/one_liner.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/recipe.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::as_test {

namespace {

std::string op_of(const std::string& node) {
  return parse_recipe({"a.json", R"({ "tepui": 1, "nodes": { "a": )" + node + " } }"}).nodes.front().op->name;
}

}  // namespace

TEST(As, ChoosesTheOperator) {
  EXPECT_EQ(op_of(R"({ "op": "read", "file": "m.png" })"), "read");
  EXPECT_EQ(op_of(R"({ "op": "read", "file": "m.png", "as": "land" })"), "read");
  EXPECT_EQ(op_of(R"({ "op": "read", "file": "m.png", "as": "mask", "invert": true })"), "read_mask");
  EXPECT_EQ(op_of(R"({ "op": "read", "file": "m.geojson", "as": "lines" })"), "read_lines");
  EXPECT_EQ(op_of(R"({ "op": "read_mask", "file": "m.png" })"), "read_mask");
}

TEST(As, IsRefusedWhereItMeansNothing) {
  EXPECT_CONTAINS(test::error_of([] { op_of(R"({ "op": "read", "file": "m.png", "as": "maks" })"); }),
                  "did you mean 'mask'?");
  EXPECT_CONTAINS(test::error_of([] { op_of(R"({ "op": "noise", "as": "mask" })"); }), "nothing as 'mask'");
  EXPECT_CONTAINS(test::error_of([] { op_of(R"({ "op": "noise", "as": "land" })"); }), "no parameter 'as'");
  EXPECT_CONTAINS(test::error_of([] { op_of(R"({ "op": "read", "file": "m.png", "as": 3 })"); }), "must be text");
}

TEST(As, WorksInOneLine) {
  const Source line{"make", "noise | read file=m.png as=mask | combine in=noise with=noise mask=read"};
  EXPECT_EQ(parse_one_liner(line, {}).find("world")->find("from"), nullptr);
  const Source lines{"make", "read file=a.geojson as=lines"};
  EXPECT_EQ(line_kind(lines).name, "lines");
}

TEST(As, IsKnownToTheSchema) {
  const std::string schema = recipe_schema();
  EXPECT_CONTAINS(schema, "\"const\": \"mask\"");
  EXPECT_EQ(ways_of("noise").size(), 1u);
  EXPECT_EQ(ways_of("strata").size(), 1u);
  EXPECT_EQ(ways_of("read"), (std::vector<std::string>{"land", "lines", "mask"}));
}

}  // namespace tepui::as_test
