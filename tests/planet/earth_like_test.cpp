#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/planet/global_stage.h"
#include "tests/planet/earth_heights.h"
#include "tests/support/support.h"

// What planets of the default parameters have in common with the Earth, over many seeds.
namespace tepui::earth_like_test {

namespace {

const Context quiet;

GlobalLand land_of(uint64_t seed, int level) {
  GlobalSpec spec;
  spec.level = level;
  spec.key = seed;
  return global_land(spec, quiet);
}

bool is_land(const GlobalLand& land, size_t v) { return land.receiver[v] >= 0; }

/// The share of the land above 2,500 m that lies within 700 km of where plates close.
double near_closing_plates(const GlobalLand& land, const std::vector<double>& areas) {
  constexpr double closes = -0.002;  // metres a year
  const double near = math::cos(700e3 / earth_radius);
  std::vector<Vec3> borders;
  for (size_t v = 0; v < areas.size(); ++v)
    if (static_cast<double>(land.stress[v]) < closes) borders.push_back(land.mesh.directions[v]);
  double high = 0, beside = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    if (!is_land(land, v) || land.height[v] < 2500) continue;
    high += areas[v];
    const Vec3 here = land.mesh.directions[v];
    if (std::ranges::any_of(borders, [&](Vec3 border) { return dot(border, here) > near; })) beside += areas[v];
  }
  return high > 0 ? beside / high : 1;
}

struct Measures {
  double sea = 0, mean_land = 0, highest = 0, lowest = 0, likeness = 0, beside_borders = 0;
};

Measures measured(const GlobalLand& land) {
  const std::vector<double> areas = cell_areas(land.mesh);
  Measures m;
  std::vector<double> bins(std::size(test::earth_heights), 0);
  double all = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    const double share = areas[v] / (4 * math::pi), height = land.height[v];
    (is_land(land, v) ? all : m.sea) += share;
    if (is_land(land, v)) m.mean_land += share * height;
    m.highest = std::max(m.highest, height);
    m.lowest = std::min(m.lowest, height);
    const double top = height + static_cast<double>(land.ice[v]);
    const auto bin = static_cast<int>(std::floor((top - test::earth_lowest) / test::earth_bin));
    bins[static_cast<size_t>(std::clamp(bin, 0, static_cast<int>(bins.size()) - 1))] += share;
  }
  m.mean_land /= all;
  for (size_t k = 0; k < bins.size(); ++k) m.likeness += std::min(bins[k], test::earth_heights[k]);
  m.beside_borders = near_closing_plates(land, areas);
  return m;
}

/// Of planets of seeds 1 to `last`: all but one in twenty are as much like the Earth as `likeness`.
void expect_like_earth(uint64_t last) {
  double sum = 0;
  int unlike = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    SCOPED_TRACE(seed);
    const Measures m = measured(land_of(seed, 6));
    EXPECT_GT(m.sea, 0.60);
    EXPECT_LT(m.sea, 0.75);
    EXPECT_GT(m.mean_land, 300);
    EXPECT_LT(m.mean_land, 1200);
    EXPECT_GT(m.highest, 5000);
    EXPECT_LT(m.highest, 10000);
    EXPECT_GT(m.lowest, -12000);
    EXPECT_GT(m.beside_borders, 0.9);
    unlike += m.likeness < 0.75 ? 1 : 0;
    sum += m.likeness;
  }
  EXPECT_LE(unlike, static_cast<int>(last) / 20);
  EXPECT_GT(sum / static_cast<double>(last), 0.82);
}

/// The share of the sphere where two levels disagree on what is land although no coast of the coarser one lies within
/// two of its edges, islands and bays of a single vertex not counted.
double continents_moved(const GlobalLand& coarse, const GlobalLand& fine) {
  const Neighbours around = neighbours(coarse.mesh);
  const std::vector<double> areas = cell_areas(coarse.mesh);
  double moved = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    const bool here = is_land(coarse, v);
    bool inside = here != is_land(fine, v), coast = false;
    for (const int32_t a : around.of(static_cast<int32_t>(v))) {
      inside = inside && is_land(fine, static_cast<size_t>(a)) != here;
      coast = coast || is_land(coarse, static_cast<size_t>(a)) != here;
      for (const int32_t b : around.of(a)) coast = coast || is_land(coarse, static_cast<size_t>(b)) != here;
    }
    moved += inside && !coast ? areas[v] : 0;
  }
  return moved / (4 * math::pi);
}

}  // namespace

TEST(EarthLike, ThreePlanetsAre) { expect_like_earth(3); }

TEST(EarthLikeLong, TwentyPlanetsAre) { expect_like_earth(20); }

TEST(EarthLike, FinerLevelsHaveTheSameContinents) {
  for (const uint64_t seed : {8u, 9u, 10u})
    EXPECT_LT(continents_moved(land_of(seed, 5), land_of(seed, 6)), 0.001) << seed;
}

TEST(EarthLikeLong, LevelsSixToEightHaveTheSameContinents) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const GlobalLand coarse = land_of(seed, 6);
    for (const int level : {7, 8}) EXPECT_LT(continents_moved(coarse, land_of(seed, level)), 0.001) << seed;
  }
}

}  // namespace tepui::earth_like_test
