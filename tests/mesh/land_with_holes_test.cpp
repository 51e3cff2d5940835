#include "tepui/mesh/land_with_holes.h"
#include "tepui/mesh/hole_parts.h"

#include <cmath>
#include <map>
#include <set>

#include "tepui/mesh/checks.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitives.h"
#include "tests/support/balls.h"
#include "tests/support/support.h"

namespace tepui::land_with_holes_test {
namespace {

constexpr double t = Volume::usual_threshold;

Volume carved_land(uint64_t seed, int64_t strokes, double relief = 60) {
  const Terrain land = test::sample_land(41, 33, seed, 10, {0, relief});
  const Volume bare = implicitize(land, nullptr, nullptr, {}, Context());
  const Stream stream(seed);
  std::vector<Primitive> list;
  for (int64_t n = 0; n < strokes; ++n) {
    const auto at = static_cast<uint64_t>(n);
    Primitive one;
    one.skeleton = {{stream.uniform(at, 1, 0, 400), stream.uniform(at, 2, 0, 320), stream.uniform(at, 3, 0, 60)}};
    // None goes through the floor.
    one.falloff = stream.uniform(at, 4, 4, 25);
    one.energy = stream.uniform(at, 5, -20, 12);
    list.push_back(one);
  }
  return strokes > 0 ? bare.with_root(with_primitives(bare.share(), list, t)) : bare;
}

using Ends = std::pair<MeshPoint, MeshPoint>;

/// The edges between holes and land, as the land has them: from and to as the part inside goes round.
std::multiset<Ends> edges_of_holes(const Terrain& land) {
  const Frame& frame = land.frame();
  const Grid<float>& hole = land.layer("hole").grid();
  const auto is_hole = [&](int64_t x, int64_t y) { return hole(x, y + 1) > 0; };
  const auto sample = [&](int64_t x, int64_t y) {
    const double cx = (static_cast<double>(x) - 0.5 * static_cast<double>(frame.width - 1)) * frame.cell.x,
                 cy = (static_cast<double>(y) - 0.5 * static_cast<double>(frame.height - 1)) * frame.cell.y;
    return MeshPoint{static_cast<float>(cx), static_cast<float>(cy), land.height()(x, y)};
  };
  std::multiset<Ends> edges;
  for (int64_t y = 0; y + 1 < frame.height; ++y)
    for (int64_t x = 0; x + 1 < frame.width; ++x) {
      if (!is_hole(x, y)) continue;
      if (x > 0 && !is_hole(x - 1, y)) edges.insert({sample(x, y + 1), sample(x, y)});
      if (x + 2 < frame.width && !is_hole(x + 1, y)) edges.insert({sample(x + 1, y), sample(x + 1, y + 1)});
      if (y > 0 && !is_hole(x, y - 1)) edges.insert({sample(x, y), sample(x + 1, y)});
      if (y + 2 < frame.height && !is_hole(x, y + 1)) edges.insert({sample(x + 1, y + 1), sample(x, y + 1)});
    }
  return edges;
}

/// The edges that a mesh goes along more often one way than the other, but for those on the border of the
/// land.
std::multiset<Ends> border_of(const Mesh& mesh, const Terrain& land) {
  std::map<Ends, int> counts;
  for (const MeshTriangle& triangle : mesh.triangles())
    for (size_t k = 0; k < 3; ++k) {
      const MeshPoint a = mesh.positions()[triangle[k]], b = mesh.positions()[triangle[(k + 1) % 3]];
      ++counts[{a, b}];
      --counts[{b, a}];
    }
  const Frame& frame = land.frame();
  const float east = static_cast<float>(0.5 * static_cast<double>(frame.width - 1) * frame.cell.x),
              north = static_cast<float>(0.5 * static_cast<double>(frame.height - 1) * frame.cell.y);
  std::multiset<Ends> edges;
  for (const auto& [ends, count] : counts) {
    const auto on = [&](size_t axis, float side) {
      return std::abs(ends.first[axis]) == side && ends.first[axis] == ends.second[axis];
    };
    if (on(0, east) || on(1, north)) continue;
    for (int n = 0; n < count; ++n) edges.insert(ends);
  }
  return edges;
}

double plan_area(const Mesh& mesh) {
  double sum = 0;
  for (const MeshTriangle& triangle : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[triangle[0]]);
    sum += 0.5 * cross(to_vec(mesh.positions()[triangle[1]]) - a, to_vec(mesh.positions()[triangle[2]]) - a).z;
  }
  return sum;
}

double hole_area(const Terrain& land) {
  double sum = 0;
  for (const float v : land.layer("hole").grid().cells()) sum += static_cast<double>(v);
  return sum * land.frame().cell.x * land.frame().cell.y;
}

}  // namespace

RC_GTEST_PROP(LandWithHoles, PartsMeetTheLandExactly, (uint64_t seed)) {
  const Volume volume = carved_land(seed, *rc::gen::element(1, 5, 25));
  const Length cell = metres(*rc::gen::element(4.0, 5.0, 7.3));
  const Angle slope{*rc::gen::element(30.0, 60.0, 80.0)};
  const Terrain land = land_with_holes(volume, {cell, slope}, Context());
  const Mesh parts = hole_parts(volume, {cell, slope}, Context());
  RC_ASSERT(parts.centre().z == 0);
  RC_ASSERT(border_of(parts, land) == edges_of_holes(land));
  RC_ASSERT(std::abs(plan_area(parts) - hole_area(land)) < 1e-4 * (1 + hole_area(land)));
  for (const MeshTriangle& triangle : parts.triangles())
    RC_ASSERT(triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0]);
}

RC_GTEST_PROP(LandWithHoles, APlainSheetHasNone, (uint64_t seed)) {
  // Slopes of the land below half of the limit.
  const Volume volume = carved_land(seed, 0, 15);
  const Length cell = metres(*rc::gen::element(4.0, 10.0, 13.0));
  const Terrain land = land_with_holes(volume, {cell, Angle{85}}, Context());
  RC_ASSERT(hole_area(land) == 0);
  RC_ASSERT(hole_parts(volume, {cell, Angle{85}}, Context()).triangles().empty());
  // Its samples are on the volume's surface.
  for (int64_t y = 0; y < land.frame().height; y += 7)
    for (int64_t x = 0; x < land.frame().width; x += 5) {
      const Vec3 at{land.frame().x(x), land.frame().y(y), static_cast<double>(land.height()(x, y))};
      RC_ASSERT(volume.inside(at - Vec3{0, 0, 0.1}) && !volume.inside(at + Vec3{0, 0, 0.1}));
    }
}

TEST(LandWithHoles, AnOverhangIsAHoleAndItsRockAPart) {
  const Volume bare = carved_land(5, 0, 20);
  Primitive bulge;
  bulge.skeleton = {{200, 160, 45}};
  bulge.falloff = 30;
  bulge.energy = 30;
  const Volume volume = bare.with_root(with_primitives(bare.share(), {bulge}, t));
  const Terrain land = land_with_holes(volume, {metres(5)}, Context());
  const Mesh parts = hole_parts(volume, {metres(5)}, Context());
  const double area = hole_area(land);
  EXPECT_GT(area, 400);
  EXPECT_LT(area, 10000);
  EXPECT_GT(static_cast<double>(parts.bounds().high[2]), 45);
  // The land within the hole lies as that around it.
  EXPECT_LT(*std::ranges::max_element(land.height().cells()), 40.0f);
}

TEST(LandWithHoles, TheSameForAnyNumberOfThreads) {
  const Volume volume = carved_land(9, 12);
  test::expect_same_bits([&] {
    return Hasher()
        .add(land_with_holes(volume, {metres(5)}, Context()).hash())
        .add(hole_parts(volume, {metres(5)}, Context()).hash())
        .finish();
  });
}

TEST(LandWithHoles, RefusesWhatIsNoLand) {
  const Volume ball(test::ball_solid({0, 0, 0}, 30, t), t);
  EXPECT_NE(test::error_of([&] { land_with_holes(ball, {metres(5)}, Context()); }).find("not land"), std::string::npos);
  EXPECT_NE(test::error_of([&] { hole_parts(carved_land(1, 0), {metres(1000)}, Context()); }).find("narrower"),
            std::string::npos);
}

}  // namespace tepui::land_with_holes_test
