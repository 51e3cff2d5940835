#include "tepui/recipe/one_liner.h"

#include "tepui/recipe/evaluate.h"
#include "tests/support/support.h"

namespace tepui {

namespace {

Recipe recipe_of(const std::string& line, const OneLinerOptions& options = {}) {
  const auto source = std::make_shared<const Source>(Source{"make", line});
  return build_recipe(parse_one_liner(*source, options), {source}, {});
}

std::string where_of(const std::string& line) {
  try {
    recipe_of(line);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    return error.where();
  }
  ADD_FAILURE() << "no error for " << line;
  return {};
}

Hash hash_of(const Recipe& recipe) {
  ValueCache cache(0);
  return value_hash(evaluate(recipe, {static_cast<int>(recipe.nodes.size()) - 1}, cache, {}).values[0]);
}

}  // namespace

TEST(OneLiner, PrintedRecipeMakesTheSameLand) {
  const std::string line =
      "circular_faults faults=30 radius=1..35% height=200m | materials count=5 | hardness values=0.1,0.2,0.5,0.9,1 "
      "| gradation erosion=0.65 caprock=true | levelling radius=1% | levelling";
  const OneLinerOptions options{.outputs = {"mesa.tif"}, .size = "2km x 1km", .resolution = 65, .seed = 11};
  const auto source = std::make_shared<const Source>(Source{"make", line});
  const Json document = parse_one_liner(*source, options);
  const Recipe direct = build_recipe(document, {source}, {});
  const Recipe printed = parse_recipe({"printed.json", json_text(document)});
  EXPECT_EQ(hash_of(direct), hash_of(printed));
  EXPECT_EQ(direct.nodes.back().name, "levelling_2");
  EXPECT_EQ(direct.world.size, (Vec2{2000, 1000}));
}

TEST(OneLiner, LandFromAFileKeepsItsOwnSamples) {
  EXPECT_NE(test::error_of([] { recipe_of("read file=x.tif", {.resolution = 65}); }).find("resample"),
            std::string::npos);
  EXPECT_NE(test::error_of([] { recipe_of("read file=x.tif", {.size = "2km"}); }).find("resample"), std::string::npos);
  EXPECT_NE(test::error_of([] { recipe_of("noise", {.resolution = 0}); }).find("from 1 to"), std::string::npos);
}

TEST(OneLiner, QuotesOfEitherKindHoldSpaces) {
  for (const char* line : {"read file='a b.tif'", "read file=\"a b.tif\""})
    EXPECT_TRUE(std::get<FilePath>(recipe_of(line).nodes[0].params[0]).path.ends_with("a b.tif")) << line;
}

TEST(OneLiner, ErrorsPointAtTheWord) {
  EXPECT_EQ(where_of("nois octaves=3"), "make:1:1");
  EXPECT_EQ(where_of("noise octavs=3"), "make:1:7");
  EXPECT_EQ(where_of("noise octaves=three"), "make:1:15");
  EXPECT_EQ(where_of("noise | gradation erosion=2"), "make:1:27");
  EXPECT_EQ(where_of("noise octaves"), "make:1:7");
  EXPECT_EQ(where_of("noise | | levelling"), "make:1:9");
  EXPECT_EQ(where_of("noise |"), "make:1:8");
  EXPECT_EQ(where_of(""), "make:1:1");
  EXPECT_EQ(where_of("noise | noise"), "make:1:9");
  EXPECT_EQ(where_of("noise gain=0.5 gain=0.6"), "make:1:16");
  EXPECT_EQ(where_of("levelling"), "make:1:1");
  EXPECT_EQ(where_of("noise kind=\"simplex"), "make:1:7");
}

}  // namespace tepui
