// The program as its users meet it: words in, files, JSON, messages and exit codes out.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/apps/program.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::test::command_test {

namespace {

namespace fs = std::filesystem;

const std::string recipes = fs::absolute("recipes").string();

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A request that is wrong: exit 2, one message that holds `part`, and the same as JSON.
void expect_refused(const std::vector<std::string>& words, const std::string& folder, const std::string& part) {
  const Outcome plain = run_program(words, folder);
  EXPECT_EQ(plain.exit_code, 2) << plain.err;
  EXPECT_TRUE(contains(plain.err, part)) << plain.err << "\nlacks: " << part;
  EXPECT_EQ(plain.out, "");
  std::vector<std::string> with_json = words;
  with_json.push_back("--json");
  const Outcome json = run_program(with_json, folder);
  EXPECT_EQ(json.exit_code, 2);
  const auto error = json.json()["error"];
  for (const char* key : {"message", "where", "hint"}) EXPECT_TRUE(error.contains(key)) << key;
}

}  // namespace

TEST(Help, FitsOneScreenAndEveryCommandShowsExamples) {
  const TemporaryFolder folder;
  const Outcome help = run_program({"--help"}, folder.path());
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 29);
  for (const char* command : {"run", "make", "ops", "explain", "schema", "docs", "check", "info", "compare", "render",
                              "figure", "bake", "presets", "new", "rules", "studio", "bench"}) {
    EXPECT_TRUE(contains(help.out, std::string("  ") + command + " ")) << command;
    const Outcome own = run_program({command, "--help"}, folder.path());
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_TRUE(contains(own.out, std::string("  tepui ") + command)) << own.out;
  }
  EXPECT_TRUE(contains(run_program({"--version"}, folder.path()).out, "tepui 0."));
}

TEST(Run, WritesItsOutputsAndTellsOfThem) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program({"run", recipes + "/mesa.json", "-o", "made", "--resolution", "65", "--json", "--set", "samples=2"},
                  folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto object = outcome.json();
  EXPECT_EQ(object["seed"], 2);
  EXPECT_EQ(object["nodes"].size(), 4u);
  for (const auto& node : object["nodes"])
    for (const char* key : {"name", "op", "seconds", "bytes", "hash", "cached"}) EXPECT_TRUE(node.contains(key)) << key;
  EXPECT_EQ(object["outputs"].size(), 7u);
  for (const auto& output : object["outputs"]) {
    const std::string path = folder / output["path"].get<std::string>();
    EXPECT_EQ(fs::file_size(path), output["bytes"].get<size_t>()) << path;
  }
}

TEST(Run, TilesAreFilesOfTheirOwn) {
  const TemporaryFolder folder;
  std::ofstream(folder / "t.json") << R"({ "tepui": 1, "vars": { "columns": [2, 2] },
    "world": { "size": [64, 64], "resolution": 65 }, "nodes": { "a": { "op": "noise" } },
    "outputs": { "t{x}/h_{y}.r16": { "from": "a", "tiles": "$columns", "range": [-100, 900] },
                 "c.tif": { "from": "a", "cog": true } } })";
  const Outcome outcome = run_program({"run", "t.json", "--json"}, folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto object = outcome.json();
  ASSERT_EQ(object["outputs"].size(), 6u);
  EXPECT_EQ(object["outputs"][1]["path"], "out/t1/h_0.r16");
  const auto manifest = nlohmann::json::parse(files_of(folder / "out").at("t.manifest.json"));
  EXPECT_EQ(manifest["files"][1]["name"], "t1/h_0.r16");
  EXPECT_EQ(manifest["files"][1]["origin"], (nlohmann::json{32.0, 32.0}));
  EXPECT_EQ(manifest["files"][1]["offset"], -100);
  // One output alone keeps what the manifest says of the tiles.
  ASSERT_EQ(run_program({"run", "t.json", "--only", "c.tif"}, folder.path()).exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(files_of(folder / "out").at("t.manifest.json"))["files"].size(), 5u);
  const Outcome odd = run_program({"run", "t.json", "--resolution", "64"}, folder.path());
  EXPECT_EQ(odd.exit_code, 2);
  EXPECT_TRUE(contains(odd.err, "a resolution of 63 or 65 would fit")) << odd.err;
}

TEST(Make, OutOptionsGoToTheFilesThatTakeThem) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({"make", "noise", "-o", "a.png", "-o", "a.tif", "--out", "range=0..1000", "--out",
                                       "tiles=2,2", "--resolution", "33", "--json"},
                                      folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["outputs"].size(), 9u);
  const Outcome none = run_program({"make", "noise", "-o", "a.png", "--out", "cog=true"}, folder.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "applies to .tif")) << none.err;
  EXPECT_TRUE(contains(run_program({"make", "noise", "-o", "a.png", "--out", "rang=1"}, folder.path()).err,
                       "did you mean 'range'"));
}

TEST(Run, SameRecipeSameBytesInAnyFolderAtAnyThreadCount) {
  const TemporaryFolder folder, elsewhere;
  EXPECT_EQ(run_program({"run", recipes + "/mesa.json", "--resolution", "65", "--threads", "1", "--set", "samples=2"},
                        folder.path())
                .exit_code,
            0);
  EXPECT_EQ(run_program({"run", recipes + "/mesa.json", "--resolution", "65", "--threads", "7", "-o", "a/b", "--set",
                         "samples=2"},
                        elsewhere.path())
                .exit_code,
            0);
  const auto here = files_of(folder / "out"), there = files_of(elsewhere / "a/b");
  EXPECT_EQ(here.size(), 7u);
  ASSERT_EQ(here.size(), there.size());
  for (const auto& [name, bytes] : here) {
    EXPECT_TRUE(there.at(name) == bytes) << name;
    EXPECT_FALSE(contains(bytes, folder.path())) << name << " holds a path";
  }
}

TEST(Run, SeedVariablesAndOnlyDoWhatTheySay) {
  const TemporaryFolder folder;
  const auto hash = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", "mesa", "--resolution", "33", "--only", "mesa.tif", "--json", "-o", "x"};
    words.insert(words.end(), more.begin(), more.end());
    const auto object = run_program(words, folder.path()).json();
    EXPECT_EQ(object["outputs"].size(), 2u);
    return object["outputs"][0]["hash"].get<std::string>();
  };
  const std::string first = hash({});
  EXPECT_EQ(hash({"--seed", "2"}), first);
  EXPECT_NE(hash({"--seed", "3"}), first);
  EXPECT_NE(hash({"--set", "age=0.3"}), first);
  EXPECT_EQ(hash({"--set", "mesa.erosion=0.65"}), first);
  expect_refused({"run", "mesa", "--only", "mesa.tiff"}, folder.path(), "did you mean 'mesa.tif'?");
}

TEST(Run, InterruptStopsItAndLeavesNoHalfFile) {
  const TemporaryFolder folder;
  write(folder / "slow.json", R"({ "tepui": 1, "world": { "size": 6000, "resolution": 6001 }, "nodes": {
    "a": { "op": "circular_faults", "faults": 200000, "radius": [500, 1500] } }, "outputs": { "a.tif": "a" } })");
  Program program({"run", "slow.json"}, folder.path());
  // Made before the long work begins.
  ASSERT_TRUE(program.wait_until([&] { return fs::exists(folder / "out"); })) << program.err();
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_TRUE(files_of(folder / "out").empty());
}

TEST(Run, WrongRecipesAreRefusedWithTheirPlace) {
  const TemporaryFolder folder;
  write(folder / "op.json", "{ \"tepui\": 1,\n  \"nodes\": { \"a\": { \"op\": \"nois\" } } }");
  expect_refused({"run", "op.json"}, folder.path(), "op.json:2:27: there is no operator 'nois'");
  write(folder / "deep.json", std::string(100000, '['));
  expect_refused({"run", "deep.json"}, folder.path(), "deep.json:1:65");
  write(folder / "nan.json", "{ \"tepui\": 1, \"seed\": NaN }");
  expect_refused({"check", "nan.json"}, folder.path(), "nan.json:1:23");
  write(
      folder / "big.json",
      R"({ "tepui": 1, "world": { "resolution": 5000000 }, "nodes": { "a": { "op": "noise" } }, "outputs": { "a.tif": "a" } })");
  expect_refused({"run", "big.json"}, folder.path(), "5000000 x 5000000");
  expect_refused({"run", "no_such.json"}, folder.path(), "no_such.json");
  expect_refused({"run", "mesa", "--set", "agee=1"}, folder.path(), "did you mean 'age'?");
  expect_refused({"run", "mesa", "--simd", "MMX"}, folder.path(), "SIMD level 'MMX'");
}

TEST(Run, EveryPresetRunsByNameInAnEmptyFolder) {
  for (const char* preset : {"butte", "highland", "imported_land", "mesa"}) {
    const TemporaryFolder folder;
    std::vector<std::string> words{"run", preset, "--set", "samples=1"};
    if (std::string(preset) != "imported_land") words.insert(words.end(), {"--resolution", "33"});
    const Outcome outcome = run_program(words, folder.path());
    EXPECT_EQ(outcome.exit_code, 0) << preset << ": " << outcome.err;
    EXPECT_GE(files_of(folder / "out").size(), 4u);
  }
}

TEST(Run, OnlyKeepsTheRecordsOfOtherFiles) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", "mesa", "--resolution", "33", "--set", "samples=1"}, folder.path()).exit_code, 0);
  ASSERT_EQ(
      run_program({"run", "mesa", "--resolution", "33", "--only", "mesa.png", "--set", "samples=1"}, folder.path())
          .exit_code,
      0);
  const auto same = run_program({"compare", "out/mesa.tif", "out/mesa_height.png", "--json"}, folder.path()).json();
  EXPECT_LT(same["max_abs"], 0.01);
  EXPECT_EQ(nlohmann::json::parse(contents(folder / "out/mesa.manifest.json"))["files"].size(), 6u);
}

TEST(Run, NothingIsWrittenWhereOneOutputCannotBe) {
  const TemporaryFolder folder;
  expect_refused({"make", "noise", "--resolution", "1", "-o", "a.tif", "-o", "a.glb"}, folder.path(), "a.glb");
  EXPECT_TRUE(files_of(folder.path()).empty());
}

TEST(Run, NamesThatAreNotUtf8DoNotBreakTheAnswer) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program({"run", "mesa", "--resolution", "17", "--only", "mesa.tif", "-o", "o\xff", "--json"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["outputs"].size(), 2u);
}

TEST(Words, WrongOnesGetTheNearestRightOne) {
  const TemporaryFolder folder;
  expect_refused({"rum"}, folder.path(), "did you mean 'run'?");
  expect_refused({"run", "masa"}, folder.path(), "did you mean 'mesa'?");
  expect_refused({"run", "mesa", "--seed", "-3"}, folder.path(), "not a whole number");
  expect_refused({"run", "mesa", "--seed", ""}, folder.path(), "not a whole number");
  expect_refused({"make", "noise", "--resolution", "0"}, folder.path(), "from 1 to");
  expect_refused({"info", recipes + "/mesa.json"}, folder.path(), "mesa.json#faults");
  expect_refused({"run", "mesa", "--sed", "3"}, folder.path(), "did you mean '--seed'?");
  expect_refused({"explain", "gradatoin"}, folder.path(), "did you mean 'gradation'?");
  expect_refused({"new", "mesaa", "-o", "x.json"}, folder.path(), "did you mean 'mesa'?");
  expect_refused({"bench", "generate/circular_fault/3000x3000"}, folder.path(),
                 "did you mean 'generate/circular_faults");
}

TEST(Words, SeedsGoAsFarAsThoseOfRecipes) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program(
      {"make", "noise", "--resolution", "9", "-o", "a.tif", "--seed", "9223372036854775807", "--json"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["seed"], 9223372036854775807);
  expect_refused({"run", "mesa", "--seed", "9223372036854775808"}, folder.path(), "is more than 9223372036854775807");
}

TEST(Make, IsTheSameEngineAsRun) {
  const TemporaryFolder folder;
  const std::string line = "circular_faults faults=50 radius=1..350 | materials count=5 | gradation erosion=0.65";
  const std::vector<std::string> size{"--resolution", "65", "--seed", "3", "-o", "mesa.tif"};
  std::vector<std::string> make{"make", line, "--json"}, print{"make", line, "--recipe"};
  make.insert(make.end(), size.begin(), size.end());
  print.insert(print.end(), size.begin(), size.end());
  const Outcome made = run_program(make, folder.path());
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome printed = run_program(print, folder.path());
  write(folder / "printed.json", printed.out);
  const Outcome run = run_program({"run", "printed.json", "--json", "-o", "again"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(made.json()["outputs"][0]["hash"], run.json()["outputs"][0]["hash"]);
}

TEST(Make, WithoutOutputsTellsFiguresAndDrawsOnePicture) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({"make", "noise octaves=4", "--resolution", "33"}, folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "33 x 33 samples")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "height")) << outcome.out;
  EXPECT_TRUE(fs::exists(folder / "land.png"));
}

TEST(Make, ErrorsShowACaretUnderTheWord) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({"make", "noise | gradation erosion=2"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "  noise | gradation erosion=2\n  " + std::string(26, ' ') + "^\n")) << outcome.err;
}

TEST(Info, TellsOfRastersMeshesAndNodes) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      run_program({"make", "noise", "--size", "640", "--resolution", "65", "-o", "a.tif", "-o", "a.png", "-o", "a.glb"},
                  folder.path())
          .exit_code,
      0);
  const auto raster = run_program({"info", "a.tif", "--json"}, folder.path()).json();
  for (const char* key :
       {"kind", "width", "height", "cell", "min", "max", "mean", "nodata_cells", "crs", "registration", "layers"})
    EXPECT_TRUE(raster.contains(key)) << key;
  EXPECT_EQ(raster["kind"], "terrain");
  EXPECT_EQ(raster["width"], 65);
  EXPECT_EQ(raster["cell"], nlohmann::json({10.0, 10.0}));
  EXPECT_EQ(raster["registration"], "point");
  const auto mesh = run_program({"info", "a.glb", "--json"}, folder.path()).json();
  for (const char* key : {"kind", "vertices", "triangles", "components", "boundary_edges", "nonmanifold_edges",
                          "degenerate_triangles", "genus", "volume", "area", "bounds"})
    EXPECT_TRUE(mesh.contains(key)) << key;
  // Land leaves with as few triangles as show it.
  EXPECT_LT(mesh["vertices"], 65 * 65);
  EXPECT_LT(mesh["triangles"], 2 * 64 * 64);
  EXPECT_GT(mesh["triangles"], 2 * 16 * 16);
  const auto node = run_program({"info", recipes + "/mesa.json#rock.material", "--json"}, folder.path()).json();
  EXPECT_EQ(node["width"], 1025);
  EXPECT_EQ(node["max"], 4);
  EXPECT_EQ(node["hash"].get<std::string>().size(), 32);
  expect_refused({"info", "no.tif"}, folder.path(), "no.tif");
  expect_refused({"info", recipes + "/mesa.json#rok"}, folder.path(), "did you mean 'rock'?");
}

TEST(Info, StatisticsAreTextJsonOrATable) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      run_program({"make", "noise", "--size", "640", "--resolution", "65", "-o", "a.tif", "-o", "a.glb"}, folder.path())
          .exit_code,
      0);
  const auto told = run_program({"info", "a.tif", "--stats", "--json"}, folder.path()).json();
  EXPECT_EQ(told["width"], 65);
  const auto& numbers = told["statistics"];
  EXPECT_EQ(numbers.size(), 17u);
  EXPECT_LT(numbers["height_p5"], numbers["height_p95"]);
  EXPECT_GT(numbers["hypsometric_integral"], 0);
  EXPECT_GT(numbers["drainage_density"], 0);
  const Outcome table = run_program({"info", "a.tif", "--csv"}, folder.path());
  EXPECT_TRUE(table.out.starts_with("name,value,unit\nheight_p5,")) << table.out;
  EXPECT_EQ(std::ranges::count(table.out, '\n'), 18);
  EXPECT_CONTAINS(run_program({"info", "a.tif", "--stats"}, folder.path()).out, "slope_p50");
  const Outcome both = run_program({"info", "a.tif", "--csv", "--json"}, folder.path());
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_CONTAINS(both.out, "JSON or CSV");
  expect_refused({"info", "a.glb", "--stats"}, folder.path(), "a.glb");
}

TEST(Compare, TellsHowTwoLandsDiffer) {
  const TemporaryFolder folder;
  for (const auto& [name, height] : std::map<std::string, std::string>{{"a", "100"}, {"b", "100"}, {"c", "200"}})
    ASSERT_EQ(run_program({"make", "noise height=" + height, "--resolution", "33", "-o", name + ".tif"}, folder.path())
                  .exit_code,
              0);
  const auto same = run_program({"compare", "a.tif", "b.tif", "--json"}, folder.path()).json();
  EXPECT_EQ(same["equal"], true);
  EXPECT_EQ(same["max_abs"], 0);
  const auto other = run_program({"compare", "a.tif", "c.tif", "--json"}, folder.path()).json();
  EXPECT_EQ(other["equal"], false);
  const auto single = run_program({"info", "a.tif", "--json"}, folder.path()).json();
  EXPECT_NEAR(other["max_abs"], single["max"], 1e-3);
  EXPECT_NEAR(other["mean"], single["mean"], 1e-3);
  EXPECT_GT(other["rmse"], other["mean"]);
  ASSERT_EQ(run_program({"make", "noise", "--resolution", "17", "-o", "small.tif"}, folder.path()).exit_code, 0);
  expect_refused({"compare", "a.tif", "small.tif"}, folder.path(), "33 x 33");
}

TEST(Render, DrawsFilesAndNodes) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program({"make", "noise", "--resolution", "33", "-o", "a.tif"}, folder.path()).exit_code, 0);
  const Outcome outcome =
      run_program({"render", "a.tif", "-o", "a.png", "--size", "320x200", "--set", "camera=three_quarter", "--json"},
                  folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["width"], 320);
  EXPECT_EQ(outcome.json()["height"], 200);
  // As messages write it, and as a line can.
  for (const char* size : {"size=[64, 40]", "size=64,40"})
    EXPECT_EQ(run_program({"render", "a.tif", "-o", "a.png", "--set", size, "--json"}, folder.path()).json()["width"],
              64)
        << size;
  expect_refused({"render", "a.tif", "-o", "a.jpg"}, folder.path(), "must end in .png");
  expect_refused({"render", "a.tif", "-o", "a.png", "--set", "camra=top"}, folder.path(), "did you mean 'camera'?");
}

TEST(New, StartsARecipeThatRuns) {
  const TemporaryFolder folder;
  const auto listed = run_program({"presets", "--json"}, folder.path()).json();
  EXPECT_GE(listed["presets"].size(), 4u);
  for (const auto& preset : listed["presets"]) {
    const std::string name = preset["name"];
    SCOPED_TRACE(name);
    ASSERT_EQ(run_program({"new", name, "-o", name + ".json"}, folder.path()).exit_code, 0);
    const Outcome checked = run_program({"check", name + ".json", "--json"}, folder.path());
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_EQ(checked.json()["valid"], true);
  }
  const Outcome run = run_program({"run", "imported_land.json", "--only", "imported.tif"}, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_refused({"new", "mesa", "-o", "mesa.json"}, folder.path(), "already exists");
}

TEST(Rules, ListPrintAndRefuse) {
  const TemporaryFolder folder;
  const auto listed = run_program({"rules", "--json"}, folder.path()).json()["rules"];
  ASSERT_GE(listed.size(), 5u);
  const auto schema = nlohmann::json::parse(run_program({"rules", "--schema"}, folder.path()).out);
  EXPECT_EQ(schema["required"].size(), 3u);
  const std::string names = run_program({"rules"}, folder.path()).out;
  for (const auto& set : listed) {
    const std::string name = set["name"];
    SCOPED_TRACE(name);
    EXPECT_NE(names.find(set["about"].get<std::string>()), std::string::npos);
    // What is printed is a file of rules of its own, with keys that the schema knows.
    const auto rules = nlohmann::json::parse(run_program({"rules", name}, folder.path()).out);
    EXPECT_EQ(rules["about"], set["about"]);
    for (const auto& [key, value] : rules.items()) EXPECT_TRUE(schema["properties"].contains(key)) << key;
    for (const auto& shape : rules["shapes"])
      for (const auto& [key, value] : shape.items())
        EXPECT_TRUE(schema["properties"]["shapes"]["additionalProperties"]["properties"].contains(key)) << key;
  }
  expect_refused({"rules", "goblin"}, folder.path(), "did you mean 'goblins'?");
  expect_refused({"rules", "goblins", "--schema"}, folder.path(), "one schema");
  EXPECT_NE(run_program({"complete", "rules", ""}, folder.path()).out.find("goblins\t"), std::string::npos);
}

TEST(Bench, RowHasTheContractsKeys) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({"bench", "core/simplex_fbm_3d", "--json", "--threads", "1"}, folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto object = outcome.json();
  for (const char* key : {"machine", "simd", "rows"}) EXPECT_TRUE(object.contains(key)) << key;
  ASSERT_FALSE(object["rows"].empty());
  for (const char* key : {"name", "size", "threads", "seconds", "reference_seconds", "ratio", "paper_seconds", "hash"})
    EXPECT_TRUE(object["rows"][0].contains(key)) << key;
}

}  // namespace tepui::test::command_test
