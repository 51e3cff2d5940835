#include "tepui/hydrology/spread.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/spread_kernels.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t rows_a_strip = 256;
/// The filled land.
class Surface {
 public:
  Surface(const Watercourses& courses, const Context& context)
      : water(courses), filled(filled_heights(courses, context)), d8(filled.width(), courses.ground.cell) {}

  const Watercourses& water;
  Grid<float> filled;
  D8 d8;

  bool is_inner(int64_t i) const { return water.ground.kind.data()[i] == WaterCell::inner; }

  /// A bit for each lower neighbour of dry land, by its code, for the cells of a row; none in lakes, the sea and
  /// outside.
  void lower_neighbours_in_row(int64_t y, uint8_t* lower) const {
    const int64_t w = filled.width(), first = y * w;
    if (y > 0 && y + 1 < filled.height() && w > 2)
      lower_neighbours(filled.row(y) + 1, water.ground.height->row(y) + 1, d8.step, w - 2, lower + 1);
    for (int64_t x = 0; x < w; ++x)
      if (!is_inner(first + x)) lower[x] = lower_of_outer(first + x);
  }

 private:
  uint8_t lower_of_outer(int64_t i) const {
    const float* z = filled.data() + i;
    uint8_t lower = 0;
    if (*z == water.ground.height->data()[i] && water.ground.kind.data()[i] == WaterCell::edge)
      for (size_t k = 0; k < 8; ++k)
        if (water.ground.has_neighbour(i, k) && z[d8.step[k]] < *z) lower |= static_cast<uint8_t>(1 << k);
    return lower;
  }
};

/// Freeman's rule.
class Freeman {
 public:
  Freeman(const Surface& surface, double exponent) : surface_(surface), shares_(surface.d8, exponent) {}

  /// A bit for each neighbour that the cell gives to, of those that are lower.
  uint8_t receivers(int64_t, uint8_t lower) const { return lower; }

  Shares shares(int64_t i, unsigned receivers) const {
    const float* z = surface_.filled.data() + i;
    std::array<float, 8> neighbours;
    if (surface_.is_inner(i))
      for (size_t k = 0; k < 8; ++k) neighbours[k] = z[surface_.d8.step[k]];
    else
      for (size_t k = 0; k < 8; ++k) neighbours[k] = (receivers >> k & 1) != 0 ? z[surface_.d8.step[k]] : *z;
    return shares_(*z, neighbours, surface_.water.ground.height->data() + i);
  }

 private:
  const Surface& surface_;
  FreemanShares shares_;
};

/// Tarboton's rule.
class DInfinity {
 public:
  explicit DInfinity(const Surface& surface)
      : surface_(surface), packed_(surface.filled.width(), surface.filled.height()) {}

  /// Works out the direction of the cell, which shares() then knows.
  uint8_t receivers(int64_t i, uint8_t lower) {
    const uint32_t p = packed_.data()[i] = surface_.is_inner(i) ? pack(i) : pack_edge(i, lower);
    return static_cast<uint8_t>((1 << first(p)) | (part_of_second(p) > 0 ? 1 << second(p) : 0));
  }
  Shares shares(int64_t i, unsigned) const {
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
        gives_(amounts.width(), amounts.height()),
        waiting_(amounts.width(), amounts.height()),
        strips_(static_cast<size_t>((amounts.height() + rows_a_strip - 1) / rows_a_strip)) {}

  void run(const Context& context) {
    const int64_t rows = amounts_.height(), grain = rows_per_chunk(amounts_.width());
    parallel_chunks(rows, grain, context.stage("receivers", 0, 0.2), [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y) find_receivers(y);
    });
    parallel_chunks(rows, grain, context.stage("inflows", 0.2, 0.3), [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y) count_inflows(y);
    });
    const Context second = context.stage("flow", 0.3, 1);
    bool first = true;
    do {
      parallel_chunks(static_cast<int64_t>(strips_.size()), 1, first ? second : Context(nullptr, nullptr),
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
    std::vector<int64_t> ready;
    std::vector<Parcel> in, down, up;
  };
  static constexpr uint8_t done = 255;

  int64_t first_of(int64_t strip) const { return strip * rows_a_strip * amounts_.width(); }
  int64_t end_of(int64_t strip) const { return std::min(first_of(strip + 1), amounts_.size()); }

  /// A bit for each; of cells in lakes and flats that of their direction.
  void find_receivers(int64_t y) {
    uint8_t* gives = gives_.row(y);
    surface_.lower_neighbours_in_row(y, gives);
    const uint8_t* codes = surface_.water.directions.row(y);
    for (int64_t x = 0; x < gives_.width(); ++x)
      if (gives[x] != 0)
        gives[x] = rule_.receivers(y * gives_.width() + x, gives[x]);
      else if (codes[x] != d8_none)
        gives[x] = static_cast<uint8_t>(1 << codes[x]);
  }
  void count_inflows(int64_t y) {
    const int64_t w = gives_.width(), h = gives_.height();
    const bool inner = y > 0 && y + 1 < h && w > 2;
    if (inner) givers(gives_.row(y) + 1, surface_.d8.step, w - 2, waiting_.row(y) + 1);
    for (int64_t x = 0; x < w; x += inner ? w - 1 : 1) {
      unsigned sum = 0;
      for (size_t k = 0; k < 8; ++k) {
        const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
        if (nx >= 0 && ny >= 0 && nx < w && ny < h) sum += gives_(nx, ny) >> d8_opposite(static_cast<int>(k)) & 1u;
      }
      waiting_(x, y) = static_cast<uint8_t>(sum);
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
    Strip& s = strips_[static_cast<size_t>(strip)];
    const int64_t first = first_of(strip), end = end_of(strip);
    const std::array<int64_t, 8>& step = surface_.d8.step;
    int64_t* amounts = amounts_.data();
    uint8_t* waiting = waiting_.data();
    const auto give = [&](int64_t to, int64_t amount) {
      if (to < first) return s.down.push_back({to, amount});
      if (to >= end) return s.up.push_back({to, amount});
      amounts[to] += amount;
      if (--waiting[to] == 0) s.ready.push_back(to);
    };
    s.ready.push_back(start);
    while (!s.ready.empty()) {
      const int64_t i = s.ready.back(), amount = amounts[i];
      s.ready.pop_back();
      waiting[i] = done;
      const unsigned receivers = gives_.data()[i];
      if (std::has_single_bit(receivers)) give(i + step[static_cast<size_t>(std::countr_zero(receivers))], amount);
      if ((receivers & (receivers - 1)) == 0) continue;
      const Shares shares = rule_.shares(i, receivers);
      int64_t rest = amount;
      for (unsigned bits = receivers & ~(1u << shares.steepest); bits != 0; bits &= bits - 1) {
        const auto k = static_cast<size_t>(std::countr_zero(bits));
        const int64_t part = (amount * shares.share[k]) >> share_bits;
        rest -= part;
        give(i + step[k], part);
      }
      give(i + step[shares.steepest], rest);
    }
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
  Grid<uint8_t> gives_, waiting_;
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
