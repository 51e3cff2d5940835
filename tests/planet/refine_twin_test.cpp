#include <algorithm>
#include <cmath>

#include "reference/refine.h"
#include "tepui/core/random.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/refine.h"
#include "tests/support/support.h"

namespace tepui::refine_twin_test {

namespace {

const Context quiet;

std::shared_ptr<const GlobalLand> planet_of(uint64_t seed, bool icy, LocalRules rules = {}) {
  GlobalSpec spec;
  spec.level = 5;
  spec.key = seed;
  if (icy) {
    spec.climate.warmer = -8;
    spec.glaciation = Glaciation::height;
  }
  GlobalLand land = global_land(spec, quiet);
  land.rules = rules;
  return std::make_shared<const GlobalLand>(std::move(land));
}

/// A vertex of the global stage on land, on a coast, in the sea, in a lake, or under a glacier: what the planet has.
size_t a_vertex(const GlobalLand& land, uint64_t draw) {
  const Stream stream(draw);
  const auto wanted = [&](size_t v) {
    const bool dry = land.receiver[v] >= 0;
    switch (draw % 5) {
      case 0:
        return dry && land.height[v] > 500;
      case 1:
        return dry && land.receiver[static_cast<size_t>(land.receiver[v])] < 0;
      case 2:
        return land.lake_depth[v] > 0;
      case 3:
        return dry && land.ice_flow[v] > 0;
      default:
        return dry;
    }
  };
  for (uint64_t k = 0; k < 100'000; ++k)
    if (const auto v = static_cast<size_t>(stream.bits(k) % land.height.size()); wanted(v)) return v;
  return 0;
}

void expect_same(const FineLand& land, size_t v, const reference::RefinedVertex& plain) {
  const FineVertices& fast = land.vertices;
  EXPECT_EQ(fast.direction[v], plain.direction);
  EXPECT_EQ(fast.height[v], plain.height);
  EXPECT_EQ(fast.depth[v], plain.depth);
  EXPECT_EQ(fast.born_height[v], plain.born_height);
  EXPECT_EQ(fast.supply[v], plain.supply);
  EXPECT_EQ(fast.discharge[v], plain.discharge);
  EXPECT_TRUE(fast.ice_flow[v] == plain.ice_flow);
  EXPECT_TRUE(fast.ice_supply[v] == plain.ice_supply);
  EXPECT_EQ(fast.floor[v].away, plain.floor.away);
  EXPECT_EQ(fast.floor[v].flat, plain.floor.flat);
  EXPECT_EQ(fast.trough[v].away, plain.trough.away);
  EXPECT_EQ(fast.trough[v].half, plain.trough.half);
  EXPECT_EQ(fast.trough[v].bed, plain.trough.bed);
  EXPECT_EQ(fast.trough[v].ice, plain.trough.ice);
  EXPECT_EQ(fast.traits[v], plain.traits);
  EXPECT_EQ(fast.plate[v], plain.plate);
  EXPECT_EQ(fast.level[v], plain.level);
  EXPECT_EQ(fast.receiver[v] == in_the_sea, plain.sea);
  if (!plain.sea && fast.receiver[v] >= 0) {
    EXPECT_EQ(fast.id[static_cast<size_t>(fast.receiver[v])], plain.receiver);
  }
}

/// Both refine the land around a place to `levels` below the global stage; returns how many vertices were compared.
int64_t expect_equal_around(const std::shared_ptr<const GlobalLand>& planet, Vec3 centre, int levels) {
  const int deepest = planet->mesh.level + levels;
  const double inside = 6 * edge_of_level(deepest), angle = 10 * edge_of_level(deepest);
  const FineLand land = Refiner(planet).refine(PatchRegion(centre, angle, deepest), quiet);
  const reference::RefinedLand plain = reference::refined(*planet, centre, angle, deepest);
  const auto near = [&](VertexId id) { return arc(plain.vertices.at(id).direction, centre) < inside; };
  int64_t compared = 0, there = 0, triangles = 0, plain_triangles = 0;
  for (const auto& [id, vertex] : plain.vertices) there += near(id) ? 1 : 0;
  for (size_t v = 0; v < land.vertices.size(); ++v) {
    if (!(arc(land.vertices.direction[v], centre) < inside)) continue;
    const auto found = plain.vertices.find(land.vertices.id[v]);
    if (found == plain.vertices.end()) {
      ADD_FAILURE() << "a vertex that the plain twin lacks";
      return compared;
    }
    expect_same(land, v, found->second);
    ++compared;
    if (testing::Test::HasFailure()) return compared;
  }
  EXPECT_EQ(compared, there);
  for (const auto& [a, b, c] : plain.triangles) plain_triangles += near(a) && near(b) && near(c) ? 1 : 0;
  for (const auto& corners : land.triangles) {
    std::array<VertexId, 3> names;
    for (size_t k = 0; k < 3; ++k) names[k] = land.vertices.id[static_cast<size_t>(corners[k])];
    const auto known = [&](VertexId id) { return plain.vertices.contains(id) && near(id); };
    if (!std::ranges::all_of(names, known)) continue;
    std::ranges::rotate(names, std::ranges::min_element(names));
    EXPECT_TRUE(plain.triangles.contains(names));
    ++triangles;
  }
  EXPECT_EQ(triangles, plain_triangles);
  return compared;
}

}  // namespace

// Highlands, coasts, lakes, glaciers, plains; a planet with ice and one without much.
TEST(RefineTwin, KnowsTheSameLandBitForBit) {
  int64_t compared = 0;
  for (const bool icy : {false, true}) {
    const auto planet = planet_of(icy ? 5 : 2, icy);
    for (uint64_t draw = 0; draw < 5; ++draw) {
      SCOPED_TRACE(draw);
      const Vec3 centre = planet->mesh.directions[a_vertex(*planet, draw)];
      compared += expect_equal_around(planet, centre, 2 + static_cast<int>(draw % 3) * 3);
    }
  }
  EXPECT_GT(compared, 500);
}

TEST(RefineTwin, KnowsItWithoutBanksAndTroughs) {
  const auto planet = planet_of(5, true, {.banks = false, .troughs = false});
  for (uint64_t draw = 0; draw < 2; ++draw)
    EXPECT_GT(expect_equal_around(planet, planet->mesh.directions[a_vertex(*planet, draw)], 6), 50);
}

}  // namespace tepui::refine_twin_test
