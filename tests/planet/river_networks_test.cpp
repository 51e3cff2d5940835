#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/refine.h"
#include "tepui/planet/river_courses.h"
#include "tests/support/support.h"

// What the rivers of refined land have in common with those of the Earth, at every size.
namespace tepui::river_networks_test {

namespace {

const Context quiet;

std::shared_ptr<const GlobalLand> planet_of(uint64_t seed) {
  GlobalSpec spec;
  spec.level = 6;
  spec.key = seed;
  return std::make_shared<const GlobalLand>(global_land(spec, quiet));
}

/// Two places on land without ice, far from each other.
std::vector<Vec3> inland(const GlobalLand& land) {
  std::vector<Vec3> places;
  for (size_t v = 500; v < land.height.size() && places.size() < 2; ++v) {
    const Vec3 place = land.mesh.directions[v];
    const bool dry = land.receiver[v] >= 0 && land.height[v] > 250 && land.ice[v] == 0 && land.runoff[v] > 0.1f;
    if (dry && std::ranges::all_of(places, [&](Vec3 other) { return dot(place, other) < 0.9; }))
      places.push_back(place);
  }
  return places;
}

struct Basins {
  std::vector<double> area, length;  ///< above every vertex: square metres, and the longest way down to it
  std::vector<uint8_t> whole;        ///< whether no water has come from beyond the land at hand
};

/// Whole are only those of which nothing lies beyond the cap.
Basins basins_of(const FineLand& land, Cap cap) {
  const FineVertices& v = land.vertices;
  const size_t count = v.size();
  Basins basins{std::vector<double>(count, 0), std::vector<double>(count, 0), std::vector<uint8_t>(count, 1)};
  for (const auto& [a, b, c] : land.triangles) {
    const auto place = [&](int32_t corner) { return v.direction[static_cast<size_t>(corner)]; };
    const double twice = length(cross(place(b) - place(a), place(c) - place(a))) * earth_radius * earth_radius;
    for (const int32_t corner : {a, b, c}) basins.area[static_cast<size_t>(corner)] += twice / 6;
  }
  std::vector<int64_t> arrives(count, 0);
  std::vector<int32_t> above(count, 0);
  for (size_t i = 0; i < count; ++i)
    if (v.receiver[i] >= 0) {
      arrives[static_cast<size_t>(v.receiver[i])] += v.discharge[i];
      ++above[static_cast<size_t>(v.receiver[i])];
    }
  std::vector<size_t> next;
  for (size_t i = 0; i < count; ++i) {
    const bool inside = dot(v.direction[i], cap.centre) > math::cos(cap.angle);
    if (!inside || v.discharge[i] > arrives[i] + v.supply[i]) basins.whole[i] = 0;
    if (above[i] == 0) next.push_back(i);
  }
  for (size_t k = 0; k < next.size(); ++k) {
    const size_t i = next[k];
    if (v.receiver[i] < 0) continue;
    const auto down = static_cast<size_t>(v.receiver[i]);
    const double way = basins.length[i] + length(v.direction[i] - v.direction[down]) * earth_radius;
    basins.area[down] += basins.area[i];
    basins.length[down] = std::max(basins.length[down], way);
    if (basins.whole[i] == 0) basins.whole[down] = 0;
    if (--above[down] == 0) next.push_back(down);
  }
  return basins;
}

/// The slope of the line that fits best.
double fitted_slope(const std::map<int, std::pair<double, int>>& sums) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [bin, sum] : sums) {
    if (sum.second < 8) continue;
    const double a = bin + 0.5, b = sum.first / sum.second;
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (xy - x * y / n) / (xx - x * x / n);
}

struct Laws {
  double hack = 0, horton = 0;
};

Laws laws_at(double metres) {
  std::map<int, std::pair<double, int>> lengths;  // logarithms of lengths, by that of the area
  double heads = 0, thirds = 0;                   // of the first order, in basins of the third
  for (const uint64_t seed : {1u, 2u}) {
    const auto planet = planet_of(seed);
    for (const Vec3 place : inland(*planet)) {
      const int level = level_of_spacing(metres / 250);
      const Cap cap{place, 0.6 * metres / earth_radius};
      const FineLand land = Refiner(planet).refine(PatchRegion(cap.centre, cap.angle, level), quiet);
      const FineVertices& v = land.vertices;
      const Basins basins = basins_of(land, cap);
      const double cell = 4 * math::pi * earth_radius * earth_radius / static_cast<double>(vertices_of_level(level));
      for (size_t i = 0; i < v.size(); ++i) {
        // Where a whole river joins one that is as large or larger.
        if (v.receiver[i] < 0 || basins.whole[i] == 0 || basins.area[i] < 60 * cell) continue;
        if (basins.area[static_cast<size_t>(v.receiver[i])] < 1.5 * basins.area[i]) continue;
        auto& sum = lengths[static_cast<int>(std::floor(std::log2(basins.area[i])))];
        sum.first += std::log2(basins.length[i]);
        ++sum.second;
      }
      std::vector<int64_t> areas(v.size());
      for (size_t i = 0; i < v.size(); ++i) areas[i] = static_cast<int64_t>(basins.area[i]);
      const std::vector<int32_t> receivers(v.receiver.begin(), v.receiver.end());
      std::vector<int> brooks(v.size(), 0), order(v.size(), 0);
      auto courses = river_courses(receivers, areas, static_cast<int64_t>(100 * cell));
      // Downstream.
      std::ranges::stable_sort(courses, {}, [&](const RiverCourse& course) {
        return areas[static_cast<size_t>(course.vertices[course.vertices.size() - 2])];
      });
      for (const RiverCourse& course : courses) order[static_cast<size_t>(course.vertices.front())] = course.order;
      for (const RiverCourse& course : courses) {
        const auto first = static_cast<size_t>(course.vertices.front()),
                   last = static_cast<size_t>(course.vertices.back());
        if (course.order == 1) brooks[first] = 1;
        brooks[last] += brooks[first];
        if (course.order != 3 || order[last] == 3 ||
            basins.whole[static_cast<size_t>(course.vertices[course.vertices.size() - 2])] == 0)
          continue;
        heads += brooks[first];
        ++thirds;
      }
    }
  }
  return {fitted_slope(lengths), std::sqrt(heads / thirds)};
}

}  // namespace

TEST(RiverNetworks, FollowHacksAndHortonsLawsAtEverySize) {
  for (const double metres : {4e5, 1e5, 2.5e4, 6e3}) {
    SCOPED_TRACE(metres);
    const Laws laws = laws_at(metres);
    EXPECT_GT(laws.hack, 0.45);
    EXPECT_LT(laws.hack, 0.65);
    EXPECT_GT(laws.horton, 3);
    EXPECT_LT(laws.horton, 5);
  }
}

}  // namespace tepui::river_networks_test
