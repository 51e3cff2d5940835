#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/apps/program.h"
#include "tests/support/contains.h"

// `tepui figure`, as its users run it.

namespace tepui::test::figure_test {
namespace {

using Words = std::vector<std::string>;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Small land in two steps, with classes.
void make_recipe(const TemporaryFolder& folder) {
  std::ofstream(folder / "land.json") << R"({ "tepui": 1, "title": "Small land", "seed": 3,
    "world": { "size": 640, "resolution": 33, "sea_level": 20 }, "vars": { "age": 0.5 },
    "nodes": { "hills": { "op": "noise", "height": 200 },
               "rock": { "op": "materials", "in": "hills", "count": 3 },
               "mesa": { "op": "gradation", "in": "rock", "erosion": "$age" } },
    "outputs": { "land.tif": "mesa" } })";
}

/// Makes a figure and gives back what the program tells of it; "small" pictures so that the tests are quick.
nlohmann::json figure(const TemporaryFolder& folder, Words words) {
  words.insert(words.begin(), "figure");
  words.insert(words.end(), {"--json"});
  const Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
  return outcome.exit_code == 0 ? outcome.json() : nlohmann::json();
}

std::string error_of(const TemporaryFolder& folder, Words words) {
  words.insert(words.begin(), "figure");
  const Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  return outcome.err;
}

TEST(Figure, EveryKindOfOneLandIsWrittenAsPngAndSvg) {
  const TemporaryFolder folder;
  make_recipe(folder);
  for (const std::string kind : {"map", "section", "wireframe", "profile", "histogram", "hypsometry", "slope_area",
                                 "long_profile", "chi", "atlas"}) {
    const auto png = figure(folder, {kind, "land.json#mesa", "-o", kind + ".png", "--size", "96x64"});
    EXPECT_EQ(png["kind"], kind);
    EXPECT_GT(png["width"], 96) << kind;
    EXPECT_EQ(png["bytes"], std::filesystem::file_size(folder / (kind + ".png")));
    EXPECT_TRUE(bytes_of(folder / (kind + ".png")).starts_with("\x89PNG"));
    figure(folder, {kind, "land.json", "-o", kind + ".svg", "--size", "96x64", "--title", "Heights of old"});
    const std::string svg = bytes_of(folder / (kind + ".svg"));
    EXPECT_CONTAINS(svg, "<svg");
  }
}

TEST(Figure, PlotsAreWrittenAsNumbers) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const std::map<std::string, std::string> headers{{"profile", "distance_m,height_m\n"},
                                                   {"histogram", "from_m,to_m,share_percent\n"},
                                                   {"hypsometry", "relative_height,share_above,height_m\n0,1,"},
                                                   {"slope_area", "area_m2,slope,samples\n"},
                                                   {"chi", "river,distance_m,height_m,drainage_m2,chi_m\n"}};
  for (const auto& [kind, header] : headers) {
    figure(folder, {kind, "land.json#mesa", "-o", kind + ".csv"});
    EXPECT_TRUE(bytes_of(folder / (kind + ".csv")).starts_with(header)) << bytes_of(folder / (kind + ".csv"));
  }
  EXPECT_CONTAINS(error_of(folder, {"map", "land.json#mesa", "-o", "map.csv"}),
                  "figures with numbers are profile, histogram, hypsometry, slope_area, long_profile, chi");
  EXPECT_CONTAINS(error_of(folder, {"profile", "land.json#mesa", "-o", "a.pdf"}), "or in .csv");
}

TEST(Figure, MapsTakeRiversFromAFileOrANode) {
  const TemporaryFolder folder;
  std::ofstream(folder / "r.json") << R"({ "tepui": 1, "world": { "size": [640, 320], "resolution": 33 }, "nodes": {
      "streams": { "op": "skyline", "points": 33 }, "land": { "op": "noise" } },
    "outputs": { "a.tif": "land" } })";
  run_program({"convert", "r.json#streams", "streams.gpkg"}, folder.path());
  for (const std::string kind : {"map", "atlas"}) {
    const Words words{kind, "r.json#land", "-o", "a.png", "--size", "96x48"};
    const auto with = [&](const std::string& rivers) {
      Words all = words;
      if (!rivers.empty()) all.insert(all.end(), {"--rivers", rivers});
      figure(folder, all);
      return bytes_of(folder / "a.png");
    };
    const std::string node = with("#streams");
    EXPECT_NE(node, with(""));
    EXPECT_EQ(with("r.json#streams"), node);
    EXPECT_NE(with("streams.gpkg"), with(""));
  }
  EXPECT_CONTAINS(error_of(folder, {"map", "r.json#land", "-o", "a.png", "--rivers", "#land"}), "takes lines");
  EXPECT_CONTAINS(error_of(folder, {"section", "r.json#land", "-o", "a.png", "--rivers", "#streams"}),
                  "only applies to a map or an atlas");
}

TEST(Figure, SheetsShowSourcesAndSweeps) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const auto nodes =
      figure(folder, {"sheet", "land.json#hills", "land.json#mesa", "-o", "nodes.png", "--size", "48x32"});
  EXPECT_EQ(nodes["pictures"], 2);
  EXPECT_GE(nodes["width"], 2 * 48);
  const auto sweep =
      figure(folder, {"sheet", "land.json", "--sweep", "rock.count=2,3,4", "-o", "sweep.svg", "--size", "48x32"});
  EXPECT_EQ(sweep["pictures"], 3);
  const auto table = figure(folder, {"sheet", "land.json", "--sweep", "age=0..1:3", "--sweep", "seed=1..2", "-o",
                                     "table.png", "--size", "48x32", "--set", "camera=top", "--set", "colour=height"});
  EXPECT_EQ(table["pictures"], 6);
  // Three rows of two.
  EXPECT_GE(table["height"], 3 * 32);
  EXPECT_LT(table["width"], 5 * 48 + 100);
  const auto column = figure(
      folder, {"sheet", "land.json", "--sweep", "seed=1..3", "-o", "c.png", "--size", "48x32", "--columns", "1"});
  EXPECT_GE(column["height"], 3 * 32);
}

TEST(Figure, FilesRecipesAndPresetsMayBeMixed) {
  const TemporaryFolder folder;
  make_recipe(folder);
  ASSERT_EQ(run_program({"run", "land.json", "-o", "."}, folder.path()).exit_code, 0);
  ASSERT_EQ(run_program({"convert", "land.tif", "land.ply"}, folder.path()).exit_code, 0);
  const auto sheet =
      figure(folder, {"sheet", "land.tif", "land.json#rock", "land.ply", "-o", "mixed.png", "--size", "48x32"});
  EXPECT_EQ(sheet["pictures"], 3);
  figure(folder, {"pair", "mesa", "butte#land", "-o", "two.png", "--size", "48x32", "--resolution", "33"});
  EXPECT_CONTAINS(error_of(folder, {"map", "land.ply", "-o", "a.png"}), "not a figure of meshes");
}

TEST(Figure, PairShowsTwo) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const auto pair = figure(folder, {"pair", "land.json#hills", "land.json#mesa", "-o", "a.png", "--size", "60x40"});
  EXPECT_EQ(pair["pictures"], 2);
  const auto sweep = figure(folder, {"pair", "land.json", "--sweep", "age=0,1", "-o", "b.png", "--size", "60x40"});
  EXPECT_EQ(sweep["width"], pair["width"]);
  EXPECT_CONTAINS(error_of(folder, {"pair", "land.json", "-o", "a.png"}), "two lands, not 1");
  EXPECT_CONTAINS(error_of(folder, {"pair", "land.json", "--sweep", "age=0,0.5,1", "-o", "a.png"}), "not 3");
}

TEST(Figure, AnimationsHaveTheirFrames) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const auto turn = figure(
      folder, {"turntable", "land.json", "-o", "turn.webp", "--size", "48x32", "--set", "frames=4", "--seed", "5"});
  EXPECT_EQ(turn["frames"], 4);
  EXPECT_EQ(turn["width"], 48);
  EXPECT_EQ(turn["height"], 32);
  const auto lapse =
      figure(folder, {"timelapse", "land.json", "--sweep", "age=0..1:5", "-o", "lapse.webp", "--size", "48x32"});
  EXPECT_EQ(lapse["frames"], 5);
  const auto nodes = figure(folder, {"timelapse", "land.json#hills", "land.json#rock", "land.json#mesa", "-o",
                                     "nodes.webp", "--size", "96x64", "--set", "hold=500"});
  EXPECT_EQ(nodes["frames"], 3);
  for (const char* name : {"turn.webp", "lapse.webp", "nodes.webp"}) {
    const std::string bytes = bytes_of(folder / name);
    EXPECT_EQ(bytes.substr(0, 4), "RIFF");
    EXPECT_EQ(bytes.substr(8, 4), "WEBP");
    EXPECT_CONTAINS(bytes, "ANMF");
    EXPECT_CONTAINS(bytes, "<tepui:Recipe>land<");
  }
  EXPECT_CONTAINS(bytes_of(folder / "turn.webp"), "<tepui:Seed>5<");
}

TEST(Figure, SameFigureHasTheSameBytesForAnyThreads) {
  const TemporaryFolder folder;
  make_recipe(folder);
  for (const std::string threads : {"1", "2", "7"}) {
    figure(folder, {"sheet", "land.json", "--sweep", "seed=1..3", "-o", threads + ".png", "--size", "48x32",
                    "--threads", threads, "--no-cache"});
    figure(folder, {"turntable", "land.json", "-o", threads + ".webp", "--size", "48x32", "--set", "frames=3",
                    "--threads", threads});
  }
  for (const std::string threads : {"2", "7"})
    for (const std::string ending : {".png", ".webp"})
      EXPECT_EQ(bytes_of(folder / (threads + ending)), bytes_of(folder / ("1" + ending)));
}

TEST(Figure, PicturesTellWhereTheyComeFrom) {
  const TemporaryFolder folder;
  make_recipe(folder);
  figure(folder, {"map", "land.json", "-o", "map.png", "--size", "48x32"});
  const std::string map = bytes_of(folder / "map.png");
  for (const char* part : {"Tepui 0", "Recipe", "Seed", "Land"}) EXPECT_CONTAINS(map, part);
  figure(folder, {"sheet", "land.json", "--sweep", "rock.count=2,3", "-o", "s.png", "--size", "48x32"});
  EXPECT_CONTAINS(bytes_of(folder / "s.png"), "rock.count=2,3");
  EXPECT_EQ(bytes_of(folder / "s.png").find(folder.path()), std::string::npos);
}

TEST(Figure, SeedResolutionAndVariablesChangeTheRecipe) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const Words words{"map", "land.json", "--size", "64x64"};
  const auto with = [&](const std::string& name, Words more) {
    more.insert(more.begin(), words.begin(), words.end());
    more.insert(more.end(), {"-o", name});
    figure(folder, more);
    return bytes_of(folder / name);
  };
  const std::string plain = with("a.png", {});
  EXPECT_NE(plain, with("b.png", {"--seed", "9"}));
  EXPECT_NE(plain, with("c.png", {"--resolution", "17"}));
  EXPECT_NE(plain, with("d.png", {"--with", "age=1"}));
  EXPECT_EQ(plain, with("e.png", {"--seed", "3", "--with", "age=0.5"}));
}

TEST(Figure, SweepComputesOnceWhatItDoesNotChange) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const auto computed = [&](const Words& more) {
    Words words{"sheet", "land.json#rock", "-o", "a.png", "--size", "32x18"};
    words.insert(words.end(), more.begin(), more.end());
    return figure(folder, words)["computed"];
  };
  EXPECT_EQ(computed({"--sweep", "rock.count=2,3,4", "--no-cache"}), 1 + 3);
  EXPECT_EQ(computed({"--sweep", "hills.height=50,60,70", "--no-cache"}), 3 + 3);
  EXPECT_EQ(computed({"--sweep", "rock.count=2,3", "--cache", "kept"}), 1 + 2);
  EXPECT_EQ(computed({"--sweep", "rock.count=2,3,4", "--cache", "kept"}), 1);
}

TEST(Figure, SaysWhatWouldBeRight) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const std::vector<std::pair<Words, std::string>> cases{
      {{"mapp", "land.json", "-o", "a.png"}, "did you mean 'map'?"},
      {{"map", "land.json", "-o", "a.jpg"}, "must end in .png, .webp or .svg"},
      {{"sheet", "land.json", "--sweep", "seed=1,2", "-o", "a.tif"}, "must end in .png, .webp or .svg"},
      {{"turntable", "land.json", "-o", "a.png"}, "must end in .webp"},
      {{"timelapse", "land.json", "--sweep", "seed=1,2", "-o", "a.svg"}, "must end in .webp"},
      {{"map", "land.json", "-o", "none/a.png"}, "its folder does not exist"},
      {{"turntable", "land.json", "-o", "none/a.webp"}, "its folder does not exist"},
      {{"sheet", "land.json", "-o", "a.png"}, "--sweep seed=1..9"},
      {{"timelapse", "land.json", "-o", "a.webp"}, "at least two lands"},
      {{"timelapse", "land.json", "--sweep", "seed=1,2", "--sweep", "age=0,1", "-o", "a.webp"}, "one sweep"},
      {{"map", "land.json", "land.json", "-o", "a.png"}, "shows a single land"},
      {{"map", "land.json", "--sweep", "seed=1,2", "-o", "a.png"}, "shows a single land"},
      {{"sheet", "land.json", "land.json", "--sweep", "seed=1,2", "-o", "a.png"}, "a sweep takes one recipe"},
      {{"sheet", "land.json", "--sweep", "seed=1..500", "-o", "a.png"}, "at most 400"},
      {{"sheet", "land.json", "--sweep", "seed=1..30", "--sweep", "age=0..1:30", "-o", "a.png"}, "30 x 30"},
      {{"sheet", "land.json", "--sweep", "rok.count=2,3", "-o", "a.png"}, "--sweep rok.count"},
      {{"sheet", "land.json", "--sweep", "rock.count=2,3000000", "-o", "a.png"}, "from 1 to 255"},
      {{"sheet", "land.json", "--sweep", "seed=1,2", "--with", "ag=1", "-o", "a.png"}, "--with ag"},
      {{"sheet", "land.json", "--sweep", "seed=1,2", "--set", "camra=top", "-o", "a.png"}, "did you mean 'camera'?"},
      {{"map", "land.json", "--set", "kind=section", "-o", "a.png"}, "leave 'kind' out"},
      {{"map", "land.json", "--set", "hilshade=1", "-o", "a.png"}, "did you mean 'hillshade'?"},
      {{"map", "land.json", "--columns", "2", "-o", "a.png"}, "applies to a sheet"},
      {{"map", "land.json", "--caption", "a", "-o", "a.png"}, "several lands"},
      {{"turntable", "land.json", "--title", "a", "-o", "a.webp"}, "takes no '--title'"},
      {{"sheet", "land.json", "--sweep", "seed=1,2", "--caption", "a", "-o", "a.png"}, "1 captions for 2"},
      {{"turntable", "land.json", "--set", "frames=0", "-o", "a.webp"}, "from 2 to 720"},
      {{"turntable", "land.json", "--set", "camera=top", "-o", "a.webp"}, "three_quarter"},
      {{"sheet", "mesaa", "-o", "a.png"}, "did you mean 'mesa'?"},
      {{"sheet", "no.tif", "no2.tif", "-o", "a.png"}, "cannot read 'no.tif'"},
      {{"map", "land.json#mesaa", "-o", "a.png"}, "did you mean 'mesa'?"}};
  for (const auto& [words, part] : cases) EXPECT_CONTAINS(error_of(folder, words), part);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename(), "land.json");
}

TEST(Figure, StopsWhenAskedAndLeavesNothing) {
  const TemporaryFolder folder;
  Program program({"figure", "sheet", "mesa", "--sweep", "seed=1..60", "-o", "a.png", "--resolution", "129"},
                  folder.path());
  ASSERT_TRUE(program.wait_until([&] { return program.err().find("seed = 1: done") != std::string::npos; }));
  program.send(SIGINT);
  EXPECT_EQ(program.finish().exit_code, 130);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
}

TEST(Figure, RecipesMakeFiguresToo) {
  const TemporaryFolder folder;
  std::ofstream(folder / "f.json") << R"({ "tepui": 1, "world": { "size": 640, "resolution": 33 },
    "vars": { "turns": 3 },
    "nodes": { "hills": { "op": "noise", "height": 200 } },
    "outputs": { "map.png": { "from": "hills", "figure": { "kind": "map", "size": [48, 48] } },
                 "cut.svg": { "from": "hills", "figure": { "kind": "section", "size": [96, 48] } },
                 "turn.webp": { "from": "hills", "figure": { "kind": "turntable", "frames": "$turns",
                                                             "size": [48, 32] } } } })";
  const Outcome first = run_program({"run", "f.json", "-o", "out", "--json", "--cache", "cache"}, folder.path());
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(bytes_of(folder / "out/map.png").starts_with("\x89PNG"));
  EXPECT_CONTAINS(bytes_of(folder / "out/cut.svg"), "<svg");
  EXPECT_CONTAINS(bytes_of(folder / "out/turn.webp"), "ANMF");
  // A second run leaves them alone; a change of one writes that one.
  const auto kept = [&](const Words& more) {
    Words words{"run", "f.json", "-o", "out", "--json", "--cache", "cache"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<bool> list;
    const auto told = run_program(words, folder.path()).json();
    for (const auto& output : told["outputs"])
      if (!output["path"].get<std::string>().ends_with(".json")) list.push_back(output["kept"].get<bool>());
    return list;
  };
  EXPECT_EQ(kept({}), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(kept({"--set", "turns=4"}), (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace tepui::test::figure_test
