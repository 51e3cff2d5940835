#include "tepui/output/line_document.h"

#include "tepui/graph/evaluate.h"
#include "tepui/output/example.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/operators.h"
#include "tests/support/support.h"

namespace tepui::one_liner_test {

namespace {

Plan recipe_of(const std::string& line, const LineOptions& options = {}) {
  const auto source = std::make_shared<const Source>(Source{"make", line});
  return plan(build_recipe(line_document(*source, options), {source}, {}));
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

Hash hash_of(const Plan& recipe) {
  ValueCache cache(0);
  return evaluate(recipe, {static_cast<int>(recipe.nodes.size()) - 1}, cache, {}).values[0].hash();
}

}  // namespace

TEST(OneLiner, PrintedRecipeMakesTheSameLand) {
  const std::string line =
      "circular_faults faults=30 radius=1..35% height=200m | materials count=5 | hardness values=0.1,0.2,0.5,0.9,1 "
      "| gradation erosion=0.65 caprock=true | levelling radius=1% | levelling";
  const LineOptions options{.outputs = {"mesa.tif"}, .size = "2km x 1km", .resolution = 65, .seed = 11};
  const auto source = std::make_shared<const Source>(Source{"make", line});
  const Json document = line_document(*source, options);
  const Plan direct = plan(build_recipe(document, {source}, {}));
  const Plan printed = plan(parse_recipe({"printed.json", json_text(document)}));
  EXPECT_EQ(hash_of(direct), hash_of(printed));
  EXPECT_EQ(direct.nodes.back().name, "levelling_2");
  EXPECT_EQ(direct.world.size, (Vec2{2000, 1000}));
}

TEST(OneLiner, AutoIsAWordForWhatIsLeftOut) {
  EXPECT_EQ(recipe_of("noise | weathering steps=auto").nodes.back().params,
            recipe_of("noise | weathering").nodes.back().params);
  EXPECT_EQ(where_of("noise | weathering steps=0"), "make:1:26");
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
  EXPECT_EQ(where_of("noise gain=0.5 gain=0.6"), "make:1:16");
  EXPECT_EQ(where_of("levelling"), "make:1:1");
  EXPECT_EQ(where_of("noise kind=\"simplex"), "make:1:7");
}

TEST(OneLiner, EveryStageGoesIntoTheLast) {
  EXPECT_EQ(where_of("noise | sculpt"), "make:1:1");
  EXPECT_EQ(where_of("noise | noise"), "make:1:1");
  EXPECT_EQ(where_of("skyline | levelling"), "make:1:1");
  EXPECT_EQ(where_of("strata | noise | levelling"), "make:1:1");
  EXPECT_EQ(where_of("noise | skyline | levelling"), "make:1:9");
  EXPECT_EQ(where_of("noise | shape | levelling"), "make:1:1");
  EXPECT_EQ(where_of("noise | levelling | noise@1"), "make:1:9");
  EXPECT_EQ(where_of("noise | implicitize | shape"), "make:1:9");
  EXPECT_EQ(where_of("noise | noise | combine with=noise_2"), "make:1:1");
  EXPECT_EQ(where_of("noise | levelling | gradation in=noise"), "make:1:9");
  // New land takes the place of that of a file.
  EXPECT_EQ(where_of("read file=x.tif | noise"), "make:1:1");
  // A parameter's word names no stage.
  EXPECT_EQ(where_of("skyline | shape | take layer=skyline"), "make:1:1");
}

TEST(OneLiner, StagesNamedByHandAreTaken) {
  for (const char* line :
       {"noise | shape | combine with=noise", "noise | noise seed=2 | combine in=noise with=noise_2",
        "noise | shape | combine with=noise.height", "noise | shape | combine in=\"noise\" with='shape'",
        "noise | weathering retreat=8 every=4 | shape | combine with=weathering@4",
        "noise | weathering retreat=8 every=4 | shape | combine with=weathering@4.height", "noise@2 | levelling",
        "noise | implicitize | sculpt in=implicitize | sculpt | union with=[\"implicitize\",\"sculpt_2\"] in=sculpt",
        "strata | noise | levelling | gradation", "skyline | noise | implicitize | sculpt", "strata",
        "read file=x.tif | strata"})
    EXPECT_NO_THROW(recipe_of(line)) << line;
  for (const Operator& op : operators()) EXPECT_NO_THROW(recipe_of(example_line(op))) << example_line(op);
}

TEST(OneLiner, AStageThatNothingTakesIsToldWithAWayOut) {
  const auto refused = [](const std::string& line, const std::string& message, const std::string& hint) {
    try {
      recipe_of(line);
      ADD_FAILURE() << "no error for " << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), message);
      EXPECT_EQ(error.hint(), hint) << line;
    }
  };
  const std::string land = "'noise' makes land, which nothing after it uses";
  refused("noise | sculpt", land, "pipe volumes into 'sculpt': noise | implicitize | sculpt");
  refused("noise | transform", land, "put 'implicitize' between them: noise | implicitize | transform");
  refused("noise | sea_erosion", land, "put 'implicitize' between them: noise | implicitize | sea_erosion");
  refused("noise | simplify", land, "pipe meshes into 'simplify': noise | implicitize | polygonize | simplify");
  refused("noise | noise", land, "remove it: what comes after it takes nothing");
  refused("noise | shape | levelling", land, "remove it, or say where it goes in: levelling in=noise");
  refused("noise | shape | combine", land, "remove it, or say where it goes in: combine with=noise");
  refused("sculpt | noise | implicitize | instances", "'sculpt' makes volumes, which nothing after it uses",
          "remove it, or say where it goes in: instances onto=sculpt");
  refused("strata | noise | levelling", "'strata' makes rock, which nothing after it uses",
          "remove it: what comes after it takes land");
  refused("skyline | noise | gradation", "'skyline' makes lines, which nothing after it uses",
          "remove it: what comes after it takes land and rock");
  refused("skyline | levelling", "'skyline' makes lines, which nothing after it uses",
          "pipe land into 'levelling': noise | levelling");
  // What is misspelt is told first.
  refused("noise | shape | combine wiht=noise", "'combine' has no parameter 'wiht'", "did you mean 'with'?");
}

}  // namespace tepui::one_liner_test
