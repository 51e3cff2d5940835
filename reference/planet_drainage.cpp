#include "reference/planet_drainage.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace tepui::reference {

namespace {

constexpr double trace = 1e-3;

using NeighbourSets = std::vector<std::set<int32_t>>;

NeighbourSets neighbours_of(const SphereMesh& mesh) {
  NeighbourSets near(mesh.directions.size());
  for (const auto& t : mesh.triangles)
    for (size_t k = 0; k < 3; ++k) {
      near[static_cast<size_t>(t[k])].insert(t[(k + 1) % 3]);
      near[static_cast<size_t>(t[k])].insert(t[(k + 2) % 3]);
    }
  return near;
}

/// The sea's own surface, below which its floor does not matter.
double water_level(std::span<const double> surface, std::span<const uint8_t> sea, size_t v) {
  return sea[v] != 0 ? std::min(surface[v], 0.0) : surface[v];
}

std::vector<double> filled(const NeighbourSets& near, std::span<const double> height, std::span<const uint8_t> sea) {
  std::vector<double> surface(height.begin(), height.end());
  for (size_t v = 0; v < surface.size(); ++v)
    if (sea[v] == 0) surface[v] = 1e9;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t v = 0; v < surface.size(); ++v) {
      if (sea[v] != 0) continue;
      double lowest = 1e9;
      for (const int32_t w : near[v]) lowest = std::min(lowest, water_level(surface, sea, static_cast<size_t>(w)));
      const double own = std::max(height[v], lowest + trace);
      changed = changed || own < surface[v];
      surface[v] = std::min(surface[v], own);
    }
  }
  return surface;
}

}  // namespace

PlainDrainage drain(const SphereMesh& mesh, std::span<const double> height, std::span<const uint8_t> sea) {
  const NeighbourSets near = neighbours_of(mesh);
  PlainDrainage water{filled(near, height, sea), std::vector<int32_t>(height.size(), -1)};
  for (size_t v = 0; v < height.size(); ++v) {
    if (sea[v] != 0) continue;
    const bool flooded = water.surface[v] > height[v];
    double best = -1e9;
    for (const int32_t next : near[v]) {
      const auto w = static_cast<size_t>(next);
      const double fall = water.surface[v] - water_level(water.surface, sea, w);
      // A lake's water runs towards its outlet, all other down the steepest slope.
      const double drop = flooded ? fall : fall / length(mesh.directions[v] - mesh.directions[w]);
      if (drop > best) {
        best = drop;
        water.receiver[v] = next;
      }
    }
  }
  return water;
}

std::vector<double> incise_once(const SphereMesh& mesh, std::vector<double> height, std::span<const uint8_t> sea,
                                std::span<const double> flow_area, std::span<const float> uplift,
                                std::span<const float> hardness, const IncisionSpec& spec) {
  for (size_t v = 0; v < height.size(); ++v)
    if (sea[v] == 0) height[v] += static_cast<double>(uplift[v]) * spec.years;
  const PlainDrainage water = drain(mesh, height, sea);
  std::vector<double> area(height.size(), 0);
  for (size_t v = 0; v < height.size(); ++v)
    for (auto down = static_cast<int32_t>(v); down >= 0; down = water.receiver[static_cast<size_t>(down)])
      area[static_cast<size_t>(down)] += flow_area[v];
  std::vector<size_t> upwards(height.size());
  std::iota(upwards.begin(), upwards.end(), size_t{0});
  std::stable_sort(upwards.begin(), upwards.end(),
                   [&](size_t a, size_t b) { return water.surface[a] < water.surface[b]; });
  for (const size_t v : upwards) {
    if (sea[v] != 0) continue;
    const auto down = static_cast<size_t>(water.receiver[v]);
    const double distance = length(mesh.directions[v] - mesh.directions[down]) * earth_radius;
    const double k = spec.erodibility / static_cast<double>(hardness[v]) * spec.years * std::sqrt(area[v]) / distance;
    // Mud fills hollows up to some depth below their water.
    const double bed = std::max(height[v], water.surface[v] - spec.keep_hollows);
    const double base = sea[down] != 0 ? 0 : height[down];
    height[v] = std::max((bed + k * base) / (1 + k), std::min(bed, 0.5));
  }
  return height;
}

}  // namespace tepui::reference
