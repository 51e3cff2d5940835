#include "tepui/planet/sphere_mesh.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tepui/core/math.h"
#include "tepui/planet/front.h"
#include "tepui/planet/sphere_fields.h"
#include "tests/support/support.h"

namespace tepui::sphere_mesh_test {

namespace {

const Context quiet;

Vec3 at(const SphereMesh& mesh, int32_t v) { return mesh.directions[static_cast<size_t>(v)]; }

}  // namespace

TEST(SphereMesh, IsAClosedSurfaceSeenFromOutside) {
  for (int level = 0; level <= 5; ++level) {
    const SphereMesh mesh = icosphere(level, 0.3, 11, quiet);
    ASSERT_EQ(static_cast<int64_t>(mesh.directions.size()), vertices_of_level(level));
    ASSERT_EQ(static_cast<int64_t>(mesh.triangles.size()), triangles_of_level(level));
    std::set<std::pair<int32_t, int32_t>> ways;
    for (const auto& t : mesh.triangles) {
      EXPECT_GT(dot(cross(at(mesh, t[0]), at(mesh, t[1])), at(mesh, t[2])), 0);
      for (size_t k = 0; k < 3; ++k) EXPECT_TRUE(ways.insert({t[k], t[(k + 1) % 3]}).second);
    }
    for (const auto& [a, b] : ways) EXPECT_TRUE(ways.count({b, a}) == 1);
    EXPECT_EQ(static_cast<int64_t>(mesh.directions.size() - ways.size() / 2 + mesh.triangles.size()), 2);
  }
}

RC_GTEST_PROP(SphereMesh, NoVertexLiesAboveATriangleOfItsNeighbours, ()) {
  const SphereMesh mesh = icosphere(4, *rc::gen::element(0.0, 0.2, 0.3), *rc::gen::arbitrary<uint64_t>(), quiet);
  const Neighbours around = neighbours(mesh);
  for (const auto& t : mesh.triangles) {
    const Vec3 a = at(mesh, t[0]), normal = cross(at(mesh, t[1]) - a, at(mesh, t[2]) - a);
    for (const int32_t corner : t)
      for (const int32_t other : around.of(corner)) RC_ASSERT(dot(normal, at(mesh, other) - a) < 1e-12);
  }
}

TEST(SphereMesh, NeighboursGoRoundCounterClockwiseAndAreMutual) {
  const SphereMesh mesh = icosphere(3, 0.3, 5, quiet);
  const Neighbours around = neighbours(mesh);
  for (int32_t v = 0; v < static_cast<int32_t>(mesh.directions.size()); ++v) {
    const auto near = around.of(v);
    for (size_t k = 0; k < near.size(); ++k) {
      const int32_t next = near[(k + 1) % near.size()];
      EXPECT_GT(dot(cross(at(mesh, v), at(mesh, near[k])), at(mesh, next)), 0);
      const auto back = around.of(near[k]);
      EXPECT_NE(std::find(back.begin(), back.end(), v), back.end());
    }
  }
}

TEST(SphereMesh, CellsFillTheSphere) {
  const SphereMesh mesh = icosphere(4, 0.3, 3, quiet);
  double sum = 0;
  for (const double area : cell_areas(mesh)) {
    EXPECT_GT(area, 0);
    sum += area;
  }
  EXPECT_NEAR(sum, 4 * math::pi, 1e-9);
}

TEST(SphereMesh, NamesAreUniqueAndDoNotDependOnTheLevel) {
  const auto coarse = icosphere_ids(4), fine = icosphere_ids(6);
  for (size_t v = 0; v < coarse.size(); ++v) EXPECT_EQ(coarse[v], fine[v]);
  EXPECT_EQ(std::set<VertexId>(fine.begin(), fine.end()).size(), fine.size());
  EXPECT_EQ(born_between(fine[3], fine[7]), born_between(fine[7], fine[3]));
}

TEST(SphereMesh, DirectionsComeBackFromTheirLatitudeAndLongitude) {
  for (const Vec3 kept : icosphere(3, 0.3, 9, quiet).directions) {
    EXPECT_NEAR(length(kept), 1, 1e-7);
    const Vec3 direction = normalised(kept);
    EXPECT_LT(length(direction_at(latitude(direction), longitude(direction)) - direction), 1e-14);
    const LocalAxes axes = local_axes(direction);
    EXPECT_NEAR(length(cross(axes.east, axes.north) - direction), 0, 1e-12);
  }
}

TEST(Front, TheNearestPointIsTheOneThatTryingAllFinds) {
  const SphereMesh mesh = icosphere(5, 0.3, 21, quiet);
  const auto parents = icosphere_parents(5);
  std::vector<int32_t> labels;
  for (const Vec3 d : mesh.directions) labels.push_back(d.x + 0.4 * d.y * d.z > 0.1 ? 1 : d.z > 0.6 ? 2 : 0);
  const Front front = front_between(mesh, labels);
  ASSERT_FALSE(front.empty());
  const std::vector<int32_t> nearest = nearest_points(front, mesh, parents, quiet);
  double worst = 0;
  for (size_t v = 0; v < mesh.directions.size(); ++v) {
    double least = 9;
    for (const Front::Point& point : front.points) least = std::min(least, arc(mesh.directions[v], point.place));
    worst = std::max(worst, arc(mesh.directions[v], front.points[static_cast<size_t>(nearest[v])].place) - least);
  }
  EXPECT_LT(worst, 0.5 * edge_of_level(5));
}

TEST(SphereFields, EveningOutKeepsAConstantAndRaisingKeepsTheCoarseValues) {
  const SphereMesh mesh = icosphere(4, 0.3, 2, quiet);
  const Neighbours around = neighbours(mesh);
  std::vector<float> field(mesh.directions.size(), 3.0f);
  even_out(field, mesh, around, 0.2, quiet);
  for (const float value : field) EXPECT_FLOAT_EQ(value, 3.0f);
  std::vector<float> coarse(static_cast<size_t>(vertices_of_level(3)));
  for (size_t v = 0; v < coarse.size(); ++v) coarse[v] = static_cast<float>(v);
  const std::vector<float> fine = raised(coarse, icosphere_parents(5));
  ASSERT_EQ(static_cast<int64_t>(fine.size()), vertices_of_level(5));
  EXPECT_TRUE(std::equal(coarse.begin(), coarse.end(), fine.begin()));
}

}  // namespace tepui::sphere_mesh_test
