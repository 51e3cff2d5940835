// Values that are no land, as users of the program meet them.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/apps/program.h"
#include "tests/support/contains.h"

namespace tepui::test::values_test {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Outcome must_run(const Words& words, const TemporaryFolder& folder) {
  Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome;
}

/// What the program says as it refuses.
std::string refusal(const Words& words, const TemporaryFolder& folder) {
  const Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
  return outcome.err;
}

void put_recipe(const TemporaryFolder& folder) {
  std::ofstream(folder / "r.json") << R"({ "tepui": 1, "title": "Ridges", "world": { "size": [1000, 500] }, "nodes": {
    "sky": { "op": "skyline", "points": 65, "ranges": 2 }, "land": { "op": "noise", "octaves": 2 } },
    "outputs": { "sky.csv": "sky", "sky.svg": { "from": "sky", "figure": { "kind": "skyline", "title": "Far" } } } })";
}

}  // namespace

TEST(Values, MakeWritesLinesAndTheirPicture) {
  const TemporaryFolder folder;
  const Outcome made =
      must_run({"make", "skyline points=9 ranges=2", "-o", "x.csv", "-o", "x.svg", "-o", "x.png"}, folder);
  EXPECT_CONTAINS(made.out, "2 lines, 18 points");
  const std::string csv = contents(folder / "x.csv");
  EXPECT_TRUE(csv.starts_with("line,x,y,z\nrange 1,0,2048,")) << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 19);
  EXPECT_CONTAINS(contents(folder / "x.svg"), "linearGradient");
  EXPECT_CONTAINS(contents(folder / "x.png").substr(0, 8), "PNG");
  EXPECT_CONTAINS(contents(folder / "x.manifest.json"), "\"CSV\"");
  // Without a name, a picture.
  must_run({"make", "skyline"}, folder);
  EXPECT_TRUE(fs::exists(folder / "lines.png"));
  EXPECT_FALSE(fs::exists(folder / "land.png"));
  const Outcome recipe = must_run({"make", "skyline", "--recipe"}, folder);
  std::ofstream(folder / "lines.json") << recipe.out;
  must_run({"run", "lines.json", "-o", "out"}, folder);
  EXPECT_TRUE(contents(folder / "out/lines.png") == contents(folder / "lines.png"));
  EXPECT_CONTAINS(refusal({"make", "skyline", "-o", "x.tif"}, folder), "cannot hold lines");
  EXPECT_CONTAINS(refusal({"make", "noise", "-o", "x.csv"}, folder), "cannot hold land");
  EXPECT_CONTAINS(refusal({"make", "skyline | levelling"}, folder), "pipe land into 'levelling'");
}

TEST(Values, InfoTellsOfLines) {
  const TemporaryFolder folder;
  put_recipe(folder);
  const auto told = must_run({"info", "r.json#sky", "--json"}, folder).json();
  EXPECT_EQ(told["kind"], "lines");
  EXPECT_EQ(told["lines"], 2);
  EXPECT_EQ(told["points"], 130);
  EXPECT_GT(told["length"], 2000);
  EXPECT_EQ(told["bounds"]["max"][0], 1000.0);
  EXPECT_EQ(told["bounds"]["max"][1], 500.0);
  EXPECT_TRUE(told["attributes"].is_array());
  const std::string plain = must_run({"info", "r.json#sky"}, folder).out;
  EXPECT_CONTAINS(plain, "points               130");
  EXPECT_CONTAINS(refusal({"info", "r.json#sky.height"}, folder), "node 'sky' gives lines, which has no layers");
}

TEST(Values, CommandsForLandSayWhatToUseInstead) {
  const TemporaryFolder folder;
  put_recipe(folder);
  for (const Words& words : {Words{"render", "r.json#sky", "-o", "a.png"}, Words{"bake", "r.json#sky", "-o", "maps"},
                             Words{"compare", "r.json#sky", "r.json#land"}}) {
    const std::string message = refusal(words, folder);
    EXPECT_CONTAINS(message, "'r.json#sky' is lines, not land");
    EXPECT_CONTAINS(message, "tepui figure skyline r.json#sky");
  }
  EXPECT_FALSE(fs::exists(folder / "a.png"));
  must_run({"convert", "r.json#sky", "b.csv"}, folder);
  EXPECT_TRUE(contents(folder / "b.csv").starts_with("line,x,y,z\n"));
  EXPECT_CONTAINS(refusal({"convert", "r.json#sky", "b.tif"}, folder), "cannot hold lines");
  EXPECT_CONTAINS(refusal({"convert", "r.json#sky", "b.csv", "--layer", "height"}, folder), "--layer");
  EXPECT_CONTAINS(refusal({"convert", "r.json#land", "b.csv"}, folder), ".tif");
  EXPECT_CONTAINS(refusal({"convert", "r.json#sky", "c.csv", "--out", "tiles=2,2"}, folder), "'tiles'");
}

TEST(Values, FiguresOfLines) {
  const TemporaryFolder folder;
  put_recipe(folder);
  const auto svg =
      must_run({"figure", "skyline", "r.json#sky", "-o", "a.svg", "--title", "Far away", "--json"}, folder);
  EXPECT_EQ(svg.json()["kind"], "skyline");
  EXPECT_CONTAINS(contents(folder / "a.svg"), "Far away");
  EXPECT_CONTAINS(contents(folder / "a.svg"), "Lines: ");
  const auto bare = must_run(
      {"figure", "skyline", "r.json#sky", "-o", "b.png", "--size", "320x180", "--set", "axes=false", "--json"}, folder);
  EXPECT_EQ(bare.json()["width"], 320);
  EXPECT_EQ(bare.json()["height"], 180);
  const auto sheet = must_run(
      {"figure", "sheet", "r.json#sky", "--sweep", "sky.peaks=3,30,300", "-o", "s.png", "--size", "160x90", "--json"},
      folder);
  EXPECT_EQ(sheet.json()["pictures"], 3);
  EXPECT_GT(sheet.json()["width"], 480);
  // Ridges and land beside each other.
  must_run({"figure", "pair", "r.json#sky", "r.json#land", "-o", "p.png", "--size", "160x90", "--set", "samples=1",
            "--resolution", "17"},
           folder);
  must_run({"figure", "timelapse", "r.json#sky", "--sweep", "sky.peaks=3..5", "-o", "t.webp", "--size", "64x36"},
           folder);
  EXPECT_CONTAINS(refusal({"figure", "section", "r.json#sky", "-o", "a.png"}, folder),
                  "'section' is not a figure of lines");
  EXPECT_CONTAINS(refusal({"figure", "turntable", "r.json#sky", "-o", "a.webp"}, folder), "not a figure of lines");
  EXPECT_CONTAINS(refusal({"figure", "skyline", "r.json#land", "-o", "a.png"}, folder), "not a figure of land");
  EXPECT_CONTAINS(refusal({"figure", "skyline", "r.json#sky.z", "-o", "a.png"}, folder), "has no layers");
}

TEST(Values, VolumesAndMeshesAreToldWrittenAndShown) {
  const TemporaryFolder folder;
  std::ofstream(folder / "v.json") << R"({ "tepui": 1, "world": { "size": 200, "resolution": 33 }, "nodes": {
    "land": { "op": "noise", "octaves": 2 }, "rock": { "op": "implicitize", "in": "land" },
    "balls": { "op": "sculpt", "strokes": [{ "at": [50, 50, 20] }, { "at": [60, 50, 20] }] },
    "many": { "op": "instances", "in": "balls", "onto": "rock" },
    "mesh": { "op": "polygonize", "in": "rock", "cell": 8 } }, "outputs": { "a.glb": { "from": "rock", "cell": 10 } } })";
  const auto volume = must_run({"info", "v.json#rock", "--json"}, folder).json();
  EXPECT_EQ(volume["kind"], "volume");
  EXPECT_EQ(volume["threshold"], 7.5);
  EXPECT_EQ(volume["nodes"], 1);
  EXPECT_EQ(volume["primitives"], 0);
  // Copies share theirs.
  for (const char* name : {"v.json#balls", "v.json#many"})
    EXPECT_EQ(must_run({"info", name, "--json"}, folder).json()["primitives"], 2) << name;
  EXPECT_LE(volume["bounds"]["min"][0], 0.0);
  EXPECT_GE(volume["bounds"]["max"][1], 200.0);
  const auto mesh = must_run({"info", "v.json#mesh", "--json"}, folder).json();
  EXPECT_EQ(mesh["kind"], "mesh");
  EXPECT_EQ(mesh["boundary_edges"], 0);
  EXPECT_EQ(mesh["components"], 1);
  EXPECT_GT(mesh["volume"], 0);
  must_run({"run", "v.json", "-o", "out"}, folder);
  const auto stored = must_run({"info", "out/a.glb", "--json"}, folder).json();
  EXPECT_LT(stored["triangles"], mesh["triangles"]);
  must_run({"convert", "v.json#rock", "f.vti", "--out", "cell=20"}, folder);
  must_run({"convert", "v.json#rock", "f.ply", "--out", "cell=20"}, folder);
  must_run({"convert", "v.json#mesh", "m.stl"}, folder);
  const Words small{"--size", "64x48", "--set", "samples=1"};
  for (const Words& words : {Words{"render", "v.json#rock", "-o", "r.png", "--set", "cut=half"},
                             Words{"render", "v.json#mesh", "-o", "m.png"}}) {
    Words all = words;
    all.insert(all.end(), small.begin(), small.end());
    must_run(all, folder);
  }
  must_run({"figure", "section", "v.json#rock", "-o", "s.svg"}, folder);
  EXPECT_CONTAINS(refusal({"figure", "section", "v.json#mesh", "-o", "s.svg"}, folder), "not a figure of meshes");
  EXPECT_CONTAINS(refusal({"render", "v.json#mesh", "-o", "m.png", "--set", "cut=half"}, folder),
                  "only applies to a volume");
  EXPECT_CONTAINS(refusal({"convert", "v.json#mesh", "m.glb", "--out", "cell=2"}, folder), "'cell' does not apply to");
  EXPECT_CONTAINS(refusal({"convert", "v.json#rock", "r.tif"}, folder), "cannot hold volumes");
  must_run({"make", "noise octaves=2 | implicitize", "-o", "w.glb", "-o", "w.svg", "--resolution", "17", "--out",
            "cell=100"},
           folder);
}

TEST(Values, RockIsToldAndCut) {
  const TemporaryFolder folder;
  std::ofstream(folder / "rock.json") << R"({ "tepui": 1, "world": { "size": 1000, "resolution": 33 }, "nodes": {
    "rock": { "op": "strata", "beds": "shale:40:0.2,sandstone:60:0.9", "dip": 5 } },
    "outputs": { "rock.svg": { "from": "rock", "figure": { "kind": "section" } } } })";
  const auto told = must_run({"info", "rock.json#rock", "--json"}, folder).json();
  EXPECT_EQ(told["kind"], "geology");
  EXPECT_EQ(told["rocks"].size(), 2u);
  EXPECT_EQ(told["rocks"][1]["name"], "sandstone");
  EXPECT_EQ(told["levels"].size(), 2u);
  EXPECT_GT(told["bytes"], 0);
  EXPECT_CONTAINS(must_run({"info", "rock.json#rock"}, folder).out, "rock                 {\"name\":\"shale\"");
  must_run({"run", "rock.json", "-o", "out"}, folder);
  for (const char* part : {"shale", "sandstone", "resistance"})
    EXPECT_CONTAINS(contents(folder / "out/rock.svg"), part);
  must_run({"figure", "section", "rock.json#rock", "-o", "cut.svg", "--set", "from=0,0", "--set", "to=1000,1000",
            "--set", "range=-50..200", "--title", "A cut"},
           folder);
  EXPECT_CONTAINS(contents(folder / "cut.svg"), "A cut");
  EXPECT_CONTAINS(contents(folder / "cut.svg"), "Rock: ");
  const auto sheet =
      must_run({"figure", "sheet", "rock.json#rock", "--sweep", "rock.dip=0,5,20", "-o", "s.png", "--json"}, folder);
  EXPECT_EQ(sheet.json()["pictures"], 3);
  must_run({"make", "strata dip=3"}, folder);
  EXPECT_TRUE(fs::exists(folder / "rock.png"));
  EXPECT_CONTAINS(refusal({"render", "rock.json#rock", "-o", "a.png"}, folder), "tepui figure section rock.json#rock");
  EXPECT_CONTAINS(refusal({"figure", "map", "rock.json#rock", "-o", "a.png"}, folder), "figures of rock: section");
  EXPECT_CONTAINS(refusal({"make", "strata", "-o", "rock.csv"}, folder), "extensions for rock: .npy, .vti");
  EXPECT_CONTAINS(refusal({"convert", "rock.json#rock", "rock.csv"}, folder), "cannot hold rock");
  // Each port takes the latest value of its kind.
  must_run({"make", "circular_faults | strata | gradation", "--resolution", "33", "-o", "land.tif"}, folder);
}

TEST(Values, RunKeepsWhatIsThere) {
  const TemporaryFolder folder;
  put_recipe(folder);
  const Words words{"run", "r.json", "-o", "out", "--json", "--cache", folder / "cache"};
  const auto first = must_run(words, folder).json(), again = must_run(words, folder).json();
  EXPECT_EQ(first["nodes"].size(), 1u);
  EXPECT_EQ(again["nodes"][0]["cached"], true);
  for (const auto& output : again["outputs"]) EXPECT_EQ(output["kept"], true) << output;
  Words edited = words;
  edited.insert(edited.end(), {"--set", "sky.ruggedness=3"});
  EXPECT_EQ(must_run(edited, folder).json()["nodes"][0]["cached"], false);
}

TEST(Values, AreInThePagesAndTheCompletion) {
  const TemporaryFolder folder;
  must_run({"docs", "--draft", "--only", "skyline", "-o", "pages"}, folder);
  const std::string page = contents(folder / "pages/skyline.html");
  EXPECT_CONTAINS(page, "Gives lines");
  EXPECT_CONTAINS(page, "lines made with skyline");
  EXPECT_TRUE(fs::exists(folder / "pages/pictures/skyline.webp"));
  EXPECT_TRUE(fs::exists(folder / "pages/pictures/skyline-ranges-3.webp"));
  EXPECT_CONTAINS(must_run({"complete", "figure", "s"}, folder).out, "skyline\t");
  EXPECT_CONTAINS(must_run({"complete", "figure", "skyline", "--set", ""}, folder).out, "axes=\t");
  EXPECT_CONTAINS(must_run({"explain", "skyline"}, folder).out, "Gives lines");
  EXPECT_CONTAINS(must_run({"make", "--help"}, folder).out, ".csv");
}

}  // namespace tepui::test::values_test
