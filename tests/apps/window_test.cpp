// Parts of worlds that no memory holds.
#include <filesystem>
#include <fstream>

#include "tests/apps/program.h"
#include "tests/support/contains.h"

namespace tepui::test::window_test {

namespace {

namespace fs = std::filesystem;

void save(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A chain that looks at points and windows, in tiles of 1025 x 1025 samples.
std::string recipe(int resolution, int tiles) {
  return R"({ "tepui": 1, "world": { "size": 65536, "resolution": )" + std::to_string(resolution) + R"( }, "nodes": {
    "hills": { "op": "noise", "octaves": 2, "normalise": "none", "height": 4000 },
    "rock": { "op": "materials", "in": "hills" }, "mesa": { "op": "gradation", "in": "rock" },
    "land": { "op": "levelling", "in": "mesa", "radius": 40 }, "steep": { "op": "mask", "in": "land" } },
    "outputs": { "t/{x}_{y}.r16": { "from": "land", "tiles": [)" +
         std::to_string(tiles) + ", " + std::to_string(tiles) + R"(], "range": [-4000, 8000] },
      "steep.png": { "from": "steep", "layer": "mask" }, "map.png": { "from": "land", "render": {} } } })";
}

}  // namespace

TEST(Window, ARowOfTilesOfALargeWorldTakesLittleMemory) {
  const TemporaryFolder folder;
  save(folder / "big.json", recipe(16385, 16));
  const Outcome outcome = run_program(
      {"run", "big.json", "--only", "t/{x}_{y}.r16", "--window", "0,0,100%,6.25%", "--json"}, folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["outputs"].size(), 16u + 1);
  for (int x = 0; x < 16; ++x)
    EXPECT_EQ(fs::file_size(folder / ("out/t/" + std::to_string(x) + "_15.r16")), 1025u * 1025 * 2);
  EXPECT_LT(outcome.peak_memory, size_t{512} << 20);
  for (const auto& node : outcome.json()["nodes"]) {
    EXPECT_FALSE(node.contains("hash")) << node;
    EXPECT_GE(node["windows"].get<int>(), 16) << node;
  }
}

TEST(Window, IsWrittenAtItsPlaceAndRefusedOfPictures) {
  const TemporaryFolder folder;
  save(folder / "r.json", recipe(257, 4));
  const Outcome refused = run_program({"run", "r.json", "--window", "0,0,1km,1km"}, folder.path());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_CONTAINS(refused.err, "output 'map.png' is a picture");
  EXPECT_CONTAINS(refused.err, "choose with --only");
  const Outcome written =
      run_program({"run", "r.json", "--only", "steep.png", "--window", "1024,2048,3072,3072"}, folder.path());
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const nlohmann::json info = run_program({"info", "out/steep.png", "--json"}, folder.path()).json();
  EXPECT_EQ(info["width"], 9);
  EXPECT_EQ(info["height"], 5);
  const Outcome odd = run_program({"run", "r.json", "--only", "steep.png", "--window", "1,2"}, folder.path());
  EXPECT_EQ(odd.exit_code, 2);
  EXPECT_CONTAINS(odd.err, "is not a window");
}

}  // namespace tepui::test::window_test
