#include "tepui/mesh/simplify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tepui/core/random.h"
#include "tepui/mesh/checks.h"
#include "tepui/mesh/source.h"
#include "tepui/mesh/subset.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::simplify_test {
namespace {

/// A torus with bumps.
Mesh rough_torus(uint32_t n, double roughness, uint64_t seed) {
  MeshData data = test::torus(n);
  for (size_t i = 0; i < data.positions.size(); ++i)
    for (size_t k = 0; k < 3; ++k)
      data.positions[i][k] += static_cast<float>(Stream(seed).uniform(i, k, -roughness, roughness));
  return Mesh(std::move(data));
}

/// A plain with a mesa of sheer walls in its middle, a gentle ridge beside it.
Mesh mesa(int64_t n) {
  Terrain land = test::sample_land(n, n, 1, 1);
  Grid<float> z(n, n);
  for (int64_t y = 0; y < n; ++y)
    for (int64_t x = 0; x < n; ++x) {
      const auto dx = static_cast<double>(x - n / 2), dy = static_cast<double>(y - n / 2);
      const double ridge = std::max(0.0, 4 - std::abs(static_cast<double>(y) - 5));
      z(x, y) = static_cast<float>(std::sqrt(dx * dx + dy * dy) < 0.3 * static_cast<double>(n) ? 20 : ridge);
    }
  return gather(LandMesh(land.with_height(std::move(z))));
}

double distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
  const Vec3 ab = b - a;
  const double square = dot(ab, ab), t = square > 0 ? std::clamp(dot(p - a, ab) / square, 0.0, 1.0) : 0;
  return length(p - (a + ab * t));
}

/// Plainly: to the plane where the foot lies inside, else to the sides.
double distance_to_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 n = cross(b - a, c - a);
  const double size = length(n);
  const bool inside = size > 0 && dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 &&
                      dot(cross(a - c, p - c), n) >= 0;
  if (inside) return std::abs(dot(p - a, n)) / size;
  return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

double distance_to(const Mesh& mesh, Vec3 p) {
  double least = INFINITY;
  for (const MeshTriangle& t : mesh.triangles())
    least = std::min(least, distance_to_triangle(p, to_vec(mesh.positions()[t[0]]), to_vec(mesh.positions()[t[1]]),
                                                 to_vec(mesh.positions()[t[2]])));
  return least;
}

/// The farthest that a point of `from`, of so many, lies off `to`.
double farthest(const Mesh& from, const Mesh& to, size_t points) {
  double most = 0;
  for (size_t i = 0; i < points; ++i) {
    const MeshTriangle& t = from.triangles()[Stream(11).bits(i) % from.triangles().size()];
    double u = Stream(12).uniform(i, 0, 0, 1), v = Stream(12).uniform(i, 1, 0, 1);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Vec3 a = to_vec(from.positions()[t[0]]), b = to_vec(from.positions()[t[1]]),
               c = to_vec(from.positions()[t[2]]);
    most = std::max(most, distance_to(to, a + (b - a) * u + (c - a) * v));
  }
  return most;
}

RC_GTEST_PROP(Simplify, KeepsWhatIsConnected, (uint64_t seed)) {
  const Mesh in = rough_torus(*rc::gen::inRange(6u, 30u), *rc::gen::element(0.0, 0.05, 0.3), seed);
  SimplifyParams params;
  params.share = *rc::gen::element(0.5, 0.1, 0.01);
  if (*rc::gen::inRange(0, 3) == 0) params.error = 0.2;
  const Mesh out = simplify(in, params, Context());
  const MeshChecks checks = check_mesh(out, Context());
  RC_ASSERT(checks.boundary_edges == 0);
  RC_ASSERT(checks.nonmanifold_edges == 0);
  RC_ASSERT(checks.misoriented_edges == 0);
  RC_ASSERT(checks.degenerate_triangles == 0);
  RC_ASSERT(checks.components == 1);
  RC_ASSERT(checks.genus == 1);
  RC_ASSERT(checks.triangles <= static_cast<int64_t>(in.triangles().size()));
}

TEST(Simplify, AskedCountIsReached) {
  const Mesh torus(test::torus(60)), land = mesa(60);
  for (const int64_t count : {5000, 999, 100}) {
    EXPECT_LE(simplify(torus, {.triangles = count}, Context()).triangles().size(), static_cast<size_t>(count));
    EXPECT_GE(simplify(torus, {.triangles = count}, Context()).triangles().size(), static_cast<size_t>(count) - 1);
    EXPECT_LE(simplify(land, {.triangles = count}, Context()).triangles().size(), static_cast<size_t>(count));
  }
  EXPECT_EQ(simplify(torus, {.share = 0.25}, Context()).triangles().size(), 1800u);
  EXPECT_EQ(simplify(torus, {}, Context()).triangles().size(), 720u);  // a tenth
  EXPECT_EQ(simplify(torus, {.triangles = 1 << 20}, Context()).triangles().size(), 7200u);
}

RC_GTEST_PROP(Simplify, StaysWithinTheErrorBothWays, (uint64_t seed)) {
  const bool land = *rc::gen::arbitrary<bool>();
  const Mesh in = land ? mesa(*rc::gen::inRange(12, 30)) : rough_torus(*rc::gen::inRange(8u, 24u), 0.04, seed);
  const double error = *rc::gen::element(0.02, 0.1, 0.5);
  const Mesh out = simplify(in, {.error = error}, Context());
  RC_ASSERT(!out.triangles().empty());
  double most = 0;
  for (const MeshPoint& p : in.positions()) most = std::max(most, distance_to(out, to_vec(p)));
  RC_ASSERT(most <= error * (1 + 1e-9));
  RC_ASSERT(farthest(in, out, 300) <= 1.5 * error);
  // Of the new surface the middles of sides and triangles are looked at.
  RC_ASSERT(farthest(out, in, 300) <= 2 * error);
}

TEST(Simplify, NoEdgeGrowsBeyondTheLongest) {
  const Mesh flat = gather(LandMesh(test::sample_land(40, 40, 1, 1).with_height(Grid<float>(40, 40, 5))));
  for (const double longest : {1.0, 3.0, 8.0}) {
    const Mesh mesh = simplify(flat, {.error = 0.5, .longest = longest}, Context());
    double most = 0;
    for (const MeshTriangle& t : mesh.triangles())
      for (size_t k = 0; k < 3; ++k)
        most = std::max(most, length(to_vec(mesh.positions()[t[k]]) - to_vec(mesh.positions()[t[(k + 1) % 3]])));
    // Those of the input may be longer: its cells have diagonals.
    EXPECT_LE(most, std::max(longest, std::sqrt(2.0)) + 1e-6);
    EXPECT_GT(most, 0.5 * longest);
  }
  EXPECT_LT(simplify(flat, {.error = 0.5}, Context()).triangles().size(), 40u);
}

TEST(Simplify, CliffsAndRidgesOutliveFlatGround) {
  const Mesh in = mesa(60);
  const Mesh out = simplify(in, {.error = 0.05}, Context());
  EXPECT_LT(out.triangles().size(), in.triangles().size() / 5);
  const auto steep = [](const Mesh& mesh) {
    double area = 0;
    for (const MeshTriangle& t : mesh.triangles()) {
      const Vec3 a = to_vec(mesh.positions()[t[0]]);
      const Vec3 n = cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a);
      if (n.z < 0.5 * length(n)) area += 0.5 * length(n);
    }
    return area;
  };
  EXPECT_NEAR(steep(out), steep(in), 0.01 * steep(in));
  // The crest of the ridge is a line: no vertex of it is missed, wherever it lies.
  for (const MeshPoint& p : in.positions()) EXPECT_LE(distance_to(out, to_vec(p)), 0.05 + 1e-9);
  // By count, too, flat ground goes first.
  const Mesh few = simplify(in, {.triangles = static_cast<int64_t>(out.triangles().size())}, Context());
  EXPECT_NEAR(steep(few), steep(in), 0.02 * steep(in));
}

RC_GTEST_PROP(Simplify, BorderStaysWhereItIs, ()) {
  const Mesh in = mesa(*rc::gen::inRange(4, 30));
  const auto border = [](const Mesh& mesh) {
    std::set<std::pair<MeshPoint, MeshPoint>> edges;
    for (const auto& [a, b] : boundary_edges(mesh, weld(mesh, Context()), Context()))
      edges.emplace(mesh.positions()[a], mesh.positions()[b]);
    return edges;
  };
  const Mesh out = simplify(in, {.share = 0.02, .keep_border = true}, Context());
  RC_ASSERT(border(out) == border(in));
  RC_ASSERT(check_mesh(out, Context()).genus == 0);
}

RC_GTEST_PROP(Simplify, VerticesKeepAllTheyHave, (uint64_t seed)) {
  MeshData data = test::torus(12);
  const size_t count = data.positions.size();
  for (size_t i = 0; i < count; ++i) {
    const auto draw = [&](uint64_t k) { return static_cast<float>(Stream(seed).uniform(i, k, -1, 1)); };
    data.normals.push_back({draw(0), draw(1), draw(2)});
    data.coordinates.push_back({draw(3), draw(4)});
    data.colours.push_back({static_cast<uint8_t>(Stream(seed).bits(i, 5)), 2, 3, 255});
  }
  data.attributes = {{"layer", "m", std::vector<float>(count)}};
  for (size_t i = 0; i < count; ++i) data.attributes[0].values[i] = static_cast<float>(i);
  data.centre = {1000, 2000, 30};
  const Mesh in(data), out = simplify(in, {.share = 0.4}, Context());
  RC_ASSERT(out.centre() == in.centre());
  RC_ASSERT(out.attribute("layer") != nullptr);
  std::set<float> seen;
  for (size_t v = 0; v < out.positions().size(); ++v) {
    const float name = out.attribute("layer")->values[v];
    const auto i = static_cast<size_t>(name);
    RC_ASSERT(seen.insert(name).second);
    RC_ASSERT(out.positions()[v] == in.positions()[i]);
    RC_ASSERT(out.normals()[v] == in.normals()[i]);
    RC_ASSERT(out.coordinates()[v] == in.coordinates()[i]);
    RC_ASSERT(out.colours()[v] == in.colours()[i]);
  }
}

RC_GTEST_PROP(Simplify, AnyTrianglesAreAnswered, (uint64_t seed)) {
  const Mesh in(test::random_mesh(seed, true, false, true));
  SimplifyParams params{.share = 0.01};
  if (*rc::gen::arbitrary<bool>()) params.error = 1;
  const Mesh out = simplify(in, params, Context());
  RC_ASSERT(out.triangles().size() <= in.triangles().size());
  RC_ASSERT(check_mesh(out, Context()).nonmanifold_edges <= check_mesh(in, Context()).nonmanifold_edges);
  RC_ASSERT(simplify(Mesh(), {}, Context()).triangles().empty());
}

TEST(Simplify, SmallestSurfacesStay) {
  MeshData triangle;
  triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.triangles = {{0, 1, 2}};
  EXPECT_EQ(simplify(Mesh(triangle), {.share = 0.01}, Context()).triangles().size(), 1u);
  const Mesh cube = simplify(Mesh(test::split(test::cube())), {.triangles = 1}, Context());
  EXPECT_EQ(cube.triangles().size(), 4u);  // a tetrahedron is closed, too
  EXPECT_EQ(check_mesh(cube, Context()).genus, 0);
}

TEST(Simplify, SameBitsForAnyThreads) {
  const Mesh torus = rough_torus(80, 0.02, 3);
  test::expect_same_bits([&] { return simplify(torus, {.share = 0.1}, Context()).hash(); });
  test::expect_same_bits([&] { return simplify(torus, {.error = 0.05}, Context()).hash(); });
}

RC_GTEST_PROP(Subset, DrawingOrderIsTheSameSurface, (uint64_t seed)) {
  const Mesh in(test::random_mesh(seed, true, true, true)), out = in_drawing_order(in);
  const auto corners = [](const Mesh& mesh) {
    std::vector<std::array<MeshPoint, 3>> list;
    for (MeshTriangle t : mesh.triangles()) {
      std::rotate(t.begin(),
                  std::min_element(t.begin(), t.end(),
                                   [&](uint32_t a, uint32_t b) { return mesh.positions()[a] < mesh.positions()[b]; }),
                  t.end());
      list.push_back({mesh.positions()[t[0]], mesh.positions()[t[1]], mesh.positions()[t[2]]});
    }
    std::ranges::sort(list);
    return list;
  };
  RC_ASSERT(out.triangles().size() == in.triangles().size());
  RC_ASSERT(corners(out) == corners(in));
  uint32_t next = 0;
  for (const MeshTriangle& t : out.triangles())
    for (const uint32_t corner : t) {
      RC_ASSERT(corner <= next);
      next = std::max(next, corner + 1);
    }
  RC_ASSERT(next == out.positions().size());
}

}  // namespace
}  // namespace tepui::simplify_test
