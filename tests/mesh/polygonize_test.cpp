#include "tepui/mesh/polygonize.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "reference/polygonize.h"
#include "tepui/core/colour_map.h"
#include "tepui/core/error.h"
#include "tepui/geology/strata.h"
#include "tepui/mesh/checks.h"
#include "tepui/mesh/surface_estimate.h"
#include "tepui/volume/affine.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/sculpt.h"
#include "tepui/volume/transform.h"
#include "tepui/volume/union.h"
#include "tepui/volume/warp.h"
#include "tests/mesh/fields.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::polygonize_test {
namespace {

constexpr double T = Volume::usual_threshold;

Mesh mesh_in(const Volume& volume, const SurfaceLattice& lattice, const SurfaceOptions& options) {
  return SurfaceTiles(volume, lattice, options, Context()).take(Context());
}

/// Vertices by the edge of the lattice that they lie on.
std::map<std::tuple<int64_t, int64_t, int64_t, int>, Vec3> by_edge(const MeshData& mesh,
                                                                   const SurfaceLattice& lattice) {
  std::map<std::tuple<int64_t, int64_t, int64_t, int>, Vec3> vertices;
  for (const MeshPoint& p : mesh.positions) {
    const Vec3 at = (mesh.centre + to_vec(p) - lattice.origin) * (1 / lattice.cell);
    const double c[3] = {at.x, at.y, at.z};
    int axis = 0;
    int64_t low[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = std::llround(c[a]);
      if (std::abs(c[a] - std::round(c[a])) > 4e-4) axis = a;
    }
    low[axis] = static_cast<int64_t>(std::floor(c[axis]));
    vertices[{low[0], low[1], low[2], axis}] = at;
  }
  return vertices;
}

MeshData data_of(const Mesh& mesh) {
  MeshData data;
  data.centre = mesh.centre();
  data.positions.assign(mesh.positions().begin(), mesh.positions().end());
  data.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return data;
}

/// The same edges; the same places on them to `bound` cells.
void expect_twin(const Volume& volume, const SurfaceLattice& lattice, bool closed, double bound) {
  SurfaceOptions options;
  options.closed = closed;
  const MeshData fast = data_of(mesh_in(volume, lattice, options)),
                 plain = reference::polygonize(volume, lattice, closed);
  RC_ASSERT(fast.positions.size() == plain.positions.size());
  RC_ASSERT(fast.triangles.size() == plain.triangles.size());
  const auto a = by_edge(fast, lattice), b = by_edge(plain, lattice);
  RC_ASSERT(a.size() == fast.positions.size());
  for (const auto& [edge, at] : a) {
    RC_ASSERT(b.contains(edge));
    RC_ASSERT(length(at - b.at(edge)) <= bound);
  }
}

RC_GTEST_PROP(Polygonize, EqualsItsPlainTwinWhereThereIsNoSheet, (uint64_t seed)) {
  const SolidPointer solid = *rc::gen::element(test::random_signs(seed, Box3{{-1, -1, -1}, {50, 50, 50}}, 0.3),
                                               test::sphere({6, 5, 7}, 4.3), test::torus_solid({9, 9, 9}, 5, 2));
  const SurfaceLattice lattice{{0, 0, 0},
                               1,
                               *rc::gen::inRange<int64_t>(1, 40),
                               *rc::gen::inRange<int64_t>(1, 20),
                               *rc::gen::inRange<int64_t>(1, 20)};
  expect_twin(Volume(solid, T), lattice, *rc::gen::arbitrary<bool>(), 1e-5);
}

RC_GTEST_PROP(Polygonize, IsNearItsPlainTwinOnLand, (uint64_t seed)) {
  const Volume volume(test::blob_land(seed, 20, 4), T);
  expect_twin(volume, {{0, 0, -12}, 1, 21, 21, 31}, *rc::gen::arbitrary<bool>(), 0.1);
}

/// Random trees of all operators. RC_PARAMS="max_success=1000" draws more of them.
RC_GTEST_PROP(Polygonize, BandedEqualsFullForAnyTree, ()) {
  test::Dice dice;
  const test::Grown grown = test::any_volume(dice, 3);
  const double cell = dice.real(8, 14);
  const SurfaceLattice lattice{Vec3{-110, -110, -85} + Vec3{dice.real(0, 9), dice.real(0, 9), dice.real(0, 9)}, cell,
                               1 + dice.below(40), 8 + dice.below(20), 6 + dice.below(14)};
  SurfaceOptions options;
  options.closed = dice.coin();
  const Mesh banded = mesh_in(grown.volume, lattice, options);
  RC_CLASSIFY(!banded.triangles().empty(), "some surface");
  options.full = true;
  RC_ASSERT(banded.hash() == mesh_in(grown.volume, lattice, options).hash());
  if (!options.closed) return;
  const MeshChecks checks = check_mesh(banded, Context());
  RC_ASSERT(checks.boundary_edges == 0);
  RC_ASSERT(checks.nonmanifold_edges == 0);
  RC_ASSERT(checks.misoriented_edges == 0);
  RC_ASSERT(checks.degenerate_triangles == 0);
}

/// Two levels, both of them those of lattice points.
Terrain plateau() {
  const Terrain land = test::sample_land(41, 33, 1, 10, {0, 60});
  Grid<float> height(41, 33);
  for (int64_t j = 0; j < 33; ++j)
    for (int64_t i = 0; i < 41; ++i) height(i, j) = i > 12 && i < 30 && j > 9 ? 60 : 20;
  return land.with_height(std::move(height));
}

RC_GTEST_PROP(Polygonize, BandedEqualsFullForMovedPlateaus, ()) {
  ImplicitizeParams land;
  land.floor = metres(40);
  const Volume volume = implicitize(plateau(), nullptr, nullptr, land, Context());
  TransformParams p;
  p.move = {*rc::gen::inRange(-99, 99) * 0.1, *rc::gen::inRange(-99, 99) * 0.1, *rc::gen::inRange(-99, 99) * 0.1};
  p.scale = *rc::gen::element(1.0, 1.0, 0.7, 0.9);
  const Volume moved = transform(make_world({400, 320}, 3), volume, p, Context());
  RC_ASSERT(moved.root().sketch().sheet != nullptr);
  PolygonizeParams params;
  params.cell = metres(10 * p.scale);
  const SurfaceLattice lattice = polygonize_lattice(moved, params);
  const Hash banded = mesh_in(moved, lattice, {}).hash();
  RC_ASSERT(banded == mesh_in(moved, lattice, {.full = true}).hash());
}

Volume carved_land(uint64_t seed, int64_t strokes) {
  const Terrain land = test::sample_land(41, 33, seed, 10, {0, 60});
  const Volume bare = implicitize(land, nullptr, nullptr, {}, Context());
  const Stream stream(seed);
  std::vector<Primitive> list;
  for (int64_t n = 0; n < strokes; ++n) {
    const auto at = static_cast<uint64_t>(n);
    Primitive one;
    one.skeleton = {{stream.uniform(at, 1, 0, 400), stream.uniform(at, 2, 0, 320), stream.uniform(at, 3, -20, 60)}};
    one.falloff = stream.uniform(at, 4, 4, 40);
    one.energy = stream.uniform(at, 5, -20, 12);
    list.push_back(one);
  }
  return strokes > 0 ? bare.with_root(with_primitives(bare.share(), list, T)) : bare;
}

RC_GTEST_PROP(Polygonize, StrokesOnLandChangeOnlyTheirTiles, (uint64_t seed)) {
  Volume volume = carved_land(seed, *rc::gen::element(0, 1, 20));
  PolygonizeParams params;
  params.cell = metres(4);
  const SurfaceLattice lattice = polygonize_lattice(volume, params);
  SurfaceOptions options;
  options.normals = false;
  SurfaceTiles tiles(volume, lattice, options, Context());
  const Stream stream(seed);
  for (uint64_t n = 0; n < 4; ++n) {
    Primitive stroke;
    stroke.skeleton = {{stream.uniform(n, 1, 0, 400), stream.uniform(n, 2, 0, 320), stream.uniform(n, 3, 0, 50)}};
    stroke.falloff = 10;
    stroke.energy = -12;
    volume = volume.with_root(with_primitives(volume.share(), {stroke}, T));
    // Beyond the ground the field's support tells where it is asked: a stroke may change that everywhere.
    const bool on_ground = lattice.origin == volume.root().sketch().ground.low;
    const size_t remade = tiles.update(volume, Context()).size();
    if (on_ground) RC_ASSERT(remade <= 4u);
    RC_ASSERT(tiles.mesh(Context()).hash() == mesh_in(volume, lattice, options).hash());
  }
}

TEST(Polygonize, AStrokeOnPolygonLandChangesOnlyItsTiles) {
  ImplicitizeParams land;
  for (const auto [x, y] : {Vec2{20, 20}, {380, 40}, {300, 300}, {60, 280}})
    land.polygon.push_back({metres(x), metres(y)});
  Volume volume = implicitize(test::sample_land(41, 33, 5, 10, {0, 60}), nullptr, nullptr, land, Context());
  TransformParams aside;
  aside.move = {0, 0, 3.3};
  const Frame world = make_world({400, 320}, 3);
  Volume moved = transform(world, volume, aside, Context());
  PolygonizeParams params;
  params.cell = metres(4);
  SurfaceTiles tiles(volume, polygonize_lattice(volume, params), {}, Context());
  SurfaceTiles moved_tiles(moved, polygonize_lattice(moved, params), {}, Context());
  Primitive stroke;
  stroke.skeleton = {{200, 150, 40}};
  stroke.falloff = 10;
  stroke.energy = -12;
  volume = volume.with_root(with_primitives(volume.share(), {stroke}, T));
  EXPECT_LE(tiles.update(volume, Context()).size(), 4u);
  Motion motion;
  motion.move = aside.move;
  moved_tiles.update(moved.with_root(tepui::moved(volume.share(), forward(motion), backward(motion), T)), Context());
  stroke.skeleton = {{220, 150, 40}};
  volume = volume.with_root(with_primitives(volume.share(), {stroke}, T));
  const Volume again = moved.with_root(tepui::moved(volume.share(), forward(motion), backward(motion), T));
  EXPECT_LE(moved_tiles.update(again, Context()).size(), 4u);
}

TEST(Polygonize, ACancelledEditCanBeMadeAgain) {
  const Volume before = carved_land(3, 5), after = carved_land(3, 6);
  PolygonizeParams params;
  params.cell = metres(4);
  const SurfaceLattice lattice = polygonize_lattice(before, params);
  SurfaceTiles tiles(before, lattice, {}, Context());
  const Hash untouched = tiles.mesh(Context()).hash();
  const CancelFlag cancel = true;
  EXPECT_THROW(tiles.update(after, Context(nullptr, &cancel)), Error);
  EXPECT_EQ(tiles.mesh(Context()).hash(), untouched);
  EXPECT_FALSE(tiles.update(after, Context()).empty());
  EXPECT_EQ(tiles.mesh(Context()).hash(), mesh_in(after, lattice, {}).hash());
}

TEST(Polygonize, TilesWithoutASurfaceCountToo) {
  std::vector<Primitive> points(2);
  points[0].skeleton = {{0, 0, 0}};
  points[1].skeleton = {{9e5, 9e5, 0}};
  for (Primitive& one : points) one.falloff = 10, one.energy = 20;
  const Volume volume(with_primitives(empty_solid(T), points, T), T);
  const SurfaceLattice lattice{{-10, -10, -10}, 1, 900021, 900021, 21};
  EXPECT_GT(estimate_surface(volume, lattice, {}).bytes, 791e6 * sizeof(SurfaceTile));
  PolygonizeParams params;
  params.cell = metres(1);
  EXPECT_CONTAINS(test::error_of([&] { polygonize_lattice(volume, params); }), "use cells of ");
}

TEST(Polygonize, LandIsMeshedOverItsGround) {
  const Volume volume = carved_land(3, 5);
  const Mesh mesh = polygonize_volume(volume, {}, Context());
  const MeshChecks checks = check_mesh(mesh, Context());
  EXPECT_EQ(checks.boundary_edges, 0);
  EXPECT_EQ(checks.nonmanifold_edges, 0);
  EXPECT_EQ(mesh.normals().size(), mesh.positions().size());
  EXPECT_TRUE(mesh.attributes().empty());
  const auto [low, high] = mesh.world_bounds();
  EXPECT_NEAR(low.x, 0, 0.01);
  EXPECT_NEAR(low.y, 0, 0.01);
  EXPECT_NEAR(low.z, volume.root().sketch().ground.low.z, 0.01);
  EXPECT_NEAR(high.x, 400, 0.01);
  // 320 m are not a whole number of cells of 400 m / 256.
  EXPECT_LT(high.y, 320.01);
  EXPECT_GT(high.y, 320 - 400.0 / 256);
}

TEST(Polygonize, RockBesideAndBelowTheLandIsMeshedToo) {
  const Volume land = carved_land(3, 5);
  const double floor = land.root().sketch().ground.low.z;
  PolygonizeParams params;
  params.cell = metres(4);
  const auto with_ball = [&](Vec3 at) {
    const Volume ball(test::ball(at, 30, 40), T);
    return unite(make_world({400, 320}, 3), land, {ball}, {metres(0)}, Context());
  };
  for (const Vec3 at : {Vec3{-80, 100, 20}, {480, 100, 20}, {100, -80, 20}, {100, 400, 20}, {100, 100, floor - 50}}) {
    const Volume both = with_ball(at);
    const Mesh mesh = polygonize_volume(both, params, Context());
    const MeshChecks checks = check_mesh(mesh, Context());
    EXPECT_EQ(checks.boundary_edges, 0);
    const auto near = [&](const MeshPoint& p) { return length(mesh.centre() + to_vec(p) - at) < 31; };
    EXPECT_TRUE(std::ranges::any_of(mesh.positions(), near));
    const SurfaceLattice lattice = polygonize_lattice(both, params);
    for (const double offset : {lattice.origin.x, lattice.origin.y, lattice.origin.z - floor})
      EXPECT_NEAR(offset / 4, std::round(offset / 4), 1e-9);
    params.mode = PolygonizeMode::full;
    EXPECT_EQ(polygonize_volume(both, params, Context()).hash(), mesh.hash());
    params.mode = PolygonizeMode::banded;
  }
}

TEST(Polygonize, OpenLandWarnsOfRockBesideIt) {
  class Warnings : public ProgressSink {
   public:
    void progress(int, std::string_view, double) override {}
    void warn(std::string_view text) override { all += text; }
    std::string all;
  } sink;
  const Volume land = carved_land(3, 5);
  const Volume ball(test::ball({-80, 100, 20}, 30, 40), T);
  PolygonizeParams params;
  params.cell = metres(8);
  params.surface = PolygonizeSurface::open;
  polygonize_volume(land, params, Context(&sink, nullptr));
  EXPECT_EQ(sink.all, "");
  polygonize_volume(unite(make_world({400, 320}, 3), land, {ball}, {metres(0)}, Context()), params,
                    Context(&sink, nullptr));
  EXPECT_CONTAINS(sink.all, "beside or below");
}

TEST(Polygonize, DigsAtTheBorderLeaveTheWallsFlat) {
  const Volume land = carved_land(3, 0);
  Primitive dig;
  dig.skeleton = {{0, 100, 20}};
  dig.falloff = 30;
  dig.energy = -20;
  const Volume dug = land.with_root(with_primitives(land.share(), {dig}, T));
  EXPECT_EQ(polygonize_lattice(dug, {}).origin, polygonize_lattice(land, {}).origin);
}

TEST(Polygonize, WarpedWallsAreNoRockBesideTheLand) {
  const Volume land = carved_land(3, 5);
  WarpParams p;
  p.scale = metres(200);
  p.octaves = 1;
  p.amplitude = metres(9);
  p.within = RegionShape::box;
  p.positions = Positions::metres;
  p.heights = Heights::sea_level;
  p.at = {0, 100, 20};
  p.half = {60, 60, 60};
  p.falloff = metres(500);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    p.seed.node = static_cast<int>(seed);
    const Volume warped = warp(make_world({400, 320}, 3), land, p, Context());
    EXPECT_EQ(polygonize_lattice(warped, {}).origin, polygonize_lattice(land, {}).origin);
  }
}

TEST(Polygonize, LatticePointsLieOnTheGroundsCorners) {
  const Volume volume = carved_land(3, 0);
  PolygonizeParams params;
  params.cell = metres(0.1);
  params.surface = PolygonizeSurface::open;
  const SurfaceLattice lattice = polygonize_lattice(volume, params);
  EXPECT_EQ(lattice.nx, 4001);
  EXPECT_EQ(lattice.ny, 3201);
  EXPECT_EQ(lattice.origin.z, volume.root().sketch().ground.low.z);
  EXPECT_GE(lattice.z(lattice.nz - 1), volume.support().high.z);
}

TEST(Polygonize, VertexResistanceIsThatOfTheRock) {
  const Volume bare = carved_land(3, 5);
  const Volume volume(bare.share(), T, test::wavy_rock());
  PolygonizeParams params;
  params.cell = metres(20);
  const Mesh mesh = polygonize_volume(volume, params, Context());
  const MeshAttribute* resistance = mesh.attribute("resistance");
  ASSERT_NE(resistance, nullptr);
  ASSERT_EQ(resistance->values.size(), mesh.positions().size());
  for (size_t i = 0; i < mesh.positions().size(); i += 17)
    EXPECT_EQ(resistance->values[i], volume.resistance(mesh.centre() + to_vec(mesh.positions()[i])));
  // Its rock has no names.
  EXPECT_EQ(mesh.attributes().size(), 1u);
  params.resistance = false;
  EXPECT_TRUE(polygonize_volume(volume, params, Context()).attributes().empty());
}

RC_GTEST_PROP(Polygonize, VerticesHaveTheNumberAndColourOfTheirRock, ()) {
  const Volume bare = carved_land(3, 5);
  StrataParams beds;
  beds.dip = {*rc::gen::inRange(0, 60) * 1.0};
  beds.elevation = metres(*rc::gen::inRange(-50, 50) * 1.0);
  const Geology rock = strata(make_world({400, 320}, 9), beds, Context());
  const Volume volume(bare.share(), T, rock);
  PolygonizeParams params;
  params.cell = metres(20);
  params.resistance = *rc::gen::arbitrary<bool>();
  params.normals = *rc::gen::arbitrary<bool>();
  params.colours = PolygonizeColours::rock;
  const Mesh mesh = polygonize_volume(volume, params, Context());
  RC_ASSERT(mesh.attributes().size() == (params.resistance ? 2u : 1u));
  const MeshAttribute* number = mesh.attribute("strata");
  RC_ASSERT(number != nullptr);
  RC_ASSERT(mesh.colours().size() == mesh.positions().size());
  for (size_t i = 0; i < mesh.positions().size(); ++i) {
    const Vec3 at = mesh.centre() + to_vec(mesh.positions()[i]);
    int32_t which = -7;
    rock.root().rocks({&at.x, &at.y, &at.z, 1}, &which);
    RC_ASSERT(number->values[i] == static_cast<float>(which));
    const auto [red, green, blue, opacity] = mesh.colours()[i];
    RC_ASSERT((uint32_t{red} << 16 | uint32_t{green} << 8 | blue) ==
              rock_colour(static_cast<double>(volume.resistance(at))));
    RC_ASSERT(opacity == 255);
  }
  params.strata = false;
  params.colours = PolygonizeColours::none;
  const Mesh plain = polygonize_volume(volume, params, Context());
  RC_ASSERT(plain.attribute("strata") == nullptr);
  RC_ASSERT(plain.colours().empty());
  RC_ASSERT(std::ranges::equal(plain.positions(), mesh.positions()));
}

TEST(Polygonize, WithoutRockThereAreNoColours) {
  PolygonizeParams params;
  params.cell = metres(20);
  params.colours = PolygonizeColours::rock;
  const Mesh mesh = polygonize_volume(carved_land(3, 5), params, Context());
  EXPECT_TRUE(mesh.colours().empty());
  EXPECT_TRUE(mesh.attributes().empty());
}

TEST(Polygonize, VolumesWithoutASheetAreWhole) {
  const Volume ball(test::sphere({100, 50, -20}, 30), T);
  const MeshChecks checks = check_mesh(polygonize_volume(ball, {}, Context()), Context());
  EXPECT_EQ(checks.genus, 0);
  EXPECT_NEAR(*checks.volume, 4 * M_PI / 3 * 27000, 30);
}

TEST(Polygonize, CellsThatNeedTooMuchAreRefusedWithBetterOnes) {
  const Volume volume = carved_land(3, 5);
  PolygonizeParams params;
  params.cell = metres(0.005);
  const std::string error = test::error_of([&] { polygonize_volume(volume, params, Context()); });
  EXPECT_CONTAINS(error, "cells of 0.005 m make a lattice of 80001 x 64001 x ");
  EXPECT_CONTAINS(error, "million");
  const size_t place = error.rfind("cells of ");
  params.cell = metres(std::stod(error.substr(place + 9)));
  const SurfaceLattice better = polygonize_lattice(volume, params);
  EXPECT_LE(estimate_surface(volume, better, {}).points, most_surface_points);
  EXPECT_LT(better.cell, 0.1);
  params.cell = metres(1e-9);
  EXPECT_CONTAINS(test::error_of([&] { polygonize_volume(volume, params, Context()); }), "use cells of ");
  for (const double cell : {0.005, 1e-6}) {
    params.cell = metres(cell);
    const std::string refusal = test::error_of([&] { polygonize_volume(volume, params, Context()); });
    const double would_do = std::stod(refusal.substr(refusal.rfind("cells of ") + 9));
    EXPECT_LT(would_do, 1.3 * better.cell);
    EXPECT_GT(would_do, better.cell / 1.3);
  }
  params.cell = metres(0.05);
  params.mode = PolygonizeMode::full;
  EXPECT_CONTAINS(test::error_of([&] { polygonize_volume(volume, params, Context()); }), "use cells of ");
}

TEST(Polygonize, NothingGivesAnEmptyMesh) {
  EXPECT_TRUE(polygonize_volume(Volume(), {}, Context()).positions().empty());
}

TEST(Polygonize, SameBitsForAnyThreadsAndSimd) {
  const Volume volume = carved_land(7, 40);
  test::expect_same_bits([&] { return polygonize_volume(volume, {}, Context()).hash(); });
}

}  // namespace
TEST(Polygonize, OneMoreStrokeMakesOnlyTheTilesThatItChanges) {
  // Everything is made anew each time, as a recipe does that is run again: only the contents tell what is as before.
  const auto volume = [](size_t strokes) {
    const Terrain land = test::sample_land(65, 65, 3, 4, {0, 20});
    SculptParams params;
    params.strokes.clear();
    for (size_t i = 0; i < strokes; ++i) {
      SculptStroke stroke;
      stroke.shape = i % 2 == 0 ? PrimitiveShape::sphere : PrimitiveShape::box;
      stroke.at = {20 + 12 * static_cast<double>(i), 30, 0};
      stroke.noise = metres(i % 3 == 0 ? 2 : 0);
      params.strokes.push_back(stroke);
    }
    const Volume solid = implicitize(land, nullptr, nullptr, {}, Context());
    return sculpt(land.frame(), &solid, nullptr, params, Context());
  };
  std::shared_ptr<KeptTiles> kept;
  const PolygonizeParams params{.cell = metres(1)};
  for (size_t strokes = 1; strokes < 5; ++strokes) {
    int64_t made = 0;
    const Mesh mesh = polygonize_again(volume(strokes), nullptr, params, kept, made, Context());
    EXPECT_EQ(mesh.hash(), polygonize_volume(volume(strokes), params, Context()).hash()) << strokes;
    EXPECT_TRUE(strokes == 1 ? made > 60 : made <= 16) << strokes << " " << made;
  }
  int64_t made = -1;
  polygonize_again(volume(4), nullptr, params, kept, made, Context());
  EXPECT_EQ(made, 0);
  polygonize_again(volume(4), nullptr, {.cell = metres(2)}, kept, made, Context());
  EXPECT_GT(made, 0);
}

}  // namespace tepui::polygonize_test
