#include "tepui/hydrology/spread.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t rows_a_strip = 256;
constexpr int share_bits = 24;

/// x^p of a positive normal number, to about 2e-7 of itself: log2 and exp2 by polynomials, in + - * alone.
float power(float x, float p) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  int exponent = static_cast<int>(bits >> 23) - 127;
  float m = std::bit_cast<float>((bits & 0x7fffffu) | 0x3f800000u);
  if (m > 1.41421356f) m *= 0.5f, ++exponent;
  // log2((1 + s) / (1 - s)) = 2 / ln 2 (s + s^3/3 + s^5/5 + ...)
  const float s = (m - 1) / (m + 1), s2 = s * s;
  const float log2m = s * (2.88539008f + s2 * (0.961796694f + s2 * (0.577078016f + s2 * 0.412198583f)));
  const float y = p * (static_cast<float>(exponent) + log2m);
  const float whole = std::floor(y), t = y - whole;
  const float scale =
      1 + t * (0.693147182f + t * (0.240226463f + t * (0.0555032650f + t * (0.00961813f + t * 0.00133977f))));
  return std::bit_cast<float>(static_cast<uint32_t>(std::clamp(static_cast<int>(whole) + 127, 1, 254)) << 23) * scale;
}

/// Parts of an amount for the eight neighbours.
struct Shares {
  std::array<uint32_t, 8> share;  ///< Of 2^24, for those that receive.
  size_t steepest = 0;            ///< It gets what the others leave.
};

/// The filled land.
class Surface {
 public:
  Surface(const Watercourses& courses, const Context& context)
      : water(courses), filled(filled_heights(courses, context)), d8(filled.width(), courses.ground.cell) {}

  const Watercourses& water;
  Grid<float> filled;
  D8 d8;

  bool is_inner(int64_t i) const { return water.ground.kind.data()[i] == GroundKind::inner; }

  /// A bit for each lower neighbour of dry land, by its code; none in lakes, the sea and outside.
  uint8_t lower_neighbours(int64_t i) const {
    const float* z = filled.data() + i;
    if (*z != water.ground.height->data()[i]) return 0;
    uint8_t lower = 0;
    if (is_inner(i)) {
      for (size_t k = 0; k < 8; ++k) lower |= static_cast<uint8_t>((z[d8.step[k]] < *z) << k);
    } else if (water.ground.kind.data()[i] == GroundKind::edge) {
      for (size_t k = 0; k < 8; ++k)
        if (water.ground.has_neighbour(i, k) && z[d8.step[k]] < *z) lower |= static_cast<uint8_t>(1 << k);
    }
    return lower;
  }
};

/// Freeman's rule.
class Freeman {
 public:
  Freeman(const Surface& surface, double exponent) : surface_(surface), exponent_(static_cast<float>(exponent)) {
    for (size_t k = 0; k < 8; ++k) per_metre_[k] = static_cast<float>(surface.d8.per_metre[k]);
  }

  /// A bit for each neighbour that the cell gives to.
  uint8_t receivers(int64_t i) const { return surface_.lower_neighbours(i); }

  Shares shares(int64_t i, uint8_t receivers) const {
    std::array<float, 8> slope;
    float highest = 0;
    Shares result;
    const float *z = surface_.filled.data() + i, *ground = surface_.water.ground.height->data() + i;
    for (unsigned bits = receivers; bits != 0; bits &= bits - 1) {
      const auto k = static_cast<size_t>(std::countr_zero(bits));
      slope[k] = std::clamp((*z - z[surface_.d8.step[k]]) * per_metre_[k], std::numeric_limits<float>::min(),
                            std::numeric_limits<float>::max());
      // The cells of a lake are all as high: then the deepest counts.
      if (slope[k] > highest ||
          (slope[k] == highest && ground[surface_.d8.step[k]] < ground[surface_.d8.step[result.steepest]]))
        highest = slope[k], result.steepest = k;
    }
    // Weights are integers, so that their sum does not depend on the order of the neighbours.
    uint64_t sum = 0;
    const float per_highest = 1 / highest;
    for (unsigned bits = receivers; bits != 0; bits &= bits - 1) {
      const auto k = static_cast<size_t>(std::countr_zero(bits));
      const float ratio = k == result.steepest ? 1 : std::max(slope[k] * per_highest, 1e-30f);
      result.share[k] = static_cast<uint32_t>(power(ratio, exponent_) * static_cast<float>(1 << share_bits));
      sum += result.share[k];
    }
    const double scale = static_cast<double>(1 << share_bits) / static_cast<double>(sum);
    for (unsigned bits = receivers; bits != 0; bits &= bits - 1) {
      const auto k = static_cast<size_t>(std::countr_zero(bits));
      result.share[k] = static_cast<uint32_t>(result.share[k] * scale);
    }
    return result;
  }

 private:
  const Surface& surface_;
  float exponent_;
  std::array<float, 8> per_metre_;
};

/// Tarboton's rule.
class DInfinity {
 public:
  explicit DInfinity(const Surface& surface)
      : surface_(surface), packed_(surface.filled.width(), surface.filled.height()) {}

  /// Works out the direction of the cell, which shares() then knows.
  uint8_t receivers(int64_t i) {
    const uint8_t lower = surface_.lower_neighbours(i);
    if (lower == 0) return 0;
    const uint32_t p = packed_.data()[i] = surface_.is_inner(i) ? pack(i) : pack_edge(i, lower);
    return static_cast<uint8_t>((1 << first(p)) | (part_of_second(p) > 0 ? 1 << second(p) : 0));
  }
  Shares shares(int64_t i, uint8_t) const {
    const uint32_t p = packed_.data()[i];
    Shares result;
    result.steepest = first(p);
    result.share[second(p)] = part_of_second(p);
    return result;
  }

 private:
  // Bits 0 to 2: the first receiver; bit 3: whether the second is the next code or the one before; then its part.
  static size_t first(uint32_t p) { return p & 7; }
  static size_t second(uint32_t p) { return ((p & 7) + ((p & 8) != 0 ? 1 : 7)) & 7; }
  static uint32_t part_of_second(uint32_t p) { return p >> 4; }
  static uint32_t packed(size_t main, size_t other, double part_of_other) {
    const auto part = static_cast<uint32_t>(part_of_other * (1 << share_bits));
    return static_cast<uint32_t>(main) | (((main + 1) & 7) == other ? 8u : 0u) | (part << 4);
  }

  uint32_t pack(int64_t i) const {
    const float* z = surface_.filled.data() + i;
    const std::array<int64_t, 8>& step = surface_.d8.step;
    double steepest = 0;
    uint32_t best = 0;
    // Each triangle has a straight neighbour, at an even code, and a diagonal one beside it.
    for (size_t straight = 0; straight < 8; straight += 2)
      for (size_t diagonal : {(straight + 1) & 7, (straight + 7) & 7}) {
        const double d1 = surface_.d8.distance[straight], d2 = surface_.d8.distance[(straight + 2) & 7];
        const double along = (static_cast<double>(*z) - z[step[straight]]) / d1;
        const double across = (static_cast<double>(z[step[straight]]) - z[step[diagonal]]) / d2;
        const double down = (static_cast<double>(*z) - z[step[diagonal]]) * surface_.d8.per_metre[diagonal];
        if (across <= 0) {
          if (along > steepest) steepest = along, best = packed(straight, diagonal, 0);
        } else if (across * d1 >= along * d2) {
          if (down > steepest) steepest = down, best = packed(diagonal, straight, 0);
        } else if (const double slope = std::sqrt(along * along + across * across); slope > steepest) {
          steepest = slope;
          const double share = math::atan2(across, along) / math::atan2(d2, d1);
          best = share > 0.5 ? packed(diagonal, straight, 1 - share) : packed(straight, diagonal, share);
        }
      }
    return best;
  }

  uint32_t pack_edge(int64_t i, uint8_t lower) const {
    const float* z = surface_.filled.data() + i;
    double steepest = 0;
    size_t best = 0;
    for (size_t k = 0; k < 8; ++k) {
      if ((lower >> k & 1) == 0) continue;
      const double slope = (static_cast<double>(*z) - z[surface_.d8.step[k]]) * surface_.d8.per_metre[k];
      if (slope > steepest) steepest = slope, best = k;
    }
    return packed(best, (best + 1) & 7, 0);
  }

  const Surface& surface_;
  Grid<uint32_t> packed_;
};

/// Strips of rows that work side by side, in rounds, as FlowOrder's do.
template <class Rule>
class Spreader {
 public:
  Spreader(const Surface& surface, Rule& rule, Grid<int64_t>& amounts)
      : surface_(surface),
        rule_(rule),
        amounts_(amounts),
        receivers_(amounts.width(), amounts.height()),
        waiting_(amounts.width(), amounts.height()),
        strips_(static_cast<size_t>((amounts.height() + rows_a_strip - 1) / rows_a_strip)) {}

  void run(const Context& context) {
    const auto strips = static_cast<int64_t>(strips_.size());
    parallel_chunks(strips, 1, context.stage("inflows", 0, 0.4), [&](int64_t strip, int64_t) { count_inflows(strip); });
    for (const Strip& strip : strips_)
      for (int64_t to : strip.crossing) ++waiting_.data()[to];
    const Context second = context.stage("flow", 0.4, 1);
    bool first = true;
    do {
      parallel_chunks(strips, 1, first ? second : Context(nullptr, nullptr),
                      [&](int64_t strip, int64_t) { first ? take_divides(strip) : take_parcels(strip); });
      second.check();
      first = false;
    } while (hand_over());
  }

 private:
  struct Parcel {
    int64_t cell, amount;
  };
  struct Strip {
    std::vector<int64_t> crossing, ready;
    std::vector<Parcel> in, down, up;
  };
  static constexpr uint8_t done = 255;

  int64_t first_of(int64_t strip) const { return strip * rows_a_strip * amounts_.width(); }
  int64_t end_of(int64_t strip) const { return std::min(first_of(strip + 1), amounts_.size()); }

  void count_inflows(int64_t strip) {
    const int64_t first = first_of(strip), last = end_of(strip);
    std::vector<int64_t>& crossing = strips_[static_cast<size_t>(strip)].crossing;
    uint8_t* waiting = waiting_.data();
    std::fill(waiting + first, waiting + last, uint8_t{0});
    const auto count = [&](int64_t to) {
      if (to >= first && to < last)
        ++waiting[to];
      else
        crossing.push_back(to);
    };
    for (int64_t i = first; i < last; ++i) {
      const uint8_t receivers = receivers_.data()[i] = rule_.receivers(i);
      for (unsigned bits = receivers; bits != 0; bits &= bits - 1)
        count(i + surface_.d8.step[static_cast<size_t>(std::countr_zero(bits))]);
      const uint8_t code = surface_.water.directions.data()[i];
      if (receivers == 0 && code != d8_none) count(i + surface_.d8.step[code]);
    }
  }
  void take_divides(int64_t strip) {
    for (int64_t i = first_of(strip); i < end_of(strip); ++i)
      if (waiting_.data()[i] == 0) follow(strip, i);
  }
  void take_parcels(int64_t strip) {
    std::vector<Parcel> parcels = std::move(strips_[static_cast<size_t>(strip)].in);
    strips_[static_cast<size_t>(strip)].in.clear();
    for (const Parcel& parcel : parcels) {
      amounts_.data()[parcel.cell] += parcel.amount;
      if (--waiting_.data()[parcel.cell] == 0) follow(strip, parcel.cell);
    }
  }

  void follow(int64_t strip, int64_t start) {
    std::vector<int64_t>& ready = strips_[static_cast<size_t>(strip)].ready;
    ready.push_back(start);
    while (!ready.empty()) {
      const int64_t i = ready.back(), amount = amounts_.data()[i];
      ready.pop_back();
      waiting_.data()[i] = done;
      const uint8_t receivers = receivers_.data()[i];
      if (receivers == 0) {
        const uint8_t code = surface_.water.directions.data()[i];
        if (code != d8_none) give(strip, i + surface_.d8.step[code], amount);
        continue;
      }
      const Shares shares = rule_.shares(i, receivers);
      int64_t rest = amount;
      for (unsigned bits = receivers & ~(1u << shares.steepest); bits != 0; bits &= bits - 1) {
        const auto k = static_cast<size_t>(std::countr_zero(bits));
        const int64_t part = (amount * shares.share[k]) >> share_bits;
        rest -= part;
        give(strip, i + surface_.d8.step[k], part);
      }
      give(strip, i + surface_.d8.step[shares.steepest], rest);
    }
  }
  void give(int64_t strip, int64_t to, int64_t amount) {
    Strip& s = strips_[static_cast<size_t>(strip)];
    if (to < first_of(strip)) return s.down.push_back({to, amount});
    if (to >= end_of(strip)) return s.up.push_back({to, amount});
    amounts_.data()[to] += amount;
    if (--waiting_.data()[to] == 0) s.ready.push_back(to);
  }
  bool hand_over() {
    bool any = false;
    const auto hand = [&](std::vector<Parcel>& parcels, size_t to) {
      if (parcels.empty()) return;
      strips_[to].in.insert(strips_[to].in.end(), parcels.begin(), parcels.end());
      parcels.clear();
      any = true;
    };
    for (size_t i = 0; i < strips_.size(); ++i) hand(strips_[i].down, i - 1), hand(strips_[i].up, i + 1);
    return any;
  }

  const Surface& surface_;
  Rule& rule_;
  Grid<int64_t>& amounts_;
  Grid<uint8_t> receivers_, waiting_;
  std::vector<Strip> strips_;
};

}  // namespace

void spread_downstream(const Watercourses& water, Spreading method, double exponent, Grid<int64_t>& amounts,
                       const Context& context) {
  const Surface surface(water, context.stage("surface", 0, 0.2));
  const Context rest = context.stage("flow", 0.2, 1);
  if (method == Spreading::freeman) {
    Freeman rule(surface, exponent);
    Spreader(surface, rule, amounts).run(rest);
  } else {
    DInfinity rule(surface);
    Spreader(surface, rule, amounts).run(rest);
  }
}

}  // namespace tepui
