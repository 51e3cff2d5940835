#include "tepui/planet/drainage.h"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/planet/rank_queue.h"

namespace tepui {

namespace {

constexpr double trace = 1e-3;  // metres by which a filled surface falls from vertex to vertex

/// Whether a vertex of the sea has a neighbour on land.
bool is_shore(size_t v, std::span<const uint8_t> sea, const Neighbours& around) {
  const auto near = around.of(static_cast<int32_t>(v));
  return std::any_of(near.begin(), near.end(), [&](int32_t w) { return sea[static_cast<size_t>(w)] == 0; });
}

/// All vertices that a flood may reach, the lowest first, and of two as high the one of the lesser number; and the
/// place of each in that order.
struct Ranks {
  std::vector<int32_t> vertex, of;
};

Ranks ranks_of(std::span<const double> height, std::span<const uint8_t> sea, const Neighbours& around) {
  struct Level {
    double height;
    int32_t vertex;
    bool operator<(const Level& other) const {
      return height != other.height ? height < other.height : vertex < other.vertex;
    }
  };
  std::vector<Level> levels;
  levels.reserve(height.size());
  for (size_t v = 0; v < height.size(); ++v)
    if (sea[v] == 0 || is_shore(v, sea, around))
      levels.push_back({sea[v] == 0 ? height[v] : std::min(height[v], 0.0), static_cast<int32_t>(v)});
  tbb::this_task_arena::isolate([&] { tbb::parallel_sort(levels.begin(), levels.end()); });
  Ranks ranks{std::vector<int32_t>(levels.size()), std::vector<int32_t>(height.size(), -1)};
  for (size_t k = 0; k < levels.size(); ++k) {
    ranks.vertex[k] = levels[k].vertex;
    ranks.of[static_cast<size_t>(levels[k].vertex)] = static_cast<int32_t>(k);
  }
  return ranks;
}

/// The neighbour to which the land falls most steeply, of which one lies lower.
int32_t steepest_way(const SphereMesh& mesh, const Neighbours& around, std::span<const double> surface,
                     std::span<const uint8_t> sea, size_t v, int32_t usual) {
  int32_t best = usual;
  double steepest = 0;  // the slope's square
  for (const int32_t next : around.of(static_cast<int32_t>(v))) {
    const auto w = static_cast<size_t>(next);
    const double fall = surface[v] - (sea[w] != 0 ? std::min(0.0, surface[w]) : surface[w]);
    if (fall <= 0) continue;
    const Vec3 way = mesh.directions[v] - mesh.directions[w];
    const double slope = fall * fall / dot(way, way);
    if (slope > steepest) {
      steepest = slope;
      best = next;
    }
  }
  return best;
}

}  // namespace

std::vector<uint8_t> find_seas(std::span<const double> height, const Neighbours& around) {
  constexpr double least_sea = 2e-4;
  const size_t count = height.size();
  std::vector<uint8_t> sea(count, 0), seen(count, 0);
  std::vector<int32_t> part;
  for (size_t start = 0; start < count; ++start) {
    if (seen[start] != 0 || height[start] >= 0) continue;
    part.assign(1, static_cast<int32_t>(start));
    seen[start] = 1;
    for (size_t next = 0; next < part.size(); ++next)
      for (const int32_t w : around.of(part[next]))
        if (seen[static_cast<size_t>(w)] == 0 && height[static_cast<size_t>(w)] < 0) {
          seen[static_cast<size_t>(w)] = 1;
          part.push_back(w);
        }
    if (static_cast<double>(part.size()) > least_sea * static_cast<double>(count))
      for (const int32_t v : part) sea[static_cast<size_t>(v)] = 1;
  }
  if (std::find(sea.begin(), sea.end(), 1) == sea.end())
    sea[static_cast<size_t>(std::min_element(height.begin(), height.end()) - height.begin())] = 1;
  return sea;
}

Drainage drain(const SphereMesh& mesh, const Neighbours& around, std::span<const double> height,
               std::span<const uint8_t> sea, const Context& context) {
  const size_t count = height.size();
  Drainage water{{height.begin(), height.end()}, std::vector<int32_t>(count, -1), {}};
  std::vector<uint8_t> reached(sea.begin(), sea.end());
  const Ranks ranks = ranks_of(height, sea, around);
  RankQueue front(ranks.vertex.size());
  for (const int32_t v : ranks.vertex)
    if (sea[static_cast<size_t>(v)] != 0) front.push(static_cast<size_t>(ranks.of[static_cast<size_t>(v)]));
  // What fills up goes on at once, before whatever is higher (Barnes et al. 2014, their second queue).
  std::vector<int32_t> hollow;
  size_t next_in_hollow = 0;
  water.order.reserve(count);
  while (!front.empty() || next_in_hollow < hollow.size()) {
    int32_t here = 0;
    if (next_in_hollow < hollow.size()) {
      here = hollow[next_in_hollow];
      if (++next_in_hollow == hollow.size()) hollow.clear(), next_in_hollow = 0;
    } else {
      here = ranks.vertex[front.pop()];
    }
    const auto v = static_cast<size_t>(here);
    if (sea[v] == 0) water.order.push_back(here);
    const double surface = sea[v] == 0 ? water.surface[v] : std::min(height[v], 0.0);
    for (const int32_t next : around.of(here)) {
      const auto w = static_cast<size_t>(next);
      if (reached[w] != 0) continue;
      reached[w] = 1;
      water.receiver[w] = here;
      water.surface[w] = std::max(height[w], surface + trace);
      if (water.surface[w] > height[w])
        hollow.push_back(next);
      else
        front.push(static_cast<size_t>(ranks.of[w]));
    }
  }
  parallel_chunks(static_cast<int64_t>(count), 8192, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v)
      // In a filled hollow it stays: towards the outlet.
      if (sea[v] == 0 && water.surface[v] <= height[v])
        water.receiver[v] = steepest_way(mesh, around, water.surface, sea, v, water.receiver[v]);
  });
  return water;
}

void incise(const SphereMesh& mesh, const Neighbours& around, std::vector<double>& height, std::span<const uint8_t> sea,
            std::span<const double> flow_area, std::span<const float> uplift, std::span<const float> hardness,
            const IncisionSpec& spec, const Context& context) {
  for (int step = 0; step < spec.steps; ++step) {
    const double share = 1.0 / spec.steps;
    const Context own = context.stage("", step * share, (step + 1) * share);
    for (size_t v = 0; v < height.size(); ++v)
      if (sea[v] == 0) height[v] += static_cast<double>(uplift[v]) * spec.years;
    const Drainage water = drain(mesh, around, height, sea, own);
    const std::vector<double> area = accumulated(water, std::vector<double>(flow_area.begin(), flow_area.end()));
    for (const int32_t here : water.order) {
      const auto v = static_cast<size_t>(here), down = static_cast<size_t>(water.receiver[v]);
      const double far = length(mesh.directions[v] - mesh.directions[down]) * earth_radius;
      const double cut = spec.erodibility * spec.years * std::sqrt(area[v]) / (far * static_cast<double>(hardness[v]));
      const double bed = std::max(height[v], water.surface[v] - spec.keep_hollows);
      const double below = sea[down] != 0 ? std::min(0.0, height[down]) : height[down];
      height[v] = std::max((bed + cut * std::max(below, sea[down] != 0 ? 0.0 : -1e9)) / (1 + cut), std::min(bed, 0.5));
    }
  }
}

}  // namespace tepui
