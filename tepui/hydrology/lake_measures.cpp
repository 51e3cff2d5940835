#include "tepui/hydrology/lake_measures.h"

#include <algorithm>
#include <cmath>

namespace tepui {

LakeMeasures lake_measures(const Watercourses& water, const Context& context) {
  const size_t count = water.basins.count();
  LakeMeasures lakes{std::vector<int64_t>(count), std::vector<double>(count), std::vector<float>(count),
                     std::vector<int32_t>(count)};
  const float* z = water.ground.height->data();
  for (size_t b = 1; b < count; ++b) {
    const auto lake = static_cast<size_t>(water.ways.lake[b]);
    const float depth = water.ways.level[b] - z[water.basins.pits[b]];
    if (depth > lakes.deepest[lake]) lakes.deepest[lake] = depth, lakes.bottom[lake] = static_cast<int32_t>(b);
  }
  const double area = water.ground.cell.x * water.ground.cell.y;
  for (int64_t i = 0; i < water.ground.size(); ++i) {
    if (i % (1 << 20) == 0) context.check();
    const int32_t basin = water.basins.of.data()[i];
    if (basin == 0) continue;
    const float level = water.ways.level[static_cast<size_t>(basin)];
    if (!(level > z[i])) continue;
    const auto lake = static_cast<size_t>(water.ways.lake[static_cast<size_t>(basin)]);
    ++lakes.cells[lake];
    lakes.volume[lake] += (static_cast<double>(level) - z[i]) * area;
  }
  return lakes;
}

}  // namespace tepui
