// Values that are no land, on the whole way: parsing, keys and caches, files and figures.
#include "tepui/recipe/value_kind.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tepui/io/mesh_file.h"
#include "tepui/recipe/build.h"
#include "tepui/recipe/one_liner.h"
#include "tepui/recipe/schema.h"
#include "tests/io/files.h"
#include "tests/support/beds.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr const char* head = R"({ "tepui": 1, "seed": 3, "world": { "size": [640, 320], "resolution": 65 }, "nodes": {
    "sky": { "op": "skyline", "points": 65, "ranges": 2 }, "land": { "op": "noise", "octaves": 2 } }, "outputs": {)";

Recipe parse(const std::string& outputs, const std::vector<std::string>& set = {}) {
  return parse_recipe({"test.json", head + outputs + "} }"}, {.set = set});
}

/// "place: message; hint" of the error.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request) << error.message();
    return error.where() + ": " + error.message() + "; " + error.hint();
  }
  ADD_FAILURE() << "no error";
  return {};
}

std::string output_error(const std::string& outputs) {
  return refusal([&] { parse(outputs); });
}

std::string node_error(const std::string& nodes) {
  return refusal([&] { parse_recipe({"test.json", R"({ "tepui": 1, "nodes": {)" + nodes + "} }"}); });
}

struct BedsParams {
  double thickness = 50;
};
void describe(Fields<BedsParams>& f) {
  f.about("Beds for tests");
  f("thickness", &BedsParams::thickness, Range{1, 100}, "of a bed");
}
Geology beds(const BedsParams& params, const Context&) {
  return Geology(
      std::make_shared<const test::Beds>(std::vector<NamedRock>{{"granite", 0.9f}, {"shale", 0.1f}}, params.thickness));
}
const Operator beds_op = op<beds>("geology/beds", 1, "");

/// A recipe of one node of rock and its section.
Recipe rock_recipe(double thickness = 50, double side = 640) {
  Recipe recipe;
  recipe.name = "rock";
  recipe.world.size = {side, side};
  recipe.world.resolution = 17;
  recipe.nodes.push_back({"rock", &beds_op, {}, {ParamValue(thickness)}, {}});
  Output output;
  output.name = "rock.png";
  output.from.node = 0;
  FigureParams section;
  section.kind = FigureKind::section;
  output.figure = section;
  recipe.outputs.push_back(output);
  return recipe;
}

struct BlockParams {
  double side = 100;
};
void describe(Fields<BlockParams>& f) {
  f.about("A pyramid for tests");
  f("side", &BlockParams::side, Range{1, 1000}, "of the block");
}
Mesh pyramid(const BlockParams& params, const Context&) {
  const auto s = static_cast<float>(params.side);
  MeshData data;
  data.centre = {1000, 0, 0};
  data.positions = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
  data.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  return Mesh(data);
}
const Operator pyramid_op = op<pyramid>("mesh/pyramid", 1, "");

Recipe mesh_recipe(const std::string& file, double side = 100) {
  Recipe recipe;
  recipe.name = "mesh";
  recipe.world.resolution = 17;
  recipe.nodes.push_back({"mesh", &pyramid_op, {}, {ParamValue(side)}, {}});
  Output output;
  output.name = file;
  output.from.node = 0;
  if (file.ends_with(".png")) {
    PictureParams picture;
    picture.size = {64, 48};
    picture.draft = true;
    output.render = picture;
  }
  recipe.outputs.push_back(output);
  return recipe;
}

Build run(const Recipe& recipe, const TemporaryFolder& folder) {
  DiskCache disk(folder / "cache");
  ValueCache cache(0, &disk);
  return build(recipe, folder / "out", {}, cache, {});
}

Names written(const Build& built) {
  Names names;
  for (const BuiltFile& file : built.files)
    if (!file.kept) names.push_back(file_name(file.path));
  return names;
}

}  // namespace

TEST(ValueKinds, EveryKindHasARowThatFits) {
  for (size_t i = 0; i < std::variant_size_v<Value>; ++i) {
    const auto type = static_cast<ValueType>(i);
    const ValueKind& kind = value_kind(type);
    SCOPED_TRACE(kind.noun);
    EXPECT_EQ(kind.type, type);
    EXPECT_FALSE(kind.noun.empty() || kind.label.empty() || kind.figures.empty());
    EXPECT_EQ(kind.write == nullptr, kind.endings.empty());
    EXPECT_NE(kind.heights, nullptr);
    EXPECT_EQ(kind.draw == nullptr, kind.figures == Names{"turntable"});
    for (const std::string& figure : kind.figures)
      EXPECT_NE(std::ranges::find(figure_kinds(), figure), figure_kinds().end()) << figure;
    EXPECT_EQ(std::ranges::find(kind.figures, "turntable") != kind.figures.end(), kind.pictured);
  }
  for (const std::string& figure : figure_kinds()) {
    bool shown = false;
    for (size_t i = 0; i < std::variant_size_v<Value>; ++i) {
      const Names& own = value_kind(static_cast<ValueType>(i)).figures;
      shown = shown || std::ranges::find(own, figure) != own.end();
    }
    EXPECT_TRUE(shown) << figure;
  }
}

TEST(ValueKinds, OutputsBelongToTheirKind) {
  EXPECT_NO_THROW(parse(R"("a.csv": "sky", "a.svg": { "from": "sky", "figure": { "kind": "skyline" } })"));
  EXPECT_CONTAINS(output_error(R"("a.tif": "sky")"),
                  "'a.tif' cannot hold lines, which node 'sky' gives; "
                  "endings for lines are .csv");
  EXPECT_CONTAINS(output_error(R"("a.png": "sky")"), R"("figure": { "kind": "skyline" })");
  EXPECT_CONTAINS(output_error(R"("a.csv": "land")"),
                  "cannot hold land, which node 'land' gives; endings for land are");
  EXPECT_CONTAINS(output_error(R"("a.xyz": "land")"), "known are .tif");
  EXPECT_CONTAINS(output_error(R"("a.svg": "land")"), R"("figure": { "kind": "map" })");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "land" })"), "cannot hold land");
  EXPECT_CONTAINS(output_error(R"("a.csv": "sky.height")"), "node 'sky' gives lines, which has no layers");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "layer": "height" })"), "which has no layers");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "layers": ["height"] })"), "which has no layers");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "tiles": [2, 2] })"), "'tiles' is not for 'a.csv'");
  EXPECT_CONTAINS(
      output_error(R"("a.png": { "from": "sky", "render": {} })"),
      "node 'sky' gives lines, and pictures in sun and sky show land, volumes and meshes; draw a figure of kind skyline");
  EXPECT_CONTAINS(output_error(R"("a.png": { "from": "sky", "figure": { "kind": "map" } })"),
                  "'map' is not a figure of lines; figures of lines: skyline");
  EXPECT_CONTAINS(output_error(R"("a.webp": { "from": "sky", "figure": { "kind": "turntable" } })"),
                  "'turntable' is not a figure of lines");
  EXPECT_CONTAINS(output_error(R"("a.png": { "from": "land", "figure": { "kind": "skyline" } })"),
                  "'skyline' is not a figure of land");
  EXPECT_CONTAINS(output_error(R"("a.png": { "from": "sky", "figure": { "kind": "skylin" } })"),
                  "did you mean 'skyline'");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "figure": { "kind": "skyline" } })"),
                  ".png, .webp or .svg");
  // Errors stand at the output, and nobody's file holds rock.
  EXPECT_CONTAINS(output_error(R"("a.tif": "sky")"), "test.json:2:");
  EXPECT_CONTAINS(refusal([] { check_value_file("a.csv", ValueType::geology, "node 'r'"); }), "\"section\"");
}

TEST(ValueKinds, PortsTakeTheirKind) {
  EXPECT_CONTAINS(node_error(R"("s": { "op": "skyline" }, "l": { "op": "levelling", "in": "s" })"),
                  "port 'in' takes terrain, but node 's' gives lines");
  EXPECT_CONTAINS(node_error(R"("s": { "op": "skyline" }, "l": { "op": "levelling", "in": "s.height" })"),
                  "node 's' gives lines, which has no layers");
  const Recipe recipe = parse(R"("a.csv": "sky")");
  EXPECT_CONTAINS(refusal([&] { select(Lines(), {0, "height", {}}); }), "not land");
  EXPECT_EQ(recipe.outputs[0].files(), Names{"a.csv"});
}

TEST(ValueKinds, OneLinersPipeByKind) {
  const auto document = [](const std::string& text, const OneLinerOptions& options = {}) {
    const auto line = std::make_shared<const Source>(Source{"make", text});
    return build_recipe(parse_one_liner(*line, options), {line}, {});
  };
  // Lines pass by; land goes on to where it is taken.
  const Recipe mixed = document("noise octaves=2 | skyline | levelling");
  EXPECT_EQ(mixed.nodes[2].inputs[0][0].node, 0);
  EXPECT_CONTAINS(refusal([&] { document("skyline | levelling"); }), "pipe land into it: noise | levelling");
  EXPECT_CONTAINS(refusal([&] { document("skyline | skyline"); }), "'skyline' makes new lines");
  const Recipe drawn = document("skyline", {.outputs = {"a.csv", "a.svg"}, .picture = "b.png"});
  EXPECT_FALSE(drawn.outputs[0].is_shown());
  for (const size_t i : {size_t{1}, size_t{2}}) {
    ASSERT_TRUE(drawn.outputs[i].figure.has_value());
    EXPECT_EQ(std::get<FigureParams>(*drawn.outputs[i].figure).kind, FigureKind::skyline);
    EXPECT_FALSE(drawn.outputs[i].render.has_value());
  }
  EXPECT_TRUE(document("noise", {.picture = "b.png"}).outputs[0].render.has_value());
  EXPECT_CONTAINS(refusal([&] { document("skyline", {.outputs = {"a.csv"}, .out = {"tiles=2,2"}}); }), "'tiles'");
  EXPECT_EQ(line_type({"make", "noise | skyline points=5"}), ValueType::lines);
  EXPECT_EQ(line_type({"make", "skyline | noise"}), ValueType::terrain);
  EXPECT_EQ(line_type({"make", "nois"}), ValueType::terrain);
}

TEST(ValueKinds, FactsOfWhatIsNoLandReadBack) {
  for (const Value& value : {Value(Lines({{"a", {{1, 2, 3}, {4, 5, 6}}, true, {{"w", "m", {1, 2}}}}})),
                             Value(test::sample_rock()), Value(Volume()), Value(pyramid({}, {}))}) {
    NodeFacts facts = facts_of(value);
    facts.cost = 0.25;
    facts.warnings = {"said"};
    EXPECT_EQ(facts.hash, value_hash(value));
    EXPECT_GT(facts.bytes, 0u);
    const std::string text = facts_text(facts);
    const std::optional<NodeFacts> back = parse_facts(text);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->type, value_type(value));
    EXPECT_EQ(back->hash, facts.hash);
    EXPECT_EQ(back->bytes, facts.bytes);
    EXPECT_EQ(back->cost, 0.25);
    EXPECT_EQ(back->warnings, facts.warnings);
    for (size_t cut = 0; cut < text.size(); ++cut) EXPECT_FALSE(parse_facts(text.substr(0, cut)).has_value()) << cut;

    const TemporaryFolder folder;
    DiskCache disk(folder.path());
    const Hash key = Hasher().add("key").finish();
    ValueCache first(size_t{1} << 20, &disk), second(0, &disk);
    first.put(key, facts, value);
    EXPECT_EQ(value_hash(*first.load(key, facts, {})), facts.hash);
    // Even a clock that stood still: only land has cells to store.
    facts.cost = 0;
    first.save(key, facts, value, {});
    disk.settle();
    EXPECT_EQ(second.find(key)->hash, facts.hash);
    EXPECT_FALSE(second.load(key, *second.find(key), {}).has_value());
  }
}

TEST(ValueKinds, AKnownSkylineIsNeitherComputedNorWrittenAgain) {
  const TemporaryFolder folder;
  const std::string outputs = R"("a.csv": "sky", "a.svg": { "from": "sky", "figure": { "kind": "skyline" } })";
  const Build first = run(parse(outputs), folder);
  EXPECT_EQ(written(first), (Names{"a.csv", "a.svg", "test.manifest.json"}));
  const std::string csv = test::bytes_of(folder / "out/a.csv"), svg = test::bytes_of(folder / "out/a.svg");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 2 * 65 + 1);
  const Build again = run(parse(outputs), folder);
  EXPECT_EQ(written(again), Names());
  EXPECT_TRUE(std::ranges::all_of(again.nodes, &NodeReport::cached));
  // A file that is gone comes back as it was, though the value has to be computed for it.
  fs::remove(folder / "out/a.csv");
  EXPECT_EQ(written(run(parse(outputs), folder)), Names{"a.csv"});
  EXPECT_EQ(test::bytes_of(folder / "out/a.csv"), csv);
  const Build edited = run(parse(outputs, {"sky.peaks=7"}), folder);
  EXPECT_EQ(written(edited), (Names{"a.csv", "a.svg", "test.manifest.json"}));
  EXPECT_FALSE(edited.nodes[0].cached);
  EXPECT_NE(test::bytes_of(folder / "out/a.csv"), csv);
  EXPECT_NE(test::bytes_of(folder / "out/a.svg"), svg);
  const Build other = run(parse(R"("a.csv": "sky", "a.svg": { "from": "sky", "figure": { "kind": "skyline",
      "axes": false } })",
                                {"sky.peaks=7"}),
                          folder);
  EXPECT_EQ(written(other), (Names{"a.svg", "test.manifest.json"}));
}

TEST(ValueKinds, SheetsShowAnyKind) {
  const std::string outputs = R"("a.png": { "sheet": { "columns": 2, "panels": [
      { "from": "sky", "caption": "as it is" },
      { "from": "sky", "figure": { "kind": "skyline", "size": [64, 36] } },
      { "from": "land", "figure": { "kind": "map", "size": [64, 32] } } ] } })";
  const TemporaryFolder folder;
  EXPECT_EQ(written(run(parse(outputs), folder)), (Names{"a.png", "test.manifest.json"}));
  EXPECT_EQ(written(run(parse(outputs), folder)), Names());
  EXPECT_EQ(written(run(parse(outputs, {"sky.peaks=3"}), folder)), (Names{"a.png", "test.manifest.json"}));
  const auto panel = [](const std::string& words) {
    return output_error(R"("a.png": { "sheet": { "panels": [{ )" + words + " }] } }");
  };
  EXPECT_CONTAINS(panel(R"("from": "sky", "figure": { "kind": "map" })"), "'map' is not a figure of lines");
  EXPECT_CONTAINS(panel(R"("from": "sky.height")"), "which has no layers");
  EXPECT_CONTAINS(panel(R"("from": "land", "figure": { "kind": "skyline" })"), "not a figure of land");
}

TEST(ValueKinds, TheManifestOfLinesTellsTheWorld) {
  const TemporaryFolder folder;
  run(parse(R"("a.csv": "sky", "a.png": { "from": "sky", "figure": { "kind": "skyline" } })"), folder);
  const auto manifest = nlohmann::json::parse(test::bytes_of(folder / "out/test.manifest.json"));
  EXPECT_EQ(manifest["world"]["size"], nlohmann::json({640, 320}));
  EXPECT_TRUE(manifest["lands"].empty());
  EXPECT_EQ(manifest["files"][0]["format"], "CSV");
  EXPECT_NE(test::bytes_of(folder / "out/a.png").find("Lines"), std::string::npos);
  // Beside land, the land's.
  run(parse(R"("a.csv": "sky", "land.tif": "land")"), folder);
  EXPECT_EQ(nlohmann::json::parse(test::bytes_of(folder / "out/test.manifest.json"))["lands"].size(), 1u);
}

TEST(ValueKinds, SectionsOfRockFollowTheRockAndTheWorld) {
  const TemporaryFolder folder;
  EXPECT_EQ(written(run(rock_recipe(), folder)), (Names{"rock.png", "rock.manifest.json"}));
  const std::string first = test::bytes_of(folder / "out/rock.png");
  EXPECT_EQ(written(run(rock_recipe(), folder)), Names());
  EXPECT_EQ(written(run(rock_recipe(60), folder))[0], "rock.png");
  EXPECT_NE(test::bytes_of(folder / "out/rock.png"), first);
  // The rock does not know the world, its picture does.
  EXPECT_EQ(written(run(rock_recipe(50, 320), folder))[0], "rock.png");
  EXPECT_EQ(written(run(rock_recipe(), folder))[0], "rock.png");
  EXPECT_EQ(test::bytes_of(folder / "out/rock.png"), first);
}

TEST(ValueKinds, MeshesAreWrittenAndShown) {
  const TemporaryFolder folder;
  for (const std::string& ending : mesh_endings()) {
    SCOPED_TRACE(ending);
    EXPECT_EQ(written(run(mesh_recipe("a" + ending), folder)), (Names{"a" + ending, "mesh.manifest.json"}));
    const Mesh back = read_mesh(folder / ("out/a" + ending), {});
    EXPECT_EQ(back.triangles().size(), 4u);
    EXPECT_EQ(written(run(mesh_recipe("a" + ending), folder)), Names());
    const auto manifest = nlohmann::json::parse(test::bytes_of(folder / "out/mesh.manifest.json"));
    EXPECT_EQ(manifest["files"][0]["format"], mesh_format("a" + ending));
  }
  EXPECT_EQ(written(run(mesh_recipe("a.png"), folder)), (Names{"a.png", "mesh.manifest.json"}));
  EXPECT_EQ(written(run(mesh_recipe("a.png"), folder)), Names());
  EXPECT_CONTAINS(refusal([] { check_value_file("a.tif", ValueType::mesh, "node 'm'"); }),
                  "'a.tif' cannot hold meshes, which node 'm' gives; endings for meshes are .glb");
}

TEST(ValueKinds, TheWorldMayComeFromANode) {
  const TemporaryFolder folder;
  test::put_bytes(folder / "a.asc", "ncols 5\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n" +
                                        std::string("1 2 3 4 5\n") + "1 2 3 4 5\n1 2 3 4 5\n");
  const Recipe recipe = parse_recipe({folder / "r.json", R"({ "tepui": 1, "world": { "from": "in" }, "nodes": {
    "in": { "op": "read", "file": "a.asc" }, "sky": { "op": "skyline", "points": 5 } }, "outputs": { "a.csv": "sky" } })"});
  ValueCache cache(0);
  const Frame world = world_frame(recipe, cache, {});
  EXPECT_EQ(world.width, 5);
  EXPECT_EQ(world.height, 3);
  const Evaluation made = evaluate(recipe, {1}, cache, {});
  EXPECT_EQ(std::get<Lines>(made.values[0]).list()[0].points.back().x, world.origin.x + world.size.x);
  run(recipe, folder);
  const auto manifest = nlohmann::json::parse(test::bytes_of(folder / "out/r.manifest.json"));
  EXPECT_EQ(manifest["world"]["samples"], nlohmann::json({5, 3}));
}

TEST(ValueKinds, PicturesHaveTheSizeThatIsAsked) {
  const Setting around{make_world({1000, 500}, 33), std::nullopt};
  const Lines lines({{"range 1", {{0, 0, 10}, {500, 0, 60}, {1000, 0, 20}}, false, {}}});
  for (const Value& value : {Value(lines), Value(test::sample_rock())})
    for (const Vec2 size : {Vec2{960, 540}, Vec2{400, 225}, Vec2{64, 0}, Vec2{0, 90}, Vec2{700, 300}}) {
      PictureParams params;
      params.size = size;
      params.frame = {0, 100};
      const Image image = draw_value(value, params, around, {});
      const Vec2 wanted{size.x > 0 ? size.x : std::round(size.y * 16 / 9), size.y > 0 ? size.y : size.x * 9 / 16};
      EXPECT_EQ(image.width, static_cast<int>(wanted.x)) << size.x << " " << size.y;
      EXPECT_EQ(image.height, static_cast<int>(wanted.y)) << size.x << " " << size.y;
    }
}

TEST(ValueKinds, AreToldByTheRegistry) {
  const auto described = nlohmann::json::parse(operators_json("skyline"));
  EXPECT_EQ(described["operators"][0]["output"], "lines");
  const auto schema = nlohmann::json::parse(recipe_schema());
  EXPECT_NE(schema.dump().find("\"skyline\""), std::string::npos);
  const Names endings = value_endings();
  EXPECT_EQ(std::ranges::count(endings, ".csv"), 1);
  EXPECT_EQ(std::ranges::count(endings, ".tif"), 1);
}

}  // namespace tepui
