#include "tepui/mesh/land_triangulation.h"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reference/land_triangulation.h"
#include "tepui/core/hash.h"
#include "tests/support/support.h"

namespace tepui::land_triangulation_test {
namespace {

struct Plan {
  int64_t x, y;
};

/// The furthest that a sample lies from the triangles over it; infinity where a sample lies in none. Plainly.
double furthest(const Grid<float>& z, const LandTriangulation& t) {
  Grid<float> off(z.width(), z.height(), INFINITY);
  const auto plan = [&](uint32_t v) { return Plan{t.samples[v] % z.width(), t.samples[v] / z.width()}; };
  for (const MeshTriangle& triangle : t.triangles) {
    const Plan a = plan(triangle[0]), b = plan(triangle[1]), c = plan(triangle[2]);
    const auto turn = [](Plan p, Plan q, Plan r) { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); };
    const int64_t area = turn(a, b, c);
    for (int64_t y = std::min({a.y, b.y, c.y}); y <= std::max({a.y, b.y, c.y}); ++y)
      for (int64_t x = std::min({a.x, b.x, c.x}); x <= std::max({a.x, b.x, c.x}); ++x) {
        const int64_t u = turn(b, c, {x, y}), v = turn(c, a, {x, y}), w = turn(a, b, {x, y});
        if (u < 0 || v < 0 || w < 0) continue;
        const auto height = [&](Plan p) { return static_cast<double>(z(p.x, p.y)); };
        const double there = (static_cast<double>(u) * height(a) + static_cast<double>(v) * height(b) +
                              static_cast<double>(w) * height(c)) /
                             static_cast<double>(area);
        // On an edge both triangles must do.
        const auto here = static_cast<float>(std::abs(there - static_cast<double>(z(x, y))));
        off(x, y) = std::isinf(off(x, y)) ? here : std::max(off(x, y), here);
      }
  }
  return static_cast<double>(*std::ranges::max_element(off.cells()));
}

/// Twice the area in plan; checks that every triangle has some and that each edge is used once in each direction, but
/// for the border.
int64_t covered(const Grid<float>& z, const LandTriangulation& t) {
  std::set<std::pair<uint32_t, uint32_t>> edges;
  int64_t sum = 0;
  for (const MeshTriangle& triangle : t.triangles) {
    const auto x = [&](size_t k) { return static_cast<int64_t>(t.samples[triangle[k]]) % z.width(); };
    const auto y = [&](size_t k) { return static_cast<int64_t>(t.samples[triangle[k]]) / z.width(); };
    const int64_t area = (x(1) - x(0)) * (y(2) - y(0)) - (y(1) - y(0)) * (x(2) - x(0));
    RC_ASSERT(area > 0);
    sum += area;
    for (size_t k = 0; k < 3; ++k) RC_ASSERT(edges.insert({triangle[k], triangle[(k + 1) % 3]}).second);
  }
  for (const auto& [a, b] : edges) {
    if (edges.contains({b, a})) continue;
    const int64_t ax = t.samples[a] % z.width(), ay = t.samples[a] / z.width();
    const int64_t bx = t.samples[b] % z.width(), by = t.samples[b] / z.width();
    RC_ASSERT((ax == bx && (ax == 0 || ax == z.width() - 1)) || (ay == by && (ay == 0 || ay == z.height() - 1)));
  }
  return sum;
}

/// Hills, steps and level ground.
Grid<float> any_heights(int64_t width, int64_t height) {
  const auto seed = *rc::gen::inRange<uint64_t>(0, 1000);
  const Terrain land = test::sample_land(width, height, seed);
  Grid<float> z = land.height().clone();
  const int kind = *rc::gen::inRange(0, 3);
  for (float& h : z.cells()) {
    if (kind == 1) h = std::round(h / 100) * 100;
    if (kind == 2) h = std::max(h, 300.0f);
  }
  return z;
}

RC_GTEST_PROP(LandTriangulation, NoSampleIsFurtherThanTheErrorAndTheLandIsCoveredOnce, ()) {
  const auto width = *rc::gen::inRange<int64_t>(2, 60), height = *rc::gen::inRange<int64_t>(2, 60);
  const Grid<float> z = any_heights(width, height);
  const double error = *rc::gen::element(0.0, 0.01, 1.0, 10.0, 50.0, 1000.0);
  const LandTriangulation t = triangulate_land(z, {.error = error, .tile = *rc::gen::arbitrary<bool>()}, Context());
  RC_ASSERT(covered(z, t) == 2 * (width - 1) * (height - 1));
  RC_ASSERT(furthest(z, t) <= error + 1e-4);
  RC_ASSERT(std::ranges::is_sorted(t.samples));
}

TEST(LandTriangulation, ManyBlocksMeet) {
  const Terrain land = test::sample_land(530, 300, 3);
  const LandTriangulation t = triangulate_land(land.height(), {.error = 20}, Context());
  EXPECT_EQ(covered(land.height(), t), 2 * 529 * 299);
  EXPECT_LE(furthest(land.height(), t), 20 + 1e-4);
  EXPECT_LT(t.triangles.size(), size_t{2 * 529 * 299});
}

TEST(LandTriangulation, LevelLandIsTwoTriangles) {
  for (const auto& [width, height] : {std::pair{2, 2}, {1009, 1009}, {3, 700}}) {
    const LandTriangulation t = triangulate_land(Grid<float>(width, height, 7), {.error = 0.1}, Context());
    EXPECT_EQ(t.triangles.size(), 2u);
    EXPECT_EQ(t.samples.size(), 4u);
    EXPECT_EQ(covered(Grid<float>(width, height, 7), t), 2 * (width - 1) * (height - 1));
  }
}

TEST(LandTriangulation, SlopesNeedNoMoreThanLevelLand) {
  Grid<float> z(100, 80);
  for (int64_t y = 0; y < 80; ++y)
    for (int64_t x = 0; x < 100; ++x) z(x, y) = static_cast<float>(3 * x - 2 * y);
  EXPECT_EQ(triangulate_land(z, {.error = 0.001}, Context()).triangles.size(), 2u);
}

/// The samples of a column that are vertices.
std::vector<int64_t> column(const Grid<float>& z, const LandTriangulation& t, int64_t x) {
  std::vector<int64_t> rows;
  for (const uint32_t sample : t.samples)
    if (sample % z.width() == x) rows.push_back(sample / z.width());
  return rows;
}

RC_GTEST_PROP(LandTriangulation, TilesHaveTheSameVerticesOnTheirCommonBorder, ()) {
  const Grid<float> z = any_heights(61, 31);
  const double error = *rc::gen::element(0.5, 5.0, 40.0);
  const auto tile = [&](int64_t first) {
    Grid<float> part(31, 31);
    for (int64_t y = 0; y < 31; ++y) std::copy_n(z.row(y) + first, 31, part.row(y));
    return part;
  };
  const Grid<float> west = tile(0), east = tile(30);
  const LandTriangulationParams params{.error = error, .tile = true};
  RC_ASSERT(column(west, triangulate_land(west, params, Context()), 30) ==
            column(east, triangulate_land(east, params, Context()), 0));
}

TEST(LandTriangulation, LessErrorMoreTriangles) {
  const Terrain land = test::sample_land(200, 200, 5);
  size_t last = 0;
  for (const double error : {100.0, 30.0, 10.0, 3.0, 1.0}) {
    const size_t count = triangulate_land(land.height(), {.error = error}, Context()).triangles.size();
    EXPECT_GT(count, last);
    last = count;
  }
  EXPECT_EQ(triangulate_land(land.height(), {.error = 0}, Context()).triangles.size(), size_t{2 * 199 * 199});
}

TEST(LandTriangulation, KeepsAboutAsManyAsThePlainVersion) {
  // Ties between equally good diagonals may be broken otherwise.
  for (const uint64_t seed : {1, 2}) {
    const Terrain land = test::sample_land(40, 30, seed);
    for (const double error : {15.0, 60.0}) {
      const auto own =
          static_cast<double>(triangulate_land(land.height(), {.error = error}, Context()).triangles.size());
      const auto plain = static_cast<double>(reference::triangulate_land(land.height(), error).size()) / 3;
      EXPECT_NEAR(own, plain, 0.03 * plain) << error;
    }
  }
}

TEST(LandTriangulation, SameBits) {
  const Terrain land = test::sample_land(600, 300, 9);
  test::expect_same_bits([&] {
    const LandTriangulation t = triangulate_land(land.height(), {.error = 8}, Context());
    return Hasher()
        .add(hash_large(t.samples.data(), t.samples.size() * sizeof t.samples[0]))
        .add(hash_large(t.triangles.data(), t.triangles.size() * sizeof t.triangles[0]))
        .finish();
  });
}

}  // namespace
}  // namespace tepui::land_triangulation_test
