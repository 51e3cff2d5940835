#include "tepui/planet/drainage.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace tepui {

namespace {

constexpr double trace = 1e-3;  // metres by which a filled surface falls from vertex to vertex

struct Next {
  double surface;
  int32_t vertex;
  friend bool operator<(const Next& a, const Next& b) {
    return a.surface != b.surface ? a.surface > b.surface : a.vertex > b.vertex;
  }
};

}  // namespace

std::vector<uint8_t> find_seas(std::span<const double> height, const Neighbours& around) {
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
    if (static_cast<double>(part.size()) > 0.001 * static_cast<double>(count))
      for (const int32_t v : part) sea[static_cast<size_t>(v)] = 1;
  }
  if (std::find(sea.begin(), sea.end(), 1) == sea.end())
    sea[static_cast<size_t>(std::min_element(height.begin(), height.end()) - height.begin())] = 1;
  return sea;
}

Drainage drain(const SphereMesh& mesh, const Neighbours& around, std::span<const double> height,
               std::span<const uint8_t> sea) {
  const size_t count = height.size();
  Drainage water{{height.begin(), height.end()}, std::vector<int32_t>(count, -1), {}};
  std::vector<uint8_t> reached(sea.begin(), sea.end());
  std::vector<Next> heap;
  for (size_t v = 0; v < count; ++v) {
    if (sea[v] == 0) continue;
    const auto near = around.of(static_cast<int32_t>(v));
    if (std::any_of(near.begin(), near.end(), [&](int32_t w) { return sea[static_cast<size_t>(w)] == 0; }))
      heap.push_back({std::min(height[v], 0.0), static_cast<int32_t>(v)});
  }
  std::priority_queue<Next> front(std::less<Next>(), std::move(heap));
  water.order.reserve(count);
  // A vertex is taken once all lower ones have been: its receiver is among those taken before it.
  std::vector<uint8_t> taken(sea.begin(), sea.end());
  while (!front.empty()) {
    const Next here = front.top();
    front.pop();
    const auto v = static_cast<size_t>(here.vertex);
    if (sea[v] == 0) {
      water.order.push_back(here.vertex);
      taken[v] = 1;
    }
    for (const int32_t next : around.of(here.vertex)) {
      const auto w = static_cast<size_t>(next);
      if (reached[w] != 0) continue;
      reached[w] = 1;
      water.receiver[w] = here.vertex;
      water.surface[w] = std::max(height[w], here.surface + trace);
      front.push({water.surface[w], next});
    }
  }
  for (const int32_t here : water.order) {
    const auto v = static_cast<size_t>(here);
    if (water.surface[v] > height[v]) continue;  // in a filled hollow: towards its outlet
    double steepest = 0;
    for (const int32_t next : around.of(here)) {
      const auto w = static_cast<size_t>(next);
      const double fall = water.surface[v] - (sea[w] != 0 ? std::min(0.0, water.surface[w]) : water.surface[w]);
      const double slope = fall / length(mesh.directions[v] - mesh.directions[w]);
      if (slope > steepest) {
        steepest = slope;
        water.receiver[v] = next;
      }
    }
  }
  return water;
}

void incise(const SphereMesh& mesh, const Neighbours& around, std::vector<double>& height, std::span<const uint8_t> sea,
            std::span<const double> flow_area, std::span<const float> uplift, std::span<const float> hardness,
            const IncisionSpec& spec, const Context& context) {
  for (int step = 0; step < spec.steps; ++step) {
    context.check();
    context.progress(static_cast<double>(step) / spec.steps);
    for (size_t v = 0; v < height.size(); ++v)
      if (sea[v] == 0) height[v] += static_cast<double>(uplift[v]) * spec.years;
    const Drainage water = drain(mesh, around, height, sea);
    const std::vector<double> area = accumulated(water, std::vector<double>(flow_area.begin(), flow_area.end()));
    for (const int32_t here : water.order) {
      const auto v = static_cast<size_t>(here), down = static_cast<size_t>(water.receiver[v]);
      const double far = arc(mesh.directions[v], mesh.directions[down]) * earth_radius;
      const double cut = spec.erodibility * spec.years * std::sqrt(area[v]) / (far * static_cast<double>(hardness[v]));
      const double bed = std::max(height[v], water.surface[v] - spec.keep_hollows);
      const double below = sea[down] != 0 ? std::min(0.0, height[down]) : height[down];
      height[v] = std::max((bed + cut * std::max(below, sea[down] != 0 ? 0.0 : -1e9)) / (1 + cut), std::min(bed, 0.5));
    }
  }
}

}  // namespace tepui
