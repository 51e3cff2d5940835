#include "tepui/mesh/atlas.h"

#include <cmath>

#include "tepui/core/grid.h"
#include "tepui/core/random.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::atlas_test {
namespace {

/// A torus whose surface is rough, so that charts fold and break.
MeshData rough_torus(uint32_t n, uint64_t seed, double rough) {
  MeshData data = test::torus(n);
  const Stream stream(seed);
  for (size_t i = 0; i < data.positions.size(); ++i)
    for (size_t k = 0; k < 3; ++k) data.positions[i][k] += static_cast<float>(stream.uniform(i, k, -rough, rough));
  return data;
}

Vec2 texel(const Atlas& atlas, uint32_t vertex) {
  const MeshCoordinate& c = atlas.mesh.coordinates()[vertex];
  return {static_cast<double>(c[0]) * atlas.size, (1 - static_cast<double>(c[1])) * atlas.size};
}

double turn(Vec2 a, Vec2 b, Vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

constexpr uint32_t nobody = 0xffffffff;

/// What lies on the points of a lattice half a texel apart.
struct Cover {
  Grid<uint32_t> chart;
  int64_t once = 0, twice = 0;  ///< points with a triangle, and with several
  bool mixed = false;           ///< some of several charts
};

Cover cover_of(const Atlas& atlas) {
  Cover cover{Grid<uint32_t>(2 * atlas.size, 2 * atlas.size, nobody)};
  for (uint32_t i = 0; i < atlas.mesh.triangles().size(); ++i) {
    const MeshTriangle& t = atlas.mesh.triangles()[i];
    const Vec2 p[3] = {texel(atlas, t[0]) * 2, texel(atlas, t[1]) * 2, texel(atlas, t[2]) * 2};
    for (int y = static_cast<int>(std::min({p[0].y, p[1].y, p[2].y})); y <= std::max({p[0].y, p[1].y, p[2].y}); ++y)
      for (int x = static_cast<int>(std::min({p[0].x, p[1].x, p[2].x})); x <= std::max({p[0].x, p[1].x, p[2].x}); ++x) {
        const Vec2 at{x + 0.137, y + 0.291};
        if (turn(p[0], p[1], at) <= 0 || turn(p[1], p[2], at) <= 0 || turn(p[2], p[0], at) <= 0) continue;
        uint32_t& chart = cover.chart(x, y);
        ++(chart == nobody ? cover.once : cover.twice);
        cover.mixed = cover.mixed || (chart != nobody && chart != atlas.charts[i]);
        chart = atlas.charts[i];
      }
  }
  return cover;
}

RC_GTEST_PROP(Atlas, ChartsDoNotComeNearEachOther, (uint64_t seed)) {
  const Mesh mesh(rough_torus(*rc::gen::inRange(3u, 20u), seed, *rc::gen::element(0.0, 0.05, 0.3)));
  const Atlas atlas = make_atlas(mesh, {160, *rc::gen::inRange(1, 4)}, Context());
  const Cover cover = cover_of(atlas);
  RC_ASSERT(cover.once > 0 && !cover.mixed);
  // Within a chart a sliver may fold over its neighbour.
  RC_ASSERT(cover.twice <= 2 + cover.once / 200);
  const int64_t side = cover.chart.width();
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) {
      const uint32_t own = cover.chart(x, y);
      for (int64_t d = 1; own != nobody && d < 4 * atlas.gutter; ++d)
        for (const auto& [dx, dy] : {std::pair<int64_t, int64_t>(d, 0), {0, d}}) {
          if (x + dx >= side || y + dy >= side) continue;
          const uint32_t other = cover.chart(x + dx, y + dy);
          RC_ASSERT(other == nobody || other == own);
        }
    }
}

RC_GTEST_PROP(Atlas, EveryTriangleIsThereSeenFromItsFront, (uint64_t seed)) {
  const double rough = *rc::gen::element(0.0, 0.1, 0.4);
  const MeshData data = test::with_attributes(rough_torus(*rc::gen::inRange(3u, 24u), seed, rough), seed);
  const Mesh mesh(*rc::gen::arbitrary<bool>() ? test::split(data) : data);
  const Atlas atlas = make_atlas(mesh, {256, 2}, Context());
  RC_ASSERT(atlas.mesh.triangles().size() == mesh.triangles().size());
  RC_ASSERT(atlas.charts.size() == mesh.triangles().size());
  RC_ASSERT(atlas.mesh.attributes().size() == mesh.attributes().size());
  for (size_t i = 0; i < mesh.triangles().size(); ++i) {
    const MeshTriangle &own = atlas.mesh.triangles()[i], &given = mesh.triangles()[i];
    Vec2 p[3];
    Vec3 at[3];
    for (size_t k = 0; k < 3; ++k) {
      RC_ASSERT(atlas.sources[own[k]] == given[k]);
      RC_ASSERT(atlas.mesh.positions()[own[k]] == mesh.positions()[given[k]]);
      p[k] = texel(atlas, own[k]);
      at[k] = to_vec(mesh.positions()[given[k]]);
      RC_ASSERT(p[k].x >= atlas.gutter && p[k].x <= atlas.size - atlas.gutter);
      RC_ASSERT(p[k].y >= atlas.gutter && p[k].y <= atlas.size - atlas.gutter);
    }
    // At least a quarter of its own area, and none of it mirrored.
    const double scale = atlas.per_metre[atlas.charts[i]];
    const double area = length(cross(at[1] - at[0], at[2] - at[0])) * scale * scale;
    RC_ASSERT(turn(p[0], p[1], p[2]) > 0.25 * area - 1e-3);
    RC_ASSERT(turn(p[0], p[1], p[2]) < area + 1e-3);
  }
}

TEST(Atlas, TheSameForAnyNumberOfThreads) {
  test::expect_same_bits([] { return make_atlas(Mesh(rough_torus(40, 3, 0.1)), {512, 4}, Context()).mesh.hash(); });
}

TEST(Atlas, ACubeHasSidesAndAFloorThatTakesLittleRoom) {
  const Atlas atlas = make_atlas(Mesh(test::cube()), {}, Context());
  EXPECT_GE(atlas.per_metre.size(), 3u);
  EXPECT_LE(atlas.per_metre.size(), 6u);
  EXPECT_EQ(std::ranges::count(atlas.per_metre, *std::ranges::min_element(atlas.per_metre)), 1);
  EXPECT_GT(*std::ranges::max_element(atlas.per_metre), 2048 / 3.2);
}

TEST(Atlas, WithoutASurfaceOrRoomThereIsNone) {
  EXPECT_NE(test::error_of([] { make_atlas(Mesh(), {}, Context()); }).find("no surface"), std::string::npos);
  MeshData flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  flat.triangles = {{0, 1, 2}};
  EXPECT_NE(test::error_of([&] { make_atlas(Mesh(flat), {}, Context()); }).find("no surface"), std::string::npos);
  // As many loose pieces as there are triangles.
  MeshData loose = test::torus(60);
  const Stream stream(5);
  for (size_t i = 0; i < loose.triangles.size(); ++i)
    for (uint32_t& corner : loose.triangles[i])
      corner = static_cast<uint32_t>(stream.bits(i, corner) % loose.positions.size());
  std::erase_if(loose.triangles, [](const MeshTriangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  EXPECT_NE(test::error_of([&] { make_atlas(Mesh(loose), {64, 4}, Context()); }).find("do not fit"), std::string::npos);
}

TEST(Tangents, RunAlongTheSurfaceTheWayUGrows) {
  const Atlas atlas = make_atlas(Mesh(test::torus(50)), {}, Context());
  MeshData data = atlas.mesh.data();
  data.normals.resize(data.positions.size());
  for (size_t i = 0; i < data.positions.size(); ++i) {
    const Vec3 p = to_vec(data.positions[i]);
    const double around = std::sqrt(p.x * p.x + p.y * p.y);
    data.normals[i] = {static_cast<float>(p.x * (1 - 3 / around)), static_cast<float>(p.y * (1 - 3 / around)),
                       data.positions[i][2]};
  }
  const Mesh mesh(data);
  const auto tangents = tangents_of(mesh);
  for (const MeshTriangle& t : mesh.triangles())
    for (size_t k = 0; k < 3; ++k) {
      const auto& along = tangents[t[k]];
      const Vec3 tangent = to_vec({along[0], along[1], along[2]});
      EXPECT_NEAR(length(tangent), 1, 1e-5);
      EXPECT_NEAR(dot(tangent, to_vec(mesh.normals()[t[k]])), 0, 1e-5);
      EXPECT_EQ(along[3], 1);
      const Vec3 edge = to_vec(mesh.positions()[t[(k + 1) % 3]]) - to_vec(mesh.positions()[t[k]]);
      const double across = static_cast<double>(mesh.coordinates()[t[(k + 1) % 3]][0] - mesh.coordinates()[t[k]][0]);
      // Where u grows much along an edge, so does the tangent.
      if (std::abs(across) * atlas.size / atlas.per_metre[0] > 0.8 * length(edge)) {
        EXPECT_GT(dot(edge, tangent) * across, 0);
      }
    }
}

}  // namespace
}  // namespace tepui::atlas_test
