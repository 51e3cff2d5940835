#include "tepui/mesh/checks.h"

#include <map>
#include <set>

#include "tepui/core/error.h"
#include "tepui/mesh/source.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::checks_test {
namespace {

MeshChecks check(MeshData data) { return check_mesh(Mesh(std::move(data)), Context()); }

MeshData both(const MeshData& a, const MeshData& b) {
  MeshData data = a;
  const auto base = static_cast<uint32_t>(a.positions.size());
  data.positions.insert(data.positions.end(), b.positions.begin(), b.positions.end());
  for (const MeshTriangle& t : b.triangles) data.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  return data;
}

TEST(MeshChecks, CubeIsClosedWithItsVolume) {
  const MeshChecks checks = check(test::cube());
  EXPECT_EQ(checks.vertices, 8);
  EXPECT_EQ(checks.triangles, 12);
  EXPECT_EQ(checks.components, 1);
  EXPECT_EQ(checks.boundary_edges, 0);
  EXPECT_EQ(checks.genus, 0);
  EXPECT_DOUBLE_EQ(*checks.volume, 1);
  EXPECT_DOUBLE_EQ(checks.area, 6);
}

TEST(MeshChecks, TorusHasOneHandleFarFromTheOriginToo) {
  for (const double x : {0.0, 1000.0}) {
    const MeshChecks checks = check(test::torus(64, x));
    EXPECT_EQ(checks.genus, 1);
    EXPECT_NEAR(*checks.volume, 2 * M_PI * M_PI * 3, 0.5);
    EXPECT_NEAR(checks.area, 4 * M_PI * M_PI * 3, 0.5);
  }
}

TEST(MeshChecks, PartsAddUp) {
  const MeshChecks checks = check(both(test::torus(20, 0), both(test::torus(16, 50), test::cube())));
  EXPECT_EQ(checks.components, 3);
  EXPECT_EQ(checks.genus, 2);
  EXPECT_NEAR(*checks.volume,
              *check(test::torus(20)).volume + *check(test::torus(16, 50)).volume + *check(test::cube()).volume, 1e-3);
}

RC_GTEST_PROP(MeshChecks, VerticesAtOnePlaceAreOne, (uint64_t seed)) {
  const MeshData whole = *rc::gen::element(test::cube(), test::torus(9), test::random_mesh(seed, false, false, false));
  const MeshChecks a = check(whole), b = check(test::split(whole));
  RC_ASSERT(b.vertices == 3 * a.triangles);
  RC_ASSERT(a.components == b.components);
  RC_ASSERT(a.boundary_edges == b.boundary_edges);
  RC_ASSERT(a.nonmanifold_edges == b.nonmanifold_edges);
  RC_ASSERT(a.misoriented_edges == b.misoriented_edges);
  RC_ASSERT(a.degenerate_triangles == b.degenerate_triangles);
  RC_ASSERT(a.genus == b.genus);
  RC_ASSERT(a.volume == b.volume);
  RC_ASSERT(a.area == b.area);
}

/// The same counts, as plainly as they are defined.
RC_GTEST_PROP(MeshChecks, CountsAreThoseOfTheirDefinition, (uint64_t seed)) {
  const MeshData data = test::random_mesh(seed, false, false, false);
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  int64_t degenerate = 0;
  std::vector<std::set<uint32_t>> parts;
  for (const MeshTriangle& t : data.triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      ++degenerate;
      continue;
    }
    std::set<uint32_t> part(t.begin(), t.end());
    for (size_t k = 0; k < 3; ++k) ++edges[std::minmax(t[k], t[(k + 1) % 3])];
    for (auto other = parts.begin(); other != parts.end();) {
      const bool touches = std::any_of(part.begin(), part.end(), [&](uint32_t v) { return other->contains(v); });
      if (touches) part.insert(other->begin(), other->end());
      other = touches ? parts.erase(other) : other + 1;
    }
    parts.push_back(part);
  }
  int64_t boundary = 0, nonmanifold = 0;
  for (const auto& [edge, count] : edges) boundary += count == 1, nonmanifold += count > 2;
  const MeshChecks checks = check(data);
  RC_ASSERT(checks.boundary_edges == boundary);
  RC_ASSERT(checks.nonmanifold_edges == nonmanifold);
  RC_ASSERT(checks.degenerate_triangles == degenerate);
  RC_ASSERT(checks.components == static_cast<int64_t>(parts.size()));
  const Mesh mesh(data);
  RC_ASSERT(static_cast<int64_t>(boundary_edges(mesh, weld(mesh, Context()), Context()).size()) == boundary);
}

TEST(MeshChecks, FaultsAreCounted) {
  MeshData data = test::cube();
  data.positions.push_back({0.5f, -1, -1});
  data.triangles.push_back({0, 0, 1});
  data.triangles.push_back({0, 1, 8});  // a fin on an edge
  const MeshChecks checks = check(data);
  EXPECT_EQ(checks.degenerate_triangles, 1);
  EXPECT_EQ(checks.nonmanifold_edges, 1);
  EXPECT_EQ(checks.boundary_edges, 2);
  EXPECT_FALSE(checks.genus);
  EXPECT_FALSE(checks.volume);
  EXPECT_EQ(check({}).components, 0);
  EXPECT_FALSE(check({}).genus);
}

TEST(MeshChecks, TurnedTrianglesHaveNoInside) {
  MeshData data = test::cube();
  std::swap(data.triangles[4][0], data.triangles[4][1]);
  const MeshChecks checks = check(data);
  EXPECT_EQ(checks.misoriented_edges, 3);
  EXPECT_EQ(checks.boundary_edges, 0);
  EXPECT_FALSE(checks.volume);
  EXPECT_FALSE(checks.genus);
}

TEST(MeshChecks, CubesThatTouchInACornerHaveNoGenus) {
  MeshData other = test::cube();
  for (MeshPoint& p : other.positions)
    for (float& v : p) v += 1;
  const MeshChecks checks = check(both(test::cube(), other));
  EXPECT_EQ(checks.components, 1);
  EXPECT_FALSE(checks.genus);
  EXPECT_DOUBLE_EQ(*checks.volume, 2);
}

RC_GTEST_PROP(MeshChecks, LandIsOneSheet, (uint64_t seed)) {
  const int64_t width = *rc::gen::inRange(2, 40), height = *rc::gen::inRange(2, 40);
  const MeshChecks checks = check_mesh(gather(LandMesh(test::sample_land(width, height, seed))), Context());
  RC_ASSERT(checks.boundary_edges == 2 * (width - 1) + 2 * (height - 1));
  RC_ASSERT(checks.components == 1);
  RC_ASSERT(checks.genus == 0);
  RC_ASSERT(checks.misoriented_edges == 0);
  RC_ASSERT(!checks.volume);
}

TEST(MeshChecks, SameBitsForAnyThreads) {
  const Mesh mesh(test::torus(150));
  test::expect_same_bits([&] {
    const MeshChecks checks = check_mesh(mesh, Context());
    return Hasher().add(checks.area).add(*checks.volume).add(checks.boundary_edges).add(*checks.genus).finish();
  });
}

TEST(MeshChecks, CancelStopsTheWork) {
  const CancelFlag stop = true;
  try {
    check_mesh(Mesh(test::torus(64)), Context(nullptr, &stop));
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace tepui::checks_test
