#include "tepui/hydrology/ways_out.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/merged_sets.h"

namespace tepui {

namespace {

/// The tree's saddles at each basin, in one block.
struct Meetings {
  std::vector<int32_t> starts, saddles;

  Meetings(size_t basins, const std::vector<Saddle>& all) : starts(basins + 1), saddles(2 * all.size()) {
    for (const Saddle& s : all) ++starts[static_cast<size_t>(s.a) + 1], ++starts[static_cast<size_t>(s.b) + 1];
    for (size_t b = 0; b < basins; ++b) starts[b + 1] += starts[b];
    std::vector<int32_t> next(starts.begin(), starts.end() - 1);
    for (size_t i = 0; i < all.size(); ++i)
      for (int32_t basin : {all[i].a, all[i].b})
        saddles[static_cast<size_t>(next[static_cast<size_t>(basin)]++)] = static_cast<int32_t>(i);
  }
};

/// Which of the tree's saddles are needed when some pits are kept: two of them, or one and the edge, are not joined.
/// Empty: all are.
std::vector<uint8_t> needed_saddles(size_t basins, const std::vector<Saddle>& saddles,
                                    const std::vector<uint8_t>& kept) {
  MergedSets joined(basins);
  std::vector<uint8_t> ends = kept, needed(saddles.size());
  ends[0] = 1;
  for (size_t s = 0; s < saddles.size(); ++s) {
    const auto a = static_cast<size_t>(joined.find(saddles[s].a)), b = static_cast<size_t>(joined.find(saddles[s].b));
    if (ends[a] != 0 && ends[b] != 0) continue;
    needed[s] = 1;
    joined.merge(saddles[s].a, saddles[s].b);
    ends[std::min(a, b)] = ends[a] | ends[b];
  }
  return needed;
}

}  // namespace

WaysOut ways_out(const Basins& basins, const std::vector<Saddle>& saddles, const std::vector<uint8_t>& kept) {
  const size_t count = basins.count();
  WaysOut ways{std::vector<float>(count, WaysOut::dry), std::vector<int32_t>(count, -1), std::vector<int32_t>(count)};
  const Meetings meetings(count, saddles);
  const std::vector<uint8_t> needed = kept.empty() ? std::vector<uint8_t>{} : needed_saddles(count, saddles, kept);
  std::vector<int32_t> reached{0};
  if (!kept.empty())
    for (size_t b = 1; b < count; ++b)
      if (kept[b] != 0) reached.push_back(static_cast<int32_t>(b)), ways.lake[b] = static_cast<int32_t>(b);
  for (size_t next = 0; next < reached.size(); ++next) {
    const auto from = static_cast<size_t>(reached[next]);
    for (int32_t m = meetings.starts[from]; m < meetings.starts[from + 1]; ++m) {
      const int32_t index = meetings.saddles[static_cast<size_t>(m)];
      if (index == ways.saddle[from] || (!needed.empty() && needed[static_cast<size_t>(index)] == 0)) continue;
      const Saddle& s = saddles[static_cast<size_t>(index)];
      const auto to = static_cast<size_t>(static_cast<size_t>(s.a) == from ? s.b : s.a);
      ways.saddle[to] = index;
      ways.level[to] = std::max(s.level, ways.level[from]);
      ways.lake[to] = s.level >= ways.level[from] ? static_cast<int32_t>(to) : ways.lake[from];
      reached.push_back(static_cast<int32_t>(to));
    }
  }
  return ways;
}

void turn_flow(const WaterGround& ground, const Basins& basins, const std::vector<Saddle>& saddles, const WaysOut& ways,
               Grid<uint8_t>& directions, const Context& context) {
  const D8 d8(ground.width(), ground.cell);
  uint8_t* codes = directions.data();
  // Each way lies in its own basin.
  parallel_chunks(static_cast<int64_t>(basins.count()), 4096, context, [&](int64_t begin, int64_t end) {
    for (auto b = static_cast<size_t>(begin); b < static_cast<size_t>(end); ++b) {
      if (ways.saddle[b] < 0) continue;
      const Saddle& s = saddles[static_cast<size_t>(ways.saddle[b])];
      const bool here = static_cast<size_t>(s.a) == b;
      int64_t cell = here ? s.cell : s.cell + d8.step[static_cast<size_t>(s.code)];
      int code = here ? s.code : d8_opposite(s.code);
      while (true) {
        const int before = codes[cell];
        codes[cell] = static_cast<uint8_t>(code);
        if (cell == basins.pits[b]) break;
        code = d8_opposite(before);
        cell += d8.step[static_cast<size_t>(before)];
      }
    }
  });
}

}  // namespace tepui
