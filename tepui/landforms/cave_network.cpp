#include "tepui/landforms/cave_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"

namespace tepui {

namespace {

constexpr uint64_t dead_end_channel = 1000;
constexpr int shortest_blind = 3, longest_blind = 10;
/// A spring lies below its sink by this many metres at least.
constexpr double least_drop = 2;
/// Smoothing takes no point out of a weak bed: its resistance grows by no more.
constexpr float most_harder = 0.08f;
/// Of the way to the middle, upwards and downwards: pitches stay steep, and what lies between them level.
constexpr double upright_share = 0.12;

size_t index(int32_t i) { return static_cast<size_t>(i); }

/// Chooses points of a percolation.
class Choice {
 public:
  Choice(const Percolation& water, std::span<const PercolationStart> starts, const CaveRule& rule)
      : water_(water), starts_(starts), rule_(rule), kept_(water.points.size()), blind_(water.points.size()) {}

  void keep_all() {
    for (size_t i = 0; i < kept_.size(); ++i) kept_[i] = was_reached(i);
  }
  void keep_ways() {
    std::vector<uint8_t> has_spring(starts_.size());
    for (const PercolationTouch& touch : water_.touches) keep_touch(touch, has_spring);
    list_ends();
    for (size_t s = 0; s < starts_.size(); ++s)
      if (!starts_[s].rising && has_spring[s] == 0) keep_outlets(s);
  }
  void add_blind(const Stream& stream) {
    list_children();
    const std::vector<uint8_t> before = kept_;
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] == 0) continue;
      const uint64_t place = percolation_draws::place_bits(water_.points[i].at);
      if (!(stream.uniform(place, dead_end_channel) < rule_.dead_ends)) continue;
      const double share = stream.uniform(place, dead_end_channel + 1);
      grow_blind(static_cast<int32_t>(i),
                 shortest_blind + static_cast<int>(share * (longest_blind - shortest_blind + 1)));
    }
  }
  CaveNetwork build() const;

 private:
  bool was_reached(size_t i) const { return water_.points[i].open || water_.points[i].taken >= 0; }

  void keep_way(int32_t from) {
    for (int32_t p = from; p >= 0 && kept_[index(p)] == 0; p = water_.points[index(p)].parent) kept_[index(p)] = 1;
  }
  void keep_touch(const PercolationTouch& touch, std::vector<uint8_t>& has_spring) {
    const int32_t a = water_.points[index(touch.a)].start, b = water_.points[index(touch.b)].start;
    const bool rises_a = starts_[index(a)].rising, rises_b = starts_[index(b)].rising;
    if ((rises_a && rises_b) || (rises_a == rises_b && !rule_.joins)) return;
    keep_way(touch.a);
    keep_way(touch.b);
    joins_.emplace_back(touch.a, touch.b);
    if (rises_a != rises_b) has_spring[index(rises_a ? b : a)] = 1;
  }

  /// The points in the open air, and the lowest of all, of every start.
  void list_ends() {
    open_.resize(starts_.size());
    lowest_.assign(starts_.size(), -1);
    for (size_t i = 0; i < water_.points.size(); ++i) {
      const PercolationPoint& p = water_.points[i];
      if (p.open) open_[index(p.start)].push_back(static_cast<int32_t>(i));
      int32_t& lowest = lowest_[index(p.start)];
      if (p.taken >= 0 && (lowest < 0 || p.at.z < water_.points[index(lowest)].at.z)) lowest = static_cast<int32_t>(i);
    }
  }
  void keep_outlets(size_t start) {
    std::vector<int32_t>& ends = open_[start];
    std::ranges::stable_sort(ends, {}, [&](int32_t p) { return water_.points[index(p)].at.z; });
    std::vector<Vec3> chosen;
    for (const int32_t p : ends) {
      if (chosen.size() >= static_cast<size_t>(rule_.outlets)) break;
      const Vec3 at = water_.points[index(p)].at;
      if (!(at.z < starts_[start].at.z - least_drop)) break;
      if (std::ranges::any_of(chosen, [&](Vec3 c) { return length(c - at) < rule_.outlet_distance; })) continue;
      chosen.push_back(at);
      keep_way(p);
      springs_.push_back(p);
    }
    if (chosen.empty() && lowest_[start] >= 0) keep_way(lowest_[start]);
  }

  void list_children() {
    child_starts_.assign(water_.points.size() + 1, 0);
    for (const PercolationPoint& p : water_.points)
      if (p.parent >= 0) ++child_starts_[index(p.parent) + 1];
    std::partial_sum(child_starts_.begin(), child_starts_.end(), child_starts_.begin());
    children_.resize(water_.points.size());
    std::vector<int32_t> next(child_starts_.begin(), child_starts_.end() - 1);
    for (size_t i = 0; i < water_.points.size(); ++i)
      if (water_.points[i].parent >= 0)
        children_[index(next[index(water_.points[i].parent)]++)] = static_cast<int32_t>(i);
  }
  /// The first child that is in rock, was reached and is not kept yet; -1 where there is none.
  int32_t next_blind(int32_t from) const {
    int32_t best = -1;
    for (int32_t c = child_starts_[index(from)]; c < child_starts_[index(from) + 1]; ++c) {
      const int32_t child = children_[index(c)];
      const PercolationPoint& p = water_.points[index(child)];
      if (kept_[index(child)] != 0 || p.open || p.taken < 0) continue;
      if (best < 0 || p.taken < water_.points[index(best)].taken) best = child;
    }
    return best;
  }
  void grow_blind(int32_t from, int most) {
    std::vector<int32_t> way;
    for (int32_t p = next_blind(from); p >= 0 && static_cast<int>(way.size()) < most; p = next_blind(p))
      way.push_back(p);
    if (static_cast<int>(way.size()) < shortest_blind) return;
    for (const int32_t p : way) kept_[index(p)] = blind_[index(p)] = 1;
  }

  const Percolation& water_;
  std::span<const PercolationStart> starts_;
  const CaveRule& rule_;
  std::vector<uint8_t> kept_, blind_;
  std::vector<std::pair<int32_t, int32_t>> joins_;
  std::vector<int32_t> springs_;
  std::vector<std::vector<int32_t>> open_;
  std::vector<int32_t> lowest_, child_starts_, children_;
};

CaveNetwork Choice::build() const {
  CaveNetwork caves;
  std::vector<int32_t> of(kept_.size(), -1);
  for (size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i] == 0) continue;
    const PercolationPoint& p = water_.points[i];
    of[i] = static_cast<int32_t>(caves.points.size());
    CavePoint point{p.at, p.parent < 0 ? -1 : of[index(p.parent)], p.start, p.taken, p.resistance, p.open};
    if (point.age < 0) point.age = caves.points[index(point.parent)].age;
    point.blind = blind_[i] != 0;
    if (p.parent < 0) caves.starts.push_back(of[i]);
    caves.points.push_back(point);
  }
  for (const auto& [a, b] : joins_) caves.joins.emplace_back(of[index(a)], of[index(b)]);
  for (const int32_t p : springs_) caves.springs.push_back(of[index(p)]);
  if (rule_.everything)
    for (size_t i = 0; i < caves.points.size(); ++i)
      if (caves.points[i].open) caves.springs.push_back(static_cast<int32_t>(i));
  return caves;
}

/// Sizes and orders, from the ends upwards.
void rank(CaveNetwork& caves) {
  std::vector<int32_t> highest(caves.points.size()), times(caves.points.size());
  for (size_t i = caves.points.size(); i-- > 0;) {
    CavePoint& p = caves.points[i];
    p.order = highest[i] == 0 ? 1 : highest[i] + (times[i] > 1 ? 1 : 0);
    if (p.parent < 0) continue;
    const size_t up = index(p.parent);
    caves.points[up].below += p.below;
    if (p.order > highest[up]) times[up] = 0;
    if (p.order >= highest[up]) {
      highest[up] = p.order;
      ++times[up];
    }
  }
}

}  // namespace

CaveNetwork cave_network(const Percolation& water, std::span<const PercolationStart> starts, const CaveRule& rule,
                         const Stream& stream) {
  Choice choice(water, starts, rule);
  if (rule.everything) {
    choice.keep_all();
  } else {
    choice.keep_ways();
    choice.add_blind(stream);
  }
  CaveNetwork caves = choice.build();
  rank(caves);
  return caves;
}

void smooth_caves(CaveNetwork& caves, const CaveRule& rule, const AskRock& ask, int rounds) {
  const size_t count = caves.points.size();
  std::vector<Vec3> sums(count), moved(count);
  std::vector<int32_t> degree(count);
  std::vector<float> field(count), resistance(count);
  const auto link = [&](size_t a, size_t b) {
    sums[a] = sums[a] + caves.points[b].at;
    sums[b] = sums[b] + caves.points[a].at;
    ++degree[a];
    ++degree[b];
  };
  for (int round = 0; round < rounds && count > 0; ++round) {
    std::ranges::fill(sums, Vec3{});
    std::ranges::fill(degree, 0);
    for (size_t i = 0; i < count; ++i)
      if (caves.points[i].parent >= 0) link(i, index(caves.points[i].parent));
    for (const auto& [a, b] : caves.joins) link(index(a), index(b));
    for (size_t i = 0; i < count; ++i) {
      const CavePoint& p = caves.points[i];
      const bool fixed = p.open || p.parent < 0 || degree[i] < 2;
      if (fixed) {
        moved[i] = p.at;
        continue;
      }
      const Vec3 middle = sums[i] * (1.0 / degree[i]);
      moved[i] = p.at * 0.5 + middle * 0.5;
      moved[i].z = p.at.z + upright_share * (middle.z - p.at.z);
    }
    ask(moved, field, resistance);
    for (size_t i = 0; i < count; ++i) {
      CavePoint& p = caves.points[i];
      if (!(field[i] > 0) || !(resistance[i] < static_cast<float>(rule.hardest)) ||
          resistance[i] > p.resistance + most_harder)
        continue;
      p.at = moved[i];
      p.resistance = std::min(p.resistance, resistance[i]);
    }
  }
  // The resistance of where they are now, which later rounds may only have lowered.
  for (size_t i = 0; i < count; ++i) moved[i] = caves.points[i].at;
  if (count > 0) ask(moved, field, resistance);
  for (size_t i = 0; i < count; ++i) caves.points[i].resistance = resistance[i];
}

void widen_caves(CaveNetwork& caves, const CaveRule& rule, uint64_t noise_key) {
  const size_t count = caves.points.size();
  std::vector<double> x(count), y(count), z(count);
  std::vector<float> fine(count), halls(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = caves.points[i].at.x;
    y[i] = caves.points[i].at.y;
    z[i] = caves.points[i].at.z;
  }
  Noise({.scale = 5.5 * rule.width, .octaves = 2, .key = noise_key}).points(x, y, z, fine);
  Noise({.scale = 30 * rule.width, .key = mix_bits(noise_key)}).points(x, y, z, halls);
  // Water gathers below a sink: its shaft is narrower than what it leads to.
  constexpr double shaft = 15, narrow = 0.6;
  std::vector<double> way(count);
  for (size_t i = 0; i < count; ++i) {
    CavePoint& p = caves.points[i];
    if (p.parent >= 0) way[i] = way[index(p.parent)] + length(p.at - caves.points[index(p.parent)].at);
    const double gathered = narrow + (1 - narrow) * std::min(1.0, way[i] / (shaft * rule.width));
    const double usual = gathered * rule.width * (1 + 0.2 * math::pow(p.below, 0.38)) * (p.blind ? 0.75 : 1);
    const double hall = std::max(0.0, static_cast<double>(halls[i]) - 0.25) * 2.2;
    const double varied = 1 + rule.variation * (static_cast<double>(fine[i]) + hall);
    p.radius = usual * std::max(0.3, varied) * (1.25 - static_cast<double>(p.resistance) / 2);
  }
}

std::vector<uint8_t> grown_caves(const CaveNetwork& caves, double growth) {
  std::vector<int32_t> order(caves.points.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int32_t p) { return caves.points[index(p)].age; });
  const auto count = static_cast<size_t>(std::ceil(growth * static_cast<double>(order.size())));
  std::vector<uint8_t> grown(order.size());
  for (size_t i = 0; i < std::min(count, order.size()); ++i) grown[index(order[i])] = 1;
  return grown;
}

}  // namespace tepui
