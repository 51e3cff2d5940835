#include "tepui/planet/drawn_part.h"

#include <algorithm>
#include <array>

#include "tepui/core/parallel.h"
#include "tepui/planet/refine_rules.h"

namespace tepui {

namespace {

constexpr int64_t grain = 4096;

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// The new number of every vertex that a triangle has, and -1; and their old numbers.
struct Numbers {
  std::vector<int32_t> now, before;

  explicit Numbers(const FineLand& raw) : now(raw.vertices.size(), -1) {
    for (const auto& triangle : raw.triangles)
      for (const int32_t corner : triangle) now[at(corner)] = 0;
    for (size_t v = 0; v < now.size(); ++v)
      if (now[v] == 0) {
        now[v] = static_cast<int32_t>(before.size());
        before.push_back(static_cast<int32_t>(v));
      }
  }
};

/// The drawn vertex that takes the water of vertex v: those that are not drawn pass it on.
int32_t drawn_receiver(const FineVertices& vertices, const Numbers& numbers, size_t v) {
  int32_t down = vertices.receiver[v];
  if (down == in_the_sea) return in_the_sea;
  while (down >= 0 && numbers.now[at(down)] < 0) down = vertices.receiver[at(down)];
  return down >= 0 ? numbers.now[at(down)] : over_the_border;
}

void pour_rivers(FineLand& land, const Context& context) {
  FineVertices& v = land.vertices;
  std::vector<uint8_t> finest(v.size(), 0);
  for (size_t t = 0; t < land.triangles.size(); ++t)
    for (const int32_t corner : land.triangles[t])
      finest[at(corner)] = std::max(finest[at(corner)], land.triangle_level[t]);
  std::array<double, 64> least{};
  for (size_t level = 0; level < least.size(); ++level)
    least[level] = 0.4 * edge_of_level(static_cast<int>(std::min<size_t>(level, 30))) * earth_radius;
  parallel_chunks(static_cast<int64_t>(v.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const ValleyFloor& floor = v.floor[i];
      v.river[i] = 0;
      const auto half = static_cast<double>(floor.channel), away = static_cast<double>(floor.away);
      if (v.receiver[i] == in_the_sea || away >= half || half < least[finest[i]]) continue;
      v.river[i] = static_cast<float>(channel_depth(half) * (1 - away * away / (half * half)));
    }
  });
}

}  // namespace

FineLand drawn_part(const FineLand& raw, const Context& context) {
  const Numbers numbers(raw);
  const auto count = static_cast<int64_t>(numbers.before.size());
  FineLand land;
  land.closed = raw.closed;
  land.vertices.resize(numbers.before.size());
  const FineVertices& from = raw.vertices;
  FineVertices& to = land.vertices;
  parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
    const auto take = [&](auto& list, const auto& old) {
      for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) list[v] = old[at(numbers.before[v])];
    };
    take(to.direction, from.direction);
    take(to.height, from.height);
    take(to.depth, from.depth);
    take(to.born_height, from.born_height);
    take(to.id, from.id);
    take(to.supply, from.supply);
    take(to.discharge, from.discharge);
    take(to.ice_flow, from.ice_flow);
    take(to.floor, from.floor);
    take(to.trough, from.trough);
    take(to.traits, from.traits);
    take(to.plate, from.plate);
    take(to.level, from.level);
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v)
      to.receiver[v] = drawn_receiver(from, numbers, at(numbers.before[v]));
  });
  land.triangle_level = raw.triangle_level;
  land.triangles.resize(raw.triangles.size());
  parallel_chunks(static_cast<int64_t>(raw.triangles.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t)
      for (size_t k = 0; k < 3; ++k) land.triangles[t][k] = numbers.now[at(raw.triangles[t][k])];
  });
  pour_rivers(land, context);
  return land;
}

}  // namespace tepui
