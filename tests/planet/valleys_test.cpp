#include <algorithm>
#include <array>
#include <cmath>
#include <span>
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

std::shared_ptr<const GlobalLand> planet_of(uint64_t seed, bool ice) {
  GlobalSpec spec;
  spec.level = 6;
  spec.key = seed;
  spec.ice = ice;
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
template <class Field>
std::vector<Vec3> most(const GlobalLand& land, const Field& field, size_t count) {
  std::vector<size_t> order(land.height.size());
  for (size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::ranges::sort(order, [&](size_t a, size_t b) { return field(a) > field(b); });
  std::vector<Vec3> places;
  for (size_t k = 0; k < order.size() && places.size() < count; ++k) {
    const Vec3 place = land.mesh.directions[order[k]];
    if (std::ranges::all_of(places, [&](Vec3 other) { return dot(place, other) < 0.98; })) places.push_back(place);
  }
  return places;
}

/// Heights above lines at some distances to both sides of them, distance after distance.
class Profiles {
 public:
  Profiles(const FineLand& land, Cap cap) : land_(land), cap_(cap) {}

  /// Across a vertex of the land, heights in a unit.
  void add(size_t i, std::span<const double> distances, double unit = 1) {
    const FineVertices& v = land_.vertices;
    const Vec3 along = v.direction[static_cast<size_t>(v.receiver[i])] - v.direction[i];
    const Vec3 across = normalised(cross(v.direction[i], along));
    for (const double side : {-1.0, 1.0})
      for (const double far : distances) {
        places_.push_back(normalised(v.direction[i] + across * (side * far / earth_radius)));
        beds_.push_back(v.height[i]);
        units_.push_back(unit);
      }
  }

  /// Those of place k go to heights[k modulo their number].
  void tell(std::span<std::vector<double>> heights) const {
    const std::vector<FinePlace> found = find_places(land_, places_, cap_, quiet);
    for (size_t k = 0; k < places_.size(); ++k) {
      if (found[k].triangle < 0) continue;
      double height = 0;
      for (size_t c = 0; c < 3; ++c)
        height +=
            static_cast<double>(found[k].shares[c]) *
            land_.vertices.height[static_cast<size_t>(land_.triangles[static_cast<size_t>(found[k].triangle)][c])];
      heights[k % heights.size()].push_back((height - beds_[k]) / units_[k]);
    }
  }

 private:
  const FineLand& land_;
  Cap cap_;
  std::vector<Vec3> places_;
  std::vector<double> beds_, units_;
};

}  // namespace

TEST(Valleys, OfGlaciersAreTroughs) {
  const LevelScale scale = level_scale(14, 8);
  Diamond diamond{};
  diamond.a.height = 900;
  diamond.b.height = 1200;
  diamond.c.height = diamond.d.height = 1050;
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
  EXPECT_NEAR(wall(2), 50, 0.1);  // the land beyond is as it was
}

// Whatever water and smaller glaciers have made of it, at every size of a glacier; a river has cut into the floor's
// middle.
TEST(Valleys, OfGlaciersAreTroughsOnRefinedLand) {
  std::vector<double> heights[4];
  for (const uint64_t seed : {1u, 2u}) {
    const auto planet = planet_of(seed, true);
    const auto iced = [&](size_t v) {
      const bool bare = planet->receiver[v] >= 0 && planet->ice[v] == 0;
      return bare ? static_cast<double>(planet->ice_flow[v]) * static_cast<double>(planet->steepness[v]) : 0;
    };
    for (const Vec3 place : most(*planet, iced, 3)) {
      const double angle = 0.004;
      const FineLand land = Refiner(planet).refine(PatchRegion(place, angle, 15), quiet);
      const FineVertices& v = land.vertices;
      Profiles profiles(land, {place, angle});
      for (size_t i = 0; i < v.size(); ++i) {
        const GlacialTrough& trough = v.trough[i];
        if (v.receiver[i] < 0 || trough.away > 0 || trough.half < 400) continue;
        if (dot(v.direction[i], place) < math::cos(0.6 * angle)) continue;
        const auto half = static_cast<double>(trough.half);
        profiles.add(i, std::array{0.3 * half, 0.6 * half, 0.4 * half, 0.8 * half}, static_cast<double>(trough.depth));
      }
      profiles.tell(heights);
    }
  }
  ASSERT_GT(heights[0].size(), 500u);
  for (const size_t k : {0u, 2u}) {
    const double power = exponent(median(heights[k]), median(heights[k + 1]), 2);
    EXPECT_GT(power, 1.6) << k;
    EXPECT_LT(power, 2) << k;
  }
}

TEST(Valleys, OfRiversAreStraightSided) {
  std::vector<double> heights[2];
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const auto planet = planet_of(seed, false);
    const auto steep = [&](size_t v) { return static_cast<float>(planet->steepness[v]); };
    for (const Vec3 place : most(*planet, steep, 4)) {
      const double angle = 0.003;
      const FineLand land = Refiner(planet).refine(PatchRegion(place, angle, 15), quiet);
      const FineVertices& v = land.vertices;
      Profiles profiles(land, {place, angle});
      for (size_t i = 0; i < v.size(); ++i) {
        if (v.receiver[i] < 0 || dot(v.direction[i], place) < math::cos(0.7 * angle)) continue;
        // Rivers of some size, whose floors are narrow.
        const double discharge = static_cast<double>(v.discharge[i]) * planet->unit;
        if (discharge >= 1e6 && discharge <= 1e8 && v.depth[i] == 0) profiles.add(i, std::array{150.0, 300.0});
      }
      profiles.tell(heights);
    }
  }
  ASSERT_GT(heights[0].size(), 200u);
  const double power = exponent(median(heights[0]), median(heights[1]), 2);
  EXPECT_GT(power, 0.75);
  EXPECT_LT(power, 1.25);
}

}  // namespace tepui::valleys_test
