#include "tepui/io/engines.h"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tepui/io/manifest.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::engines_test {
namespace {

using test::TemporaryFolder;

std::vector<uint16_t> words_of(const std::string& path) {
  const std::string bytes = test::bytes_of(path);
  std::vector<uint16_t> words(bytes.size() / 2);
  std::memcpy(words.data(), bytes.data(), words.size() * 2);
  return words;
}

Terrain some_land(int64_t width, int64_t height, uint64_t seed) {
  const double base = *rc::gen::inRange(-9000, 9000), span = *rc::gen::inRange(1, 500000) * 0.01;
  const Terrain land = test::sample_land(width, height, seed, *rc::gen::inRange(1, 300) * 0.1, {base, base + span});
  Frame frame = land.frame();
  frame.origin = {static_cast<double>(*rc::gen::inRange(-5000, 5000)), static_cast<double>(*rc::gen::inRange(0, 900))};
  return Terrain(frame, land.relief(), land.height().clone());
}

/// What each engine makes of the stored numbers, with the numbers we say to type, is the land: every sample within
/// half a step of its height and at its place.
RC_GTEST_PROP(Engines, HeightsComeOutTrue, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange(2, 30), height = *rc::gen::inRange(2, 30);
  const Terrain land = some_land(width, height, seed);
  const FileRecord file = export_terrain(land, {.path = folder / "a.r16"}, Context());
  const auto unreal = unreal_import(file);
  const auto unity = unity_import(file);
  const auto godot = godot_import(file);
  RC_ASSERT(unreal && unity && godot && !blender_import(file));
  const std::vector<uint16_t> words = words_of(folder / "a.r16");
  const double slack = 0.5 * *file.scale + 1e-9 * (1 + std::abs(*file.offset));
  const double near = 1e-9 * (1e4 + static_cast<double>(width + height) * land.frame().cell.x);
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column) {
      const double v = words[static_cast<size_t>(row * width + column)];
      const double z = static_cast<double>(land.height()(column, height - 1 - row));
      const double x = land.frame().x(column), y = land.frame().y(height - 1 - row);
      // Unreal: rows run along +Y, which is south.
      const double unreal_z = (v - 32768) / 128 * unreal->scale.z + unreal->location.z;
      RC_ASSERT(std::abs(unreal_z / 100 - z) <= slack);
      RC_ASSERT(std::abs(unreal->location.x + static_cast<double>(column) * unreal->scale.x - 100 * x) <= 100 * near);
      RC_ASSERT(std::abs(unreal->location.y + static_cast<double>(row) * unreal->scale.y + 100 * y) <= 100 * near);
      // Unity: the first row is the southernmost, unless flipped.
      const auto unity_row = static_cast<double>(unity->flip_vertically ? height - 1 - row : row);
      RC_ASSERT(std::abs(unity->position.y + unity->size.y * (v / 65536) - z) <= slack);
      RC_ASSERT(std::abs(unity->position.z + unity->size.z * unity_row / static_cast<double>(height - 1) - y) <= near);
      RC_ASSERT(std::abs(unity->position.x +
                         unity->size.x * static_cast<double>(column) / static_cast<double>(width - 1) - x) <= near);
      const Vec2 range = *godot->r16_range;
      RC_ASSERT(std::abs(range.x + (range.y - range.x) * (v / 65535) - z) <= slack);
    }
  RC_ASSERT(godot->width == width && godot->height == height && godot->vertex_spacing == land.frame().cell.x);
}

/// A plane of this size, cut into the image's pixels, has their middles on the samples.
RC_GTEST_PROP(Engines, BlendersPlaneHasItsPixelsOnTheSamples, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange(2, 30), height = *rc::gen::inRange(2, 30);
  const Terrain land = some_land(width, height, seed);
  const FileRecord file = export_terrain(land, {.path = folder / "a.png"}, Context());
  const auto blender = blender_import(file);
  RC_ASSERT(blender && !blender->is_mesh && !unity_import(file) && !godot_import(file));
  const PngSamples stored = read_png(folder / "a.png");
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const double u = (static_cast<double>(x) + 0.5) / static_cast<double>(width);
      const double v = (static_cast<double>(y) + 0.5) / static_cast<double>(height);
      RC_ASSERT(std::abs(blender->location.x + (u - 0.5) * blender->plane_size.x - land.frame().x(x)) < 1e-6);
      RC_ASSERT(std::abs(blender->location.y + (v - 0.5) * blender->plane_size.y - land.frame().y(y)) < 1e-6);
      const double z = blender->location.z + blender->strength * (stored.grid(x, y) / 65535.0);
      RC_ASSERT(std::abs(z - static_cast<double>(land.height()(x, y))) <=
                0.5 * *file.scale + 1e-9 * (1 + std::abs(*file.offset)));
    }
}

FileRecord record_of(int64_t width, int64_t height) {
  FileRecord file;
  file.format = "R16";
  file.layers = {"height"};
  file.bits = 16;
  file.offset = 0;
  file.scale = 0.01;
  file.place = SamplePlace{width, height, {1, 1}, {0, 0}, std::nullopt};
  return file;
}

TEST(Engines, UnrealKnowsEpicsSizes) {
  for (const int64_t side : {127, 253, 505, 1009, 2017, 4033, 8129}) {
    const auto import = unreal_import(record_of(side, side));
    EXPECT_TRUE(import->legal) << side;
    EXPECT_EQ(import->recommended, side);
    EXPECT_EQ(import->components_x * import->section_quads * import->sections + 1, side);
  }
  EXPECT_TRUE(unreal_import(record_of(8161, 8161))->legal);
  EXPECT_FALSE(unreal_import(record_of(8192, 8192))->legal);
  EXPECT_FALSE(unreal_import(record_of(1025, 1025))->legal);
  EXPECT_EQ(unreal_import(record_of(1025, 1025))->nearest_width, 1021);
  EXPECT_EQ(unreal_import(record_of(1025, 1025))->recommended, 1009);
  EXPECT_TRUE(unreal_import(record_of(1009, 505))->legal);
  EXPECT_FALSE(unreal_import(record_of(1009, 500))->legal);
}

/// Legal is what some whole number of components, at most 32 a side and all of one kind, makes; the nearest is legal,
/// and nothing legal is nearer.
RC_GTEST_PROP(Engines, UnrealSizesAreDecidedByTheRule, ()) {
  const int64_t width = *rc::gen::inRange(1, 20000), height = *rc::gen::inRange(1, 20000);
  const auto distance = [&](int64_t w, int64_t h) { return std::abs(w - width) + std::abs(h - height); };
  int64_t best = INT64_MAX;
  for (const int64_t quads : {7, 15, 31, 63, 127, 255})
    for (const int64_t sections : {1, 2})
      for (int64_t nx = 1; nx <= 32; ++nx)
        for (int64_t ny = 1; ny <= 32; ++ny)
          best = std::min(best, distance(nx * quads * sections + 1, ny * quads * sections + 1));
  const auto import = unreal_import(record_of(width, height));
  RC_ASSERT(import->legal == (best == 0));
  RC_ASSERT(distance(import->nearest_width, import->nearest_height) == best);
  RC_ASSERT(unreal_import(record_of(import->nearest_width, import->nearest_height))->legal);
}

TEST(Engines, UnityTakesSquaresOfAPowerOfTwoAndOne) {
  for (int64_t side = 1; side < 5000; ++side) {
    const auto import = unity_import(record_of(side, side));
    const bool power = side >= 33 && side <= 4097 && ((side - 1) & (side - 2)) == 0;
    EXPECT_EQ(import->legal, power) << side;
  }
  EXPECT_FALSE(unity_import(record_of(513, 257))->legal);
  EXPECT_EQ(unity_import(record_of(1009, 1009))->nearest, 1025);
}

TEST(Engines, OnlyHeightsAreImported) {
  FileRecord file = record_of(127, 127);
  file.layers = {"material"};
  EXPECT_FALSE(unreal_import(file) || unity_import(file) || godot_import(file) || blender_import(file));
  file = record_of(127, 127);
  file.bits = 8;
  EXPECT_FALSE(unreal_import(file) || unity_import(file));
  file = record_of(127, 127);
  file.place.reset();
  EXPECT_FALSE(unreal_import(file) || unity_import(file) || godot_import(file));
  file = record_of(127, 127);
  file.place->cell.y = 2;
  EXPECT_FALSE(godot_import(file)->square_cells);
}

TEST(Engines, TheManifestTellsWhatToType) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(129, 129, 4, 2);
  ManifestInfo info;
  info.world = land.frame();
  for (const char* name : {"a.r16", "a.png", "a.glb", "a.tif"})
    info.files.push_back(export_terrain(land, {.path = folder / name}, Context()));
  for (FileRecord& record : export_files(land, {.path = folder / "t.r16", .options = {.tiles = {2, 2}}}, Context()))
    info.files.push_back(std::move(record));
  const auto json = nlohmann::json::parse(manifest_text(info));
  const auto& raw = json["files"][0]["import"];
  EXPECT_EQ(raw["unreal_landscape"]["legal"], false);
  EXPECT_EQ(raw["unreal_landscape"]["recommended_size"], 127);
  EXPECT_EQ(raw["unreal_landscape"]["scale"][0], 200.0);
  EXPECT_EQ(raw["unity_terrain"]["legal"], true);
  EXPECT_EQ(raw["unity_terrain"]["terrain_size"][0], 256.0);
  EXPECT_EQ(raw["unity_terrain"]["flip_vertically"], true);
  EXPECT_EQ(raw["godot_terrain3d"]["vertex_spacing"], 2.0);
  EXPECT_FALSE(raw.contains("blender"));
  EXPECT_TRUE(json["files"][1]["import"].contains("blender"));
  EXPECT_FALSE(json["files"][1]["import"].contains("unity_terrain"));
  EXPECT_EQ(json["files"][2]["import"]["blender"]["location"], (nlohmann::json{128.0, 128.0, 0.0}));
  EXPECT_FALSE(json["files"][3].contains("import"));
  const auto& south_east = json["files"][7];
  EXPECT_EQ(south_east["tile"], (nlohmann::json{{"x", 1}, {"y", 1}, {"of", {2, 2}}, {"first", "north-west"}}));
  EXPECT_EQ(south_east["origin"], (nlohmann::json{128.0, 0.0}));
  EXPECT_EQ(south_east["import"]["godot_terrain3d"]["import_position"], (nlohmann::json{128, 128}));
  // Read and written again, it says the same.
  write_manifest(folder / "land.manifest.json", info);
  ManifestInfo again = info;
  again.files = kept_records(folder / "land.manifest.json", {});
  EXPECT_EQ(manifest_text(again), manifest_text(info));
}

}  // namespace
}  // namespace tepui::engines_test
