#include "tepui/cover/scatter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "reference/crown_room.h"
#include "reference/scatter.h"
#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/cover/crown_room.h"
#include "tests/support/support.h"

namespace tepui::scatter_test {

namespace {

/// One value that varies over the plan, from 0 to 1, the same at any resolution.
float wave(double x, double y, double scale, double phase) {
  return static_cast<float>(0.5 + 0.5 * math::sin(x / scale + phase) * math::cos(y / scale - 2 * phase));
}

Terrain with_wave(const Terrain& land, const char* name, const char* unit, double scale, float factor, float less) {
  const Frame& f = land.frame();
  Grid<float> cells(f.width, f.height);
  for (int64_t y = 0; y < f.height; ++y)
    for (int64_t x = 0; x < f.width; ++x)
      cells(x, y) = std::max(0.0f, factor * wave(f.x(x), f.y(y), scale, less) - less);
  return land.with(make_layer(name, unit, *unit != 0 ? LayerKind::continuous : LayerKind::mask, std::move(cells)));
}

/// Hills with forests of two kinds, scrub, meadow and a little scree.
Terrain wooded(const Frame& frame, double relief = 40) {
  Grid<float> z(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x)
      z(x, y) = static_cast<float>(relief) * wave(frame.x(x), frame.y(y), 60, 0.3);
  Terrain land(frame, {0, relief}, std::move(z));
  land = with_wave(land, "conifer", "", 50, 1, 0.1f);
  land = with_wave(land, "broadleaf", "", 70, 0.8f, 0.2f);
  land = with_wave(land, "shrub", "", 30, 0.6f, 0);
  land = with_wave(land, "grass", "", 90, 0.7f, 0.1f);
  return with_wave(land, "talus", "m", 40, 0.6f, 0.3f);
}

Frame square(double side, int64_t resolution, Vec2 origin = {}) { return make_world({side, side}, resolution, origin); }

/// Everything that can decide, with patches of it everywhere.
Terrain weathered(Terrain land) {
  land = with_wave(land, "water", "m", 45, 2, 1.5f);
  land = with_wave(land, "snow", "m", 55, 4, 0.8f);
  land = with_wave(land, "soil", "m", 65, 1, 0);
  land = with_wave(land, "sediment", "m", 33, 1, 0.2f);
  return with_wave(land, "temperature_summer", "degC", 110, 20, 0.5f);
}

std::vector<reference::ScatteredPoint> points_of(const Lines& lines) {
  std::vector<reference::ScatteredPoint> all;
  const auto number = [&](const char* name, size_t i) { return lines.number(name)->values[i]; };
  for (size_t i = 0; i < lines.features(); ++i)
    all.push_back({lines.vertices()[i], std::string(lines.text("species")->values[i]), number("height", i),
                   number("crown", i), number("turn", i), number("lean", i), number("form", i)});
  return all;
}

using Place = std::tuple<double, double, std::string>;
std::set<Place> places(const Lines& lines, double margin = 0, const Frame* within = nullptr) {
  std::set<Place> all;
  for (const auto& p : points_of(lines)) {
    if (within != nullptr && (p.at.x < within->x(0) + margin || p.at.x > within->x(within->width - 1) - margin ||
                              p.at.y < within->y(0) + margin || p.at.y > within->y(within->height - 1) - margin))
      continue;
    all.emplace(p.at.x, p.at.y, p.species);
  }
  return all;
}

size_t shared(const std::set<Place>& a, const std::set<Place>& b) {
  return static_cast<size_t>(std::ranges::count_if(a, [&](const Place& p) { return b.contains(p); }));
}

Terrain window_of(const Terrain& land, int64_t x0, int64_t y0, int64_t w, int64_t h) {
  const Frame frame = land.frame().window(x0, y0, w, h);
  Terrain out(frame, land.relief());
  for (const Layer& layer : land.layers()) {
    Grid<float> cells(w, h);
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) cells(x, y) = layer.grid()(x0 + x, y0 + y);
    out = out.with(layer.holding(std::move(cells)));
  }
  return out;
}

ScatterParams everywhere(const char* species, double density) {
  ScatterParams params;
  params.species = {{species}};
  params.species[0].layer = std::string(everywhere_layer);
  params.species[0].density = density;
  return params;
}

ScatterParams any_params() {
  ScatterParams params;
  params.density = *rc::gen::element(0.1, 1.0, 3.0);
  params.spacing = *rc::gen::element(0.0, 0.5, 0.8, 1.0, 1.7);
  params.clumps = *rc::gen::element(0.0, 0.6, 1.0);
  params.clump_size = metres(*rc::gen::element(15.0, 45.0));
  params.seed.node = *rc::gen::inRange(0, 1000);
  if (*rc::gen::arbitrary<bool>()) params.sea_level = 8;
  if (*rc::gen::arbitrary<bool>()) params.species.push_back({"conifer"});
  return params;
}

Vec2 any_origin() { return *rc::gen::element(Vec2{}, Vec2{-77.3, 12.5}, Vec2{512340.25, 5000120.5}); }

}  // namespace

RC_GTEST_PROP(CrownRoom, EqualsThePlainTwin, ()) {
  const auto count = *rc::gen::inRange<uint64_t>(0, 700);
  const Stream random(*rc::gen::arbitrary<uint64_t>());
  const auto side = *rc::gen::element<int64_t>(1, 50, 4000, 30000);
  const auto widest = *rc::gen::element<uint64_t>(1, 3, 300);
  const double spacing = *rc::gen::element(0.0, 0.3, 1.0, 2.5);
  const int passes = *rc::gen::inRange(0, 6);
  std::vector<reference::Crown> crowns;
  std::vector<int64_t> x, y;
  std::vector<int32_t> crown;
  std::vector<uint32_t> chance;
  for (uint64_t i = 0; i < count; ++i) {
    x.push_back(static_cast<int64_t>(random.bits(i, 0) % static_cast<uint64_t>(side)) - side / 2);
    y.push_back(static_cast<int64_t>(random.bits(i, 1) % static_cast<uint64_t>(side)) + 90);
    crown.push_back(static_cast<int32_t>(1 + random.bits(i, 2) % widest));
    chance.push_back(static_cast<uint32_t>(random.bits(i, 3) % 16));
    crowns.push_back({x.back(), y.back(), crown.back(), chance.back()});
  }
  const std::vector<uint8_t> room = crown_room({x, y, crown, chance}, spacing, passes, {});
  const std::vector<bool> plain = reference::crown_room(crowns, spacing, passes);
  RC_ASSERT(std::vector<bool>(room.begin(), room.end()) == plain);
}

RC_GTEST_PROP(Scatter, EqualsThePlainTwin, ()) {
  Terrain land =
      wooded(make_world({*rc::gen::element(50.0, 100.0), 60}, *rc::gen::element<int64_t>(2, 9, 60), any_origin()),
             *rc::gen::element(0.0, 40.0, 150.0));
  if (*rc::gen::arbitrary<bool>()) land = weathered(land);
  if (*rc::gen::arbitrary<bool>()) land = land.without("talus");
  const Terrain mask = with_wave(land, "mask", "", 20, 1.2f, 0.2f).only("mask");
  const Terrain* masked = *rc::gen::arbitrary<bool>() ? &mask : nullptr;
  const ScatterParams params = any_params();
  const auto points = points_of(scatter(land, masked, params, {}));
  RC_TAG(points.empty() ? "none" : points.size() < 100 ? "few" : "many");
  RC_ASSERT(points == reference::scatter(land, masked, params));
}

RC_GTEST_PROP(Scatter, NoTwoAreCloserThanTheirCrowns, ()) {
  const ScatterParams params = any_params();
  const auto all = points_of(scatter(wooded(square(120, 31, any_origin())), nullptr, params, {}));
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      RC_ASSERT(std::hypot(all[i].at.x - all[j].at.x, all[i].at.y - all[j].at.y) >=
                params.spacing * (all[i].crown + all[j].crown) - 1e-9);
}

RC_GTEST_PROP(Scatter, AWindowHasThePointsOfTheWhole, ()) {
  const Terrain land = weathered(wooded(square(400, 101, any_origin())));
  ScatterParams params = any_params();
  params.spacing = std::min(params.spacing, 0.5);
  params.species = {{"birch"}, {"shrub"}, {"rock"}};
  for (ScatterSpecies& species : params.species) species.height = Interval{0.5, 3};
  const Lines whole = scatter(land, nullptr, params, {});
  const auto x0 = *rc::gen::inRange<int64_t>(0, 30), y0 = *rc::gen::inRange<int64_t>(0, 40);
  const Terrain part = window_of(land, x0, y0, 70, 60);
  const Lines alone = scatter(part, nullptr, params, {});
  const double margin = scatter_reach(land.frame(), params);
  RC_ASSERT(margin < 100);
  const std::set<Place> inner = places(alone, margin, &part.frame());
  RC_ASSERT(inner == places(whole, margin, &part.frame()));
  RC_ASSERT(params.density < 1 || !inner.empty());
}

RC_GTEST_PROP(Scatter, StandsOnDryGroundAboveSnowAndSeaAndNotOnWalls, ()) {
  const Terrain land = weathered(wooded(square(160, 41), 120));
  ScatterParams params = any_params();
  params.sea_level = 20;
  const auto value = [&](const char* name, Vec3 at) {
    const Grid<float>& g = land.layer(name).grid();
    const auto c = static_cast<int64_t>(at.x / 4), r = static_cast<int64_t>(at.y / 4);
    const double u = at.x / 4 - static_cast<double>(c), v = at.y / 4 - static_cast<double>(r);
    const auto w = [&](int64_t i, int64_t j) {
      return static_cast<double>(g(std::min<int64_t>(c + i, 40), std::min<int64_t>(r + j, 40)));
    };
    return (1 - v) * ((1 - u) * w(0, 0) + u * w(1, 0)) + v * ((1 - u) * w(0, 1) + u * w(1, 1));
  };
  for (const auto& p : points_of(scatter(land, nullptr, params, {}))) {
    RC_ASSERT(value("water", p.at) < 1e-6);
    RC_ASSERT(value("height", p.at) > 20 - 1e-6);
    RC_ASSERT(value("snow", p.at) <= params.snow * p.height + 0.01);
    RC_ASSERT(std::abs(value("height", p.at) - value("snow", p.at) - p.at.z) < 0.006);
    RC_ASSERT(p.turn >= 0 && p.turn < 360 && p.lean >= 0 && p.lean <= 90 && p.form >= 0 && p.form < 6);
  }
}

/// Where the layers say the same, samples do not matter at all.
RC_GTEST_PROP(Scatter, EvenLandHasTheSamePointsAtAnyResolution, ()) {
  ScatterParams params = any_params();
  params.species = {{"conifer"}, {"shrub"}};
  const Vec2 origin = any_origin();
  const auto share = *rc::gen::element(0.3f, 1.0f);
  const auto at_resolution = [&](int64_t samples) {
    Terrain land(square(60, samples, origin), {0, 20}, Grid<float>(samples, samples, 12));
    for (const char* layer : {"conifer", "shrub"})
      land = land.with(make_layer(layer, "", LayerKind::mask, Grid<float>(samples, samples, share)));
    return scatter(land, nullptr, params, {}).hash();
  };
  RC_ASSERT(at_resolution(*rc::gen::element<int64_t>(2, 7, 31, 121)) == at_resolution(61));
}

TEST(Scatter, HalfTheSamplesGiveMostlyTheSamePoints) {
  const std::set<Place> fine = places(scatter(wooded(square(600, 121)), nullptr, {}, {}));
  const std::set<Place> half = places(scatter(wooded(square(600, 61)), nullptr, {}, {}));
  ASSERT_GT(fine.size(), 2000u);
  EXPECT_GT(shared(fine, half), 0.85 * static_cast<double>(std::max(fine.size(), half.size())));
}

TEST(Scatter, IsTheSameForAnyNumberOfThreads) {
  const Terrain land = weathered(wooded(square(500, 126)));
  test::expect_same_bits([&] { return scatter(land, nullptr, {}, {}).hash(); });
}

/// As far as they fit: crowns of all sizes, from few to about half of the ground.
TEST(Scatter, AsManyStandAsTheDensitySays) {
  const Terrain land(square(400, 3), {0, 1}, Grid<float>(3, 3, 5));
  constexpr int seeds = 4;
  const auto check = [&](ScatterParams params, double least) {
    const double hectares = seeds * 16, asked = *params.species[0].density;
    double found = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      params.seed.node = seed;
      found += static_cast<double>(scatter(land, nullptr, params, {}).features());
    }
    const std::string what = params.species[0].species + " " + std::to_string(asked) + " " +
                             std::to_string(params.spacing) + " " + std::to_string(params.clumps);
    EXPECT_NEAR(found / hectares, asked, least * asked + 3 * std::sqrt(asked / hectares)) << what;
  };
  for (const auto& [species, densities] :
       std::vector<std::pair<const char*, std::vector<double>>>{{"conifer", {20, 100, 300}},
                                                                {"broadleaf", {20, 50, 100}},
                                                                {"birch", {60, 200, 400}},
                                                                {"shrub", {20, 300, 1600}},
                                                                {"rock", {20, 300, 3000}}})
    for (const double asked : densities) {
      ScatterParams params = everywhere(species, asked);
      params.clumps = 0;
      check(params, 0.015);
      params.spacing = 0.5;
      check(params, 0.015);
      // Groves and glades leave the mean as it is, while there is room in the groves.
      params.spacing = 0.3;
      params.clumps = 1;
      check(params, 0.05);
    }
}

TEST(Scatter, OneSpeciesMoreLeavesCandidatesOfOthersWhereTheyAre) {
  const Terrain land = wooded(square(300, 61));
  ScatterParams params;
  params.spacing = 0;  // without competition candidates are what stands
  params.species = {{"shrub"}};
  const std::set<Place> alone = places(scatter(land, nullptr, params, {}));
  params.species = {{"conifer"}, {"shrub"}};
  EXPECT_EQ(shared(alone, places(scatter(land, nullptr, params, {}))), alone.size());
  // And more of them are the same, and more.
  params.density = 1.5;
  EXPECT_EQ(shared(alone, places(scatter(land, nullptr, params, {}))), alone.size());
}

TEST(Scatter, GrowsLowOnPoorGroundAndNearTheTreeLine) {
  const Terrain land(square(200, 3), {0, 1}, Grid<float>(3, 3, 5));
  const auto mean = [&](const char* layer, float value) {
    const Terrain on = land.with(make_layer(layer, "m", LayerKind::continuous, Grid<float>(3, 3, value)));
    const Lines trees = scatter(on, nullptr, everywhere("conifer", 100), {});
    double sum = 0;
    for (const double h : trees.number("height")->values) sum += h;
    return sum / static_cast<double>(trees.features());
  };
  EXPECT_NEAR(mean("soil", 0) / mean("soil", 2), 0.25, 0.01);
  EXPECT_NEAR(mean("temperature_summer", 5) / mean("temperature_summer", 14), 0.25, 0.02);
  EXPECT_LT(mean("soil", 0.3f), 0.8 * mean("soil", 2));
}

TEST(Scatter, LeansDownhillOnASlope) {
  const Frame frame = square(200, 21);
  Grid<float> z(21, 21);
  for (int64_t y = 0; y < 21; ++y)
    for (int64_t x = 0; x < 21; ++x) z(x, y) = static_cast<float>(7 * x);  // 35 degrees, falling west
  ScatterParams params = everywhere("rock", 200);
  params.species[0].sway = 0;
  const Lines rocks = scatter(Terrain(frame, {0, 140}, std::move(z)), nullptr, params, {});
  ASSERT_GT(rocks.features(), 300u);
  for (size_t i = 0; i < rocks.features(); ++i) {
    EXPECT_EQ(rocks.number("turn")->values[i], 270);
    EXPECT_EQ(rocks.number("lean")->values[i], 24.5);
  }
}

TEST(Scatter, EdgesAreEmptyOrRefused) {
  const auto features = [](const Frame& frame, ScatterParams params) {
    return scatter(Terrain(frame, {0, 1}, Grid<float>(frame.width, frame.height, 0)), nullptr, params, {}).features();
  };
  const ScatterParams pines = everywhere("pine", 300);
  EXPECT_EQ(features(square(100, 1), pines), 0u);
  Frame line = square(100, 11);
  line.height = 1;
  EXPECT_EQ(features(line, pines), 0u);
  EXPECT_GT(features(square(100, 2), pines), 100u);
  EXPECT_EQ(features(square(100, 2), everywhere("pine", 0)), 0u);
  ScatterParams sea = pines;
  sea.sea_level = 1;
  EXPECT_EQ(features(square(100, 2), sea), 0u);
  const auto error = [&](const Frame& frame, const ScatterParams& params) {
    return test::error_of([&] { features(frame, params); });
  };
  EXPECT_NE(error(square(100, 5), {}).find("everywhere"), std::string::npos);
  EXPECT_NE(error(square(1e6, 5), everywhere("grass", 1)).find("a crop"), std::string::npos);
  ScatterParams dense = everywhere("grass", 1e6);
  dense.density = 1000;
  dense.spacing = 0;
  EXPECT_NE(error(square(500, 5), dense).find("100 million"), std::string::npos);
  ScatterParams heights = pines;
  heights.species[0].layer = "temperature";
  const Terrain warm = Terrain(square(50, 3), {0, 1}, Grid<float>(3, 3, 0))
                           .with(make_layer("temperature", "degC", LayerKind::continuous, Grid<float>(3, 3, 4)));
  EXPECT_NE(test::error_of([&] { scatter(warm, nullptr, heights, {}); }).find("neither a share"), std::string::npos);
  CancelFlag cancel = true;
  EXPECT_THROW(scatter(wooded(square(100, 11)), nullptr, {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::scatter_test
