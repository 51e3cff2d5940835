#include "tepui/hydrology/directions.h"

#include <utility>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// The lowest of some neighbours that are all as far away; of equal ones the first.
struct Lowest {
  float z;
  int code;

  Lowest(const float* centre, const D8& d8, int first) : z(centre[d8.step[static_cast<size_t>(first)]]), code(first) {}
  void also(const float* centre, const D8& d8, int k) {
    const float other = centre[d8.step[static_cast<size_t>(k)]];
    code = other < z ? k : code;
    z = other < z ? other : z;
  }
};

int steepest_inner(const float* z, const D8& d8) {
  Lowest along(z, d8, 0), across(z, d8, 2), diagonal(z, d8, 1);
  along.also(z, d8, 4);
  across.also(z, d8, 6);
  for (int k : {3, 5, 7}) diagonal.also(z, d8, k);
  // Equal slopes go to the lower code.
  int best = along.code;
  double steepest = (static_cast<double>(*z) - along.z) * d8.per_metre[0];
  for (const auto& [low, per_metre] : {std::pair{across, d8.per_metre[2]}, {diagonal, d8.per_metre[1]}}) {
    const double slope = (static_cast<double>(*z) - low.z) * per_metre;
    const bool better = slope > steepest || (slope == steepest && low.code < best);
    best = better ? low.code : best;
    steepest = better ? slope : steepest;
  }
  return steepest > 0 ? best : d8_none;
}

int steepest_edge(const WaterGround& ground, int64_t x, int64_t y, const D8& d8) {
  const float* z = ground.height->data() + y * ground.width() + x;
  int best = d8_none;
  double steepest = 0;
  for (size_t k = 0; k < 8; ++k) {
    if (!ground.has_neighbour(y * ground.width() + x, k)) continue;
    const double slope = (static_cast<double>(*z) - z[d8.step[k]]) * d8.per_metre[k];
    if (slope > steepest) steepest = slope, best = static_cast<int>(k);
  }
  return best;
}

/// Directions on the flats, from cells that have none.
class Flats {
 public:
  Flats(const WaterGround& ground, const D8& d8, Grid<uint8_t>& codes) : ground_(ground), d8_(d8), codes_(codes) {}

  void drain(const std::vector<int32_t>& undrained, const Context& context) {
    for (int32_t cell : undrained) seed(cell);
    spread(context);
    // What is left has no way down: each flat drains to its first cell.
    for (int32_t cell : undrained) {
      if (codes_.data()[cell] != d8_none || pits_.contains(cell)) continue;
      queue_.push_back(cell);
      pits_.mark(cell);
      spread(context);
    }
  }

 private:
  /// Cells that end in none by themselves, as a set.
  struct Marks {
    std::vector<bool> marked;
    bool contains(int32_t i) const { return static_cast<size_t>(i) < marked.size() && marked[static_cast<size_t>(i)]; }
    void mark(int32_t i) {
      if (marked.size() <= static_cast<size_t>(i)) marked.resize(static_cast<size_t>(i) + 1);
      marked[static_cast<size_t>(i)] = true;
    }
  };

  bool drains(int64_t i) const { return codes_.data()[i] != d8_none || ground_.kind.data()[i] != WaterCell::inner; }

  /// The neighbours of an undrained inner cell that drain at its own height begin the search.
  void seed(int32_t cell) {
    const float* z = ground_.height->data();
    for (size_t k = 0; k < 8; ++k) {
      const int64_t n = cell + d8_.step[k];
      if (z[n] != z[cell] || !drains(n) || ground_.kind.data()[n] == WaterCell::outside) continue;
      if (!seeded_.contains(static_cast<int32_t>(n))) {
        seeded_.mark(static_cast<int32_t>(n));
        queue_.push_back(static_cast<int32_t>(n));
      }
    }
  }

  void spread(const Context& context) {
    const float* z = ground_.height->data();
    for (size_t next = 0; next < queue_.size(); ++next) {
      if (next % 65536 == 0) context.check();
      const int64_t cell = queue_[next];
      for (size_t k = 0; k < 8; ++k) {
        if (ground_.kind.data()[cell] != WaterCell::inner && !ground_.has_neighbour(cell, k)) continue;
        const int64_t n = cell + d8_.step[k];
        if (z[n] != z[cell] || drains(n) || pits_.contains(static_cast<int32_t>(n))) continue;
        codes_.data()[n] = static_cast<uint8_t>(d8_opposite(static_cast<int>(k)));
        queue_.push_back(static_cast<int32_t>(n));
      }
    }
    queue_.clear();
  }

  const WaterGround& ground_;
  const D8& d8_;
  Grid<uint8_t>& codes_;
  std::vector<int32_t> queue_;
  Marks seeded_, pits_;
};

}  // namespace

Grid<uint8_t> steepest_directions(const WaterGround& ground, const Context& context) {
  const int64_t w = ground.width(), h = ground.height->height();
  const D8 d8(w, ground.cell);
  Grid<uint8_t> codes(w, h);
  const int64_t rows = rows_per_chunk(w);
  std::vector<std::vector<int32_t>> undrained(static_cast<size_t>(h / rows + 1));
  parallel_chunks(h, rows, context, [&](int64_t begin, int64_t end) {
    const float* z = ground.height->data();
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const int64_t i = y * w + x;
        const WaterCell kind = ground.kind.data()[i];
        int code = d8_none;
        if (kind == WaterCell::inner) {
          code = steepest_inner(z + i, d8);
          if (code == d8_none) undrained[static_cast<size_t>(begin / rows)].push_back(static_cast<int32_t>(i));
        } else if (kind == WaterCell::edge) {
          code = steepest_edge(ground, x, y, d8);
        }
        codes.data()[i] = static_cast<uint8_t>(code);
      }
  });
  std::vector<int32_t> all;
  for (const std::vector<int32_t>& part : undrained) all.insert(all.end(), part.begin(), part.end());
  Flats(ground, d8, codes).drain(all, context);
  return codes;
}

}  // namespace tepui
