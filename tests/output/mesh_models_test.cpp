// The GLBs of volumes and meshes: levels of detail, collisions, and what is left out of them.
#include <algorithm>

#include "tepui/io/mesh_file.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/mesh/simplify.h"
#include "tepui/output/output_kind.h"
#include "tepui/render/ground/volume_ground.h"
#include "tepui/volume/implicitize.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::mesh_models_test {
namespace {

using test::TemporaryFolder;

std::vector<std::string> write(const Value& value, const std::string& path, const OutputParams& options) {
  ExportRequest request;
  request.path = path;
  request.options = options;
  std::vector<std::string> names;
  for (const FileRecord& record : write_value(value, request, {}, Context())) names.push_back(record.name);
  return names;
}

size_t triangles(const std::string& path) { return read_mesh(path, Context()).triangles().size(); }

size_t simple(const Mesh& mesh, double error) { return simplify(mesh, {.error = error}, Context()).triangles().size(); }

TEST(MeshModels, AFileForEachLevelAndOneForCollisions) {
  const TemporaryFolder folder;
  const Mesh mesh(test::torus(60));
  OutputParams options;
  options.lods = 3, options.collision = true, options.error = 0.01;
  EXPECT_EQ(write(mesh, folder / "a.glb", options),
            (std::vector<std::string>{"a.glb", "a_lod1.glb", "a_lod2.glb", "a_collision.glb"}));
  EXPECT_EQ(triangles(folder / "a.glb"), simple(mesh, 0.01));
  EXPECT_EQ(triangles(folder / "a_lod1.glb"), simple(mesh, 0.03));
  EXPECT_EQ(triangles(folder / "a_lod2.glb"), simple(mesh, 0.09));
  EXPECT_EQ(triangles(folder / "a_collision.glb"), simple(mesh, spacing_of(mesh)));
  const Mesh bare = read_mesh(folder / "a_collision.glb", Context());
  EXPECT_TRUE(bare.normals().empty() && bare.colours().empty() && bare.attributes().empty());
  EXPECT_NE(test::bytes_of(folder / "a_collision.glb").find("a_collision-colonly"), std::string::npos);
  EXPECT_NE(test::bytes_of(folder / "a.glb").find("\"a\""), std::string::npos);
  // Every level is painted for its own cells.
  EXPECT_FALSE(read_mesh(folder / "a_lod2.glb", Context()).colours().empty());
}

TEST(MeshModels, LevelsMayBeTiles) {
  const TemporaryFolder folder;
  OutputParams options;
  options.lods = 2, options.tiles = {2, 1};
  const std::vector<std::string> names = write(Mesh(test::torus(60)), folder / "a.glb", options);
  EXPECT_EQ(names, (std::vector<std::string>{"a_x0_y0.glb", "a_x1_y0.glb", "a_lod1_x0_y0.glb", "a_lod1_x1_y0.glb"}));
  for (const std::string& name : names) EXPECT_GT(triangles(folder / name), 0u);
}

TEST(MeshModels, OnlyWhatWasMadeForAFileLosesWhatNobodySees) {
  const TemporaryFolder folder;
  const Volume solid = implicitize(test::sample_land(21, 15, 3), nullptr, nullptr, {}, {});
  PolygonizeParams cubes;
  cubes.cell = metres(10);
  const Mesh whole = polygonize_volume(solid, cubes, Context());
  OutputParams usual, all;
  usual.cell = all.cell = 10;
  all.error = 0;
  write(solid, folder / "usual.glb", usual);
  write(solid, folder / "whole.glb", all);
  write(whole, folder / "mesh.glb", {});
  EXPECT_EQ(triangles(folder / "whole.glb"), whole.triangles().size());
  EXPECT_EQ(triangles(folder / "mesh.glb"), whole.triangles().size());
  EXPECT_GE(triangles(folder / "usual.glb"), simple(whole, 0.1 * spacing_of(whole)));
  EXPECT_LT(triangles(folder / "usual.glb"), whole.triangles().size());
  // Other formats keep all, and take none of it.
  write(solid, folder / "a.ply", usual);
  EXPECT_EQ(triangles(folder / "a.ply"), whole.triangles().size());
  OutputParams lods;
  lods.lods = 2;
  EXPECT_NE(test::error_of([&] { write(solid, folder / "a.ply", lods); }).find("does not apply"), std::string::npos);
}

}  // namespace
}  // namespace tepui::mesh_models_test
