#include "tepui/render/light/ray_scene.h"

#include <algorithm>
#include <cmath>

#include "reference/height_field.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::ray_scene_test {

namespace {

/// Land one unit wide around the middle, a few tenths high.
HeightPlacement unit_placement(const Grid<float>& z) {
  const double cell = 1.0 / static_cast<double>(std::max(z.width(), z.height()) - 1);
  return {{-0.5, -0.5, 0}, {cell, cell}, 0.001};
}

/// A level square at a height, of two triangles.
struct Plate {
  std::vector<MeshPoint> positions;
  std::vector<MeshTriangle> triangles;
};
Plate plate_at(float z) {
  return {{{-0.3f, -0.3f, z}, {0.3f, -0.3f, z}, {0.3f, 0.3f, z}, {-0.3f, 0.3f, z}}, {{0, 1, 2}, {0, 2, 3}}};
}

Vec3 some_point(const Stream& stream, uint64_t ray, uint64_t channel, double reach) {
  return {stream.uniform(ray, channel, -reach, reach), stream.uniform(ray, channel + 1, -reach, reach),
          stream.uniform(ray, channel + 2, -0.1 * reach, reach)};
}

}  // namespace

TEST(RayScene, RaysBeyondAllMeasureMeetNothing) {
  RayScene scene;
  const Plate plate = plate_at(0.2f);
  scene.add(plate.positions, plate.triangles);
  scene.commit(Context());
  const double nan = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  for (const double wrong : {nan, endless, -endless, 1e300})
    for (const auto& [from, direction] :
         {std::pair{Vec3{wrong, 0, 1}, Vec3{0, 0, -1}}, std::pair{Vec3{0, 0, 1}, Vec3{0, wrong, -1}}}) {
      EXPECT_FALSE(scene.hit(from, direction).has_value()) << wrong;
      EXPECT_FALSE(scene.blocked(from, direction)) << wrong;
    }
  EXPECT_FALSE(scene.hit({0, 0, 1}, {0, 0, -1}, nan).has_value());
}

RC_GTEST_PROP(RayScene, FindsTheNearestTriangle, (uint64_t seed)) {
  MeshData data = test::random_mesh(seed, false, false, false);
  for (MeshPoint& p : data.positions)
    for (float& v : p) v /= 100;
  RayScene scene;
  scene.add(data.positions, data.triangles);
  scene.commit(Context());
  const Stream stream(seed + 1);
  for (uint64_t ray = 0; ray < 20; ++ray) {
    const auto draw = [&](uint64_t k) { return stream.uniform(ray, k, -1, 1); };
    const Vec3 from{3 * draw(0), 3 * draw(1), 3 * draw(2)};
    const Vec3 d = Vec3{draw(3), draw(4), draw(5)} - from;
    double nearest = INFINITY, clearance = 1;
    for (const MeshTriangle& t : data.triangles) {
      const Vec3 a = to_vec(data.positions[t[0]]), e1 = to_vec(data.positions[t[1]]) - a,
                 e2 = to_vec(data.positions[t[2]]) - a, p = cross(d, e2), s = from - a, q = cross(s, e1);
      const double det = dot(e1, p);
      if (std::abs(det) < 1e-9) continue;
      const double u = dot(s, p) / det, v = dot(d, q) / det, at = dot(e2, q) / det;
      const double inside = std::min({u, v, 1 - u - v, at});
      clearance = std::min(clearance, std::abs(inside));
      if (inside > 0) nearest = std::min(nearest, at);
    }
    if (clearance < 1e-4) continue;  // too close to an edge for single precision
    const auto hit = scene.hit(from, d);
    RC_ASSERT(hit.has_value() == std::isfinite(nearest));
    RC_ASSERT(scene.blocked(from, d) == hit.has_value());
    if (hit) RC_ASSERT(std::abs(hit->distance - nearest) < 1e-4 * (1 + nearest));
  }
}

RC_GTEST_PROP(RayScene, HitsLandWhereTheTwinHits, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 150), h = *rc::gen::inRange<int64_t>(2, 60);
  const Terrain land = test::sample_land(w, h, seed);
  const HeightPlacement place = unit_placement(land.height());
  const HeightField field(land.height(), place, Context());
  RayScene scene;
  RC_ASSERT(scene.add(field) == 0u);
  scene.commit(Context());
  const Stream stream(seed + 1);
  for (uint64_t ray = 0; ray < 20; ++ray) {
    // Also from so far away that single precision could not tell the squares apart.
    const Vec3 to = some_point(stream, ray, 0, 0.4);
    const Vec3 from = to + some_point(stream, ray, 3, ray % 4 == 0 ? 1e5 : 1) * (ray % 3 == 0 ? -1 : 1);
    const Vec3 d = (to - from) * stream.uniform(ray, 6, 0.5, 2), start = from - place.origin;
    const double far = ray % 2 == 0 ? RayScene::no_end : stream.uniform(ray, 7, 0, 2);
    const auto expected =
        reference::first_hit(land.height(), {start.x / place.cell.x, start.y / place.cell.y, start.z / place.lift},
                             {d.x / place.cell.x, d.y / place.cell.y, d.z / place.lift}, 0, far);
    const auto hit = scene.hit(from, d, far);
    RC_ASSERT(hit.has_value() == expected.has_value());
    RC_ASSERT(scene.blocked(from, d, far) == hit.has_value());
    if (!hit) continue;
    RC_ASSERT(hit->shape == 0u);
    RC_ASSERT(std::abs(hit->distance - expected->distance) < 1e-8 * (1 + expected->distance));
    const double slack = ray % 4 == 0 ? 1e-3 : 1e-6;
    RC_ASSERT(std::abs(hit->u - expected->u) < slack && std::abs(hit->v - expected->v) < slack);
  }
}

/// From clearly above to clearly below through samples and corners of squares, which is where float boxes meet.
RC_GTEST_PROP(RayScene, NoRaySlipsThroughLand, (uint64_t seed)) {
  const int64_t side = *rc::gen::element<int64_t>(65, 129, 200);
  const Terrain land = test::sample_land(side, side, seed);
  const HeightPlacement place = unit_placement(land.height());
  const HeightField field(land.height(), place, Context());
  RayScene scene;
  scene.add(field);
  scene.commit(Context());
  const Stream stream(seed + 2);
  for (uint64_t ray = 0; ray < 100; ++ray) {
    const auto lattice = [&](uint64_t channel) {
      const int64_t at = static_cast<int64_t>(stream.bits(ray, channel) % static_cast<uint64_t>(side));
      return -0.5 + place.cell.x * static_cast<double>(ray % 2 == 0 ? at : at / 32 * 32);
    };
    Vec3 top{lattice(0), lattice(1), 0.7}, foot{lattice(2), lattice(3), -0.2};
    if (ray % 5 == 0) foot.x = top.x;
    if (ray % 7 == 0) foot.y = top.y;
    if (ray % 3 == 0) std::swap(top, foot);
    const auto hit = scene.hit(top, foot - top);
    RC_ASSERT(hit.has_value());
    RC_ASSERT(hit->distance < 1);
    RC_ASSERT(scene.blocked(top, foot - top));
    const double over = top.z + (foot.z - top.z) * hit->distance - field.height_at(hit->u, hit->v);
    RC_ASSERT(std::abs(over) < 1e-9);
  }
}

RC_GTEST_PROP(RayScene, TheNearestOfAllShapesCounts, (uint64_t seed)) {
  const Terrain land = test::sample_land(80, 70, seed), other = test::sample_land(20, 30, seed + 1);
  const HeightField field(land.height(), unit_placement(land.height()), Context());
  HeightPlacement above = unit_placement(other.height());
  above.origin.z = 0.2;
  const HeightField second(other.height(), above, Context());
  const Plate low = plate_at(0.35f), high = plate_at(0.6f);
  RayScene scene, parts[4];
  RC_ASSERT(scene.add(low.positions, low.triangles) == 0u);
  RC_ASSERT(scene.add(field) == 1u);
  RC_ASSERT(scene.add(high.positions, high.triangles) == 2u);
  RC_ASSERT(scene.add(second) == 3u);
  parts[0].add(low.positions, low.triangles);
  parts[1].add(field);
  parts[2].add(high.positions, high.triangles);
  parts[3].add(second);
  scene.commit(Context());
  for (RayScene& part : parts) part.commit(Context());
  const Stream stream(seed + 3);
  for (uint64_t ray = 0; ray < 40; ++ray) {
    const Vec3 from = some_point(stream, ray, 0, 1), d = some_point(stream, ray, 3, 0.5) - from;
    const double far = ray % 2 == 0 ? RayScene::no_end : stream.uniform(ray, 7, 0, 2);
    const auto hit = scene.hit(from, d, far);
    double nearest = INFINITY;
    for (const RayScene& part : parts)
      if (const auto alone = part.hit(from, d, far)) nearest = std::min(nearest, alone->distance);
    RC_ASSERT(hit.has_value() == std::isfinite(nearest));
    RC_ASSERT(scene.blocked(from, d, far) == hit.has_value());
    if (!hit) continue;
    const auto alone = parts[hit->shape].hit(from, d, far);
    RC_ASSERT(alone.has_value());
    RC_ASSERT(std::abs(hit->distance - nearest) < 1e-6);
    RC_ASSERT(std::abs(alone->distance - hit->distance) < 1e-6);
    RC_ASSERT(alone->triangle == hit->triangle);
    RC_ASSERT(hit->distance <= far);
    const Vec3 at = from + d * hit->distance;
    if (hit->shape == 0 || hit->shape == 2) RC_ASSERT(std::abs(at.z - (hit->shape == 0 ? 0.35 : 0.6)) < 1e-5);
  }
}

TEST(RayScene, SameBitsForAnyThreads) {
  const Terrain land = test::sample_land(300, 200, 4);
  const Plate plate = plate_at(0.3f);
  const Stream stream(5);
  test::expect_same_bits([&] {
    const HeightField field(land.height(), unit_placement(land.height()), Context());
    RayScene scene;
    scene.add(field);
    scene.add(plate.positions, plate.triangles);
    scene.commit(Context());
    std::vector<RayHit> hits(2000);
    parallel_chunks(2000, 50, Context(), [&](int64_t begin, int64_t end) {
      for (int64_t ray = begin; ray < end; ++ray) {
        const Vec3 from = some_point(stream, static_cast<uint64_t>(ray), 0, 1);
        const Vec3 d = some_point(stream, static_cast<uint64_t>(ray), 3, 0.5) - from;
        hits[static_cast<size_t>(ray)] = scene.hit(from, d).value_or(RayHit{-1, 9, 9, 0, 0});
      }
    });
    return hash_bytes(hits.data(), hits.size() * sizeof(RayHit));
  });
}

TEST(RayScene, NothingToMeetIsNothingMet) {
  RayScene empty;
  empty.commit(Context());
  EXPECT_FALSE(empty.hit({0, 0, 1}, {0, 0, -1}).has_value());
  EXPECT_FALSE(empty.blocked({0, 0, 1}, {0, 0, -1}));
  RayScene scene;
  EXPECT_EQ(scene.add(std::span<const MeshPoint>(), std::span<const MeshTriangle>()), 0u);
  const Plate plate = plate_at(0.5f);
  EXPECT_EQ(scene.add(plate.positions, plate.triangles), 1u);
  scene.commit(Context());
  const auto hit = scene.hit({0.1, 0.2, 1}, {0, 0, -1});
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->shape, 1u);
  EXPECT_FALSE(scene.hit({0.1, 0.2, 1}, {0, 0, -1}, -1).has_value());
  EXPECT_FALSE(scene.blocked({0.1, 0.2, 1}, {0, 0, -1}, -1));
  EXPECT_FALSE(scene.blocked({0.1, 0.2, 1000}, {0, 0, -1}, 3));
  EXPECT_TRUE(scene.blocked({0.1, 0.2, 1000}, {0, 0, -1}, 999.6));
}

TEST(RayScene, CancelStopsTheSetUp) {
  const CancelFlag stop = true;
  const Terrain land = test::sample_land(300, 200, 4);
  EXPECT_THROW(HeightField(land.height(), {}, Context(nullptr, &stop)), Error);
  const HeightField field(land.height(), unit_placement(land.height()), Context());
  RayScene scene;
  scene.add(field);
  EXPECT_THROW(scene.commit(Context(nullptr, &stop)), Error);
}

}  // namespace tepui::ray_scene_test
