#include "tepui/mesh/simple_land.h"

#include <algorithm>

#include "tepui/mesh/checks.h"
#include "tepui/mesh/source.h"
#include "tests/support/support.h"

namespace tepui::simple_land_test {
namespace {

TEST(SimpleLand, VerticesAreThoseOfTheFullMesh) {
  const Terrain land = test::sample_land(40, 30, 6);
  const Mesh all = gather(LandMesh(land)), simple = simple_land(land, {.error = 30}, Context());
  ASSERT_LT(simple.positions().size(), all.positions().size());
  EXPECT_EQ(simple.centre(), all.centre());
  size_t at = 0;
  for (size_t i = 0; i < simple.positions().size(); ++i) {
    while (at < all.positions().size() && all.positions()[at] != simple.positions()[i]) ++at;
    ASSERT_LT(at, all.positions().size());
    EXPECT_EQ(simple.coordinates()[i], all.coordinates()[at]);
    EXPECT_NEAR(length(to_vec(simple.normals()[i])), 1, 1e-6);
    EXPECT_GT(simple.normals()[i][2], 0);
  }
}

TEST(SimpleLand, LevelLandLooksUp) {
  const Terrain land = test::sample_land(40, 30, 6);
  const Mesh mesh = simple_land(land.with_height(Grid<float>(40, 30, 5)), {.error = 1}, Context());
  EXPECT_EQ(mesh.triangles().size(), 2u);
  for (const MeshPoint& n : mesh.normals()) EXPECT_EQ(n, (MeshPoint{0, 0, 1}));
}

TEST(SimpleLand, RoughLandKeepsATenthOfItsSamples) {
  const Terrain rough = test::sample_land(200, 200, 3, 200);
  const size_t unseen = simple_land(rough, {.error = unseen_error(rough.frame())}, Context()).positions().size();
  const size_t kept = small_land(rough, Context()).mesh.positions().size();
  ASSERT_GT(unseen, 4000u);
  EXPECT_LT(kept, unseen);
  // Land that is not rough is as near as can be.
  const Terrain smooth = rough.with_height(Grid<float>(200, 200, 5));
  EXPECT_EQ(small_land(smooth, Context()).mesh.triangles().size(), 2u);
}

}  // namespace
}  // namespace tepui::simple_land_test
