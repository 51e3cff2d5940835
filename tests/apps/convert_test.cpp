#include <filesystem>
#include <fstream>

#include "tests/apps/program.h"

// `tepui convert`, as its users run it.

namespace tepui::test::convert_test {
namespace {

/// A small land with two layers, as "land.tif".
void make_land(const TemporaryFolder& folder) {
  const Outcome made =
      run_program({"make", "noise height=300 | materials count=3", "--resolution", "33", "--size", "640", "--recipe"},
                  folder.path());
  auto recipe = nlohmann::json::parse(made.out);
  recipe["outputs"] = nlohmann::json::object();
  for (const auto& [name, node] : recipe["nodes"].items())
    if (node["op"] == "materials") recipe["outputs"]["land.tif"] = {{"from", name}, {"layers", {"height", "material"}}};
  std::ofstream(folder / "land.json") << recipe.dump();
  ASSERT_EQ(run_program({"run", "land.json", "-o", "."}, folder.path()).exit_code, 0);
}

double worst(const Outcome& outcome) { return outcome.json()["max_abs"].get<double>(); }

TEST(Convert, EveryRasterFormatGivesTheLandBack) {
  const TemporaryFolder folder;
  make_land(folder);
  const double range = 300;
  for (const auto& [name, bound] : std::vector<std::pair<std::string, double>>{{"a.tif", 0},
                                                                               {"a.exr", 0},
                                                                               {"a.npy", 0},
                                                                               {"a.asc", 0},
                                                                               {"a.r32", 0},
                                                                               {"a.r16", range / 65535},
                                                                               {"a.raw", range / 65535},
                                                                               {"a.png", range / 65535}}) {
    const Outcome converted = run_program({"convert", "land.tif", name, "--layer", "height", "--json"}, folder.path());
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
    EXPECT_EQ(converted.json()["outputs"][0]["path"], name);
    const Outcome compared = run_program({"compare", "land.tif", name, "--json"}, folder.path());
    ASSERT_EQ(compared.exit_code, 0) << name << compared.err;
    EXPECT_LE(worst(compared), bound) << name;
    EXPECT_EQ(compared.json()["same_frame"], true) << name;
    EXPECT_EQ(compared.err, "") << name;
  }
}

TEST(Convert, LayersGoAlongWhereTheFormatHoldsThem) {
  const TemporaryFolder folder;
  make_land(folder);
  for (const char* name : {"a.tif", "a.exr", "a.npy"}) {
    ASSERT_EQ(run_program({"convert", "land.tif", name}, folder.path()).exit_code, 0);
    const auto layers = run_program({"info", name, "--json"}, folder.path()).json()["layers"];
    EXPECT_EQ(layers, (nlohmann::json{"height", "material"})) << name;
  }
  ASSERT_EQ(run_program({"convert", "land.tif", "m.png", "--layer", "material"}, folder.path()).exit_code, 0);
  EXPECT_EQ(run_program({"info", "m.png", "--json"}, folder.path()).json()["type"], "Byte");
}

TEST(Convert, NodesAndOptionsOfBothSidesWork) {
  const TemporaryFolder folder;
  make_land(folder);
  const Outcome named =
      run_program({"convert", "land.json#materials", "t.png", "--out", "tiles=2,2", "--json"}, folder.path());
  ASSERT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(named.json()["outputs"].size(), 5u);
  ASSERT_EQ(run_program({"convert", "t_x0_y0.png", "b.tif", "--in", "range=0..10", "--in", "cell=3m"}, folder.path())
                .exit_code,
            0);
  const auto info = run_program({"info", "b.tif", "--json"}, folder.path()).json();
  EXPECT_EQ(info["width"], 17);
  EXPECT_EQ(info["cell"], (nlohmann::json{3, 3}));
  EXPECT_LE(info["max"].get<double>(), 10);
}

TEST(Convert, ANodeBecomesTheFileThatItsRecipeWrites) {
  const TemporaryFolder folder;
  std::ofstream(folder / "isle.json") << R"({ "tepui": 1, "world": { "size": 640, "resolution": 33, "sea_level": 120 },
    "nodes": { "land": { "op": "noise", "height": 300 } }, "outputs": { "isle.glb": "land", "isle.png": "land" } })";
  ASSERT_EQ(run_program({"run", "isle.json", "-o", "out"}, folder.path()).exit_code, 0);
  for (const char* name : {"isle.glb", "isle.png"}) {
    const Outcome converted = run_program({"convert", "isle.json#land", name}, folder.path());
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
    EXPECT_EQ(contents(folder / name), contents(folder / ("out/" + std::string(name)))) << name;
  }
}

TEST(Convert, MeshesBecomeMeshes) {
  const TemporaryFolder folder;
  make_land(folder);
  ASSERT_EQ(run_program({"convert", "land.tif", "a.glb", "--layer", "height"}, folder.path()).exit_code, 0);
  const auto first = run_program({"info", "a.glb", "--json"}, folder.path()).json();
  EXPECT_LT(first["triangles"], 2 * 32 * 32);
  ASSERT_EQ(
      run_program({"convert", "land.tif", "all.glb", "--layer", "height", "--out", "error=0"}, folder.path()).exit_code,
      0);
  EXPECT_EQ(run_program({"info", "all.glb", "--json"}, folder.path()).json()["triangles"], 2 * 32 * 32);
  std::string from = "a.glb";
  for (const char* to : {"b.ply", "c.obj", "d.stl", "e.glb"}) {
    const Outcome outcome = run_program({"convert", from, to}, folder.path());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto info = run_program({"info", to, "--json"}, folder.path()).json();
    EXPECT_EQ(info["triangles"], first["triangles"]) << to;
    EXPECT_NEAR(info["area"].get<double>(), first["area"].get<double>(), 1) << to;
    from = to;
  }
  const Outcome wrong = run_program({"convert", "a.glb", "b.tif"}, folder.path());
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("cannot hold meshes"), std::string::npos) << wrong.err;
}

TEST(Convert, WrongWordsAreRefusedWithTheRemedy) {
  const TemporaryFolder folder;
  make_land(folder);
  const auto refused = [&](std::vector<std::string> words, const char* part) {
    words.insert(words.begin(), "convert");
    const Outcome outcome = run_program(words, folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << part;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({"land.tif", "a.xyz"}, ".tif, .tiff, .png");
  refused({"no.tif", "a.tif"}, "no.tif");
  refused({"land.tif", "a.png", "--in", "cel=3"}, "cell");
  refused({"land.tif", "a.png", "--out", "cog=true"}, ".tif");
  refused({"land.tif", "a.png", "--in", "file=b.tif"}, "'file'");
  refused({"land.tif", "a.tif", "--layer", "hieght"}, "did you mean 'height'");
  refused({"land.tif", "a.png", "--out", "tiles=3,3"}, "3");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
}

}  // namespace
}  // namespace tepui::test::convert_test
