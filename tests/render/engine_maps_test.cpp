#include "tepui/render/ground/engine_maps.h"

#include <rapidcheck/gtest.h>

#include <bit>
#include <map>

#include "tepui/io/manifest.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/read.h"
#include "tests/support/support.h"

namespace tepui::engine_maps_test {
namespace {

using test::TemporaryFolder;

std::vector<FileRecord> maps_for(Engine engine, const Terrain& land, const std::string& prefix) {
  BakeParams params;
  params.normal = NormalMap::none;
  params.occlusion = params.slope = params.roughness = false;
  return write_maps(prefix, land, params, engine, std::nullopt, {}, Context());
}

/// The weights that the default form gives, to compare with.
Bake plain(const Terrain& land) {
  BakeParams params;
  params.weights = WeightMaps::grey;
  return bake(land, params, std::nullopt, Context());
}

std::map<std::string, const Image*> kinds_of(const Bake& bake) {
  std::map<std::string, const Image*> kinds;
  for (const BakedMap& map : bake.maps)
    if (map.name.starts_with("weight_")) kinds[map.channels.front()] = &map.image;
  return kinds;
}

bool is_empty(const Image& image) {
  return std::ranges::all_of(image.pixels, [](uint8_t v) { return v == 0; });
}

TEST(EngineMaps, UnrealHasAGreyPictureForEveryKindThatThereIs) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(33, 17, 2);
  const Bake expected = plain(land);
  size_t written = 0;
  for (const FileRecord& record : maps_for(Engine::unreal, land, folder / "a")) {
    if (!record.weights_for) continue;
    ++written;
    ASSERT_EQ(record.layers.size(), 1u);
    const std::string kind = record.layers.front();
    EXPECT_EQ(record.name, "a_weight_" + kind + ".png");
    EXPECT_EQ(record.weights_for->program, "unreal");
    EXPECT_NE(record_text(record).find("\"layer\":\"" + kind + "\""), std::string::npos);
    const ReadParams read_params{.file = {folder / record.name}, .cell = metres(10)};
    const Terrain back = read(read_params, Context());
    EXPECT_EQ(back.frame().width, 33);
    EXPECT_EQ(back.frame().height, 17);
  }
  size_t there = 0;
  for (const auto& [kind, image] : kinds_of(expected)) there += is_empty(*image) ? 0 : 1;
  EXPECT_EQ(written, there);
  EXPECT_GT(there, 1u);
}

TEST(EngineMaps, UnitySidesArePowersOfTwo) {
  EXPECT_EQ(splat_side(2), 16);
  EXPECT_EQ(splat_side(513), 512);
  EXPECT_EQ(splat_side(1009), 1024);
  EXPECT_EQ(splat_side(1025), 1024);
  EXPECT_EQ(splat_side(100000), 4096);
}

TEST(EngineMaps, SplatMapsLieOnTheCornersAndCountTheirLayers) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(40, 24, 2);
  int64_t expected = 0;
  for (const FileRecord& record : maps_for(Engine::unity, land, folder / "a")) {
    if (!record.weights_for) continue;
    EXPECT_EQ(record.weights_for->first, expected);
    EXPECT_EQ(record.layers.size(), 4u);
    EXPECT_EQ(record.name, "a_splat_" + std::to_string(expected / 4) + ".png");
    expected += 4;
  }
  EXPECT_GT(expected, 0);
  // A texel on every sample, and the outermost on the border: what a plain bake of the same land has there.
  BakeParams params;
  params.weights = WeightMaps::grey;
  params.lattice = TexelLattice{40, 24, true};
  const Bake corners = bake(land, params, std::nullopt, Context()), usual = plain(land);
  for (const auto& [kind, image] : kinds_of(usual)) EXPECT_EQ(kinds_of(corners).at(kind)->pixels, image->pixels);
}

TEST(EngineMaps, ControlMapsHoldTheTwoKindsWithMost) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(31, 20, 2);
  const Bake usual = plain(land);
  const auto kinds = kinds_of(usual);
  std::vector<FileRecord> records = maps_for(Engine::godot, land, folder / "a");
  const FileRecord& record = records.back();
  ASSERT_EQ(record.name, "a_control.exr");
  const Terrain back = read({.file = {folder / "a_control.exr"}}, Context());
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 31; ++x) {
      const auto bits = std::bit_cast<uint32_t>(back.height()(x, y));
      const uint32_t base = bits >> 27, overlay = bits >> 22 & 31, blend = bits >> 14 & 255;
      ASSERT_LT(base, record.layers.size());
      ASSERT_LT(overlay, record.layers.size());
      EXPECT_EQ(bits & 0x3fff, 0u);
      const auto weight = [&](uint32_t id) {
        return static_cast<int>(*kinds.at(record.layers[id])->at(static_cast<int>(x), static_cast<int>(19 - y)));
      };
      const int first = weight(base), second = overlay == base ? 0 : weight(overlay);
      for (const auto& [kind, image] : kinds) {
        const int other = *image->at(static_cast<int>(x), static_cast<int>(19 - y));
        EXPECT_LE(other, first);
        if (kind != record.layers[base] && kind != record.layers[overlay]) {
          EXPECT_LE(other, second);
        }
      }
      EXPECT_NEAR(static_cast<double>(blend) / 255, static_cast<double>(second) / (first + second), 0.5 / 255 + 1e-9);
      EXPECT_LE(blend, 128u);
    }
}

TEST(EngineMaps, BitsAreThoseOfTerrain3D) {
  EXPECT_EQ(control_bits(31, 0, 0), 0xF8000000u);
  EXPECT_EQ(control_bits(0, 31, 0), 0x07C00000u);
  EXPECT_EQ(control_bits(0, 0, 255), 0x003FC000u);
}

TEST(EngineMaps, RecordsSurviveTheManifest) {
  FileRecord record;
  record.name = "a_splat_1.png";
  record.format = "map";
  record.layers = {"sand", "snow", "none", "none"};
  record.weights_for = {"unity", 4};
  const auto back = parse_record(record_text(record));
  ASSERT_TRUE(back && back->weights_for);
  EXPECT_EQ(back->weights_for->program, "unity");
  EXPECT_EQ(back->weights_for->first, 4);
  EXPECT_NE(record_text(record).find("\"terrain_layers\":[\"sand\",\"snow\"]"), std::string::npos);
}

}  // namespace
}  // namespace tepui::engine_maps_test
