#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tepui/io/mesh_file.h"
#include "tepui/mesh/simple_land.h"
#include "tepui/mesh/source.h"
#include "tepui/output/land_output.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::land_models_test {
namespace {

using test::TemporaryFolder;

std::vector<FileRecord> write(const Terrain& land, const std::string& path, const OutputParams& options) {
  ExportRequest request;
  request.path = path;
  request.options = options;
  return write_land(land, request, std::nullopt, nullptr, Context());
}

size_t triangles(const std::string& path) { return read_mesh(path, Context()).triangles().size(); }

TEST(LandModels, AFileForEachLevelAndOneForCollisions) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(60, 40, 3);
  OutputParams options;
  options.lods = 3, options.collision = true, options.error = 4;
  const std::vector<FileRecord> records = write(land, folder / "a.glb", options);
  std::vector<std::string> names;
  for (const FileRecord& record : records) {
    names.push_back(record.name);
    EXPECT_TRUE(record.centre && record.place);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a.glb", "a_lod1.glb", "a_lod2.glb", "a_collision.glb"}));
  EXPECT_EQ(triangles(folder / "a.glb"), simple_land(land, {.error = 4}, Context()).triangles().size());
  EXPECT_EQ(triangles(folder / "a_lod1.glb"), simple_land(land, {.error = 12}, Context()).triangles().size());
  EXPECT_EQ(triangles(folder / "a_lod2.glb"), simple_land(land, {.error = 36}, Context()).triangles().size());
  EXPECT_EQ(triangles(folder / "a_collision.glb"), simple_land(land, {.error = 10}, Context()).triangles().size());
  EXPECT_TRUE(read_mesh(folder / "a_collision.glb", Context()).normals().empty());
}

TEST(LandModels, AnErrorOfNothingKeepsEverySample) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(21, 15, 3);
  OutputParams options;
  options.error = 0;
  write(land, folder / "a.glb", options);
  EXPECT_EQ(triangles(folder / "a.glb"), size_t{2 * 20 * 14});
  // Formats for other programs keep them unless they are told otherwise.
  write(land, folder / "a.ply", {});
  EXPECT_EQ(triangles(folder / "a.ply"), size_t{2 * 20 * 14});
  options.error = 50;
  write(land, folder / "a.obj", options);
  EXPECT_LT(triangles(folder / "a.obj"), size_t{2 * 20 * 14});
}

TEST(LandModels, OptionsOfGlbsAreForThemAlone) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(9, 9, 3);
  OutputParams lods, collision, scene;
  lods.lods = 2, collision.collision = true, scene.scene = true;
  for (const OutputParams& options : {lods, collision, scene}) {
    EXPECT_NE(test::error_of([&] { write(land, folder / "a.obj", options); }).find("does not apply"),
              std::string::npos);
    EXPECT_NE(test::error_of([&] { write(land, folder / "a.tif", options); }).find("does not apply"),
              std::string::npos);
  }
  EXPECT_NE(test::error_of([&] { write(test::sample_land(1, 9, 3), folder / "a.glb", {}); }).find("no surface"),
            std::string::npos);
}

/// What lies on a line in plan: places and normals, as they are in the file.
std::set<std::array<float, 6>> on_line(const Mesh& mesh, size_t axis, double at) {
  std::set<std::array<float, 6>> found;
  for (size_t i = 0; i < mesh.positions().size(); ++i) {
    const MeshPoint &p = mesh.positions()[i], &n = mesh.normals()[i];
    if (std::abs(static_cast<double>(p[axis]) - at) < 1e-3) found.insert({p[0], p[1], p[2], n[0], n[1], n[2]});
  }
  return found;
}

TEST(LandModels, TilesMeetToTheLastBit) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(49, 33, 5);
  const Frame& frame = land.frame();
  for (const std::optional<double> error : {std::optional<double>(), std::optional(0.0), std::optional(3.0)}) {
    OutputParams options;
    options.tiles = {3, 2}, options.lods = 2, options.collision = true, options.error = error;
    const std::vector<FileRecord> records = write(land, folder / "a.glb", options);
    ASSERT_EQ(records.size(), 18u);
    EXPECT_EQ(records[1].name, "a_x1_y0.glb");
    EXPECT_EQ(records[7].name, "a_lod1_x1_y0.glb");
    EXPECT_EQ(records[13].name, "a_collision_x1_y0.glb");
    EXPECT_TRUE(records[1].tile && records[1].tile->x == 1 && records[1].tile->columns == 3);
    EXPECT_EQ(records[1].centre, records[17].centre);
    for (const char* level : {"a", "a_lod1"}) {
      const auto tile = [&](const char* which) {
        return read_mesh(folder / (std::string(level) + "_" + which + ".glb"), Context());
      };
      // The line between columns 0 and 1 lies 8 cells west of the middle, that between rows runs through it.
      const auto west = on_line(tile("x0_y0"), 0, -8 * frame.cell.x),
                 east = on_line(tile("x1_y0"), 0, -8 * frame.cell.x);
      EXPECT_GE(west.size(), 2u);
      EXPECT_EQ(west, east);
      EXPECT_EQ(on_line(tile("x2_y0"), 1, 0), on_line(tile("x2_y1"), 1, 0));
    }
    size_t all = 0;
    for (size_t i = 0; i < 6; ++i) all += triangles(folder / records[i].name);
    if (error == 0)
      EXPECT_EQ(all, size_t{2 * 48 * 32});
    else
      EXPECT_LT(all, size_t{2 * 48 * 32});
  }
  OutputParams wrong;
  wrong.tiles = {5, 2};
  EXPECT_NE(test::error_of([&] { write(land, folder / "b.glb", wrong); }).find("do not divide"), std::string::npos);
}

TEST(LandModels, WaterIsAMeshOfItsOwn) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(33, 33, 4);
  const double low = land.relief().base, high = land.relief().top, level = low + 0.3 * (high - low);
  const Terrain lake =
      land.with(make_layer("water_level", "m", LayerKind::continuous, Grid<float>(33, 33, static_cast<float>(level))));
  const auto has_water = [&](const std::string& name) {
    return test::bytes_of(folder / name).find("\"name\":\"water\"") != std::string::npos;
  };
  OutputParams options;
  options.tiles = {2, 2};
  write(land, folder / "dry.glb", {});
  write(lake, folder / "lake.glb", {});
  write(lake, folder / "lakes.glb", options);
  ExportRequest sea;
  sea.path = folder / "sea.glb";
  write_land(land, sea, level, nullptr, Context());
  EXPECT_FALSE(has_water("dry.glb"));
  EXPECT_TRUE(has_water("lake.glb"));
  EXPECT_TRUE(has_water("sea.glb"));
  EXPECT_GT(triangles(folder / "sea.glb"), triangles(folder / "dry.glb"));
  for (const char* tile : {"x0_y0", "x1_y0", "x0_y1", "x1_y1"})
    EXPECT_GT(triangles(folder / ("lakes_" + std::string(tile) + ".glb")), 0u);
  OutputParams without;
  without.water = false;
  write(lake, folder / "without.glb", without);
  EXPECT_FALSE(has_water("without.glb"));
}

TEST(LandModels, ASceneIsInEveryLevelButNotInTheCollisions) {
  const TemporaryFolder folder;
  OutputParams options;
  options.scene = options.collision = true;
  options.lods = 2;
  write(test::sample_land(20, 20, 3), folder / "a.glb", options);
  const auto has_sun = [&](const std::string& name) {
    return test::bytes_of(folder / name).find("KHR_lights_punctual") != std::string::npos;
  };
  EXPECT_TRUE(has_sun("a.glb"));
  EXPECT_TRUE(has_sun("a_lod1.glb"));
  EXPECT_FALSE(has_sun("a_collision.glb"));
}

}  // namespace
}  // namespace tepui::land_models_test
