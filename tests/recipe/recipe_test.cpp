#include "tepui/recipe/recipe.h"

#include <fmt/format.h>

#include "tepui/output/plan.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::recipe_test {

namespace {

Plan parse(const std::string& text, const Overrides& overrides = {}) {
  return plan(parse_recipe({"test.json", text}, overrides));
}

/// "place: message; hint" of the error that the text causes.
std::string error_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request) << error.message();
    return error.where() + ": " + error.message() + "; " + error.hint();
  }
  ADD_FAILURE() << "no error for " << text;
  return {};
}

std::string with_nodes(const std::string& nodes) { return "{ \"tepui\": 1, \"nodes\": {" + nodes + "} }"; }

constexpr const char* mesa = R"({
  "tepui": 1, "seed": 7, "world": { "size": [2048, 1024], "resolution": 129 },
  "vars": { "age": 0.65 },
  "nodes": {
    "faults": { "op": "circular_faults", "faults": 99, "radius": [1, 700], "height": 400 },
    "rock":   { "op": "materials@1", "in": "faults", "count": 5 },
    "mesa":   { "op": "gradation", "in": "rock", "erosion": "$age" } },
  "outputs": { "mesa.tif": "mesa", "material.png": "rock.material",
               "mesa.png": { "from": "mesa", "render": { "camera": "three_quarter" } } } })";

}  // namespace

TEST(Recipe, ReadsTheDesignsExample) {
  const Plan recipe = parse(mesa);
  EXPECT_EQ(recipe.seed, 7u);
  ASSERT_EQ(recipe.nodes.size(), 3u);
  EXPECT_EQ(recipe.nodes[1].inputs[0][0].node, 0);
  const Operator& gradation = *recipe.nodes[2].op;
  EXPECT_EQ(std::get<double>(recipe.nodes[2].params[static_cast<size_t>(gradation.params.find("erosion"))]), 0.65);
  EXPECT_EQ(recipe.world.frame().width, 129);
  EXPECT_EQ(recipe.world.frame().height, 65);
  ASSERT_EQ(recipe.outputs.size(), 3u);
  EXPECT_EQ(recipe.outputs[1].layers, std::vector<std::string>{"material"});
  EXPECT_TRUE(recipe.outputs[2].render.has_value());
  EXPECT_TRUE(recipe.warnings.empty());
}

TEST(Recipe, OverridesReachVariablesNodesSeedAndResolution) {
  const Plan recipe =
      parse(mesa, {.seed = 9, .resolution = 33, .set = {"age=0.2", "rock.count=3", "faults.radius=10..20"}});
  EXPECT_EQ(recipe.seed, 9u);
  EXPECT_EQ(recipe.world.resolution, 33);
  const auto param = [&](size_t node, const char* name) {
    return recipe.nodes[node].params[static_cast<size_t>(recipe.nodes[node].op->params.find(name))];
  };
  EXPECT_EQ(std::get<double>(param(2, "erosion")), 0.2);
  EXPECT_EQ(std::get<int64_t>(param(1, "count")), 3);
  EXPECT_EQ(std::get<LengthInterval>(param(0, "radius")), (LengthInterval{metres(10), metres(20)}));
  EXPECT_EQ(std::get<Seed>(param(0, "seed")).recipe, 9u);
  EXPECT_NE(parse(mesa).hash, recipe.hash);
}

TEST(Recipe, WrongOverridesAreNamed) {
  EXPECT_CONTAINS(error_of(mesa, {.set = {"agee=1"}}), "did you mean 'age'");
  EXPECT_CONTAINS(error_of(mesa, {.set = {"rok.count=1"}}), "did you mean 'rock'");
  EXPECT_CONTAINS(error_of(mesa, {.set = {"age=7"}}), "from 0 to 1");
  EXPECT_CONTAINS(error_of(mesa, {.set = {"age"}}), "name=value");
}

TEST(Recipe, MisspeltNamesGetTheNearestOne) {
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "nois" })")),
                  "test.json:1:38: there is no operator 'nois'; did you mean 'noise'?");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise", "octavs": 3 })")),
                  "test.json:1:47: 'noise' has no parameter 'octavs'; did you mean 'octaves'?");
  EXPECT_CONTAINS(error_of(with_nodes(R"("land": { "op": "noise" }, "b": { "op": "levelling", "in": "lnd" })")),
                  "did you mean 'land'");
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "node": {} })"), "did you mean 'nodes'");
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "nodes": {}, "world": { "sise": 3 } })"), "did you mean 'size'");
}

TEST(Recipe, WrongTypesAndRangesSayWhatIsRight) {
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise", "octaves": "many" })")),
                  "'octaves' must be a whole number");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise", "octaves": 2.5 })")),
                  "'octaves' must be a whole number");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise", "octaves": 0 })")), "from 1 to");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise", "height": "tall" })")), "not a length");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise", "kind": "simplx" })")), "did you mean \"simplex\"");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "circular_faults", "radius": [5, 1] })")), "from high to low");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "circular_faults", "radius": [1, 2, 3] })")), "[low, high]");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "gradation" })")), "needs an input on its port 'in'");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { })")), "has no \"op\"");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": 5)")), "must be an object");
}

TEST(Recipe, FormatVersionsAndPinsAreChecked) {
  EXPECT_CONTAINS(error_of(R"({ "nodes": {} })"), "\"tepui\": 1");
  EXPECT_CONTAINS(error_of(R"({ "tepui": 2, "nodes": {} })"), "unknown format version");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise@999" })")), "only version");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "noise@x" })")), "not a version");
}

TEST(Recipe, CyclesAreNamed) {
  EXPECT_CONTAINS(
      error_of(with_nodes(R"("a": { "op": "levelling", "in": "b" }, "b": { "op": "levelling", "in": "a" })")),
      "cycle: a <- b <- a");
  EXPECT_CONTAINS(error_of(with_nodes(R"("a": { "op": "levelling", "in": "a" })")), "cycle: a <- a");
}

TEST(Recipe, WorldsWithoutAreaOrSamplesAreRefused) {
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "world": { "size": 0 }, "nodes": {} })"), "side of the world");
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "world": { "resolution": 0 }, "nodes": {} })"), "from 1 to");
}

TEST(Recipe, OutputNamesStayInsideTheFolder) {
  const auto with_output = [](const std::string& output) {
    return R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } }, "outputs": {)" + output + "} }";
  };
  for (const char* name : {"/tmp/x.tif", "../x.tif", "a/../../x.tif", ""})
    EXPECT_CONTAINS(error_of(with_output("\"" + std::string(name) + R"(": "a")")), "not a relative name");
  EXPECT_CONTAINS(error_of(with_output(R"("x.xyz": "a")")), "known are");
  EXPECT_CONTAINS(error_of(with_output(R"("x.tif": { "from": "a", "render": {} })")), "must end in .png");
  for (const char* name : {"x.png", "x.webp", "x.PNG"})
    EXPECT_TRUE(
        parse(with_output("\"" + std::string(name) + R"(": { "from": "a", "render": {} })")).outputs.at(0).render)
        << name;
  EXPECT_CONTAINS(error_of(with_output(R"("x.png": { "from": "a", "render": { "camra": "top" } })")),
                  "did you mean 'camera'");
  EXPECT_CONTAINS(error_of(with_output(R"("x.png": { "layer": "height" })")), "needs \"from\"");
}

TEST(Recipe, SheetsHavePanels) {
  const auto with_sheet = [](const std::string& sheet, const std::string& name = "x.png") {
    return R"({ "tepui": 1, "vars": { "n": 3 }, "nodes": { "a": { "op": "noise" }, "b": { "op": "noise", "seed": 1 } },
      "outputs": { ")" +
           name + R"(": { "sheet": )" + sheet + " } } }";
  };
  const Plan recipe = parse(with_sheet(R"({ "title": "two", "columns": "$n", "panels": [
      { "from": "b.height", "caption": "one", "render": { "samples": "$n" } },
      { "from": "a", "figure": { "kind": "histogram" } }, { "from": "a" } ] })"));
  ASSERT_TRUE(recipe.outputs.at(0).sheet.has_value());
  const Sheet& sheet = *recipe.outputs[0].sheet;
  EXPECT_EQ(sheet.columns, 3);
  ASSERT_EQ(sheet.panels.size(), 3u);
  EXPECT_EQ(sheet.panels[0].render->samples, 3);
  EXPECT_EQ(sheet.panels[0].from.layer, "height");
  EXPECT_EQ(sheet.panels[1].figure->kind, FigureKind::histogram);
  EXPECT_TRUE(sheet.panels[2].render.has_value());
  EXPECT_TRUE(recipe.warnings.empty());
  EXPECT_EQ(recipe.outputs[0].files(), std::vector<std::string>{"x.png"});
  const auto refused = [&](const std::string& text, const std::string& part, const std::string& name = "x.png") {
    const std::string error = error_of(with_sheet(text, name));
    EXPECT_CONTAINS(error, part);
    EXPECT_TRUE(error.starts_with("test.json:")) << error;
  };
  refused("3", "must be an object");
  refused("{}", "a list of \"panels\"");
  refused(R"({ "panels": [] })", "a list of \"panels\"");
  refused(R"({ "panels": [3] })", "a panel must be an object");
  refused(R"({ "panels": [{}] })", "needs \"from\"");
  refused(R"({ "panels": [{ "from": "c" }] })", "there is no node 'c'");
  refused(R"({ "panels": [{ "from": "a", "capton": "x" }] })", "did you mean 'caption'");
  refused(R"({ "panels": [{ "from": "a", "render": {}, "figure": { "kind": "map" } }] })", "not both");
  refused(R"({ "panels": [{ "from": "a", "figure": { "kind": "turntable" } }] })", "cannot be part of a sheet");
  refused(R"({ "panels": [{ "from": "a" }], "colums": 2 })", "did you mean 'columns'");
  refused(R"({ "panels": [{ "from": "a" }], "columns": -1 })", "columns");
  refused(R"({ "panels": [{ "from": "a" }] })", ".png, .webp or .svg", "x.tif");
}

TEST(Recipe, FiguresAreDescribedAndNamedByTheirKind) {
  const auto with_output = [](const std::string& name, const std::string& options) {
    return R"({ "tepui": 1, "vars": { "n": 12 }, "nodes": { "a": { "op": "noise" } }, "outputs": { ")" + name +
           R"(": { "from": "a", )" + options + "} } }";
  };
  for (const char* name : {"x.png", "x.svg", "x.webp"}) {
    const Plan recipe = parse(with_output(name, R"("figure": { "kind": "profile", "profiles": "$n" })"));
    const auto& params = std::get<FigureParams>(*recipe.outputs.at(0).figure);
    EXPECT_EQ(params.kind, FigureKind::profile);
    EXPECT_EQ(params.profiles, 12);
    EXPECT_TRUE(recipe.outputs[0].is_shown());
  }
  const Plan recipe =
      parse(with_output("x.webp", R"("figure": { "kind": "turntable", "frames": "$n", "sun_elevation": 50 })"));
  const auto& table = std::get<Turntable>(*recipe.outputs.at(0).figure);
  EXPECT_EQ(table.turn.frames, 12);
  EXPECT_EQ(table.picture.sun_elevation.degrees, 50);
  EXPECT_EQ(table.picture.camera, Camera::three_quarter);
  const auto refused = [&](const std::string& name, const std::string& options, const std::string& part) {
    const std::string error = error_of(with_output(name, options));
    EXPECT_CONTAINS(error, part);
    EXPECT_TRUE(error.starts_with("test.json:1:")) << error;
  };
  refused("x.png", R"("figure": {})", "one of map, atlas, section");
  refused("x.png", R"("figure": 3)", "must be an object");
  refused("x.png", R"("figure": { "kind": 3 })", "must be text");
  refused("x.png", R"("figure": { "kind": "mapp" })", "did you mean 'map'");
  refused("x.png", R"("figure": { "kind": "sheet" })", "there is no figure 'sheet'");
  refused("x.png", R"("figure": { "kind": "map", "frames": 3 })", "has no key 'frames'");
  refused("x.tif", R"("figure": { "kind": "map" })", ".png, .webp or .svg");
  refused("x.png", R"("figure": { "kind": "turntable" })", ".webp");
  refused("x.webp", R"("figure": { "kind": "turntable", "camera": "top" })", "beside the land");
  refused("x.webp", R"("figure": { "kind": "turntable", "frames": 1 })", "from 2 to 720");
  refused("x.webp", R"("figure": { "kind": "turntable", "bins": 9 })", "has no key 'bins'");
  EXPECT_TRUE(parse(with_output("x.webp", R"("render": {})")).outputs.at(0).render.has_value());
  refused("x.png", R"("figure": { "kind": "map" }, "render": {})", "not both");
  refused("x.png", R"("figure": { "kind": "map" }, "layer": "height")", "takes its layer from");
  refused("x.png", R"("figure": { "kind": "map" }, "range": [0, 1])", "has no 'range'");
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } },
                               "outputs": { "../x.svg": { "from": "a", "figure": { "kind": "map" } } } })"),
                  "not a relative name");
}

TEST(Recipe, TwoOutputsNeverMeetInOneFile) {
  const auto with_outputs = [](const std::string& outputs) {
    return R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } }, "outputs": {)" + outputs + "} }";
  };
  EXPECT_CONTAINS(error_of(with_outputs(R"("c.tif": "a", "./c.tif": "a")")), "are the same file");
  EXPECT_CONTAINS(error_of(with_outputs(R"("s/c.tif": "a", "s//c.tif": "a")")), "are the same file");
  EXPECT_CONTAINS(error_of(with_outputs(R"("x.tif": "a", "x.tif/y.tif": "a")")), "needs a folder of that name");
  EXPECT_CONTAINS(error_of(with_outputs(R"("a\u0000.tif": "a")")), "not a relative name");
  EXPECT_EQ(parse(with_outputs(R"("x.TIF": "a", "s/x.tif": "a")")).outputs.size(), 2u);
  EXPECT_CONTAINS(error_of(with_outputs(R"("c_x1_y0.r16": "a", "c.r16": { "from": "a", "tiles": [2, 1] })")),
                  "are the same file");
  EXPECT_CONTAINS(error_of(with_outputs(R"("{x}/c_{y}.r16": { "from": "a", "tiles": [2, 1] }, "1": "a")")),
                  "extension");
}

TEST(Recipe, OutputsAreAtMost100000Files) {
  std::string outputs;
  for (int i = 0; i < 100001; ++i) outputs += fmt::format("{}\"{}.tif\": \"a\"", i == 0 ? "" : ",", i);
  const auto with_outputs = [](const std::string& list) {
    return R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } }, "outputs": {)" + list + "} }";
  };
  EXPECT_CONTAINS(error_of(with_outputs(outputs)), "100001 outputs");
  const auto tiled = [](const char* name) {
    return fmt::format("\"{}\": {{ \"from\": \"a\", \"tiles\": [256, 256] }}", name);
  };
  EXPECT_CONTAINS(error_of(with_outputs(tiled("b.r16") + "," + tiled("c.r16"))), "more than 100000 files");
}

TEST(Recipe, SeedsAreWholeNumbers) {
  const auto seeded = [](const std::string& seed) {
    return R"({ "tepui": 1, "seed": )" + seed + R"(, "nodes": { "a": { "op": "noise" } } })";
  };
  EXPECT_EQ(parse(seeded("9223372036854775807")).seed, 9223372036854775807u);
  EXPECT_EQ(parse(seeded("1e3")).seed, 1000u);
  for (const char* seed : {"9223372036854775808", "1e300", "-1"})
    EXPECT_CONTAINS(error_of(seeded(seed)), "but must be from 0 to 9223372036854775807");
  EXPECT_CONTAINS(error_of(seeded("1.5")), "must be a whole number, not 1.5");
  EXPECT_CONTAINS(error_of(seeded("\"7\"")), "must be a whole number, not text");
}

TEST(Recipe, AutoIsWhatIsLeftOut) {
  const auto params = [](const std::string& op, const std::string& given) {
    return parse(R"({ "tepui": 1, "nodes": { "a": { "op": "noise" }, "b": { "op": ")" + op + "\"" + given + " } } }")
        .nodes.back()
        .params;
  };
  const std::string land = R"(, "in": "a")", file = R"(, "file": "a.tif")";
  EXPECT_EQ(params("weathering", land + R"(, "steps": "auto")"), params("weathering", land));
  EXPECT_NE(params("weathering", land + R"(, "steps": 7)"), params("weathering", land));
  EXPECT_EQ(params("hardness", land + R"(, "values": "auto", "minerals": "auto", "file": "auto")"),
            params("hardness", land));
  EXPECT_EQ(params("read", file + R"(, "band": "auto", "crs": "auto", "range": "auto", "size": "auto")"),
            params("read", file));
}

TEST(Recipe, NumbersAndTextsThatOnceStoodForAutoAreRefused) {
  const auto error = [](const std::string& op, const std::string& given) {
    return error_of(R"({ "tepui": 1, "nodes": { "a": { "op": "noise" }, "b": { "op": ")" + op + "\", " + given +
                    " } } }");
  };
  EXPECT_CONTAINS(error("weathering", R"("in": "a", "steps": 0)"), "must be from 1 to 1e+09, or auto");
  EXPECT_CONTAINS(error("resample", R"("in": "a", "resolution": 0)"), "or auto");
  EXPECT_CONTAINS(error("resample", R"("in": "a", "cell": 0)"), "or auto");
  EXPECT_CONTAINS(error("hardness", R"("in": "a", "values": [])"), "'values' is empty; remove it, or write auto");
  EXPECT_CONTAINS(error("read", R"("file": "a.tif", "band": 0)"), "or auto");
  EXPECT_CONTAINS(error("read", R"("file": "a.tif", "crs": "")"), "'crs' is empty");
  EXPECT_CONTAINS(error("read", R"("file": "a.tif", "range": [0, 0])"), "'range' has two equal ends");
  EXPECT_CONTAINS(error("read", R"("file": "a.tif", "size": [0, 0])"), "or auto");
  EXPECT_CONTAINS(error("read", R"("file": "a.tif", "band": "first")"), "a whole number, or auto, not");
}

TEST(Recipe, OutputOptionsThatWouldDoNothingAreRefused) {
  const auto with_output = [](const std::string& name, const std::string& options) {
    return R"({ "tepui": 1, "nodes": { "a": { "op": "noise" } }, "outputs": { ")" + name + "\": {" + options + "} } }";
  };
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "range": [0, 1])")), "it applies to .png, .r16");
  EXPECT_CONTAINS(error_of(with_output("x.png", R"("from": "a", "range": [0, 1], "render": {})")),
                  "a picture has no 'range'");
  EXPECT_CONTAINS(error_of(with_output("x.png", R"("from": "a", "range": [1, 1])")), "'range' has two equal ends");
  EXPECT_CONTAINS(error_of(with_output("x.png", R"("from": "a", "range": [2, 1])")), "range");
  EXPECT_CONTAINS(error_of(with_output("x.png", R"("from": "a", "cog": true)")), "applies to .tif");
  EXPECT_CONTAINS(error_of(with_output("x.obj", R"("from": "a", "tiles": [2, 2])")),
                  "'tiles' does not apply to 'x.obj', which holds land");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "tiles": [2, 1.5])")), "whole numbers");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "tiles": [0, 1])")), "from 1 to 256");
  EXPECT_CONTAINS(error_of(with_output("x{x}.tif", R"("from": "a", "tiles": [2, 2])")), "needs {y} too");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "compression": "lzw")")), "deflate");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "tile": [2, 2])")), "did you mean 'tiles'");
  EXPECT_CONTAINS(error_of(with_output("x.png", R"("from": "a", "layer": "height", "render": {})")),
                  "takes its layer from");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a.height", "layers": ["height"])")),
                  "names its layer twice");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "layer": "b", "layers": ["c"])")), "not both");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "layers": [])")), "a list of names");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a", "layers": ["h", "h"])")), "named twice");
  EXPECT_CONTAINS(error_of(with_output("x.tif", R"("from": "a.")")), "does not name its layer");
}

TEST(Recipe, NotesChangeNothing) {
  const auto hash = [](const std::string& top, const std::string& node) {
    return parse("{ \"tepui\": 1," + top + R"("nodes": { "a": { )" + node +
                 R"("op": "noise" } }, "outputs": { "a.tif": "a" } })")
        .hash;
  };
  const Hash plain = hash("", "");
  EXPECT_EQ(hash(R"("title": "x", "doc": ["y"], "ui": { "x": 1 }, "$schema": "s", "test": { "resolution": 9 },)", ""),
            plain);
  EXPECT_EQ(hash("", R"("doc": "x", "ui": [1, 2],)"), plain);
  EXPECT_NE(hash(R"("seed": 1,)", ""), plain);
  EXPECT_NE(hash("", R"("octaves": 3,)"), plain);
}

TEST(Recipe, TheTestBlockIsAlwaysChecked) {
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "nodes": {}, "test": { "x": 1 } })"), "has no key 'x'");
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "nodes": {}, "test": { "resolution": 0 } })"), "from 1 to");
}

TEST(Recipe, HostileSizesCostLittle) {
  std::string list = "[0";
  for (int i = 1; i < 20000; ++i) list += ",0";
  std::string uses;
  for (int i = 0; i < 200; ++i) uses += i > 0 ? ",\"$v\"" : "\"$v\"";
  EXPECT_CONTAINS(error_of("{ \"tepui\": 1, \"vars\": { \"v\": " + list +
                           "] }, \"nodes\": { \"a\": { \"op\": \"noise\", \"gain\": [" + uses + "] } } }"),
                  "cannot stand inside another list");
  std::string deep = std::string(50, '[') + list + "]" + std::string(50, ']');
  EXPECT_TRUE(parse("{ \"tepui\": 1, \"nodes\": {}, \"ui\": " + deep + " }").nodes.empty());
  EXPECT_CONTAINS(error_of("{ \"tepui\": 1, \"vars\": { \"" + std::string(60, 'a') +
                           "\": 1 }, \"nodes\": { \"a\": { \"op\": \"" + std::string(100000, 'b') + "\" } } }"),
                  "there is no operator");
}

TEST(Recipe, VariablesMustExist) {
  EXPECT_CONTAINS(error_of(R"({ "tepui": 1, "vars": { "a": "$b", "b": 1 }, "nodes": {} })"), "a plain value");
  EXPECT_CONTAINS(
      error_of(R"({ "tepui": 1, "vars": { "age": 1 }, "nodes": { "a": { "op": "noise", "gain": "$agee" } } })"),
      "did you mean 'age'");
  const Plan recipe = parse(
      R"({ "tepui": 1, "vars": { "low": 3 }, "nodes": { "a": { "op": "circular_faults", "radius": ["$low", "50%"] } } })");
  EXPECT_EQ(
      std::get<LengthInterval>(recipe.nodes[0].params[static_cast<size_t>(recipe.nodes[0].op->params.find("radius"))]),
      (LengthInterval{metres(3), percent(50)}));
}

TEST(Recipe, WarnsOfSharedStreamsUnusedNodesAndVariables) {
  const Plan recipe = parse(R"({ "tepui": 1, "vars": { "spare": 1 },
    "nodes": { "a": { "op": "noise" }, "b": { "op": "noise" }, "c": { "op": "noise", "seed": 1 }, "d": { "op": "combine", "in": "a", "with": "c" } },
    "outputs": { "x.tif": "d" } })");
  ASSERT_EQ(recipe.warnings.size(), 3u);
  EXPECT_CONTAINS(recipe.warnings[0], "'a' and 'b' draw the same random numbers");
  EXPECT_CONTAINS(recipe.warnings[2], "'b' is not used by any output");
  EXPECT_CONTAINS(recipe.warnings[1], "'spare' is not used");
}

TEST(Recipe, MasksShareAStreamOnlyWhereTheyAreNoise) {
  const auto warnings = [](const std::string& by) {
    return parse(with_nodes(R"("n": { "op": "noise" }, "a": { "op": "mask", "in": "n", "by": ")" + by +
                            R"(" }, "b": { "op": "mask", "in": "n", "by": ")" + by + "\" }"))
        .warnings.size();
  };
  EXPECT_EQ(warnings("slope"), 0u);
  EXPECT_EQ(warnings("noise"), 1u);
}

TEST(Recipe, TooManyNodesAreRefused) {
  std::string nodes;
  for (int i = 0; i < 5000; ++i) nodes += (i > 0 ? ", \"n" : "\"n") + std::to_string(i) + "\": { \"op\": \"noise\" }";
  EXPECT_CONTAINS(error_of(with_nodes(nodes)), "at most 4096");
}

TEST(Recipe, ALongChainIsRead) {
  std::string nodes = R"("n0": { "op": "noise" })";
  for (int i = 1; i < 4096; ++i)
    nodes += ", \"n" + std::to_string(i) + "\": { \"op\": \"levelling\", \"in\": \"n" + std::to_string(i - 1) + "\" }";
  EXPECT_EQ(parse(with_nodes(nodes)).nodes.size(), 4096u);
}

}  // namespace tepui::recipe_test
