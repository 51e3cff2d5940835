#include <algorithm>
#include <cmath>

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
