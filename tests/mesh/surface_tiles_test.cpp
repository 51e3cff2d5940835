#include "tepui/mesh/surface_tiles.h"

#include <map>

#include "tepui/core/error.h"
#include "tepui/mesh/checks.h"
#include "tests/mesh/fields.h"
#include "tests/support/support.h"

namespace tepui::surface_tiles_test {
namespace {

using test::blob_land;

Mesh mesh_of(const SolidPointer& solid, const SurfaceLattice& lattice, const SurfaceOptions& options) {
  return SurfaceTiles(Volume(solid, 7.5), lattice, options, Context()).mesh(Context());
}

void expect_closed(const Mesh& mesh) {
  const MeshChecks checks = check_mesh(mesh, Context());
  RC_ASSERT(checks.boundary_edges == 0);
  RC_ASSERT(checks.nonmanifold_edges == 0);
  RC_ASSERT(checks.misoriented_edges == 0);
  RC_ASSERT(checks.degenerate_triangles == 0);
}

/// Every edge within the lattice has two triangles that go along it in opposite directions; one on its border has one.
void expect_open_at_the_border_only(const Mesh& mesh, const SurfaceLattice& lattice) {
  const MeshChecks checks = check_mesh(mesh, Context());
  RC_ASSERT(checks.nonmanifold_edges == 0);
  RC_ASSERT(checks.misoriented_edges == 0);
  RC_ASSERT(checks.degenerate_triangles == 0);
  const Vec3 half = (lattice.at(lattice.nx - 1, lattice.ny - 1, lattice.nz - 1) - lattice.origin) * 0.5;
  for (const auto& [a, b] : boundary_edges(mesh, weld(mesh, Context()), Context())) {
    const MeshPoint &p = mesh.positions()[a], &q = mesh.positions()[b];
    bool on_border = false;
    const double sides[3] = {half.x, half.y, half.z};
    for (size_t k = 0; k < 3; ++k)
      on_border = on_border || (p[k] == q[k] && std::abs(std::abs(static_cast<double>(p[k])) - sides[k]) < 1e-6);
    RC_ASSERT(on_border);
  }
}

SurfaceLattice any_lattice(int64_t most) {
  return {{0, 0, 0},
          1,
          *rc::gen::inRange<int64_t>(1, most),
          *rc::gen::inRange<int64_t>(1, most),
          *rc::gen::inRange<int64_t>(1, most)};
}

RC_GTEST_PROP(SurfaceTiles, AnySignsGiveAClosedSurface, (uint64_t seed)) {
  const SurfaceLattice lattice = any_lattice(*rc::gen::element(3, 12, 70));
  const double share = *rc::gen::element(0.0, 0.1, 0.5, 0.9, 1.0);
  const SolidPointer solid = test::random_signs(seed, Box3{{-1, -1, -1}, {100, 100, 100}}, share);
  expect_closed(mesh_of(solid, lattice, {}));
}

RC_GTEST_PROP(SurfaceTiles, AnySignsGiveASurfaceOpenAtTheBorder, (uint64_t seed)) {
  const SurfaceLattice lattice = any_lattice(*rc::gen::element(3, 12, 70));
  const SolidPointer solid = test::random_signs(seed, Box3{{-1, -1, -1}, {100, 100, 100}}, 0.5);
  SurfaceOptions options;
  options.closed = false;
  expect_open_at_the_border_only(mesh_of(solid, lattice, options), lattice);
}

SurfaceLattice land_lattice(double size, double cell) {
  const auto n = static_cast<int64_t>(size / cell) + 1;
  return {{0, 0, -12}, cell, n, n, static_cast<int64_t>(30 / cell) + 1};
}

RC_GTEST_PROP(SurfaceTiles, BandedEqualsFull, (uint64_t seed)) {
  const double size = *rc::gen::element(9.0, 31.0, 40.0, 66.0);
  const SolidPointer land = blob_land(seed, size, *rc::gen::inRange<size_t>(0, 12));
  SurfaceLattice lattice = land_lattice(size, *rc::gen::element(1.0, 0.8, 2.3));
  // Also where the lattice leaves the ground on any side.
  if (*rc::gen::inRange(0, 3) == 0) lattice.origin = lattice.origin - Vec3{1.5, 2.5, 3.3};
  SurfaceOptions options;
  options.closed = *rc::gen::arbitrary<bool>();
  options.resistance = *rc::gen::arbitrary<bool>();
  options.colours = *rc::gen::arbitrary<bool>();
  const Mesh banded = mesh_of(land, lattice, options);
  options.full = true;
  const Mesh full = mesh_of(land, lattice, options);
  RC_ASSERT(banded.triangles().size() == full.triangles().size());
  RC_ASSERT(banded.hash() == full.hash());
}

RC_GTEST_PROP(SurfaceTiles, LandIsClosedWithFloorAndWalls, (uint64_t seed)) {
  const SurfaceLattice lattice = land_lattice(40, 1);
  const Mesh mesh = mesh_of(blob_land(seed, 40, 10), lattice, {});
  expect_closed(mesh);
  const auto [low, high] = mesh.world_bounds();
  RC_ASSERT(std::abs(low.z + 12) < 2e-3);
  RC_ASSERT(std::abs(low.x) < 2e-3);
  RC_ASSERT(std::abs(high.y - 40) < 2e-3);
}

RC_GTEST_PROP(SurfaceTiles, AnEditGivesTheMeshOfAFreshStart, (uint64_t seed)) {
  const double size = 75;
  auto land = blob_land(seed, size, 6);
  const SurfaceLattice lattice = land_lattice(size, 1);
  SurfaceOptions options;
  options.normals = *rc::gen::inRange(0, 5) == 0;
  options.closed = *rc::gen::arbitrary<bool>();
  SurfaceTiles tiles(Volume(land, 7.5), lattice, options, Context());
  const Stream stream(seed);
  for (uint64_t n = 0; n < 3; ++n) {
    const test::Blob blob{{stream.uniform(n, 1, 0, size), stream.uniform(n, 2, 0, size), stream.uniform(n, 3, -9, 6)},
                          stream.uniform(n, 4, 1, 8),
                          stream.uniform(n, 5, -12, 12)};
    const auto next = n == 2 ? std::make_shared<const test::BlobLand>(std::make_shared<test::TestSheet>(seed + 1),
                                                                      land->ground(), land->blobs())
                             : land->with(blob);
    const std::vector<int64_t> changed = tiles.update(Volume(next, 7.5), Context());
    if (n < 2) RC_ASSERT(changed.size() <= 4u);
    RC_ASSERT(tiles.mesh(Context()).hash() == mesh_of(next, lattice, options).hash());
    land = next;
  }
}

TEST(SurfaceTiles, SphereAndTorusAreWhatTheyAre) {
  const SurfaceLattice lattice{{0, 0, 0}, 0.25, 90, 90, 90};
  const MeshChecks ball = check_mesh(mesh_of(test::sphere({11, 11, 11}, 7), lattice, {}), Context());
  EXPECT_EQ(ball.genus, 0);
  EXPECT_NEAR(*ball.volume, 4 * M_PI / 3 * 7 * 7 * 7, 3);
  EXPECT_NEAR(ball.area, 4 * M_PI * 7 * 7, 1);
  const MeshChecks ring = check_mesh(mesh_of(test::torus_solid({11, 11, 11}, 6, 2), lattice, {}), Context());
  EXPECT_EQ(ring.genus, 1);
  EXPECT_NEAR(*ring.volume, 2 * M_PI * M_PI * 6 * 2 * 2, 3);
}

RC_GTEST_PROP(SurfaceTiles, VolumeAgreesWithSampling, (uint64_t seed)) {
  const double size = 24;
  const auto land = blob_land(seed, size, 8);
  const Mesh mesh = mesh_of(land, land_lattice(size, 0.5), {});
  const Volume volume(land, 7.5);
  const Stream stream(seed);
  const uint64_t count = 20000;
  double inside = 0;
  for (uint64_t n = 0; n < count; ++n)
    inside +=
        volume.inside({stream.uniform(n, 1, 0, size), stream.uniform(n, 2, 0, size), stream.uniform(n, 3, -12, 18)})
            ? 1
            : 0;
  const double all = size * size * 30, share = inside / static_cast<double>(count);
  const double sampled = all * share, error = all * std::sqrt(share * (1 - share) / static_cast<double>(count));
  RC_ASSERT(std::abs(*check_mesh(mesh, Context()).volume - sampled) < 5 * error + 0.01 * sampled);
}

TEST(SurfaceTiles, UprightEdgesMeetTheLandExactly) {
  const test::TestSheet sheet(5);
  const auto land = blob_land(5, 20, 0);
  SurfaceOptions options;
  options.closed = false;
  const Mesh mesh = mesh_of(land, land_lattice(20, 1), options);
  const Vec3 centre = mesh.centre();
  int64_t upright = 0;
  for (const MeshPoint& p : mesh.positions()) {
    const Vec3 at = centre + to_vec(p);
    if (at.x != std::floor(at.x) || at.y != std::floor(at.y)) continue;
    ++upright;
    const double h = sheet.at(at.x, at.y), share = h - std::floor(h);
    if (share > 1e-3 && share < 1 - 1e-3) {
      EXPECT_NEAR(at.z, h, 2e-6);
    }
  }
  EXPECT_EQ(upright, 21 * 21);
}

TEST(SurfaceTiles, NormalsLookOutOfTheRock) {
  const Mesh mesh = mesh_of(test::sphere({5, 5, 5}, 4), {{0, 0, 0}, 0.5, 21, 21, 21}, {});
  ASSERT_EQ(mesh.normals().size(), mesh.positions().size());
  for (size_t i = 0; i < mesh.positions().size(); ++i) {
    const Vec3 out = mesh.centre() + to_vec(mesh.positions()[i]) - Vec3{5, 5, 5};
    EXPECT_GT(dot(out, to_vec(mesh.normals()[i])) / length(out), 0.99);
  }
}

TEST(SurfaceTiles, WallsAreFlat) {
  const SolidPointer rock =
      std::make_shared<test::FunctionSolid>(Box3{{-9, -9, -9}, {9, 9, 9}}, [](Vec3) { return 1.0f; });
  const Mesh mesh = mesh_of(rock, {{0, 0, 0}, 1, 4, 3, 2}, {});
  const MeshChecks checks = check_mesh(mesh, Context());
  EXPECT_EQ(checks.genus, 0);
  EXPECT_NEAR(*checks.volume, 3 * 2 * 1, 0.03);
  const auto [low, high] = mesh.world_bounds();
  EXPECT_NEAR(low.x, -1e-3, 1e-6);
  EXPECT_NEAR(high.z, 1 + 1e-3, 1e-6);
  for (const MeshPoint& n : mesh.normals()) EXPECT_EQ(std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]), 1);
}

TEST(SurfaceTiles, NothingGivesAnEmptyMesh) {
  for (const bool closed : {false, true}) {
    SurfaceOptions options;
    options.closed = closed;
    EXPECT_TRUE(mesh_of(empty_solid(7.5), {{0, 0, 0}, 1, 5, 5, 5}, options).positions().empty());
    EXPECT_TRUE(mesh_of(test::sphere({5, 5, 5}, 4), {{0, 0, 0}, 1, 0, 0, 0}, options).positions().empty());
  }
  SurfaceOptions open;
  open.closed = false;
  EXPECT_TRUE(mesh_of(test::sphere({5, 5, 5}, 400), {{0, 0, 0}, 1, 9, 9, 9}, open).positions().empty());
}

TEST(SurfaceTiles, BandedAsksNearFeaturesOnly) {
  const auto land = blob_land(3, 130, 6);
  SurfaceOptions options;
  const SurfaceTiles banded(Volume(land, 7.5), land_lattice(130, 1), options, Context());
  options.full = true;
  const SurfaceTiles full(Volume(land, 7.5), land_lattice(130, 1), options, Context());
  EXPECT_GE(full.facts().asked, full.facts().points);
  EXPECT_LT(banded.facts().asked * 40, banded.facts().points);
  EXPECT_EQ(banded.facts().triangles, full.facts().triangles);
}

TEST(SurfaceTiles, SameBitsForAnyThreads) {
  const auto land = blob_land(9, 70, 20);
  test::expect_same_bits([&] { return mesh_of(land, land_lattice(70, 1), {}).hash(); });
}

TEST(SurfaceTiles, WideLatticesKeepTheirTriangles) {
  // A thin slab far from the middle: single precision must not move vertices onto each other.
  const SolidPointer signs = test::random_signs(4, Box3{{-1, -1, -1}, {2e5, 3, 3}}, 0.5);
  const Mesh mesh = mesh_of(signs, {{0, 0, 0}, 1, 100000, 2, 2}, {});
  const MeshChecks checks = check_mesh(mesh, Context());
  EXPECT_EQ(checks.degenerate_triangles, 0);
  EXPECT_EQ(checks.boundary_edges, 0);
  EXPECT_EQ(checks.nonmanifold_edges, 0);
}

TEST(SurfaceTiles, CancelStopsTheWork) {
  const CancelFlag stop = true;
  EXPECT_THROW(SurfaceTiles(Volume(blob_land(1, 70, 3), 7.5), land_lattice(70, 1), {}, Context(nullptr, &stop)), Error);
}

}  // namespace
}  // namespace tepui::surface_tiles_test
