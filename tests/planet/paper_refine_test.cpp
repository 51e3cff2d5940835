#include "tepui/planet/paper_refine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "tepui/core/hash.h"
#include "tepui/core/random.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/paper_ice.h"
#include "tepui/planet/refine.h"
#include "tests/support/planets.h"
#include "tests/support/support.h"

namespace tepui::paper_refine_test {

namespace {

const Context quiet;

const GlobalLand& land_of(uint64_t seed) {
  static std::map<uint64_t, GlobalLand> made;
  if (!made.contains(seed)) {
    GlobalSpec spec;
    spec.level = 5;
    spec.key = seed;
    spec.glaciation = Glaciation::height;
    GlobalLand land = global_land(spec, quiet);
    land.rules.mode = PlanetMode::paper;
    made.emplace(seed, std::move(land));
  }
  return made.at(seed);
}

/// The highest place on land, or one drawn by a hash.
Vec3 place_on(const GlobalLand& land, uint64_t draw) {
  return draw == 0 ? test::highest_place(land) : test::drawn_place(land, draw);
}

ViewRegion view_at(const GlobalLand& land, uint64_t draw, int deepest) {
  return ViewRegion({.direction = place_on(land, draw), .altitude = 20, .detail = 0.1, .deepest = deepest});
}

FineLand refined(const GlobalLand& land, const SplitRegion& region) {
  return Refiner(std::make_shared<const GlobalLand>(land)).refine(region, quiet);
}

Hash hash_of(const FineLand& land) {
  const auto of = [](const auto& list) { return hash_bytes(list.data(), list.size() * sizeof(list[0])); };
  return Hasher()
      .add(of(land.vertices.direction))
      .add(of(land.vertices.height))
      .add(of(land.vertices.discharge))
      .add(of(land.vertices.traits))
      .add(of(land.triangles))
      .finish();
}

size_t at(int32_t v) { return static_cast<size_t>(v); }

/// The triangle on the left of every edge that is gone along.
std::map<std::pair<int32_t, int32_t>, size_t> ways_of(const FineLand& land) {
  std::map<std::pair<int32_t, int32_t>, size_t> ways;
  for (size_t t = 0; t < land.triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(ways.insert({{land.triangles[t][k], land.triangles[t][(k + 1) % 3]}, t}).second);
  return ways;
}

}  // namespace

TEST(PaperRefine, IsOneSheetWithoutCracks) {
  for (const uint64_t draw : {0, 1, 2}) {
    const GlobalLand& planet = land_of(3);
    const FineLand land = refined(planet, view_at(planet, draw, 17));
    const auto ways = ways_of(land);
    int64_t rim = 0, narrow = 0;
    for (const auto& [way, t] : ways)
      if (!ways.contains({way.second, way.first})) {
        ++rim;
        EXPECT_EQ(land.vertices.level[at(way.first)], planet.mesh.level);
      }
    const auto vertices = static_cast<int64_t>(land.vertices.size()),
               triangles = static_cast<int64_t>(land.triangles.size());
    const int64_t edges = (3 * triangles + rim) / 2;
    EXPECT_EQ(vertices - edges + triangles, 1);
    for (const auto& t : land.triangles) {
      const auto place = [&](size_t k) { return land.vertices.direction[at(t[k])]; };
      EXPECT_GT(dot(cross(place(1) - place(0), place(2) - place(0)), place(0)), 0);
      double least = 1;
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 p = place((k + 1) % 3) - place(k), q = place((k + 2) % 3) - place(k);
        least = std::min(least, length(cross(p, q)) / (length(p) * length(q)));
      }
      narrow += least < 0.2 ? 1 : 0;
    }
    EXPECT_GT(triangles, 10000);
    EXPECT_LT(narrow, triangles / 40);
  }
}

TEST(PaperRefine, IsDelaunayWhereNoWaterRuns) {
  const GlobalLand& planet = land_of(3);
  const FineLand land = refined(planet, view_at(planet, 0, 15));
  const auto ways = ways_of(land);
  int64_t inner = 0, broken = 0;
  for (const auto& [way, t] : ways) {
    const auto [a, b] = way;
    const auto other = ways.find({b, a});
    if (a > b || other == ways.end() || land.vertices.receiver[at(a)] == b || land.vertices.receiver[at(b)] == a)
      continue;
    const auto top = [&](size_t triangle) {
      const auto& corner = land.triangles[triangle];
      return *std::find_if(corner.begin(), corner.end(), [&](int32_t v) { return v != a && v != b; });
    };
    const Vec3 p = land.vertices.direction[at(a)], q = land.vertices.direction[at(b)];
    const Vec3 c = land.vertices.direction[at(top(t))], d = land.vertices.direction[at(top(other->second))];
    const auto cotangent = [&](Vec3 from) { return dot(p - from, q - from) / length(cross(p - from, q - from)); };
    ++inner;
    broken += cotangent(c) + cotangent(d) < -1e-5 ? 1 : 0;
  }
  EXPECT_GT(inner, 5000);
  // Those whose flip would make a triangle of next to no area stay, and edges that stopped being a stream's at the end.
  EXPECT_LE(broken, inner / 200);
}

TEST(PaperRefine, WaterFallsAndKeepsItsAmount) {
  const GlobalLand& planet = land_of(3);
  for (const uint64_t draw : {0, 1, 2}) {
    const FineLand land = refined(planet, view_at(planet, draw, 17));
    const FineVertices& v = land.vertices;
    std::map<VertexId, size_t> old;
    const std::vector<VertexId> ids = icosphere_ids(planet.mesh.level);
    for (size_t i = 0; i < ids.size(); ++i) old[ids[i]] = i;
    int64_t kept = 0;
    for (size_t i = 0; i < v.size(); ++i) {
      if (v.receiver[i] == in_the_sea) continue;
      EXPECT_GE(v.discharge[i], v.supply[i]);
      EXPECT_GE(v.supply[i], 0);
      if (v.receiver[i] >= 0) {
        const size_t down = at(v.receiver[i]);
        const double water = v.receiver[down] == in_the_sea ? 0 : v.height[down];
        EXPECT_GT(v.height[i], water);
        if (v.receiver[down] != in_the_sea) {
          EXPECT_GE(v.discharge[down], v.discharge[i]);
        }
      }
      if (const auto found = old.find(v.id[i]); found != old.end()) {
        EXPECT_EQ(v.discharge[i], planet.discharge[found->second]);
        ++kept;
      }
    }
    EXPECT_GT(kept, 20);
  }
}

TEST(PaperRefine, CrustBreaksOnlyWherePlatesMeet) {
  GlobalLand planet = land_of(3);
  std::fill(planet.stress.begin(), planet.stress.end(), 0.0f);
  const FineLand land = refined(planet, view_at(planet, 0, 12));
  // The plates around every vertex of the global stage.
  const Neighbours around = neighbours(planet.mesh);
  std::map<VertexId, bool> inside;
  const std::vector<VertexId> ids = icosphere_ids(planet.mesh.level);
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto near = around.of(static_cast<int32_t>(i));
    inside[ids[i]] =
        std::all_of(near.begin(), near.end(), [&](int32_t w) { return planet.plate[at(w)] == planet.plate[i]; });
  }
  int64_t broken = 0, sound = 0;
  for (const auto& t : land.triangles) {
    bool within = true;
    for (const int32_t c : t) {
      const auto found = inside.find(land.vertices.id[at(c)]);
      within = within && found != inside.end() && found->second;
    }
    for (const int32_t c : t) {
      const float stress = land.vertices.trait(at(c), Trait::stress);
      if (within) {
        EXPECT_EQ(stress, 0);
      }
      broken += stress != 0 ? 1 : 0;
    }
    sound += within ? 1 : 0;
  }
  EXPECT_GT(broken, 100);
  EXPECT_GT(sound, 10);
  // A plate that does not move against its neighbours does not break either.
  for (Vec3& turn : planet.plate_turns) turn = {1e-9, 2e-9, -1e-9};
  const FineLand still = refined(planet, view_at(planet, 0, 12));
  for (size_t i = 0; i < still.vertices.size(); ++i) EXPECT_EQ(still.vertices.trait(i, Trait::stress), 0);
}

TEST(PaperRefine, EveryModelMakesADifferenceAndNoneCracksTheLand) {
  const GlobalLand& planet = land_of(3);
  const ViewRegion region = view_at(planet, 0, 14);
  const Hash all = hash_of(refined(planet, region));
  bool LocalRules::*const switches[] = {&LocalRules::banks, &LocalRules::troughs, &LocalRules::faults,
                                        &LocalRules::streams, &LocalRules::snow};
  std::set<std::string> seen{all.text()};
  for (const auto which : switches) {
    GlobalLand other = planet;
    other.rules.*which = false;
    const FineLand land = refined(other, region);
    EXPECT_TRUE(seen.insert(hash_of(land).text()).second);
    ways_of(land);
  }
  GlobalLand warm = planet;
  std::fill(warm.ice_flow.begin(), warm.ice_flow.end(), 0.0f);
  EXPECT_TRUE(seen.insert(hash_of(refined(warm, region)).text()).second);
}

TEST(PaperRefine, GlaciersLieInValleysAndWearThemDown) {
  const GlobalLand& planet = land_of(3);
  const ViewRegion region = view_at(planet, 0, 14);
  const FineLand worn = refined(planet, region);
  GlobalLand bare = planet;
  bare.rules.troughs = false;
  const FineLand unworn = refined(bare, region);
  int64_t iced = 0, dry = 0;
  for (size_t i = 0; i < worn.vertices.size(); ++i) {
    if (worn.vertices.level[i] < 12 || worn.vertices.receiver[i] == in_the_sea) continue;
    const bool ice = static_cast<double>(worn.vertices.trait(i, Trait::ice_surface)) > worn.vertices.height[i];
    (ice ? iced : dry) += 1;
  }
  EXPECT_GT(iced, 50);
  EXPECT_GT(dry, 50);
  const auto mean = [](const FineLand& land) {
    return std::accumulate(land.vertices.height.begin(), land.vertices.height.end(), 0.0) /
           static_cast<double>(land.vertices.size());
  };
  EXPECT_LT(mean(worn), mean(unworn));
}

TEST(PaperRefine, AsMuchIceGrowsAsMeltsOrReachesTheSea) {
  const GlobalLand& planet = land_of(3);
  GlobalLand stable = planet;
  stable.rules.mode = PlanetMode::stable;
  const FineLand whole = refined(stable, WholeRegion(planet.mesh.level));
  for (const int deepest : {5, 9, 14}) {
    const PaperLand land = paper_land(planet, whole, view_at(planet, 0, deepest), quiet);
    const IceBudget ice = ice_budget(land, planet, quiet);
    EXPECT_GT(ice.gained, 1e12);
    EXPECT_GT(ice.melted, 0);
    EXPECT_NEAR(ice.gained, ice.melted + ice.carried_off, 1e-9 * ice.gained);
  }
}

TEST(PaperRefine, IsTheSameForAnyNumberOfThreads) {
  const GlobalLand& planet = land_of(3);
  test::expect_same_bits([&] { return hash_of(refined(planet, view_at(planet, 0, 12))); });
}

TEST(PaperRefine, ServesPatchesAndTheWholeSphere) {
  const GlobalLand& planet = land_of(3);
  const FineLand whole = refined(planet, WholeRegion(6));
  EXPECT_TRUE(whole.closed);
  EXPECT_EQ(static_cast<int64_t>(whole.triangles.size()), triangles_of_level(6));
  EXPECT_EQ(static_cast<int64_t>(whole.vertices.size()), vertices_of_level(6));
  const Vec3 place = place_on(planet, 1);
  const FineLand patch = refined(planet, PatchRegion(place, 0.002, 14));
  int64_t fine = 0;
  for (size_t i = 0; i < patch.vertices.size(); ++i) fine += patch.vertices.level[i] == 14 ? 1 : 0;
  EXPECT_GT(fine, 100);
}

}  // namespace tepui::paper_refine_test
