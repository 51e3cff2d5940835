#include "tepui/erode/talus_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr float none = std::numeric_limits<float>::infinity();

/// How high a sample may stand whose lower neighbours along the two axes lie at a and b, rise_x and rise_y being the
/// steepest rise over a cell.
inline float allowed(float a, float b, float rise_x, float rise_y) {
  const float alone = std::min(a + rise_x, b + rise_y);
  // Both neighbours count where the gradient points between them.
  if (!(alone > std::max(a, b)) || !(alone < none)) return alone;
  const float u = 1 / (rise_x * rise_x), v = 1 / (rise_y * rise_y), sum = u + v;
  const float mean = (u * a + v * b) / sum, d = a - b;
  const float square = (1 - u * v / sum * d * d) / sum;
  return square > 0 ? mean + std::sqrt(square) : alone;
}

class Sweeps {
 public:
  Sweeps(Grid<float>& z, const Grid<float>& steepest, Vec2 cell)
      : z_(z),
        steepest_(steepest),
        cell_x_(static_cast<float>(cell.x)),
        cell_y_(static_cast<float>(cell.y)),
        shorter_(std::min(cell_x_, cell_y_)),
        w_(z.width()),
        h_(z.height()) {}

  /// Rows up or down, columns right or left. A sample needs those before it along both axes as they have become and
  /// those after it as they were: blocks on a diagonal can be swept at the same time, and no bit depends on that.
  void sweep(int64_t dx, int64_t dy, const Context& context) {
    const int64_t across = (w_ + block - 1) / block, up = (h_ + block - 1) / block;
    for (int64_t diagonal = 0; diagonal < across + up - 1; ++diagonal) {
      const int64_t first = std::max<int64_t>(0, diagonal - up + 1), last = std::min(diagonal, across - 1);
      parallel_chunks(last - first + 1, 1, context, [&](int64_t k, int64_t) {
        const int64_t i = first + k, j = diagonal - i;
        sweep_block(dx > 0 ? i : across - 1 - i, dy > 0 ? j : up - 1 - j, dx, dy);
      });
    }
  }

 private:
  static constexpr int64_t block = 128;

  void sweep_block(int64_t i, int64_t j, int64_t dx, int64_t dy) {
    const int64_t x0 = i * block, x1 = std::min(x0 + block, w_), y0 = j * block, y1 = std::min(y0 + block, h_);
    for (int64_t k = y0; k < y1; ++k) {
      const int64_t y = dy > 0 ? k : y1 - 1 - (k - y0);
      const float* below = y > 0 ? z_.row(y - 1) : nullptr;
      const float* above = y + 1 < h_ ? z_.row(y + 1) : nullptr;
      sweep_row(z_.row(y), below, above, steepest_.row(y), x0, x1, dx);
    }
  }

  void sweep_row(float* z, const float* below, const float* above, const float* steepest, int64_t x0, int64_t x1,
                 int64_t dx) const {
    for (int64_t i = x0; i < x1; ++i) {
      const int64_t x = dx > 0 ? i : x1 - 1 - (i - x0);
      const float a = std::min(x > 0 ? z[x - 1] : none, x + 1 < w_ ? z[x + 1] : none);
      const float b = std::min(below != nullptr ? below[x] : none, above != nullptr ? above[x] : none);
      const float rise = steepest[x], low = std::min(a, b);
      // No slope is steeper than this: most samples need no root.
      if (z[x] <= low + 0.70710678f * rise * shorter_ || !(rise < none)) continue;
      z[x] = std::min(z[x], allowed(a, b, rise * cell_x_, rise * cell_y_));
    }
  }

  Grid<float>& z_;
  const Grid<float>& steepest_;
  float cell_x_, cell_y_, shorter_;
  int64_t w_, h_;
};

}  // namespace

void limit_slope(Grid<float>& height, const Grid<float>& steepest, Vec2 cell, const Context& context) {
  if (height.empty()) return;
  Sweeps sweeps(height, steepest, cell);
  for (int64_t dy : {1, -1})
    for (int64_t dx : {1, -1}) sweeps.sweep(dx, dy, context);
}

}  // namespace tepui
