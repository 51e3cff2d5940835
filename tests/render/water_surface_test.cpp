// The surface of water as a mesh.
#include "tepui/render/ground/water_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tests/render/scenes.h"
#include "tests/support/support.h"

namespace tepui::water_surface_test {
namespace {

/// Hills with a river's slope of water between them.
Terrain wet_land(uint64_t seed, int64_t w, int64_t h) {
  const Terrain land = test::sample_land(w, h, seed, 10, {0, 80});
  Grid<float> level(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) level(x, y) = static_cast<float>(35 + 0.4 * static_cast<double>(x));
  return land.with(make_layer("water_level", "m", LayerKind::continuous, std::move(level)));
}

TileWindow all_of(const Terrain& land) { return {0, 0, 0, 0, land.frame().width, land.frame().height}; }

Mesh surface_of(const Terrain& land, std::optional<double> sea = {}, std::optional<TileWindow> window = {}) {
  return water_surface(land, InlandWater(land, Context()), sea, window.value_or(all_of(land)), {100, 50, 7}, Context());
}

/// The height of the mesh over a place in plan, where there is any.
std::optional<double> height_at(const Mesh& mesh, Vec2 at) {
  for (const MeshTriangle& t : mesh.triangles()) {
    Vec3 p[3];
    for (size_t k = 0; k < 3; ++k) p[k] = mesh.centre() + to_vec(mesh.positions()[t[k]]);
    const auto turn = [&](Vec3 a, Vec3 b) { return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x); };
    const double a = turn(p[1], p[2]), b = turn(p[2], p[0]), c = turn(p[0], p[1]), sum = a + b + c;
    if (!(sum > 0) || std::min({a, b, c}) < -1e-6 * sum) continue;
    return (a * p[0].z + b * p[1].z + c * p[2].z) / sum;
  }
  return std::nullopt;
}

}  // namespace

RC_GTEST_PROP(WaterSurface, CoversWhatIsWetAndReachesNoFurtherThanTheBanks, (uint64_t seed)) {
  const int64_t w = *rc::gen::inRange<int64_t>(2, 24), h = *rc::gen::inRange<int64_t>(2, 24);
  const Terrain land = wet_land(seed, w, h);
  const InlandWater water(land, Context());
  const Mesh mesh = surface_of(land);
  const Frame& frame = land.frame();
  RC_ASSERT(mesh.triangles().empty() == water.empty());
  if (water.empty()) return;
  RC_ASSERT(mesh.normals().size() == mesh.positions().size());
  const auto wet = [&](int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < w && y < h && water.over_ground_at(x, y) > 0;
  };
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const std::optional<double> level = height_at(mesh, {frame.x(x), frame.y(y)});
      if (wet(x, y)) {
        RC_ASSERT(level.has_value());
        RC_ASSERT(std::abs(*level - static_cast<double>(water.level()(x, y))) <= 0.0201 * frame.cell.x);
      }
      bool near = false;
      for (int64_t j = y - 1; j <= y + 1; ++j)
        for (int64_t i = x - 1; i <= x + 1; ++i) near |= wet(i, j);
      if (!near) RC_ASSERT(!level);
    }
}

TEST(WaterSurface, NeighboursMeet) {
  const Terrain land = wet_land(3, 33, 17);
  const auto on_line = [](const Mesh& mesh, float x) {
    std::set<MeshPoint> found;
    for (const MeshPoint& p : mesh.positions())
      if (p[0] == x) found.insert(p);
    return found;
  };
  const Mesh west = surface_of(land, 30, TileWindow{0, 0, 0, 0, 17, 17}),
             east = surface_of(land, 30, TileWindow{1, 0, 16, 0, 17, 17});
  const auto x = static_cast<float>(land.frame().x(16) - 100);
  const auto in_west = on_line(west, x), in_east = on_line(east, x);
  const InlandWater water(land, Context());
  int met = 0;
  // What lies below the banks is nobody's concern.
  for (int64_t y = 0; y < 17; ++y) {
    if (!(water.over_ground_at(16, y) > 0)) continue;
    ++met;
    const MeshPoint shared{x, static_cast<float>(land.frame().y(y) - 50), water.level()(16, y) - 7};
    EXPECT_TRUE(in_west.contains(shared) && in_east.contains(shared)) << y;
  }
  EXPECT_GT(met, 2);
}

TEST(WaterSurface, TheSeaIsLevelAndLiesWhereTheLandIsLower) {
  const Terrain land = test::sample_land(19, 15, 1, 10, {10, 90});
  EXPECT_TRUE(surface_of(land).triangles().empty());
  EXPECT_TRUE(surface_of(land, 5).triangles().empty());
  const Mesh sea = surface_of(land, 40);
  EXPECT_GT(sea.triangles().size(), 0u);
  for (const MeshPoint& p : sea.positions()) EXPECT_FLOAT_EQ(p[2], 33);
  for (const MeshPoint& n : sea.normals()) EXPECT_EQ(n, (MeshPoint{0, 0, 1}));
  int dry = 0;
  for (int64_t y = 1; y < 14; ++y)
    for (int64_t x = 1; x < 18; ++x) {
      bool near = false;
      for (int64_t j = y - 1; j <= y + 1; ++j)
        for (int64_t i = x - 1; i <= x + 1; ++i) near |= land.height()(i, j) < 40;
      const bool told = height_at(sea, {land.frame().x(x), land.frame().y(y)}).has_value();
      EXPECT_TRUE(told || land.height()(x, y) >= 40) << x << ", " << y;
      EXPECT_TRUE(near || !told) << x << ", " << y;
      dry += near ? 0 : 1;
    }
  EXPECT_GT(dry, 3);
  // All under it, of so many samples that it is laid in squares.
  const Mesh ocean = surface_of(test::sample_land(700, 3, 1, 10, {10, 90}), 400);
  EXPECT_LT(ocean.triangles().size(), 1000u);
  EXPECT_TRUE(height_at(ocean, {3333, 7}).has_value());
}

TEST(WaterSurface, TheSameForAnyNumberOfThreads) {
  const Terrain land = wet_land(8, 40, 40);
  test::expect_same_bits([&] { return surface_of(land, 20).hash(); });
}

}  // namespace tepui::water_surface_test
