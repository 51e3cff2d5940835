#include "reference/poisson_disk.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tepui::reference {

std::vector<uint32_t> poisson_disk(const std::vector<Vec3>& candidates, const std::vector<uint64_t>& priority,
                                   double spacing) {
  struct Turn {
    int64_t colour, x, y, z;
    uint64_t priority;
    uint32_t index;
    bool operator<(const Turn& o) const {
      return std::tie(colour, x, y, z, priority, index) < std::tie(o.colour, o.x, o.y, o.z, o.priority, o.index);
    }
  };
  std::vector<Turn> turns;
  const double side = 8 * (spacing / std::sqrt(3.0));
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    const auto block = [&](double x) { return static_cast<int64_t>(std::floor(x / side)); };
    const int64_t x = block(candidates[i].x), y = block(candidates[i].y), z = block(candidates[i].z);
    turns.push_back({(x & 1) + 2 * (y & 1) + 4 * (z & 1), x, y, z, priority[i], i});
  }
  std::ranges::sort(turns, std::less<>());
  std::vector<uint32_t> kept;
  for (const Turn& turn : turns) {
    const auto is_near = [&](uint32_t other) { return length(candidates[other] - candidates[turn.index]) < spacing; };
    if (std::ranges::none_of(kept, is_near)) kept.push_back(turn.index);
  }
  std::ranges::sort(kept);
  return kept;
}

}  // namespace tepui::reference
