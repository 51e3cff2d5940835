#include "tepui/render/ground/mesh_normals.h"

#include <rapidcheck/gtest.h>

#include "tepui/mesh/simple_land.h"
#include "tepui/mesh/source.h"
#include "tests/support/support.h"

namespace tepui::mesh_normals_test {
namespace {

RC_GTEST_PROP(MeshNormals, EveryTexelHasOne, ()) {
  const auto width = *rc::gen::inRange<int64_t>(2, 40), height = *rc::gen::inRange<int64_t>(2, 40);
  const Terrain land = test::sample_land(width, height, *rc::gen::inRange<uint64_t>(0, 100));
  const double error = *rc::gen::element(0.01, 20.0, 200.0);
  const Grid<MeshPoint> normals =
      draw_normals(simple_land(land, {.error = error}, Context()), *rc::gen::inRange(1, 60), *rc::gen::inRange(1, 60));
  for (const MeshPoint& n : normals.cells()) RC_ASSERT(std::abs(length(to_vec(n)) - 1) < 1e-6 && n[2] > 0);
}

TEST(MeshNormals, AVertexThatLiesOnATexelHasItsOwn) {
  const Terrain land = test::sample_land(30, 20, 4);
  const Mesh sheet = gather(LandMesh(land));
  const Grid<MeshPoint> normals = draw_normals(sheet, 30, 20);
  const SheetNormals plain(land);
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 30; ++x) {
      const Vec3 here = to_vec(normals(x, y));
      EXPECT_LT(length(here - to_vec(sheet.normals()[static_cast<size_t>(y * 30 + x)])), 1e-3);
      EXPECT_LT(length(here - plain.at(static_cast<double>(x), static_cast<double>(y))), 1e-3);
    }
}

}  // namespace
}  // namespace tepui::mesh_normals_test
