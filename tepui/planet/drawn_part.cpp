#include "tepui/planet/drawn_part.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "tepui/core/parallel.h"
#include "tepui/planet/kept_numbers.h"
#include "tepui/planet/refine_rules.h"

namespace tepui {

namespace {

constexpr int64_t grain = 4096;

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// Raises an entry that others may be raising, too.
void raise_to(uint8_t& entry, uint8_t value) {
  const std::atomic_ref shared(entry);
  uint8_t now = shared.load(std::memory_order_relaxed);
  while (now < value && !shared.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

/// One more than the finest level among each vertex's triangles; 0 where it has none.
PoolVector<uint8_t> finest_levels(const FineLand& raw, const Context& context) {
  PoolVector<uint8_t> finest(raw.vertices.size(), 0);
  parallel_chunks(static_cast<int64_t>(raw.triangles.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t)
      for (const int32_t corner : raw.triangles[t])
        raise_to(finest[at(corner)], static_cast<uint8_t>(raw.triangle_level[t] + 1));
  });
  return finest;
}

/// The drawn vertex that takes the water of vertex v: those that are not drawn pass it on.
int32_t drawn_receiver(const FineVertices& vertices, const KeptNumbers& numbers, size_t v) {
  int32_t down = vertices.receiver[v];
  if (down == in_the_sea) return in_the_sea;
  while (down >= 0 && numbers.place[at(down)] < 0) down = vertices.receiver[at(down)];
  return down >= 0 ? numbers.place[at(down)] : over_the_border;
}

void pour_rivers(FineLand& land, const KeptNumbers& numbers, const PoolVector<uint8_t>& finest, double unit,
                 const Context& context) {
  FineVertices& v = land.vertices;
  std::array<double, 64> least{};
  for (size_t level = 0; level < least.size(); ++level)
    least[level] = 0.4 * edge_of_level(static_cast<int>(std::min<size_t>(level, 30))) * earth_radius;
  parallel_chunks(static_cast<int64_t>(v.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const ValleyFloor& floor = v.floor[i];
      v.river[i] = 0;
      if (v.receiver[i] == in_the_sea) continue;
      const double narrowest = least[finest[at(numbers.kept[i])] - 1u];
      const auto half = static_cast<double>(floor.channel), away = static_cast<double>(floor.away);
      if (away < half && half >= narrowest)
        v.river[i] = static_cast<float>(channel_depth(half) * (1 - away * away / (half * half)));
      // A brook on the floor of a larger river's valley.
      const double own = half_channel(static_cast<double>(v.discharge[i]) * unit);
      if (own >= narrowest) v.river[i] = std::max(v.river[i], static_cast<float>(channel_depth(own)));
    }
  });
}

}  // namespace

FineLand drawn_part(const FineLand& raw, double unit, const Context& context) {
  const PoolVector<uint8_t> finest = finest_levels(raw, context);
  const KeptNumbers numbers = kept_numbers(raw.vertices.size(), context, [&](size_t v) { return finest[v] != 0; });
  const auto count = static_cast<int64_t>(numbers.kept.size());
  FineLand land;
  land.closed = raw.closed;
  land.vertices.resize_unwritten(numbers.kept.size());
  const FineVertices& from = raw.vertices;
  FineVertices& to = land.vertices;
  parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
    const auto take = [&](auto& list, const auto& old) {
      for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) list[v] = old[at(numbers.kept[v])];
    };
    take(to.direction, from.direction);
    take(to.height, from.height);
    take(to.depth, from.depth);
    take(to.born_height, from.born_height);
    take(to.id, from.id);
    take(to.supply, from.supply);
    take(to.discharge, from.discharge);
    take(to.ice_flow, from.ice_flow);
    take(to.ice_supply, from.ice_supply);
    take(to.floor, from.floor);
    take(to.trough, from.trough);
    take(to.traits, from.traits);
    take(to.plate, from.plate);
    take(to.level, from.level);
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v)
      to.receiver[v] = drawn_receiver(from, numbers, at(numbers.kept[v]));
  });
  land.triangle_level = raw.triangle_level;
  land.triangles.resize(raw.triangles.size());
  parallel_chunks(static_cast<int64_t>(raw.triangles.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t)
      for (size_t k = 0; k < 3; ++k) land.triangles[t][k] = numbers.place[at(raw.triangles[t][k])];
  });
  pour_rivers(land, numbers, finest, unit, context);
  return land;
}

}  // namespace tepui
