#include "reference/percolation.h"

#include <cmath>
#include <optional>

namespace tepui::reference {

namespace {

struct Water {
  Percolation out;
  std::vector<double> keys;  ///< of every point
};

struct Asked {
  float field = 0, resistance = 0;
};
Asked ask_one(const AskRock& ask, Vec3 at) {
  Asked asked;
  ask({&at, 1}, {&asked.field, 1}, {&asked.resistance, 1});
  return asked;
}

size_t index(int32_t i) { return static_cast<size_t>(i); }

/// The point of the least key that has not been taken.
std::optional<int32_t> next_turn(const Water& water) {
  std::optional<int32_t> best;
  for (size_t i = 0; i < water.out.points.size(); ++i) {
    const PercolationPoint& p = water.out.points[i];
    if (p.open || p.taken >= 0) continue;
    if (!best || water.keys[i] < water.keys[index(*best)]) best = static_cast<int32_t>(i);
  }
  return best;
}

bool is_known(const Percolation& water, int32_t a, int32_t b) {
  for (const PercolationTouch& touch : water.touches) {
    const int32_t x = water.points[index(touch.a)].start, y = water.points[index(touch.b)].start;
    if ((x == a && y == b) || (x == b && y == a)) return true;
  }
  return false;
}

/// Whether nothing is too close; the closest taken point of another start is met.
bool has_room(Water& water, Vec3 at, int32_t from, const PercolationRule& rule) {
  bool room = true;
  std::optional<int32_t> met;
  double closest = 0;
  const int32_t own = water.out.points[index(from)].start;
  for (size_t i = 0; i < water.out.points.size(); ++i) {
    const PercolationPoint& other = water.out.points[i];
    const Vec3 way = other.at - at;
    if (!(dot(way, way) < rule.spacing * rule.spacing)) continue;
    room = false;
    if (other.start == own || other.taken < 0) continue;
    if (!met || dot(way, way) < closest) {
      met = static_cast<int32_t>(i);
      closest = dot(way, way);
    }
  }
  if (met && !is_known(water.out, own, water.out.points[index(*met)].start))
    water.out.touches.push_back(own < water.out.points[index(*met)].start ? PercolationTouch{from, *met}
                                                                          : PercolationTouch{*met, from});
  return room;
}

bool is_free(const Percolation& water, Vec3 at, double spacing) {
  for (const PercolationPoint& p : water.points) {
    const Vec3 way = p.at - at;
    if (dot(way, way) < spacing * spacing) return false;
  }
  return true;
}

}  // namespace

Percolation percolate(std::span<const PercolationStart> starts, const PercolationRule& rule, const Stream& stream,
                      const AskRock& ask) {
  namespace draws = percolation_draws;
  Water water;
  for (size_t i = 0; i < starts.size(); ++i) {
    const Asked there = ask_one(ask, starts[i].at);
    if (std::isnan(there.field) || !is_free(water.out, starts[i].at, rule.spacing)) continue;
    water.out.points.push_back({starts[i].at, -1, static_cast<int32_t>(i), -1, there.resistance, there.field, false});
    water.keys.push_back(-1);
  }
  while (water.out.taken < rule.most) {
    const std::optional<int32_t> turn = next_turn(water);
    if (!turn) break;
    water.out.points[index(*turn)].taken = static_cast<int32_t>(water.out.taken++);
    const PercolationPoint from = water.out.points[index(*turn)];
    const uint64_t place = draws::place_bits(from.at);
    if (from.parent >= 0 && draws::stops(place, rule, stream)) continue;
    std::vector<Vec3> next;
    struct Free {
      Vec3 at;
      bool spreading = false;
    };
    std::vector<Free> free;
    draws::list_next(from.at, starts[index(from.start)].rising, place, rule, stream, next);
    for (size_t i = 0; i < next.size(); ++i)
      if (has_room(water, next[i], *turn, rule)) free.push_back({next[i], i < static_cast<size_t>(rule.fans[0].count)});
    for (const auto& [at, spreading] : free) {
      const Asked there = ask_one(ask, at);
      const bool open = !(there.field > 0);
      if (std::isnan(there.field) || (!open && !(there.resistance < static_cast<float>(rule.hardest)))) continue;
      const auto shallow = static_cast<float>(rule.shallow);
      if (!open && spreading && from.field < shallow && there.field < shallow) continue;
      if (!is_free(water.out, at, rule.spacing)) continue;
      water.out.points.push_back({at, *turn, from.start, -1, there.resistance, there.field, open});
      water.keys.push_back(draws::key(there.resistance, draws::place_bits(at), rule, stream));
    }
  }
  return water.out;
}

}  // namespace tepui::reference
