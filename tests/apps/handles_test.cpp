// What people reach for on the command line.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/apps/program.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::test::handles_test {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Outcome must_run(const Words& words, const TemporaryFolder& folder) {
  Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome;
}

std::string refusal(const Words& words, const TemporaryFolder& folder) {
  const Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  return outcome.err;
}

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const char* hills = R"({ "tepui": 1, // hills
  "seed": 3, "world": { "size": 640, "resolution": 33 },
  "vars": { "relief": 90, "samples": 1 },
  "nodes": {
    "hills": { "op": "noise", "height": "$relief" },
    "land":  { "op": "levelling", "in": "hills", "radius": 20 } // smooth
  },
  "outputs": { "land.tif": "land" }
}
)";

/// A folder with a small recipe.
struct Hills : TemporaryFolder {
  Hills() { write(*this / "h.json", hills); }
};

}  // namespace

TEST(Bare, PrintsTheHelp) {
  const TemporaryFolder folder;
  const Outcome bare = must_run({}, folder);
  EXPECT_EQ(bare.out, must_run({"--help"}, folder).out);
  EXPECT_CONTAINS(refusal({"--nothing"}, folder), "--help");
}

TEST(Nodes, OfARecipeAreChangedAsRunChangesThem) {
  const Hills folder;
  const auto mean = [&](const Words& more) {
    return must_run(Words{"info", "h.json#land", "--json"} + more, folder).json()["max"].get<double>();
  };
  const double plain = mean({});
  EXPECT_EQ(mean({"--seed", "3"}), plain);
  EXPECT_NE(mean({"--seed", "4"}), plain);
  EXPECT_NE(mean({"--set", "relief=10"}), plain);
  EXPECT_NE(mean({"--set", "land.radius=90"}), plain);
  EXPECT_EQ(must_run({"info", "h.json#land", "--resolution", "17", "--json"}, folder).json()["width"], 17);
  EXPECT_CONTAINS(refusal({"info", "h.json#land", "--set", "relif=3"}, folder), "did you mean 'relief'?");

  must_run({"run", "h.json", "-o", ".", "--seed", "9", "--set", "relief=50"}, folder);
  const Words changed{"--seed", "9", "--set", "relief=50"};
  EXPECT_EQ(must_run(Words{"compare", "land.tif", "h.json#land", "--json"} + changed, folder).json()["equal"], true);
  EXPECT_EQ(must_run({"compare", "land.tif", "h.json#land", "--json"}, folder).json()["equal"], false);
  EXPECT_CONTAINS(refusal({"info", "land.tif", "--seed", "2"}, folder), "only recipes have parameters to set");

  must_run(Words{"convert", "h.json#land", "c.tif"} + changed, folder);
  EXPECT_EQ(must_run({"compare", "land.tif", "c.tif", "--json"}, folder).json()["equal"], true);
}

TEST(Nodes, OfARecipeAreDrawnAsChanged) {
  const Hills folder;
  const auto drawn = [&](const Words& words) {
    must_run(words, folder);
    return contents(folder / "a.png");
  };
  const Words render{"render", "h.json#land", "-o", "a.png", "--size", "48x32", "--samples", "1"};
  const Words map{"figure", "map", "h.json#land", "-o", "a.png"};
  for (const Words& command : {render, map}) {
    const std::string plain = drawn(command);
    for (const Words& more : {Words{"--seed", "4"}, Words{"--set", "relief=300"}, Words{"--set", "land.radius=90"},
                              Words{"--resolution", "17"}})
      EXPECT_NE(drawn(command + more), plain) << command[0] << " " << more[0] << " " << more[1];
  }
  // A word that is no name of the recipe is the picture's; --look means the picture's in any case.
  EXPECT_NE(drawn(render + Words{"--set", "biome=alpine"}), drawn(render));
  EXPECT_EQ(drawn(render + Words{"--set", "biome=alpine"}), drawn(render + Words{"--look", "biome=alpine"}));
  EXPECT_CONTAINS(refusal(render + Words{"--look", "relief=3"}, folder), "relief");
  EXPECT_CONTAINS(refusal(render + Words{"--set", "biomme=alpine"}, folder), "did you mean 'biome'?");

  const auto maps = [&](const Words& more) {
    must_run(Words{"bake", "h.json#land", "-o", "maps", "--set", "size=16"} + more, folder);
    return files_of(folder / "maps");
  };
  EXPECT_NE(maps({"--seed", "4"}), maps({}));
  EXPECT_NE(maps({"--set", "relief=300"}), maps({}));
}

TEST(Look, OfARecipesPictureIsThatOfItsNodes) {
  const TemporaryFolder folder;
  // Of one name, which pictures carry.
  for (const char* name : {"look", "own", "bare"}) fs::create_directories(folder / name);
  const std::string head =
      R"({ "tepui": 1, "world": { "size": 640, "resolution": 33 }, "nodes": { "a": { "op": "noise" } },)";
  const std::string look = R"("camera": "front", "biome": "alpine", "sun_azimuth": 90)";
  write(folder / "look/r.json", head + "\"look\": {" + look + "} }");
  write(folder / "own/r.json", head + R"("outputs": { "m.png": { "from": "a", "render": { "colour": "height" } },
                                                    "p.png": { "from": "a", "render": {)" +
                                   look + R"(, "size": [640, 360], "samples": 99 } } } })");
  write(folder / "bare/r.json", head + "\"seed\": 0 }");
  const auto drawn = [&](const Words& words) {
    must_run(words, folder);
    return contents(folder / "a.png");
  };
  const auto rendered = [&](const std::string& name, const Words& more = {}) {
    return drawn(Words{"render", name + "/r.json#a", "-o", "a.png", "--size", "48x32", "--samples", "1"} + more);
  };
  const Words by_hand{"--look", "camera=front", "--look", "biome=alpine", "--look", "sun_azimuth=90"};
  EXPECT_EQ(rendered("own"), rendered("bare", by_hand));
  EXPECT_EQ(rendered("own"), rendered("look"));
  EXPECT_NE(rendered("own"), rendered("bare"));
  const auto sheet = [&](const std::string& name) {
    return drawn({"figure", "sheet", name + "/r.json#a", "--sweep", "seed=1,2", "-o", "a.png", "--size", "48x32",
                  "--set", "samples=1"});
  };
  EXPECT_EQ(sheet("own"), sheet("look"));
  EXPECT_NE(sheet("own"), sheet("bare"));
}

TEST(Look, OfANodesOwnPictureComesFirst) {
  const TemporaryFolder folder;
  for (const char* name : {"others", "own"}) fs::create_directories(folder / name);
  const std::string nodes =
      R"({ "tepui": 1, "world": { "size": 640, "resolution": 9 }, "nodes": { "planet": { "op": "planet", "level": 4 }, )"
      R"("a": { "op": "noise" } }, "outputs": { "p.png": { "from": "planet", "render": { "latitude": 40 } })";
  write(folder / "others/r.json", nodes + " } }");
  write(folder / "own/r.json", nodes + R"(, "q.png": { "from": "a", "render": { "camera": "front" } } } })");
  const auto drawn = [&](const std::string& recipe, const Words& more = {}) {
    must_run(Words{"render", recipe + "/r.json#a", "-o", "a.png", "--size", "48x32", "--samples", "1"} + more, folder);
    return contents(folder / "a.png");
  };
  // What only planets have is not taken over from theirs.
  EXPECT_EQ(drawn("own"), drawn("others", {"--camera", "front"}));
}

TEST(Make, DrawsADraftUnlessMoreIsAskedFor) {
  const TemporaryFolder folder;
  const auto render_of = [&](const Words& more) {
    const Outcome printed =
        must_run(Words{"make", "noise", "--picture", "a.png", "--resolution", "33", "--recipe"} + more, folder);
    return nlohmann::json::parse(printed.out)["outputs"]["a.png"]["render"];
  };
  EXPECT_EQ(render_of({})["draft"], true);
  EXPECT_FALSE(render_of({"--samples", "64"}).contains("draft"));
  const auto asked = render_of({"--camera", "top", "--biome", "alpine", "--size", "64x48", "--look", "haze=0.5"});
  EXPECT_EQ(asked["camera"], "top");
  EXPECT_EQ(asked["biome"], "alpine");
  EXPECT_EQ(asked["size"], "64,48");
  EXPECT_EQ(asked["haze"], "0.5");
  EXPECT_EQ(asked["draft"], true);
  EXPECT_EQ(must_run({"make", "noise", "--picture", "a.png", "--resolution", "33", "--camera", "top", "--size", "40x40",
                      "--json"},
                     folder)
                .exit_code,
            0);
  EXPECT_CONTAINS(refusal({"make", "noise", "-o", "a.tif", "--camera", "top"}, folder), "none is drawn");
}

TEST(Size, IsPixelsAndTheWorldHasANameOfItsOwn) {
  const TemporaryFolder folder;
  const auto world = [&](const Words& more) {
    return nlohmann::json::parse(must_run(Words{"make", "noise", "--recipe"} + more, folder).out)["world"]["size"];
  };
  EXPECT_EQ(world({"--world", "300x100"}), nlohmann::json::parse("[300, 100]"));
  EXPECT_EQ(world({"--size", "300x100"}), world({}));
  // What can only be the world's sides still is.
  EXPECT_EQ(world({"--size", "640"}), 640);
  EXPECT_EQ(world({"--size", "4kmx2km"}), nlohmann::json::parse(R"(["4km", "2km"])"));
  EXPECT_CONTAINS(refusal({"make", "noise", "-o", "a.tif", "--size", "300x100"}, folder), "--world");
  EXPECT_CONTAINS(refusal({"make", "noise", "--size", "4km", "--world", "2km"}, folder), "both");
}

TEST(Render, ShowsADraftFirst) {
  const TemporaryFolder folder;
  must_run({"make", "noise", "--resolution", "513", "-o", "a.tif"}, folder);
  const auto began = std::chrono::steady_clock::now();
  Program program({"render", "a.tif", "-o", "a.png", "--samples", "4096"}, folder.path());
  ASSERT_TRUE(program.wait_until([&] { return !contents(folder / "a.png").empty(); }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_FALSE(program.ended()) << "the picture itself was there as soon as its draft";
  EXPECT_LT(seconds, 20) << "a second on a machine at rest";
  program.send(SIGINT);
  EXPECT_EQ(program.finish().exit_code, 130);
  EXPECT_EQ(contents(folder / "a.png").substr(1, 3), "PNG");
  // Scripts get the picture alone.
  const Outcome quiet = must_run({"render", "a.tif", "-o", "b.png", "--samples", "1", "--size", "32x18", "-q"}, folder);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST(Explain, KnowsTheCommandsThatDraw) {
  const TemporaryFolder folder;
  EXPECT_CONTAINS(must_run({"explain", "render"}, folder).out, "sun_azimuth");
  EXPECT_CONTAINS(must_run({"explain", "figure"}, folder).out, "contour_step");
  EXPECT_CONTAINS(must_run({"explain", "bake"}, folder).out, "occlusion");
}

TEST(Explain, AnswersByMeaning) {
  const TemporaryFolder folder;
  EXPECT_CONTAINS(must_run({"explain", "erosion"}, folder).out, "weathering ");
  EXPECT_CONTAINS(must_run({"explain", "steep"}, folder).out, "slope ");
  EXPECT_CONTAINS(must_run({"explain", "water"}, folder).out, "Related:");
  EXPECT_CONTAINS(must_run({"explain", "biome"}, folder).out, "render ");
  EXPECT_CONTAINS(refusal({"explain", "xyzzy"}, folder), "there is no operator 'xyzzy'");
  EXPECT_CONTAINS(refusal({"make", "erosion"}, folder), "weathering");
}

TEST(Check, TellsAllProblemsWithTheirPlaces) {
  const TemporaryFolder folder;
  write(folder / "bad.json",
        "{ \"tepui\": 1, \"sed\": 1,\n  \"nodes\": { \"a\": { \"op\": \"noise\", \"gain\": -1,\n"
        "    \"octaves\": \"many\" } },\n  \"outputs\": { \"a.what\": \"a\" } }\n");
  const Outcome plain = run_program({"check", "bad.json"}, folder.path());
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_CONTAINS(plain.err, "4 problems");
  EXPECT_CONTAINS(plain.err, "bad.json:1:15: the recipe has no key 'sed'");
  EXPECT_CONTAINS(plain.err, "^");
  const Outcome outcome = run_program({"check", "bad.json", "--json"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 2);
  const auto object = outcome.json();
  EXPECT_EQ(object["valid"], false);
  ASSERT_EQ(object["problems"].size(), 4u);
  EXPECT_EQ(object["error"], object["problems"][0]);
  const auto& many = object["problems"][2];
  EXPECT_EQ(many["file"], "bad.json");
  EXPECT_EQ(many["line"], 3);
  EXPECT_EQ(many["column"], 16);
  EXPECT_EQ(many["end_line"], 3);
  EXPECT_EQ(many["end_column"], 22);
  EXPECT_EQ(many["node"], "a");
  EXPECT_EQ(many["field"], "octaves");
  EXPECT_EQ(many["where"], "bad.json:3:16");
}

TEST(Set, EditsTheFileAndKeepsTheRest) {
  const Hills folder;
  const Outcome done =
      must_run({"set", "h.json", "relief=120", "land.radius=12.50", "seed=8", "look.biome=alpine"}, folder);
  EXPECT_CONTAINS(done.out, "land.radius: 20 -> 12.50");
  std::string wanted = hills;
  const auto replace = [&](const std::string& from, const std::string& to) {
    wanted.replace(wanted.find(from), from.size(), to);
  };
  replace("\"relief\": 90", "\"relief\": 120");
  replace("\"radius\": 20", "\"radius\": 12.50");
  replace("\"seed\": 3, ", "\"seed\": 8, ");
  replace("\"resolution\": 33 },", "\"resolution\": 33 },\n  \"look\": { \"biome\": \"alpine\" },");
  EXPECT_EQ(contents(folder / "h.json"), wanted);
  must_run({"set", "h.json", "relief=90", "land.radius=20", "seed=3", "--remove", "look.biome"}, folder);
  const auto told = must_run({"set", "h.json", "--rename", "land=ground", "--json"}, folder).json();
  EXPECT_EQ(told["changed"], true);
  EXPECT_CONTAINS(contents(folder / "h.json"), "\"land.tif\": \"ground\"");
  must_run({"check", "h.json"}, folder);
}

TEST(Set, WritesNothingThatIsNoRecipe) {
  const Hills folder;
  const auto refused = [&](const Words& words, const std::string& part) {
    EXPECT_CONTAINS(refusal(Words{"set", "h.json"} + words, folder), part);
    EXPECT_EQ(contents(folder / "h.json"), hills);
  };
  refused({"land.radius=-3"}, "set land.radius: ");
  refused({"land.radios=3"}, "did you mean 'radius'?");
  refused({"relif=3"}, "did you mean 'relief'?");
  refused({"seed=5", "world.resolution=0"}, "set world.resolution: the resolution");
  refused({"--remove", "hills.op"}, "has no \"op\"");
  refused({"--remove", "nothing.here"}, "no node 'nothing'");
  refused({"--rename", "hills=land"}, "already");
  refused({}, "no change is given");
  refused({"radius"}, "not name=value");
  EXPECT_CONTAINS(refusal({"set", "mesa", "age=1"}, folder), "tepui new mesa");
}

TEST(Sweep, RunsEveryCombinationIntoItsFolderAndATable) {
  const Hills folder;
  const Words sweep{"run",      "h.json", "--sweep", "relief=50..100:3", "--sweep",
                    "seed=1,2", "-o",     "s",       "--cache",          folder / "cache"};
  const Outcome first = must_run(sweep, folder);
  EXPECT_CONTAINS(first.out, "6 of 6");
  std::vector<std::string> lines(1);
  for (const char c : contents(folder / "s/sweep.csv")) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_TRUE(lines[0].starts_with("folder,relief,seed,land.")) << lines[0];
  EXPECT_CONTAINS(lines[0], "land.mean");
  EXPECT_TRUE(lines[1].starts_with("relief=50_seed=1,50,1,")) << lines[1];
  EXPECT_TRUE(lines[6].starts_with("relief=100_seed=2,100,2,")) << lines[6];
  // Each is what a run of its own makes.
  must_run({"run", "h.json", "--set", "relief=75", "--seed", "2", "-o", "one"}, folder);
  EXPECT_EQ(contents(folder / "one/land.tif"), contents(folder / "s/relief=75_seed=2/land.tif"));

  // A sweep that was stopped goes on: what is there is kept, what is not is made.
  const std::string table = contents(folder / "s/sweep.csv");
  fs::remove_all(folder / "s/relief=100_seed=1");
  fs::remove(folder / "s/sweep.csv");
  const Outcome again = must_run(sweep, folder);
  EXPECT_EQ(contents(folder / "s/sweep.csv"), table);
  size_t kept = 0;
  for (size_t at = 0; (at = again.out.find("up to date", at)) != std::string::npos; ++at) ++kept;
  EXPECT_EQ(kept, 5u) << again.out;

  const auto json =
      must_run({"run", "h.json", "--sweep", "land.radius=1,50", "-o", "j", "--table", "t.json", "--json"}, folder)
          .json();
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][1]["values"]["land.radius"], 50);
  EXPECT_TRUE(json["runs"][1]["numbers"].contains("land.mean"));
  EXPECT_EQ(nlohmann::json::parse(contents(folder / "t.json"))["runs"], json["runs"]);
}

TEST(Sweep, IsRefusedBeforeAnythingIsMade) {
  const Hills folder;
  EXPECT_CONTAINS(refusal({"run", "h.json", "--sweep", "land.radius=1,-5", "-o", "s"}, folder), "radius");
  EXPECT_CONTAINS(refusal({"run", "h.json", "--sweep", "seed=1,2", "--sweep", "seed=3,4", "-o", "s"}, folder), "twice");
  EXPECT_CONTAINS(refusal({"run", "h.json", "--sweep", "seed=1,2", "--table", "t.txt", "-o", "s"}, folder),
                  ".csv or .json");
  EXPECT_CONTAINS(refusal({"run", "h.json", "--table", "t.csv"}, folder), "--sweep");
  EXPECT_FALSE(fs::exists(folder / "s"));
}

TEST(Quiet, IsQuiet) {
  const Hills folder;
  write(folder / "warns.json", R"({ "tepui": 1, "vars": { "spare": 1 }, "world": { "size": 64, "resolution": 9 },
                                    "nodes": { "a": { "op": "noise" } }, "outputs": { "a.tif": "a" } })");
  for (const Words& words :
       {Words{"run", "warns.json", "-o", "o"}, Words{"make", "noise", "--resolution", "9", "-o", "n.tif"},
        Words{"convert", "n.tif", "n.r16"}, Words{"figure", "map", "n.tif", "-o", "m.png"},
        Words{"new", "mesa", "-o", "x.json"}, Words{"bake", "n.tif", "-o", "maps"}, Words{"set", "h.json", "seed=4"},
        Words{"run", "h.json", "--sweep", "seed=1,2", "-o", "s"}}) {
    const Outcome outcome = must_run(words + Words{"-q"}, folder);
    EXPECT_EQ(outcome.out + outcome.err, "") << words[0];
  }
  EXPECT_NE(must_run({"info", "n.tif", "-q"}, folder).out, "");
  EXPECT_NE(refusal({"run", "no.json", "-q"}, folder), "");
}

TEST(Tiles, HaveAManifestOfAProperName) {
  const TemporaryFolder folder;
  must_run({"make", "noise", "--resolution", "33", "-o", "h_{x}_{y}.r16", "--out", "tiles=2,2"}, folder);
  EXPECT_TRUE(fs::exists(folder / "h_1_0.r16"));
  EXPECT_TRUE(fs::exists(folder / "h.manifest.json"));
  must_run({"make", "noise", "--resolution", "33", "-o", "land.tif"}, folder);
  must_run({"convert", "land.tif", "tile_x{x}_y{y}.png", "--out", "tiles=2,2"}, folder);
  EXPECT_TRUE(fs::exists(folder / "tile.png.manifest.json"));
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().string().find('{'), std::string::npos) << entry.path();
}

TEST(Crop, BeyondTheLandSaysSo) {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& crop) {
    return must_run({"make", "noise | " + crop, "--world", "100", "--resolution", "11", "-o", "a.tif"}, folder).err;
  };
  EXPECT_CONTAINS(said("crop x=50..150"), "reaches beyond the land, which goes from 0 to 100 m");
  EXPECT_CONTAINS(said("crop y=50%..130%"), "'y' from 50 to 130 m");
  EXPECT_CONTAINS(said("crop x=20..80 | crop x=0..50"), "goes from 20 to 80 m");
  for (const char* inside : {"crop", "crop x=0..100", "crop x=20%..80% | crop x=0%..100%", "crop x=55..104 y=0..100"})
    EXPECT_EQ(said(inside).find("beyond"), std::string::npos) << inside;
}

}  // namespace tepui::test::handles_test
