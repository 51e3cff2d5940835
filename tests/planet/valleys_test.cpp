#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/planet/fine_places.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/refine.h"
#include "tepui/planet/refine_rules.h"
#include "tests/support/support.h"

// The shapes of valleys across: V where rivers have cut, U where glaciers have flowed.
namespace tepui::valleys_test {

namespace {

const Context quiet;

/// A planet on which no ice has ever lain.
std::shared_ptr<const GlobalLand> planet_of(uint64_t seed) {
  GlobalSpec spec;
  spec.level = 6;
  spec.key = seed;
  spec.ice = false;
  return std::make_shared<const GlobalLand>(global_land(spec, quiet));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// The power of the distance with which heights grow between a near and a far one.
double exponent(double low, double high, double times) { return math::log(high / low) / math::log(times); }

/// The places of the global stage with the most of something, far from each other.
std::vector<Vec3> most(const GlobalLand& land, const std::vector<float>& field, size_t count) {
  std::vector<size_t> order(field.size());
  for (size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::ranges::sort(order, [&](size_t a, size_t b) { return field[a] > field[b]; });
  std::vector<Vec3> places;
  for (size_t k = 0; k < order.size() && places.size() < count; ++k) {
    const Vec3 place = land.mesh.directions[order[k]];
    if (std::ranges::all_of(places, [&](Vec3 other) { return dot(place, other) < 0.98; })) places.push_back(place);
  }
  return places;
}

}  // namespace

TEST(Valleys, OfGlaciersAreTroughs) {
  const LevelScale scale = level_scale(14, 8);
  Diamond diamond{};
  diamond.a.height = 900;
  diamond.b.height = 4000;
  diamond.c.height = diamond.d.height = 2450;
  diamond.length = scale.length;
  const auto wall = [&](double x) {
    GlacialTrough trough;
    trough.half = static_cast<float>(2 * scale.spacing);
    trough.depth = 300;
    trough.bed = 1000;
    trough.away = static_cast<float>(x) * trough.half;
    return born_on_land(scale, diamond, nullptr, 0, ValleyFloor{}, trough, BirthDraws{}).height - 1000;
  };
  for (double x = 0.1; x <= 0.5; x += 0.1) {
    const double power = exponent(wall(x), wall(2 * x), 2);
    EXPECT_GT(power, 1.6) << x;
    EXPECT_LT(power, 2.0) << x;
  }
  EXPECT_EQ(wall(0), 0);
  EXPECT_NEAR(wall(1), 300, 0.1);
  EXPECT_GT(wall(2), 1000);  // the land beyond is as it was
}

TEST(Valleys, OfRiversAreStraightSided) {
  std::vector<double> near, far;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const auto planet = planet_of(seed);
    for (const Vec3 place : most(*planet, planet->steepness, 4)) {
      const double angle = 0.003;
      const FineLand land = Refiner(planet).refine(PatchRegion(place, angle, 15), quiet);
      const FineVertices& v = land.vertices;
      std::vector<Vec3> places;
      std::vector<double> beds;
      constexpr double steps[] = {150, 300};
      for (size_t i = 0; i < v.size(); ++i) {
        if (v.receiver[i] < 0 || dot(v.direction[i], place) < math::cos(0.7 * angle)) continue;
        // Rivers of some size, whose floors are narrow.
        const double discharge = static_cast<double>(v.discharge[i]) * planet->unit;
        if (discharge < 1e6 || discharge > 1e8 || v.depth[i] > 0) continue;
        const Vec3 along = v.direction[static_cast<size_t>(v.receiver[i])] - v.direction[i];
        const Vec3 across = normalised(cross(v.direction[i], along));
        for (const double side : {-1.0, 1.0})
          for (const double step : steps) {
            places.push_back(normalised(v.direction[i] + across * (side * step / earth_radius)));
            beds.push_back(v.height[i]);
          }
      }
      const std::vector<FinePlace> found = find_places(land, places, {place, angle}, quiet);
      for (size_t k = 0; k < places.size(); ++k) {
        if (found[k].triangle < 0) continue;
        double height = 0;
        for (size_t c = 0; c < 3; ++c)
          height += static_cast<double>(found[k].shares[c]) *
                    v.height[static_cast<size_t>(land.triangles[static_cast<size_t>(found[k].triangle)][c])];
        (k % 2 == 0 ? near : far).push_back(height - beds[k]);
      }
    }
  }
  ASSERT_GT(near.size(), 200u);
  const double power = exponent(median(near), median(far), 2);
  EXPECT_GT(power, 0.75);
  EXPECT_LT(power, 1.25);
}

}  // namespace tepui::valleys_test
