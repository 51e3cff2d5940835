#include "tepui/planet/refine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tepui/core/hash.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/refine_net.h"
#include "tests/support/support.h"

namespace tepui::refine_test {

namespace {

const Context quiet;

std::shared_ptr<const GlobalLand> planet_of(uint64_t seed, int level = 6) {
  static std::map<std::pair<uint64_t, int>, std::shared_ptr<const GlobalLand>> made;
  auto& land = made[{seed, level}];
  if (land == nullptr) {
    GlobalSpec spec;
    spec.level = level;
    spec.key = seed;
    land = std::make_shared<const GlobalLand>(global_land(spec, quiet));
  }
  return land;
}

/// A place on land, on its coast, or in the sea, drawn by a hash.
Vec3 a_place(const GlobalLand& land, uint64_t seed) {
  const Stream stream(seed);
  for (uint64_t k = 0;; ++k) {
    const auto v = static_cast<size_t>(stream.bits(k) % land.height.size());
    if (seed % 4 == 3 || land.receiver[v] >= 0) return land.mesh.directions[v];
  }
}

Vec3 moved(Vec3 place, double metres, double angle) {
  const LocalAxes axes = local_axes(place);
  const double far = metres / earth_radius;
  return normalised(place + axes.east * (far * math::cos(angle)) + axes.north * (far * math::sin(angle)));
}

double area_of(const FineLand& land, const std::array<int32_t, 3>& t) {
  const auto place = [&](size_t k) { return land.vertices.direction[static_cast<size_t>(t[k])]; };
  return dot(cross(place(1) - place(0), place(2) - place(0)), place(0));
}

double least_angle(const FineLand& land, const std::array<int32_t, 3>& t) {
  double least = 180;
  for (size_t k = 0; k < 3; ++k) {
    const auto place = [&](size_t n) { return land.vertices.direction[static_cast<size_t>(t[(k + n) % 3])]; };
    const Vec3 p = place(1) - place(0), q = place(2) - place(0);
    least = std::min(least, math::degrees(math::atan2(length(cross(p, q)), dot(p, q))));
  }
  return least;
}

struct Shape {
  int64_t vertices = 0, edges = 0, triangles = 0, open = 0, doubled = 0, inverted = 0, narrow = 0;
};

Shape shape_of(const FineLand& land) {
  Shape shape;
  shape.vertices = static_cast<int64_t>(land.vertices.size());
  shape.triangles = static_cast<int64_t>(land.triangles.size());
  std::vector<std::pair<int32_t, int32_t>> ways;
  for (const auto& t : land.triangles) {
    for (size_t k = 0; k < 3; ++k) ways.emplace_back(t[k], t[(k + 1) % 3]);
    shape.inverted += area_of(land, t) > 0 ? 0 : 1;
    shape.narrow += least_angle(land, t) < 15 ? 1 : 0;
  }
  std::sort(ways.begin(), ways.end());
  shape.doubled = static_cast<int64_t>(ways.end() - std::unique(ways.begin(), ways.end()));
  for (const auto& [a, b] : ways) {
    const bool both = std::binary_search(ways.begin(), ways.end(), std::pair(b, a));
    shape.open += both ? 0 : 1;
    shape.edges += a < b || !both ? 1 : 0;
  }
  return shape;
}

/// Place, height and discharge of every vertex, by its name.
using Known = std::map<VertexId, size_t>;
Known known(const FineLand& land) {
  Known all;
  for (size_t v = 0; v < land.vertices.size(); ++v) all.emplace(land.vertices.id[v], v);
  return all;
}

/// The number of vertices that both have; adds those that differ.
int64_t shared(const FineLand& a, const FineLand& b, int64_t& unlike) {
  const Known names = known(b);
  int64_t number = 0;
  for (size_t v = 0; v < a.vertices.size(); ++v) {
    const auto found = names.find(a.vertices.id[v]);
    if (found == names.end()) continue;
    ++number;
    const size_t w = found->second;
    const bool same = a.vertices.direction[v] == b.vertices.direction[w] &&
                      a.vertices.height[v] == b.vertices.height[w] && a.vertices.depth[v] == b.vertices.depth[w] &&
                      a.vertices.discharge[v] == b.vertices.discharge[w];
    unlike += same ? 0 : 1;
  }
  return number;
}

Hash hash_of(const FineLand& land) {
  const auto of = [](const auto& list) { return hash_bytes(list.data(), list.size() * sizeof(list[0])); };
  return Hasher()
      .add(of(land.vertices.direction))
      .add(of(land.vertices.height))
      .add(of(land.vertices.discharge))
      .add(of(land.vertices.receiver))
      .add(of(land.vertices.traits))
      .add(of(land.triangles))
      .finish();
}

}  // namespace

TEST(Refine, TheWholeSphereIsClosedAndUpright) {
  const FineLand land = Refiner(planet_of(1, 5)).refine(WholeRegion(7), quiet);
  const Shape shape = shape_of(land);
  EXPECT_EQ(shape.vertices - shape.edges + shape.triangles, 2);
  EXPECT_EQ(shape.vertices, vertices_of_level(7));
  EXPECT_EQ(shape.open, 0);
  EXPECT_EQ(shape.doubled, 0);
  EXPECT_EQ(shape.inverted, 0);
  EXPECT_TRUE(land.closed);
}

RC_GTEST_PROP(Refine, AViewHasNoCracksAndItsTrianglesAreSound, ()) {
  const auto planet = planet_of(*rc::gen::inRange<uint64_t>(1, 4));
  const uint64_t draw = *rc::gen::arbitrary<uint64_t>();
  ViewSpec spec;
  spec.direction = a_place(*planet, draw);
  spec.altitude = *rc::gen::element(2.0, 100.0, 3000.0, 100000.0);
  spec.detail = *rc::gen::element(0.06, 0.15, 0.5);
  spec.deepest = *rc::gen::inRange(6, 22);
  const FineLand land = Refiner(planet).refine(ViewRegion(spec), quiet);
  const Shape shape = shape_of(land);
  RC_ASSERT(shape.inverted == 0);
  RC_ASSERT(shape.doubled == 0);
  // A disc with one rim.
  RC_ASSERT(shape.vertices - shape.edges + shape.triangles == (land.closed ? 2 : 1));
  std::map<int32_t, int32_t> rim;
  std::set<std::pair<int32_t, int32_t>> ways;
  for (const auto& t : land.triangles)
    for (size_t k = 0; k < 3; ++k) ways.insert({t[k], t[(k + 1) % 3]});
  for (const auto& [a, b] : ways)
    if (ways.count({b, a}) == 0) {
      RC_ASSERT(rim.emplace(a, b).second);
      // No crack inside: the rim is of the global stage's own vertices.
      RC_ASSERT(land.vertices.level[static_cast<size_t>(a)] == planet->mesh.level);
    }
  RC_ASSERT(static_cast<double>(shape.narrow) < 0.01 * static_cast<double>(shape.triangles) + 3);
}

RC_GTEST_PROP(Refine, AVertexIsTheSameInEveryPieceThatHasIt, ()) {
  const auto planet = planet_of(*rc::gen::inRange<uint64_t>(1, 4));
  const uint64_t draw = *rc::gen::arbitrary<uint64_t>();
  const Refiner refiner(planet);
  ViewSpec spec;
  spec.direction = a_place(*planet, draw);
  spec.deepest = *rc::gen::inRange(8, 20);
  spec.detail = 0.08;
  const FineLand land = refiner.refine(ViewRegion(spec), quiet);
  const double edge = edge_of_level(spec.deepest) * earth_radius;
  int64_t unlike = 0, number = 0;
  ViewSpec other = spec;
  other.direction = moved(spec.direction, *rc::gen::element(1.5, 9.0, 60.0) * edge, 1);
  other.altitude = *rc::gen::element(2.0, 2000.0);
  other.detail = *rc::gen::element(0.06, 0.1, 0.3, 0.9);
  number += shared(land, refiner.refine(ViewRegion(other), quiet), unlike);
  const PatchRegion patch(moved(spec.direction, 12 * edge, 4), *rc::gen::element(3.0, 15.0) * edge / earth_radius,
                          spec.deepest + *rc::gen::inRange(-1, 2));
  number += shared(land, refiner.refine(patch, quiet), unlike);
  RC_ASSERT(number > 100);
  RC_ASSERT(unlike == 0);
}

RC_GTEST_PROP(Refine, WaterRunsDownAndNoneIsLost, ()) {
  const auto planet = planet_of(*rc::gen::inRange<uint64_t>(1, 4));
  const uint64_t draw = *rc::gen::arbitrary<uint64_t>();
  ViewSpec spec;
  spec.direction = a_place(*planet, draw);
  spec.deepest = *rc::gen::inRange(7, 22);
  spec.detail = 0.1;
  const FineLand land = Refiner(planet).refine(ViewRegion(spec), quiet);
  const FineVertices& v = land.vertices;
  for (size_t i = 0; i < v.size(); ++i) {
    RC_ASSERT(std::isfinite(v.height[i]) && v.depth[i] >= 0);
    RC_ASSERT(v.supply[i] >= 0);
    if (v.receiver[i] < 0) continue;
    const auto down = static_cast<size_t>(v.receiver[i]);
    RC_ASSERT(v.height[i] > (v.receiver[down] == in_the_sea ? 0 : v.height[down]));
    if (v.receiver[down] != in_the_sea) RC_ASSERT(v.discharge[i] <= v.discharge[down]);
  }
}

TEST(Refine, SharesOfWaterSumToTheWhole) {
  const auto planet = planet_of(2, 5);
  const FineLand land = Refiner(planet).refine(WholeRegion(8), quiet);
  const FineVertices& v = land.vertices;
  std::vector<int64_t> sum(v.supply);
  std::vector<size_t> order(v.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return v.height[a] > v.height[b]; });
  int64_t all = 0;
  for (const size_t i : order) {
    all += v.supply[i];
    if (v.receiver[i] == in_the_sea) continue;
    EXPECT_EQ(sum[i], v.discharge[i]);
    if (v.receiver[i] >= 0) sum[static_cast<size_t>(v.receiver[i])] += sum[i];
  }
  int64_t fallen = 0;
  for (const int64_t supply : planet->supply) fallen += supply;
  EXPECT_EQ(all, fallen);
  const Known names = known(land);
  const auto ids = icosphere_ids(5);
  for (size_t i = 0; i < ids.size(); ++i)
    if (planet->receiver[i] >= 0) {
      EXPECT_EQ(v.discharge[names.at(ids[i])], planet->discharge[i]);
    }
}

TEST(Refine, HasTheSameBitsOnAnyThreadsAndLevel) {
  const auto planet = planet_of(3);
  const Refiner refiner(planet);
  ViewSpec spec;
  spec.direction = a_place(*planet, 4);
  spec.deepest = 14;
  test::expect_same_bits([&] { return hash_of(refiner.refine(ViewRegion(spec), quiet)); });
}

}  // namespace tepui::refine_test
