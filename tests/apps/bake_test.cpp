#include <filesystem>
#include <fstream>

#include "tests/apps/program.h"

// `tepui bake`, as its users run it.

namespace tepui::test::bake_test {
namespace {

void make_land(const TemporaryFolder& folder) {
  const Outcome made =
      run_program({"make", "noise height=300", "--resolution", "33", "--size", "640", "-o", "land.tif"}, folder.path());
  ASSERT_EQ(made.exit_code, 0) << made.err;
}

TEST(BakeCommand, WritesEveryMapAndNamesItsChannels) {
  const TemporaryFolder folder;
  make_land(folder);
  const Outcome baked = run_program(
      {"bake", "land.tif", "-o", "maps", "--set", "biome=coast", "--sea-level", "100", "--set", "size=64", "--json"},
      folder.path());
  ASSERT_EQ(baked.exit_code, 0) << baked.err;
  std::vector<std::string> paths;
  const nlohmann::json told = baked.json();
  for (const auto& output : told["outputs"]) {
    paths.push_back(output["path"]);
    EXPECT_TRUE(std::filesystem::exists(folder / paths.back())) << paths.back();
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"maps/land_colour.png", "maps/land_normal.png", "maps/land_occlusion.png",
                                             "maps/land_roughness.png", "maps/land_slope.png", "maps/land_water.png",
                                             "maps/land_weights_0.png", "maps/land_weights_1.png",
                                             "maps/land_weights_2.png", "maps/land_maps.manifest.json"}));
  EXPECT_EQ(told["outputs"][6]["channels"], (nlohmann::json{"rock", "scree", "soil", "mud"}));
  const auto info = run_program({"info", "maps/land_slope.png", "--json"}, folder.path()).json();
  EXPECT_EQ(info["width"], 64);
}

TEST(BakeCommand, ANodeOfARecipeIsBakedAsAsked) {
  const TemporaryFolder folder;
  const Outcome baked = run_program({"bake", "mesa#land", "-o", ".", "--set", "size=16", "--set", "weights=grey",
                                     "--set", "normal=mesh", "--set", "colour=false"},
                                    folder.path());
  ASSERT_EQ(baked.exit_code, 0) << baked.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "mesa_land_weight_grass.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "mesa_land_normal.png"));
  EXPECT_FALSE(std::filesystem::exists(folder / "mesa_land_colour.png"));
}

TEST(BakeCommand, TheSeaIsTheRecipesUnlessToldOtherwise) {
  const TemporaryFolder folder;
  std::ofstream(folder / "isle.json") << R"({ "tepui": 1, "world": { "size": 640, "resolution": 33, "sea_level": 120 },
    "nodes": { "land": { "op": "noise", "height": 300 } } })";
  const auto weights = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"-o", "maps", "--set", "biome=coast", "--json"});
    const Outcome baked = run_program(words, folder.path());
    EXPECT_EQ(baked.exit_code, 0) << baked.err;
    const nlohmann::json told = baked.json();
    std::string hashes;
    for (const auto& output : told["outputs"])
      if (output["path"].get<std::string>().find("weights") != std::string::npos) hashes += output["hash"];
    EXPECT_FALSE(hashes.empty());
    return hashes;
  };
  const auto own = weights({"bake", "isle.json#land"});
  EXPECT_EQ(own, weights({"bake", "isle.json#land", "--sea-level", "120"}));
  EXPECT_NE(own, weights({"bake", "isle.json#land", "--sea-level", "-1000"}));
}

TEST(BakeCommand, WrongWordsAreRefusedWithTheRemedy) {
  const TemporaryFolder folder;
  make_land(folder);
  const auto refused = [&](std::vector<std::string> words, const char* part) {
    words.insert(words.begin(), "bake");
    const Outcome outcome = run_program(words, folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << part;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({"land.tif"}, "--output");
  refused({"none.tif", "-o", "maps"}, "none.tif");
  refused({"land.tif", "-o", "maps", "--set", "boime=coast"}, "biome");
  refused({"land.tif", "-o", "maps", "--set", "biome=moon"}, "karst");
  refused({"land.tif", "-o", "maps", "--set", "size=100000"}, "8192");
  refused({"land.glb", "-o", "maps"}, "cannot read 'land.glb'");
  refused({"land.tif", "-o", "land.tif/maps"}, "land.tif");
  EXPECT_FALSE(std::filesystem::exists(folder / "maps"));
  std::filesystem::create_directories(folder / "taken/land_maps.manifest.json");
  refused({"land.tif", "-o", "taken"}, "land_maps.manifest.json");
  EXPECT_FALSE(std::filesystem::exists(folder / "taken/land_colour.png"));
}

}  // namespace
}  // namespace tepui::test::bake_test
