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
#include "tepui/planet/valley_ice.h"
#include "tests/support/planets.h"
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
Vec3 a_place(const GlobalLand& land, uint64_t seed) { return test::drawn_place(land, seed, seed % 4 != 3); }

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
  int64_t vertices = 0, edges = 0, triangles = 0, doubled = 0, inverted = 0, narrow = 0;
  std::vector<int32_t> rim;  ///< where edges have one triangle, their first ends
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
    if (!both) shape.rim.push_back(a);
    shape.edges += a < b || !both ? 1 : 0;
  }
  return shape;
}

/// Vertices by their names.
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
    const bool same =
        a.vertices.direction[v] == b.vertices.direction[w] && a.vertices.height[v] == b.vertices.height[w] &&
        a.vertices.depth[v] == b.vertices.depth[w] && a.vertices.discharge[v] == b.vertices.discharge[w] &&
        a.vertices.ice_flow[v] == b.vertices.ice_flow[w] && ice_above(a.vertices, v) == ice_above(b.vertices, w);
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
      .add(of(land.vertices.ice_flow))
      .add(of(land.vertices.trough))
      .add(of(land.vertices.traits))
      .add(of(land.triangles))
      .finish();
}

/// A view drawn by a hash: over land, coasts or the sea, near and far, coarse and fine.
ViewSpec a_view(const GlobalLand& planet, uint64_t draw) {
  const Stream stream(draw);
  ViewSpec spec;
  spec.direction = a_place(planet, draw);
  constexpr double altitudes[] = {2, 100, 3000, 100000}, details[] = {0.07, 0.15, 0.5};
  spec.altitude = altitudes[stream.bits(1) % 4];
  spec.detail = details[stream.bits(2) % 3];
  spec.deepest = 7 + static_cast<int>(stream.bits(3) % 15);
  return spec;
}

struct Sums {
  int64_t triangles = 0, narrow = 0, shared = 0, unlike = 0;
};

void expect_sound(const GlobalLand& planet, const FineLand& land, Sums& sums) {
  const Shape shape = shape_of(land);
  EXPECT_EQ(shape.inverted, 0);
  EXPECT_EQ(shape.doubled, 0);
  // A disc with one rim, which is of the global stage's own vertices: no crack inside.
  EXPECT_EQ(shape.vertices - shape.edges + shape.triangles, land.closed ? 2 : 1);
  for (const int32_t v : shape.rim) EXPECT_EQ(land.vertices.level[static_cast<size_t>(v)], planet.mesh.level);
  EXPECT_EQ(std::set<int32_t>(shape.rim.begin(), shape.rim.end()).size(), shape.rim.size());
  sums.triangles += shape.triangles;
  sums.narrow += shape.narrow;
}

void expect_water_runs_down(const FineLand& land) {
  const FineVertices& v = land.vertices;
  for (size_t i = 0; i < v.size(); ++i) {
    ASSERT_TRUE(std::isfinite(v.height[i]) && v.depth[i] >= 0);
    ASSERT_GE(v.supply[i], 0);
    if (v.receiver[i] == in_the_sea) {
      ASSERT_LE(v.height[i], 0);
      continue;
    }
    ASSERT_GT(v.height[i], 0);
    if (v.receiver[i] < 0) continue;
    const auto down = static_cast<size_t>(v.receiver[i]);
    const bool mouth = v.receiver[down] == in_the_sea;
    ASSERT_GT(v.height[i], mouth ? 0 : v.height[down]);
    if (!mouth) {
      ASSERT_LE(v.discharge[i], v.discharge[down]);
    }
  }
}

/// Another camera, another detail, another depth, and a patch nearby know the same land.
void expect_one_land(const Refiner& refiner, const ViewSpec& spec, const FineLand& land, uint64_t draw, Sums& sums) {
  const Stream stream(draw);
  const double edge = edge_of_level(spec.deepest) * earth_radius;
  ViewSpec other = spec;
  constexpr double steps[] = {1.5, 9, 60}, details[] = {0.07, 0.1, 0.3, 0.9};
  other.direction = moved(spec.direction, steps[stream.bits(11) % 3] * edge, 1);
  other.altitude = stream.bits(12) % 2 == 0 ? 2 : 2000;
  other.detail = details[stream.bits(13) % 4];
  other.deepest = spec.deepest + static_cast<int>(stream.bits(14) % 3) - 1;
  const int64_t seen = shared(land, refiner.refine(ViewRegion(other), quiet), sums.unlike);
  const double radius = stream.bits(15) % 2 == 0 ? 3 : 15;
  const PatchRegion patch(moved(spec.direction, 12 * edge, 4), radius * edge / earth_radius,
                          spec.deepest + static_cast<int>(stream.bits(16) % 3) - 1);
  const int64_t on_patch = shared(land, refiner.refine(patch, quiet), sums.unlike);
  sums.shared += seen + on_patch;
}

/// The laws of views of a planet. `first` to `last` number the views.
Sums expect_laws(uint64_t seed, uint64_t first, uint64_t last) {
  const auto planet = planet_of(seed);
  const Refiner refiner(planet);
  Sums sums;
  for (uint64_t draw = first; draw < last; ++draw) {
    SCOPED_TRACE(draw);
    const ViewSpec spec = a_view(*planet, draw);
    const FineLand land = refiner.refine(ViewRegion(spec), quiet);
    expect_sound(*planet, land, sums);
    expect_water_runs_down(land);
    expect_one_land(refiner, spec, land, draw, sums);
  }
  EXPECT_EQ(sums.unlike, 0);
  EXPECT_GT(sums.shared, 1000);
  return sums;
}

}  // namespace

TEST(Refine, TheWholeSphereIsClosedAndUpright) {
  const FineLand land = Refiner(planet_of(1, 5)).refine(WholeRegion(7), quiet);
  const Shape shape = shape_of(land);
  EXPECT_EQ(shape.vertices - shape.edges + shape.triangles, 2);
  EXPECT_EQ(shape.vertices, vertices_of_level(7));
  EXPECT_TRUE(shape.rim.empty());
  EXPECT_EQ(shape.doubled, 0);
  EXPECT_EQ(shape.inverted, 0);
  EXPECT_TRUE(land.closed);
}

// Sound triangles without cracks; every vertex the same in every piece; water that runs down.
TEST(Refine, ViewsKeepTheLaws) {
  Sums sums;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    const Sums own = expect_laws(seed, 4 * seed, 4 * seed + 4);
    sums.triangles += own.triangles;
    sums.narrow += own.narrow;
  }
  EXPECT_LT(static_cast<double>(sums.narrow), 0.01 * static_cast<double>(sums.triangles));
}

TEST(RefineLong, ViewsOfTwentyPlanetsKeepTheLaws) {
  Sums sums;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Sums own = expect_laws(seed, 100 * seed, 100 * seed + 12);
    sums.triangles += own.triangles;
    sums.narrow += own.narrow;
  }
  EXPECT_LT(static_cast<double>(sums.narrow), 0.01 * static_cast<double>(sums.triangles));
}

TEST(Refine, SharesOfWaterSumToTheWhole) {
  const auto planet = planet_of(2, 5);
  const FineLand land = Refiner(planet).refine(WholeRegion(8), quiet);
  const FineVertices& v = land.vertices;
  std::vector<int64_t> sum(v.supply.begin(), v.supply.end());
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
  for (const int64_t own : supplies(*planet)) fallen += own;
  EXPECT_EQ(all, fallen);
  const Known names = known(land);
  const auto ids = icosphere_ids(5);
  for (size_t i = 0; i < ids.size(); ++i)
    if (planet->receiver[i] >= 0) {
      EXPECT_EQ(v.discharge[names.at(ids[i])], planet->discharge[i]);
    }
}

// A camera that rises, moves and turns back: what was made before is kept, and nothing of it can be seen.
TEST(Refine, OneRegionAfterAnotherIsAsEachAlone) {
  const auto planet = planet_of(1);
  const auto refiner = std::make_shared<const Refiner>(planet);
  Refinement path(refiner);
  ViewSpec spec;
  spec.direction = a_place(*planet, 9);
  spec.altitude = 500;
  spec.detail = 0.1;
  spec.deepest = 15;
  int64_t all = 0, made = 0;
  for (const double step : {0.0, 5.0, 50.0, 5.0, 500.0, 1e6, 5.0}) {
    spec.direction = moved(spec.direction, step, 2);
    spec.altitude = step == 500 ? 900 : 500;
    const FineLand alone = refiner->refine(ViewRegion(spec), quiet);
    EXPECT_EQ(hash_of(*path.to(ViewRegion(spec), quiet)), hash_of(alone)) << step;
    if (step == 5) {
      all += static_cast<int64_t>(alone.triangles.size());
      made += path.made();
    }
  }
  EXPECT_LT(made, all / 3);
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
