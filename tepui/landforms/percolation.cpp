#include "tepui/landforms/percolation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>

#include "tepui/core/math.h"

namespace tepui {

namespace percolation_draws {

uint64_t place_bits(Vec3 at) {
  uint64_t bits = 0;
  for (const double c : {at.x, at.y, at.z})
    bits = mix_bits(bits ^ (static_cast<uint64_t>(static_cast<int64_t>(std::floor(c * 1000))) + 0x9e3779b97f4a7c15u));
  return bits;
}

double key(float resistance, uint64_t place, const PercolationRule& rule, const Stream& stream) {
  return static_cast<double>(resistance) + rule.wander * (stream.uniform(place, 0) - 0.5);
}

bool stops(uint64_t place, const PercolationRule& rule, const Stream& stream) {
  return stream.uniform(place, 1) < rule.stop;
}

void list_next(const Vec3& at, bool rising, uint64_t place, const PercolationRule& rule, const Stream& stream,
               std::vector<Vec3>& next) {
  next.clear();
  uint64_t channel = 2;
  for (const DirectionFan& fan : rule.fans) {
    for (int k = 0; k < fan.count; ++k, channel += 2) {
      const double turn = 2 * math::pi * (k + stream.uniform(place, channel)) / fan.count;
      const double z = stream.uniform(place, channel + 1, fan.low, fan.high);
      const double level = rule.step * std::sqrt(std::max(0.0, 1 - z * z));
      next.push_back(at + Vec3{level * math::cos(turn), level * math::sin(turn), rule.step * (rising ? -z : z)});
    }
  }
}

}  // namespace percolation_draws

namespace {

/// Finds points near a place: a table of cubes as wide as the reach, in blocks of eight that lie side by side in
/// memory, each cube with the list of its points. Blocks very far from each other may share an entry: distances decide.
class NearPoints {
 public:
  NearPoints(const std::vector<PercolationPoint>& points, double reach)
      : points_(points), cubes_a_metre_(1 / reach), reach_(reach), blocks_(1024) {}

  void add(int32_t point) {
    if (2 * (used_ + 1) > blocks_.size()) grow();
    const Vec3 at = points_[static_cast<size_t>(point)].at;
    const int64_t x = cube(at.x), y = cube(at.y), z = cube(at.z);
    Block& block = find(key(x >> 1, y >> 1, z >> 1));
    int32_t& first = block.first[corner(x, y, z)];
    next_.resize(static_cast<size_t>(point) + 1, -1);
    next_[static_cast<size_t>(point)] = first;
    first = point;
  }

  /// Calls act(point) for each that is no farther along any axis than the reach, and for some that are.
  template <class Act>
  void for_near(Vec3 at, const Act& act) const {
    const Span x = span(at.x), y = span(at.y), z = span(at.z);
    for (int64_t bz = z.first >> 1; bz <= z.last >> 1; ++bz)
      for (int64_t by = y.first >> 1; by <= y.last >> 1; ++by)
        for (int64_t bx = x.first >> 1; bx <= x.last >> 1; ++bx) {
          const Block* block = seek(key(bx, by, bz));
          if (block == nullptr) continue;
          for (int64_t c = 0; c < 8; ++c)
            if (x.holds(2 * bx + (c & 1)) && y.holds(2 * by + (c >> 1 & 1)) && z.holds(2 * bz + (c >> 2)))
              for (int32_t p = block->first[static_cast<size_t>(c)]; p >= 0; p = next_[static_cast<size_t>(p)]) act(p);
        }
  }

 private:
  static constexpr uint64_t no_key = ~uint64_t{0};
  struct Block {
    uint64_t key = no_key;
    std::array<int32_t, 8> first{-1, -1, -1, -1, -1, -1, -1, -1};
  };
  struct Span {
    int64_t first = 0, last = 0;
    bool holds(int64_t c) const { return c >= first && c <= last; }
  };

  int64_t cube(double c) const { return static_cast<int64_t>(std::floor(c * cubes_a_metre_)); }
  Span span(double c) const { return {cube(c - reach_), cube(c + reach_)}; }
  static size_t corner(int64_t x, int64_t y, int64_t z) {
    return static_cast<size_t>((x & 1) | (y & 1) << 1 | (z & 1) << 2);
  }
  static uint64_t key(int64_t x, int64_t y, int64_t z) {
    constexpr uint64_t bits = 0x1fffff;
    return (static_cast<uint64_t>(x) & bits) | (static_cast<uint64_t>(y) & bits) << 21 |
           (static_cast<uint64_t>(z) & bits) << 42;
  }
  size_t place(uint64_t key) const {
    return static_cast<size_t>((key ^ key >> 29) * 0xbf58476d1ce4e5b9u >> 24) & (blocks_.size() - 1);
  }
  Block& find(uint64_t key) {
    size_t i = place(key);
    while (blocks_[i].key != no_key && blocks_[i].key != key) i = (i + 1) & (blocks_.size() - 1);
    used_ += blocks_[i].key == no_key ? 1 : 0;
    blocks_[i].key = key;
    return blocks_[i];
  }
  const Block* seek(uint64_t key) const {
    size_t i = place(key);
    while (blocks_[i].key != no_key && blocks_[i].key != key) i = (i + 1) & (blocks_.size() - 1);
    return blocks_[i].key == key ? &blocks_[i] : nullptr;
  }
  void grow() {
    std::vector<Block> old(2 * blocks_.size());
    old.swap(blocks_);
    used_ = 0;
    for (const Block& block : old)
      if (block.key != no_key) find(block.key).first = block.first;
  }

  const std::vector<PercolationPoint>& points_;
  double cubes_a_metre_, reach_;
  std::vector<Block> blocks_;
  std::vector<int32_t> next_;
  size_t used_ = 0;
};

/// The queue, its turns and what it has reached.
class Invasion {
 public:
  Invasion(const PercolationRule& rule, const Stream& stream, const AskRock& ask)
      : rule_(rule), stream_(stream), ask_(ask), near_(out_.points, (rule.step + rule.spacing) * (1 + 1e-9)) {}

  void start(std::span<const PercolationStart> starts) {
    starts_ = starts;
    std::vector<Vec3> at;
    for (const PercolationStart& s : starts) at.push_back(s.at);
    look(at);
    for (size_t i = 0; i < at.size(); ++i) {
      bool free = !std::isnan(field_[i]);
      list_near(at[i], rule_.spacing);
      free = free && near_list_.empty();
      // Water comes from the surface: a start in the air is where rock begins.
      if (free) add({at[i], -1, static_cast<int32_t>(i), -1, resistance_[i], field_[i], false});
    }
  }

  Percolation run(const Context& context) {
    while (!queue_.empty() && out_.taken < rule_.most) {
      const int32_t point = queue_.top().point;
      queue_.pop();
      PercolationPoint& taken = out_.points[static_cast<size_t>(point)];
      taken.taken = static_cast<int32_t>(out_.taken++);
      if ((out_.taken & 0xfff) == 0) context.check();
      lead_on(point);
    }
    return std::move(out_);
  }

 private:
  struct Turn {
    double key = 0;
    int32_t point = 0;
    bool operator<(const Turn& other) const {
      return key != other.key ? key > other.key : point > other.point;  // the least goes first
    }
  };

  void look(const std::vector<Vec3>& at) {
    field_.resize(at.size());
    resistance_.resize(at.size());
    if (!at.empty()) ask_(at, field_, resistance_);
  }

  /// Starts have the first turns.
  void add(const PercolationPoint& point) {
    const auto id = static_cast<int32_t>(out_.points.size());
    out_.points.push_back(point);
    near_.add(id);
    if (point.open) return;
    const uint64_t place = percolation_draws::place_bits(point.at);
    queue_.push({point.parent < 0 ? -1 : percolation_draws::key(point.resistance, place, rule_, stream_), id});
  }

  /// A point that is close to the one that has its turn.
  struct Neighbour {
    Vec3 at;
    int32_t point = 0;
  };

  void list_near(Vec3 at, double reach) {
    near_list_.clear();
    near_.for_near(at, [&](int32_t p) {
      const Vec3 other = out_.points[static_cast<size_t>(p)].at, way = other - at;
      if (dot(way, way) < reach * reach) near_list_.push_back({other, p});
    });
  }

  /// Whether there is room for a point; notes whom it meets.
  bool has_room(Vec3 at, int32_t from) {
    bool room = true;
    int32_t met = -1;
    double closest = 0;
    const int32_t own = out_.points[static_cast<size_t>(from)].start;
    for (const Neighbour& near : near_list_) {
      const Vec3 way = near.at - at;
      const double square = dot(way, way);
      if (!(square < rule_.spacing * rule_.spacing)) continue;
      room = false;
      const PercolationPoint& other = out_.points[static_cast<size_t>(near.point)];
      if (other.start == own || other.taken < 0) continue;
      if (met < 0 || square < closest || (square == closest && near.point < met)) {
        met = near.point;
        closest = square;
      }
    }
    if (met >= 0) meet(from, met);
    return room;
  }

  void meet(int32_t from, int32_t met) {
    const int32_t a = out_.points[static_cast<size_t>(from)].start, b = out_.points[static_cast<size_t>(met)].start;
    if (!pairs_.emplace(std::minmax(a, b), 0).second) return;
    out_.touches.push_back(a < b ? PercolationTouch{from, met} : PercolationTouch{met, from});
  }

  /// Of the next places; counts those of the first fan.
  void keep_those_with_room(int32_t point) {
    size_t kept = 0;
    const auto level = static_cast<size_t>(rule_.fans[0].count);
    spreading_ = 0;
    // A little more than they can be away, for rounding.
    list_near(out_.points[static_cast<size_t>(point)].at, (rule_.step + rule_.spacing) * (1 + 1e-9));
    for (size_t i = 0; i < next_.size(); ++i) {
      if (!has_room(next_[i], point)) continue;
      spreading_ += i < level ? 1 : 0;
      next_[kept++] = next_[i];
    }
    next_.resize(kept);
  }

  void lead_on(int32_t point) {
    const PercolationPoint from = out_.points[static_cast<size_t>(point)];
    const uint64_t place = percolation_draws::place_bits(from.at);
    if (from.parent >= 0 && percolation_draws::stops(place, rule_, stream_)) return;
    const bool rising = starts_[static_cast<size_t>(from.start)].rising;
    percolation_draws::list_next(from.at, rising, place, rule_, stream_, next_);
    keep_those_with_room(point);
    look(next_);
    const size_t first = out_.points.size();
    for (size_t i = 0; i < next_.size(); ++i) {
      if (std::isnan(field_[i])) continue;
      const bool open = !(field_[i] > 0);
      if (!open && !(resistance_[i] < static_cast<float>(rule_.hardest))) continue;
      if (!open && i < spreading_ && std::max(field_[i], from.field) < static_cast<float>(rule_.shallow)) continue;
      bool room = true;
      for (size_t s = first; s < out_.points.size() && room; ++s) {
        const Vec3 way = out_.points[s].at - next_[i];
        room = !(dot(way, way) < rule_.spacing * rule_.spacing);
      }
      if (room) add({next_[i], point, from.start, -1, resistance_[i], field_[i], open});
    }
  }

  const PercolationRule& rule_;
  const Stream& stream_;
  const AskRock& ask_;
  std::span<const PercolationStart> starts_;
  Percolation out_;
  NearPoints near_;
  std::priority_queue<Turn> queue_;
  std::map<std::pair<int32_t, int32_t>, int> pairs_;
  std::vector<Neighbour> near_list_;
  std::vector<Vec3> next_;
  size_t spreading_ = 0;
  std::vector<float> field_, resistance_;
};

}  // namespace

Percolation percolate(std::span<const PercolationStart> starts, const PercolationRule& rule, const Stream& stream,
                      const AskRock& ask, const Context& context) {
  Invasion invasion(rule, stream, ask);
  invasion.start(starts);
  return invasion.run(context);
}

}  // namespace tepui
