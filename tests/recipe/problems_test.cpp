// All that is wrong with a recipe, and where, as data.
#include "tepui/core/problems.h"

#include "tepui/output/plan.h"
#include "tepui/recipe/presets.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::problems_test {

namespace {

std::vector<Error> problems_of(const std::string& text, const Overrides& overrides = {}) {
  Problems problems(Problems::Wanted::all);
  plan(parse_recipe({"test.json", text}, overrides, problems), problems);
  return problems.list();
}

std::vector<std::string> texts(const std::vector<Error>& errors) {
  std::vector<std::string> list;
  for (const Error& error : errors)
    list.push_back(error.where() + " " + error.place().node + "/" + error.place().field + ": " + error.message());
  return list;
}

Error first_error(const std::string& text) {
  try {
    plan(parse_recipe({"test.json", text}));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for " << text;
  return {ErrorKind::failure, ""};
}

}  // namespace

TEST(Place, HasLineColumnEndNodeAndField) {
  const Place place =
      first_error("{ \"tepui\": 1,\n  \"nodes\": { \"rock\": { \"op\": \"noise\",\n    \"height\": [1,\n 2] } } }")
          .place();
  EXPECT_EQ(place.file, "test.json");
  EXPECT_EQ(place.line, 3);
  EXPECT_EQ(place.column, 15);
  EXPECT_EQ(place.end_line, 4);
  EXPECT_EQ(place.end_column, 4);
  EXPECT_EQ(place.node, "rock");
  EXPECT_EQ(place.field, "height");
}

TEST(Place, OfWhatIsNoNodeIsTheKeysThatLeadThere) {
  EXPECT_EQ(first_error(R"({ "tepui": 1, "nodes": {}, "world": { "size": [1, -1] } })").place().field, "world.size.1");
  const Place look = first_error(R"({ "tepui": 1, "nodes": {}, "look": { "haze": "much" } })").place();
  EXPECT_EQ(look.field, "look.haze");
  EXPECT_EQ(look.node, "");
  EXPECT_EQ(first_error(R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } },
                             "outputs": { "a.png": { "from": "a", "render": { "camera": "side" } } } })")
                .place()
                .field,
            "outputs.a.png.render.camera");
}

TEST(Place, OfAnOverrideIsItsWordAndTheNodeItSets) {
  const std::vector<Error> errors =
      problems_of(R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } } })", {.set = {"a.octaves=many"}});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].where(), "--set a.octaves");
  EXPECT_EQ(errors[0].place().node, "a");
  EXPECT_EQ(errors[0].place().field, "octaves");
}

TEST(Problems, AreAllTold) {
  const std::vector<std::string> all = texts(problems_of(R"({ "tepui": 2, "sed": 1,
 "world": { "size": "10%", "resolution": 0, "depth": 3 },
 "vars": { "age": null, "b": 3 },
 "look": { "haze": "much", "sun": 1 },
 "nodes": {
  "a": { "op": "noise", "octaves": "many", "scal": 1, "gain": 9000 },
  "b": { "op": "nose" },
  "c": { "op": "levelling" },
  "d": { "op": "levelling", "in": "nowhere", "radius": "$none" } },
 "outputs": { "x.tif": "q", "y.what": "a", "../z.tif": "a" } })"));
  const auto told = [&](const std::string& part) {
    return std::ranges::count_if(all, [&](const std::string& one) { return one.find(part) != std::string::npos; });
  };
  for (const char* part : {"unknown format version", "no key 'sed'", "/world.size: a side", "the resolution is 0",
                           "no key 'depth'", "variable 'age' must be", "/look.haze", "no key 'sun'", "a/octaves",
                           "no parameter 'scal'", "a/gain", "no operator 'nose'", "needs an input on its port 'in'",
                           "no node 'nowhere'", "no variable 'none'", "no node 'q'", "y.what", "'../z.tif' is not"})
    EXPECT_EQ(told(part), 1) << part;
  EXPECT_EQ(all.size(), 18u) << testing::PrintToString(all);
}

TEST(Problems, ThatOnlyFollowAreNotTold) {
  const std::vector<std::string> all = texts(problems_of(R"({ "tepui": 1, "vars": { "bad": {} }, "nodes": {
      "a": { "op": "nose" }, "b": { "op": "levelling", "in": "a", "radius": "$bad" },
      "c": { "op": "materials", "in": "b" } },
    "outputs": { "a.tif": "a", "b.png": { "sheet": { "panels": [{ "from": "a" }] } }, "c.tif": "c" } })"));
  ASSERT_EQ(all.size(), 2u) << testing::PrintToString(all);
  EXPECT_CONTAINS(all[0], "variable 'bad'");
  EXPECT_CONTAINS(all[1], "no operator 'nose'");
}

TEST(Problems, OfASoundRecipeAreNone) {
  for (const Preset& preset : presets()) {
    if (!preset.files.empty()) continue;
    EXPECT_EQ(texts(problems_of(preset.text)), std::vector<std::string>()) << preset.name;
  }
}

TEST(Problems, TheFirstOfAllIsAmongThoseThatAreThrown) {
  const std::string text = R"({ "tepui": 1, "nodes": { "a": { "op": "noise", "gain": -1, "octaves": -1 } } })";
  const Error first = first_error(text);
  const std::vector<Error> all = problems_of(text);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(first.message(), all[0].message());
  EXPECT_EQ(first.place(), all[0].place());
}

TEST(Problems, AStageOfANodeThatComesLaterIsRefusedByName) {
  EXPECT_CONTAINS(first_error(R"({ "tepui": 1, "nodes": { "a": { "op": "levelling", "in": "b@3" },
                                                          "b": { "op": "noise" } } })")
                      .message(),
                  "node 'b' has no stages");
}

}  // namespace tepui::problems_test
