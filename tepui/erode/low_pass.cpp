#include "tepui/erode/low_pass.h"

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

}  // namespace tepui
