#include "tepui/erode/low_pass.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

Grid<float> low_pass(const Grid<float>& map, const Context& context) {
  const int64_t w = map.width(), h = map.height();
  Grid<float> half((w + 1) / 2, (h + 1) / 2);
  parallel_chunks(half.height(), rows_per_chunk(half.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const float *south = map.row(std::max<int64_t>(2 * y - 1, 0)), *own = map.row(2 * y),
                  *north = map.row(std::min<int64_t>(2 * y + 1, h - 1));
      const auto column = [&](int64_t x) { return 0.25f * (south[x] + north[x]) + 0.5f * own[x]; };
      for (int64_t x = 0; x < half.width(); ++x) {
        const int64_t west = std::max<int64_t>(2 * x - 1, 0), east = std::min<int64_t>(2 * x + 1, w - 1);
        half(x, y) = 0.25f * (column(west) + column(east)) + 0.5f * column(2 * x);
      }
    }
  });
  return half;
}

void restore_low_pass(Grid<float>& map, const Grid<float>& target, const Grid<float>& held, const Context& context) {
  Grid<float> lacking = low_pass(map, context);
  for (int64_t i = 0; i < lacking.size(); ++i) lacking.data()[i] = target.data()[i] - lacking.data()[i];
  const int64_t w = map.width();
  parallel_chunks(map.height(), rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const float* south = lacking.row(y / 2);
      const float* north = lacking.row(std::min((y + 1) / 2, lacking.height() - 1));
      float* z = map.row(y);
      const float* free = held.empty() ? nullptr : held.row(y);
      for (int64_t x = 0; x < w; ++x) {
        const int64_t a = x / 2, b = std::min((x + 1) / 2, lacking.width() - 1);
        const float add = 0.25f * ((south[a] + south[b]) + (north[a] + north[b]));
        if (free == nullptr || free[x] > 0) z[x] += add;
      }
    }
  });
}

}  // namespace tepui
