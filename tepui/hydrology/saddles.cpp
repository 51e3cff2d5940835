#include "tepui/hydrology/saddles.h"

#include <algorithm>
#include <limits>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/merged_sets.h"

namespace tepui {

namespace {

constexpr int64_t strip_rows = 128;
constexpr float lowest = -std::numeric_limits<float>::infinity();

/// A hash table of places: a slot for each key, which grows as it fills.
class Slots {
 public:
  /// The place of the key; `next` if it is new, which the caller then fills.
  int32_t place(uint64_t key, int32_t next) {
    if (2 * static_cast<size_t>(used_) >= keys_.size()) grow();
    const size_t slot = find(key);
    if (keys_[slot] == none) keys_[slot] = key, places_[slot] = next, ++used_;
    return places_[slot];
  }

 private:
  static constexpr uint64_t none = ~uint64_t{0};

  size_t find(uint64_t key) const {
    const size_t mask = keys_.size() - 1;
    size_t slot = static_cast<size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
    while (keys_[slot] != none && keys_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<uint64_t> keys(std::max<size_t>(1024, 2 * keys_.size()), none);
    std::vector<int32_t> places(keys.size());
    keys.swap(keys_), places.swap(places_);
    for (size_t i = 0; i < keys.size(); ++i)
      if (keys[i] != none) {
        const size_t slot = find(keys[i]);
        keys_[slot] = keys[i], places_[slot] = places[i];
      }
  }

  std::vector<uint64_t> keys_;
  std::vector<int32_t> places_;
  int32_t used_ = 0;
};

/// The lowest saddle of each pair of basins.
class SaddleTable {
 public:
  void add(const Saddle& saddle) {
    const auto [low, high] = std::minmax(saddle.a, saddle.b);
    const uint64_t key = (static_cast<uint64_t>(high) << 32) | static_cast<uint32_t>(low);
    if (key != last_key_) {
      last_key_ = key;
      last_ = static_cast<size_t>(slots_.place(key, static_cast<int32_t>(saddles_.size())));
    }
    if (last_ == saddles_.size())
      saddles_.push_back(saddle);
    else if (saddle < saddles_[last_])
      saddles_[last_] = saddle;
  }

  /// Those of the lowest spanning forest, from low to high: the others are the highest of a circle and can be no part
  /// of the lowest tree of all basins.
  std::vector<Saddle> lowest_forest() && {
    std::sort(saddles_.begin(), saddles_.end());
    Slots numbers;
    int32_t next = 0;
    const auto number = [&](int32_t basin) {
      const int32_t place = numbers.place(static_cast<uint64_t>(basin), next);
      next += place == next;
      return place;
    };
    MergedSets merged(2 * saddles_.size());
    std::erase_if(saddles_, [&](const Saddle& s) {
      const int32_t a = number(s.a), b = number(s.b);
      return !merged.merge(a, b);
    });
    return std::move(saddles_);
  }

 private:
  Slots slots_;
  std::vector<Saddle> saddles_;
  uint64_t last_key_ = ~uint64_t{0};
  size_t last_ = 0;
};

/// The saddles in the rows [begin, end) and between the last of them and the next.
class StripSaddles {
 public:
  StripSaddles(const WaterGround& ground, const Basins& basins)
      : ground_(ground),
        d8_(ground.width(), ground.cell),
        z_(ground.height->data()),
        of_(basins.of.data()),
        kind_(ground.kind.data()) {}

  std::vector<Saddle> lowest_forest(int64_t begin, int64_t end) && {
    const int64_t w = ground_.width();
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const int64_t cell = y * w + x;
        if (kind_[cell] != WaterCell::inner) {
          at_edge(cell, x, y);
          continue;
        }
        const int32_t own = of_[cell];
        if (((of_[cell + 1] ^ own) | (of_[cell + w - 1] ^ own) | (of_[cell + w] ^ own) | (of_[cell + w + 1] ^ own)) ==
            0)
          continue;
        for (int code = 0; code < 4; ++code) meet(cell, code);
      }
    return std::move(table_).lowest_forest();
  }

 private:
  void at_edge(int64_t cell, int64_t x, int64_t y) {
    const int64_t w = ground_.width();
    if (kind_[cell] == WaterCell::outside) return;
    if (kind_[cell] == WaterCell::edge && of_[cell] != 0)
      table_.add({z_[cell], lowest, static_cast<int32_t>(cell), d8_none, of_[cell], 0});
    const bool above = y + 1 < ground_.height->height();
    if (x + 1 < w) meet(cell, 0);
    if (above && x + 1 < w) meet(cell, 1);
    if (above) meet(cell, 2);
    if (above && x > 0) meet(cell, 3);
  }
  void meet(int64_t cell, int code) {
    const int64_t other = cell + d8_.step[static_cast<size_t>(code)];
    if (of_[cell] == of_[other] || kind_[other] == WaterCell::outside) return;
    table_.add({std::max(z_[cell], z_[other]), std::min(z_[cell], z_[other]), static_cast<int32_t>(cell), code,
                of_[cell], of_[other]});
  }

  const WaterGround& ground_;
  D8 d8_;
  const float* z_;
  const int32_t* of_;
  const WaterCell* kind_;
  SaddleTable table_;
};

/// Makes one sorted list of sorted ones.
std::vector<Saddle> merge_sorted(const std::vector<std::vector<Saddle>>& parts) {
  std::vector<Saddle> all;
  std::vector<std::ptrdiff_t> starts{0};
  for (const std::vector<Saddle>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    starts.push_back(static_cast<std::ptrdiff_t>(all.size()));
  }
  for (size_t run = 1; run + 1 < starts.size(); run *= 2)
    for (size_t i = 0; i + run + 1 < starts.size(); i += 2 * run)
      std::inplace_merge(all.begin() + starts[i], all.begin() + starts[i + run],
                         all.begin() + starts[std::min(i + 2 * run, starts.size() - 1)]);
  return all;
}

}  // namespace

std::vector<Saddle> lowest_saddles(const WaterGround& ground, const Basins& basins, const Context& context) {
  if (basins.count() == 1) return {};
  const int64_t h = ground.height->height();
  std::vector<std::vector<Saddle>> parts(static_cast<size_t>((h + strip_rows - 1) / strip_rows));
  parallel_chunks(h, strip_rows, context, [&](int64_t begin, int64_t end) {
    parts[static_cast<size_t>(begin / strip_rows)] = StripSaddles(ground, basins).lowest_forest(begin, end);
  });
  std::vector<Saddle> all = merge_sorted(parts);
  MergedSets merged(basins.count());
  std::erase_if(all, [&](const Saddle& s) { return !merged.merge(s.a, s.b); });
  return all;
}

}  // namespace tepui
