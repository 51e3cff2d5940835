// Values that are no land, on the whole way: parsing, keys and caches, files and figures.
#include "tepui/output/output_kind.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tepui/io/formats.h"
#include "tepui/io/mesh_file.h"
#include "tepui/mesh/checks.h"
#include "tepui/output/build.h"
#include "tepui/output/figure_json.h"
#include "tepui/output/line_document.h"
#include "tepui/output/schema.h"
#include "tests/io/files.h"
#include "tests/support/balls.h"
#include "tests/support/beds.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::value_kinds_test {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr const char* head = R"({ "tepui": 1, "seed": 3, "world": { "size": [640, 320], "resolution": 65 }, "nodes": {
    "sky": { "op": "skyline", "points": 65, "ranges": 2 }, "land": { "op": "noise", "octaves": 2 } }, "outputs": {)";

Plan parse(const std::string& outputs, const std::vector<std::string>& set = {}) {
  return plan(parse_recipe({"test.json", head + outputs + "} }"}, {.set = set}));
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
  return refusal([&] { plan(parse_recipe({"test.json", R"({ "tepui": 1, "nodes": {)" + nodes + "} }"})); });
}

/// What the operators of these tests take.
struct SizeParams {
  double size = 50;
};
void describe(Fields<SizeParams>& f) {
  f.about("A value for tests");
  f("size", &SizeParams::size, Range{1, 100}, "of it, in metres");
}

Geology beds(const SizeParams& params, const Context&) {
  return Geology(
      std::make_shared<const test::Beds>(std::vector<NamedRock>{{"granite", 0.9f}, {"shale", 0.1f}}, params.size));
}
const Operator beds_op = op<beds>("geology/beds", 1, "");

Mesh pyramid(const SizeParams& params, const Context&) {
  const auto s = static_cast<float>(params.size);
  MeshData data;
  data.centre = {1000, 0, 0};
  data.positions = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
  data.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  return Mesh(data);
}
const Operator pyramid_op = op<pyramid>("mesh/pyramid", 1, "");

/// A ball of rock in a land of its own.
Volume ball(const SizeParams& params, const Context&) {
  return {test::ball_solid({200, 100, 50}, params.size, 7.5), 7.5, test::sample_rock()};
}
const Operator ball_op = op<ball>("volume/ball", 1, "");

FigureParams section() {
  FigureParams params;
  params.kind = FigureKind::section;
  return params;
}

/// A recipe of one node and one file; a .png shows the value.
Plan recipe_of(const std::string& name, const Operator& op, double size, const std::string& file) {
  Plan recipe;
  recipe.name = name;
  recipe.world.resolution = 17;
  recipe.nodes.push_back({name, &op, {}, {ParamValue(size)}, {}});
  Output output;
  output.name = file;
  output.from.node = 0;
  if (file.ends_with(".png") && output_kind(*op.output).is_pictured()) {
    output.render.emplace();
    output.render->size = {64, 48};
    output.render->draft = true;
  } else if (file.ends_with(".png")) {
    output.figure = section();
  }
  recipe.outputs.push_back(output);
  return recipe;
}

Plan rock_recipe(double thickness = 50, double side = 640, const std::string& file = "rock.png") {
  Plan recipe = recipe_of("rock", beds_op, thickness, file);
  recipe.world.size = {side, side};
  return recipe;
}

Plan mesh_recipe(const std::string& file) { return recipe_of("mesh", pyramid_op, 100, file); }

Plan volume_recipe(const std::string& file, const OutputParams& options = {}) {
  Plan recipe = recipe_of("volume", ball_op, 40, file);
  recipe.outputs[0].options = options;
  return recipe;
}

Build run(const Plan& recipe, const TemporaryFolder& folder) {
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

nlohmann::json manifest_of(const TemporaryFolder& folder, const std::string& name) {
  return nlohmann::json::parse(test::bytes_of(folder / ("out/" + name + ".manifest.json")));
}

}  // namespace

TEST(ValueKinds, EveryKindHasARowThatFits) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const OutputKind& row = output_kind(kind);
    EXPECT_EQ(row.kind, &kind);
    EXPECT_FALSE(kind.noun.empty() || kind.label.empty());
    EXPECT_EQ(row.write == nullptr, writing_endings(row.kind->name).empty());
    EXPECT_EQ(row.heights == nullptr, row.figures.empty());
    EXPECT_EQ(row.example.empty(), row.figures.empty());
    EXPECT_EQ(row.draw == nullptr, row.figures.empty() || row.figures == Names{"turntable"});
    EXPECT_TRUE(row.info != nullptr && row.text != nullptr);
    for (const std::string& figure : row.figures)
      EXPECT_NE(std::ranges::find(figure_kinds(), figure), figure_kinds().end()) << figure;
    EXPECT_EQ(std::ranges::find(row.figures, "turntable") != row.figures.end(), row.is_pictured());
    // What is kept is taken apart and put together; what is not, is neither.
    EXPECT_EQ(kind.is_kept(), kind.parts != nullptr);
    EXPECT_EQ(kind.is_kept(), kind.outline != nullptr);
  }
  for (const std::string& figure : figure_kinds())
    EXPECT_TRUE(std::ranges::any_of(kinds(), [&](const Kind& kind) {
      const Names& own = output_kind(kind).figures;
      return std::ranges::find(own, figure) != own.end();
    })) << figure;
}

TEST(ValueKinds, OutputsBelongToTheirKind) {
  EXPECT_NO_THROW(parse(
      R"("a.csv": "sky", "a.geojson": "sky", "a.gpkg": "sky", "a.svg": { "from": "sky", "figure": { "kind": "skyline" } })"));
  EXPECT_CONTAINS(output_error(R"("a.tif": "sky")"),
                  "'a.tif' cannot hold lines, which is what node 'sky' gives; "
                  "extensions for lines: .glb, .csv, .geojson, .gpkg");
  EXPECT_CONTAINS(output_error(R"("a.png": "sky")"), R"("figure": { "kind": "skyline" })");
  EXPECT_CONTAINS(output_error(R"("a.csv": "land")"),
                  "cannot hold land, which is what node 'land' gives; extensions for land:");
  EXPECT_CONTAINS(output_error(R"("a.xyz": "land")"), "known are .tif");
  EXPECT_CONTAINS(output_error(R"("a.svg": "land")"), R"("figure": { "kind": "map" })");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "land" })"), "cannot hold land");
  EXPECT_CONTAINS(output_error(R"("a.csv": "sky.height")"), "node 'sky' gives lines, which has no layers");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "layer": "height" })"), "which has no layers");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "layers": ["height"] })"), "which has no layers");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "tiles": [2, 2] })"), "'tiles' does not apply to 'a.csv'");
  EXPECT_CONTAINS(
      output_error(R"("a.png": { "from": "sky", "render": {} })"),
      "node 'sky' gives lines, but \"render\" only draws land, volumes, meshes and planets; draw a figure of "
      "kind skyline");
  EXPECT_CONTAINS(output_error(R"("a.png": { "from": "sky", "figure": { "kind": "section" } })"),
                  "'section' is not a figure of lines; figures of lines: skyline, map");
  EXPECT_CONTAINS(output_error(R"("a.webp": { "from": "sky", "figure": { "kind": "turntable" } })"),
                  "'turntable' is not a figure of lines");
  EXPECT_CONTAINS(output_error(R"("a.png": { "from": "land", "figure": { "kind": "skyline" } })"),
                  "'skyline' is not a figure of land");
  EXPECT_CONTAINS(output_error(R"("a.png": { "from": "sky", "figure": { "kind": "skylin" } })"),
                  "did you mean 'skyline'");
  EXPECT_CONTAINS(output_error(R"("a.csv": { "from": "sky", "figure": { "kind": "skyline" } })"),
                  ".png, .webp or .svg");
  // Errors stand at the output.
  EXPECT_CONTAINS(output_error(R"("a.tif": "sky")"), "test.json:2:");
  const auto wrong = [](const std::string& file, const Kind& kind) {
    return refusal([&] { check_value_file(file, kind, "node 'r'"); });
  };
  EXPECT_CONTAINS(wrong("a.png", kind_of<Geology>()), "\"section\"");
  EXPECT_CONTAINS(wrong("a.csv", kind_of<Geology>()), "extensions for rock: .npy, .vti");
  EXPECT_CONTAINS(wrong("a.png", kind_of<Volume>()), R"(draw it: "render": {})");
  EXPECT_CONTAINS(wrong("a.svg", kind_of<Volume>()), R"("figure": { "kind": "section" })");
  EXPECT_CONTAINS(wrong("a.webp", kind_of<Mesh>()), R"(draw it: "render": {})");
}

TEST(ValueKinds, PortsTakeTheirKind) {
  EXPECT_CONTAINS(node_error(R"("s": { "op": "skyline" }, "l": { "op": "levelling", "in": "s" })"),
                  "port 'in' takes terrain, but node 's' gives lines");
  EXPECT_CONTAINS(node_error(R"("s": { "op": "skyline" }, "l": { "op": "levelling", "in": "s.height" })"),
                  "node 's' gives lines, which has no layers");
  // Land where a volume is wanted: the way from one to the other is told.
  for (const std::string op : {"sea_erosion", "river_erosion", "karst", "hoodoos", "arches", "fall"})
    EXPECT_CONTAINS(node_error(R"("n": { "op": "noise" }, "v": { "op": ")" + op + R"(", "in": "n" })"),
                    "put 'implicitize' between them");
  const Plan recipe = parse(R"("a.csv": "sky")");
  EXPECT_CONTAINS(refusal([&] { select(Lines(), {0, "height", {}}); }), "has no layers");
  EXPECT_EQ(recipe.outputs[0].files(), Names{"a.csv"});
}

TEST(ValueKinds, OneLinersPipeByKind) {
  const auto document = [](const std::string& text, const LineOptions& options = {}) {
    const auto line = std::make_shared<const Source>(Source{"make", text});
    return plan(build_recipe(line_document(*line, options), {line}, {}));
  };
  // Rock passes by; land goes on to where it is taken.
  const Plan mixed = document("noise octaves=2 | strata | levelling | gradation");
  EXPECT_EQ(mixed.nodes[2].inputs[0][0].node, 0);
  EXPECT_EQ(mixed.nodes[3].inputs[1][0].node, 1);
  const Plan drawn = document("skyline", {.outputs = {"a.csv", "a.svg"}, .picture = "b.png"});
  EXPECT_FALSE(drawn.outputs[0].is_shown());
  for (const size_t i : {size_t{1}, size_t{2}}) {
    ASSERT_TRUE(drawn.outputs[i].figure.has_value());
    EXPECT_EQ(std::get<FigureParams>(*drawn.outputs[i].figure).kind, FigureKind::skyline);
    EXPECT_FALSE(drawn.outputs[i].render.has_value());
  }
  EXPECT_TRUE(document("noise", {.picture = "b.png"}).outputs[0].render.has_value());
  EXPECT_CONTAINS(refusal([&] { document("skyline", {.outputs = {"a.csv"}, .out = {"tiles=2,2"}}); }), "'tiles'");
  EXPECT_EQ(&line_kind({"make", "noise | skyline points=5"}), &kind_of<Lines>());
  EXPECT_EQ(&line_kind({"make", "skyline | noise"}), &kind_of<Terrain>());
  EXPECT_EQ(&line_kind({"make", "nois"}), &kind_of<Terrain>());
}

TEST(ValueKinds, FactsOfWhatIsNoLandReadBack) {
  for (const Value& value : {Value(Lines({{"a", {{1, 2, 3}, {4, 5, 6}}, true, {{"w", "m", {1, 2}}}}})),
                             Value(test::sample_rock()), Value(Volume()), Value(pyramid({}, {}))}) {
    NodeFacts facts = facts_of(value);
    facts.cost = 0.25;
    facts.warnings = {"said"};
    EXPECT_EQ(facts.hash, value.hash());
    EXPECT_GT(facts.bytes, 0u);
    const std::string text = facts_text(facts);
    const std::optional<NodeFacts> back = parse_facts(text);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->kind, &value.kind());
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
    EXPECT_EQ((*first.load(key, facts, {})).hash(), facts.hash);
    // Even a clock that stood still: rock and volumes are made again.
    facts.cost = 0;
    first.save(key, facts, value, {});
    disk.settle();
    EXPECT_EQ(second.find(key)->hash, facts.hash);
    const std::optional<Value> loaded = second.load(key, *second.find(key), {});
    EXPECT_EQ(loaded.has_value(), value.kind().is_kept());
    EXPECT_TRUE(!loaded || loaded->hash() == facts.hash);
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
  EXPECT_CONTAINS(panel(R"("from": "sky", "figure": { "kind": "section" })"), "'section' is not a figure of lines");
  EXPECT_CONTAINS(panel(R"("from": "sky.height")"), "which has no layers");
  EXPECT_CONTAINS(panel(R"("from": "land", "figure": { "kind": "skyline" })"), "not a figure of land");
}

TEST(ValueKinds, TheManifestOfLinesTellsTheWorld) {
  const TemporaryFolder folder;
  run(parse(R"("a.csv": "sky", "a.png": { "from": "sky", "figure": { "kind": "skyline" } })"), folder);
  const auto manifest = manifest_of(folder, "test");
  EXPECT_EQ(manifest["world"]["size"], nlohmann::json({640, 320}));
  EXPECT_TRUE(manifest["lands"].empty());
  EXPECT_EQ(manifest["files"][0]["format"], "CSV");
  EXPECT_NE(test::bytes_of(folder / "out/a.png").find("Lines"), std::string::npos);
  // Beside land, the land's.
  run(parse(R"("a.csv": "sky", "land.tif": "land")"), folder);
  EXPECT_EQ(manifest_of(folder, "test")["lands"].size(), 1u);
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
  for (const std::string& ending : writing_endings(Mesh::kind_name)) {
    SCOPED_TRACE(ending);
    EXPECT_EQ(written(run(mesh_recipe("a" + ending), folder)), (Names{"a" + ending, "mesh.manifest.json"}));
    const Mesh back = read_mesh(folder / ("out/a" + ending), {});
    EXPECT_EQ(back.triangles().size(), 4u);
    EXPECT_EQ(written(run(mesh_recipe("a" + ending), folder)), Names());
    const auto manifest = manifest_of(folder, "mesh");
    EXPECT_EQ(manifest["files"][0]["format"], writing_format("a" + ending, Mesh::kind_name)->name);
  }
  EXPECT_EQ(written(run(mesh_recipe("a.png"), folder)), (Names{"a.png", "mesh.manifest.json"}));
  EXPECT_EQ(written(run(mesh_recipe("a.png"), folder)), Names());
  EXPECT_CONTAINS(refusal([] { check_value_file("a.tif", kind_of<Mesh>(), "node 'm'"); }),
                  "'a.tif' cannot hold meshes, which is what node 'm' gives; extensions for meshes: .glb");
}

TEST(ValueKinds, VolumesAreWrittenAsMeshesAndSamples) {
  const TemporaryFolder folder;
  OutputParams coarse;
  coarse.cell = 10;
  for (const std::string& ending : writing_endings(Mesh::kind_name)) {
    SCOPED_TRACE(ending);
    EXPECT_EQ(written(run(volume_recipe("a" + ending, coarse), folder)), (Names{"a" + ending, "volume.manifest.json"}));
    EXPECT_EQ(written(run(volume_recipe("a" + ending, coarse), folder)), Names());
    const MeshChecks checks = check_mesh(read_mesh(folder / ("out/a" + ending), {}), {});
    EXPECT_EQ(checks.boundary_edges, 0);
    ASSERT_TRUE(checks.volume.has_value());
    EXPECT_NEAR(*checks.volume, 4.0 / 3 * 3.14159265 * 40 * 40 * 40, 2e4);
  }
  run(volume_recipe("b.ply"), folder);
  EXPECT_GT(read_mesh(folder / "out/b.ply", {}).triangles().size(), 10000u);
  for (const SampledQuantity what : {SampledQuantity::field, SampledQuantity::resistance}) {
    OutputParams options;
    options.sample = what;
    options.cell = 20;
    options.low = {100, 0, -50}, options.high = {300, 190, 150};
    EXPECT_EQ(written(run(volume_recipe("s.npy", options), folder))[0], "s.npy");
    const std::string bytes = test::bytes_of(folder / "out/s.npy");
    EXPECT_CONTAINS(bytes.substr(0, 128), "(11, 10, 11)");
    const auto manifest = manifest_of(folder, "volume");
    EXPECT_EQ(manifest["files"][0]["bounds"]["max"], nlohmann::json({300.0, 180.0, 150.0}));
    EXPECT_EQ(manifest["files"][0]["layers"][0], what == SampledQuantity::field ? "field" : "resistance");
    EXPECT_EQ(written(run(volume_recipe("s.npy", options), folder)), Names());
    EXPECT_EQ(written(run(volume_recipe("s.vti", options), folder))[0], "s.vti");
    EXPECT_CONTAINS(test::bytes_of(folder / "out/s.vti").substr(0, 400), "ImageData");
  }
  // The middle of the ball is rock, its corners are air: value (5, 5 from the south, 5) of 11 x 10 x 11 points.
  OutputParams field;
  field.cell = 20;
  field.low = {100, 0, -50}, field.high = {300, 190, 150};
  run(volume_recipe("s.npy", field), folder);
  const std::string bytes = test::bytes_of(folder / "out/s.npy");
  const auto value = [&](size_t k, size_t row, size_t column) {
    float v = 0;
    std::memcpy(&v, bytes.data() + bytes.size() - 4 * 11 * 10 * 11 + 4 * ((k * 10 + row) * 11 + column), sizeof v);
    return v;
  };
  EXPECT_FLOAT_EQ(value(5, 5, 5), 7.5f);
  EXPECT_FLOAT_EQ(value(0, 0, 0), -7.5f);
}

TEST(ValueKinds, VolumesAreShownAndCut) {
  const TemporaryFolder folder;
  EXPECT_EQ(written(run(volume_recipe("a.png"), folder))[0], "a.png");
  Plan cut = volume_recipe("a.png");
  cut.outputs[0].render->cut = PictureCut::half;
  EXPECT_EQ(written(run(cut, folder))[0], "a.png");
  EXPECT_EQ(written(run(cut, folder)), Names());
  Plan figure = volume_recipe("a.svg");
  figure.outputs[0].figure = section();
  EXPECT_EQ(written(run(figure, folder))[0], "a.svg");
}

TEST(ValueKinds, SamplesThatAreTooManyAreRefusedBeforeTheyAreTaken) {
  const TemporaryFolder folder;
  OutputParams fine;
  fine.cell = 0.01;
  EXPECT_CONTAINS(refusal([&] { run(volume_recipe("a.vti", fine), folder); }), "at most 1e+09 are allowed; cell = ");
  EXPECT_CONTAINS(refusal([&] { run(volume_recipe("a.glb", fine), folder); }), "cell");
  OutputParams upside_down;
  upside_down.low = {0, 0, 5}, upside_down.high = {1, 1, 0};
  EXPECT_CONTAINS(refusal([&] { run(volume_recipe("a.npy", upside_down), folder); }), "\"low\" must lie below");
  EXPECT_FALSE(fs::exists(folder / "out/a.vti"));
}

TEST(ValueKinds, OptionsBelongToTheirKind) {
  EXPECT_TRUE(takes_option(kind_of<Volume>(), "a.glb", "cell"));
  EXPECT_TRUE(takes_option(kind_of<Volume>(), "a.vti", "sample"));
  EXPECT_TRUE(takes_option(kind_of<Mesh>(), "a.glb", "quantise"));
  EXPECT_TRUE(takes_option(kind_of<Geology>(), "a.npy", "cell"));
  EXPECT_TRUE(takes_option(kind_of<Terrain>(), "a.npy", "tiles"));
  for (const auto& [type, file, option] :
       {std::tuple{&kind_of<Terrain>(), "a.glb", "cell"}, std::tuple{&kind_of<Terrain>(), "a.npy", "sample"},
        std::tuple{&kind_of<Mesh>(), "a.glb", "cell"}, std::tuple{&kind_of<Volume>(), "a.glb", "sample"},
        std::tuple{&kind_of<Volume>(), "a.vti", "tiles"}, std::tuple{&kind_of<Mesh>(), "a.ply", "quantise"}}) {
    SCOPED_TRACE(std::string(file) + " " + option);
    EXPECT_FALSE(takes_option(*type, file, option));
    EXPECT_CONTAINS(refusal([&, type = type, file = file, option = option] { require_option(*type, file, option); }),
                    std::string("'") + option + "' does not apply to");
  }
}

TEST(ValueKinds, SamplesOfRockFollowTheWorld) {
  const TemporaryFolder folder;
  const auto rock = [](double side) {
    Plan recipe = rock_recipe(50, side, "rho.npy");
    recipe.outputs[0].options.cell = 40;
    return recipe;
  };
  EXPECT_EQ(written(run(rock(640), folder))[0], "rho.npy");
  EXPECT_CONTAINS(test::bytes_of(folder / "out/rho.npy").substr(0, 128), "17, 17)");
  EXPECT_EQ(written(run(rock(640), folder)), Names());
  EXPECT_EQ(written(run(rock(320), folder))[0], "rho.npy");
  EXPECT_CONTAINS(test::bytes_of(folder / "out/rho.npy").substr(0, 128), "9, 9)");
}

TEST(ValueKinds, TheWorldMayComeFromANode) {
  const TemporaryFolder folder;
  test::put_bytes(folder / "a.asc", "ncols 5\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n" +
                                        std::string("1 2 3 4 5\n") + "1 2 3 4 5\n1 2 3 4 5\n");
  const Plan recipe = plan(parse_recipe({folder / "r.json", R"({ "tepui": 1, "world": { "from": "in" }, "nodes": {
    "in": { "op": "read", "file": "a.asc" }, "sky": { "op": "skyline", "points": 5 } }, "outputs": { "a.csv": "sky" } })"}));
  ValueCache cache(0);
  const Frame world = world_frame(recipe, cache, {});
  EXPECT_EQ(world.width, 5);
  EXPECT_EQ(world.height, 3);
  const Evaluation made = evaluate(recipe, {1}, cache, {});
  EXPECT_EQ(get<Lines>(made.values[0]).vertices().back().x, world.origin.x + world.size.x);
  run(recipe, folder);
  const auto manifest = manifest_of(folder, "r");
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

}  // namespace tepui::value_kinds_test
