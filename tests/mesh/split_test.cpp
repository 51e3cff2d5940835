#include "tepui/mesh/split.h"

#include <map>
#include <set>

#include "tepui/mesh/source.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::split_test {
namespace {

/// A triangle by where its corners are, from the least on round.
using Face = std::array<MeshPoint, 3>;

std::multiset<Face> faces_of(const Mesh& mesh) {
  std::multiset<Face> faces;
  for (const MeshTriangle& t : mesh.triangles()) {
    Face face{mesh.positions()[t[0]], mesh.positions()[t[1]], mesh.positions()[t[2]]};
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    faces.insert(face);
  }
  return faces;
}

RC_GTEST_PROP(SplitMesh, EveryTriangleIsInOneTile, (uint64_t seed)) {
  const MeshData data = *rc::gen::element(test::torus(17), test::random_mesh(seed, true, true, true), MeshData());
  const Mesh mesh(test::with_attributes(data, seed));
  const int64_t columns = *rc::gen::inRange(1, 6), rows = *rc::gen::inRange(1, 6);
  std::multiset<Face> all;
  int64_t before = -1;
  for (const MeshTile& tile : split_mesh(mesh, columns, rows, Context())) {
    RC_ASSERT(tile.x >= 0 && tile.x < columns && tile.y >= 0 && tile.y < rows);
    RC_ASSERT(tile.y * columns + tile.x > before);
    before = tile.y * columns + tile.x;
    RC_ASSERT(!tile.mesh.triangles().empty());
    RC_ASSERT(tile.mesh.centre() == mesh.centre());
    RC_ASSERT(tile.mesh.attributes().size() == mesh.attributes().size());
    all.merge(faces_of(tile.mesh));
  }
  RC_ASSERT(all == faces_of(mesh));
}

RC_GTEST_PROP(SplitMesh, SharedVerticesHaveTheSameBits, (uint64_t seed)) {
  const Terrain land = test::sample_land(*rc::gen::inRange(2, 20), *rc::gen::inRange(2, 20), seed, 3);
  const Mesh mesh = gather(LandMesh(land));
  std::map<MeshPoint, MeshPoint> normals;
  for (size_t i = 0; i < mesh.positions().size(); ++i) normals[mesh.positions()[i]] = mesh.normals()[i];
  const auto tiles = split_mesh(mesh, 3, 2, Context());
  for (const MeshTile& tile : tiles)
    for (size_t i = 0; i < tile.mesh.positions().size(); ++i)
      RC_ASSERT(normals.at(tile.mesh.positions()[i]) == tile.mesh.normals()[i]);
}

TEST(SplitMesh, TilesCountFromTheNorthWest) {
  const auto tiles = split_mesh(gather(LandMesh(test::sample_land(9, 9, 1))), 2, 2, Context());
  ASSERT_EQ(tiles.size(), 4u);
  EXPECT_EQ(tiles[0].mesh.triangles().size(), 32u);
  EXPECT_LT(tiles[0].mesh.bounds().low[0], tiles[1].mesh.bounds().low[0]);
  EXPECT_GT(tiles[0].mesh.bounds().high[1], tiles[2].mesh.bounds().high[1]);
  EXPECT_EQ(tiles[3].x, 1);
  EXPECT_EQ(tiles[3].y, 1);
}

}  // namespace
}  // namespace tepui::split_test
