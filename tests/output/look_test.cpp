#include "tepui/output/look.h"

#include "tepui/output/plan.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::look_test {

namespace {

Plan parse(const std::string& look, const std::string& outputs) {
  return plan(parse_recipe({"test.json", R"({ "tepui": 1, "vars": { "h": 0.4 }, "look": )" + look +
                                             R"(, "nodes": { "a": { "op": "noise" }, "rock": { "op": "strata" } },
    "outputs": { )" + outputs + " } }"}));
}

}  // namespace

TEST(Look, IsWhatPicturesDoNotSayThemselves) {
  const Plan plan = parse(R"({ "haze": "$h", "sun_elevation": 10, "biome": "alpine" })", R"(
    "a.png": { "from": "a", "render": { "haze": 0.1 } }, "b.png": { "from": "a", "render": {} }, "c.glb": "a",
    "d.glb": { "from": "a", "biome": "desert" }, "e.tif": "a",
    "s.png": { "sheet": { "panels": [ { "from": "a" }, { "from": "a", "render": { "haze": 0 } } ] } },
    "t.webp": { "from": "a", "figure": { "kind": "turntable" } })");
  EXPECT_EQ(plan.outputs[0].render->haze, 0.1);
  EXPECT_EQ(plan.outputs[0].render->sun_elevation.degrees, 10);
  EXPECT_EQ(plan.outputs[1].render->haze, 0.4);
  EXPECT_EQ(plan.outputs[2].options.biome, Biome::alpine);
  EXPECT_EQ(plan.outputs[3].options.biome, Biome::desert);
  EXPECT_EQ(plan.outputs[5].sheet->panels[0].render->haze, 0.4);
  EXPECT_EQ(plan.outputs[5].sheet->panels[1].render->haze, 0);
  EXPECT_EQ(std::get<Turntable>(*plan.outputs[6].figure).picture.haze, 0.4);
}

TEST(Look, IsRefusedWhereNoPictureCouldHaveIt) {
  const auto refusal = [](const std::string& look) { return test::error_of([&] { parse(look, ""); }); };
  EXPECT_CONTAINS(refusal(R"({ "hazze": 1 })"), "did you mean 'haze'");
  EXPECT_CONTAINS(refusal(R"({ "haze": 7 })"), "'haze'");
  EXPECT_CONTAINS(refusal(R"([])"), "must be an object");
}

TEST(Look, BelongsToTheRecipesHash) {
  EXPECT_NE(parse(R"({ "haze": 0.1 })", "").hash, parse(R"({ "haze": 0.2 })", "").hash);
}

}  // namespace tepui::look_test
