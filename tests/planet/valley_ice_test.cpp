#include "tepui/planet/valley_ice.h"

#include <cmath>
#include <map>

#include "tepui/planet/global_stage.h"
#include "tepui/planet/refine.h"
#include "tests/support/support.h"

namespace tepui::valley_ice_test {

namespace {

const Context quiet;

std::shared_ptr<const GlobalLand> icy_planet(Glaciation glaciation, double warmer) {
  GlobalSpec spec;
  spec.level = 5;
  spec.key = 3;
  spec.glaciation = glaciation;
  spec.climate.warmer = warmer;
  return std::make_shared<const GlobalLand>(global_land(spec, quiet));
}

LevelScale scale_at(int level) {
  LevelScale scale = level_scale(level, 8);
  scale.ice_gradient = 6e-3;
  scale.most_snow = 1.2;
  return scale;
}

/// Ice on a land, at one time: what lies on it and what leaves it.
struct Budget {
  std::vector<int64_t> arrives;  ///< at every vertex
  int64_t grown = 0, melted = 0, calved = 0, all = 0;
};

Budget budget(const FineVertices& v, int64_t IceTimes::*time) {
  Budget ice;
  ice.arrives.assign(v.size(), 0);
  for (size_t i = 0; i < v.size(); ++i) {
    const int64_t supply = v.ice_supply[i].*time, flow = v.ice_flow[i].*time;
    ice.all += supply;
    if (v.receiver[i] == in_the_sea) continue;
    (supply > 0 ? ice.grown : ice.melted) += std::abs(supply);
    const auto down = static_cast<size_t>(v.receiver[i]);
    ice.arrives[down] += flow;
    if (v.receiver[down] == in_the_sea) ice.calved += flow;
  }
  return ice;
}

void expect_balanced(const GlobalLand& planet, const FineVertices& v, int64_t IceTimes::*time,
                     const std::vector<float>& flow_before) {
  const Budget ice = budget(v, time);
  EXPECT_EQ(ice.grown, ice.melted + ice.calved);
  int64_t valleys = 0;
  for (size_t i = 0; i < v.size(); ++i) {
    if (v.receiver[i] == in_the_sea) continue;
    const int64_t flow = v.ice_flow[i].*time;
    ASSERT_GE(flow, 0);
    ASSERT_EQ(flow, ice.arrives[i] + v.ice_supply[i].*time);
    valleys += flow > 0 && v.level[i] > planet.mesh.level ? 1 : 0;
  }
  EXPECT_GT(valleys, 500);
  std::map<VertexId, size_t> names;
  for (size_t i = 0; i < v.size(); ++i) names.emplace(v.id[i], i);
  const auto ids = icosphere_ids(planet.mesh.level);
  int64_t before = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (planet.receiver[i] < 0) continue;
    const auto flow = static_cast<int64_t>(flow_before[i]);
    ASSERT_EQ(v.ice_flow[names.at(ids[i])].*time, flow);
    before += flow;
    if (const auto down = static_cast<size_t>(planet.receiver[i]); planet.receiver[down] >= 0) before -= flow;
  }
  EXPECT_EQ(ice.all, before);
}

}  // namespace

// What grows melts or reaches the sea, to the last cubic metre; children share what their parent had, so that what
// flows through old vertices stays what it was.
TEST(ValleyIce, SharesSumToTheWhole) {
  for (const Glaciation glaciation : {Glaciation::height, Glaciation::after}) {
    const auto planet = icy_planet(glaciation, -4);
    const FineLand land = Refiner(planet).refine(WholeRegion(8), quiet);
    expect_balanced(*planet, land.vertices, &IceTimes::then, planet->ice_flow);
    expect_balanced(*planet, land.vertices, &IceTimes::now, planet->ice_flow_now);
  }
}

TEST(ValleyIce, IsThereNowOnlyWhereItWas) {
  const auto planet = icy_planet(Glaciation::after, 0);
  const FineLand land = Refiner(planet).refine(WholeRegion(8), quiet);
  int64_t deep = 0;
  for (size_t i = 0; i < land.vertices.size(); ++i) {
    const GlacialTrough& trough = land.vertices.trough[i];
    EXPECT_LE(trough.ice_half, trough.half);
    deep += ice_above(land.vertices, i) > 10 ? 1 : 0;
  }
  EXPECT_GT(deep, 20);
  const auto bare = icy_planet(Glaciation::before, 0);
  const FineLand before = Refiner(bare).refine(WholeRegion(7), quiet);
  for (size_t i = 0; i < before.vertices.size(); ++i) ASSERT_EQ(ice_above(before.vertices, i), no_ice);
}

RC_GTEST_PROP(ValleyIce, GrowsNoMoreThanItSnowsAndMeltsNoMoreThanThereIs, ()) {
  const LevelScale scale = scale_at(*rc::gen::inRange(8, 20));
  const IceCell cell{*rc::gen::inRange<int64_t>(-1'000'000'000'000, 1'000'000'000'000),
                     static_cast<double>(*rc::gen::inRange(1, 9)), static_cast<double>(*rc::gen::inRange(0, 6000))};
  IceSite site{static_cast<double>(*rc::gen::inRange(0, 8000)), static_cast<double>(*rc::gen::inRange(0, 6000)),
               0.1 * *rc::gen::inRange(0, 30), *rc::gen::inRange<int64_t>(0, 1'000'000'000)};
  const int64_t supply = supply_of_child(scale, cell, site);
  RC_ASSERT(supply >= -site.inflow);
  const bool snows = site.height > site.snow_line;
  RC_ASSERT(static_cast<double>(supply) <= (snows ? std::min(1.2, 1.1 * site.rain) * scale.cell : 0));
  site.height += 100;
  RC_ASSERT(supply_of_child(scale, cell, site) >= supply);
}

TEST(ValleyIce, AnEvenCellIsSharedEvenly) {
  const LevelScale scale = scale_at(10);
  const auto whole = static_cast<int64_t>(2 * scale.cell);
  EXPECT_EQ(supply_of_child(scale, {whole, 4, 3000}, {3000, 1000, 2, 0}), whole / 4);
  // Half a metre more for a vertex that stands higher by so much that the snow line gives it, as long as it snows.
  const double more = 0.5 / scale.ice_gradient;
  EXPECT_NEAR(static_cast<double>(supply_of_child(scale, {whole, 4, 3000}, {3000 + more, 1000, 2, 0})),
              static_cast<double>(whole) / 4 + 0.5 * scale.cell, 1);
}

// Beyond some times its own width the walls, or its own weight, end a glacier.
TEST(ValleyIce, LiesBetweenTheWallsOfItsTrough) {
  FineVertices v;
  v.resize(2);
  for (const double flow : {1e6, 1e7, 1e8}) {
    GlacialTrough trough = trough_of(1e8, 150, 1000);
    fill_with_ice(trough, flow);
    ASSERT_GT(trough.ice, 0);
    for (const double x : {0.0, 0.5, 1.7, 3.0}) {
      trough.away = static_cast<float>(x) * trough.ice_half;
      const double wall = static_cast<double>(trough.depth) *
                          std::pow(static_cast<double>(trough.away) / static_cast<double>(trough.half), 1.8);
      v.trough[0] = trough;
      v.height[0] = 1000 + wall;
      EXPECT_EQ(ice_above(v, 0) > 0, x < 1) << flow << " " << x;
    }
  }
  EXPECT_EQ(ice_above(v, 1), no_ice);
}

}  // namespace tepui::valley_ice_test
