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
        w_(z.width()),
        h_(z.height()) {}

  /// Rows up or down, columns right or left.
  void sweep(int64_t dx, int64_t dy, const Context& context) {
    for (int64_t j = 0; j < h_; ++j) {
      if (j % 256 == 0) context.check();
      const int64_t y = dy > 0 ? j : h_ - 1 - j;
      const float* below = y > 0 ? z_.row(y - 1) : nullptr;
      const float* above = y + 1 < h_ ? z_.row(y + 1) : nullptr;
      sweep_row(z_.row(y), below, above, steepest_.row(y), dx);
    }
  }

 private:
  void sweep_row(float* z, const float* below, const float* above, const float* steepest, int64_t dx) const {
    for (int64_t i = 0; i < w_; ++i) {
      const int64_t x = dx > 0 ? i : w_ - 1 - i;
      const float a = std::min(x > 0 ? z[x - 1] : none, x + 1 < w_ ? z[x + 1] : none);
      const float b = std::min(below != nullptr ? below[x] : none, above != nullptr ? above[x] : none);
      const float rise = steepest[x];
      // Most samples are gentle: they stand no higher than either neighbour allows at its least.
      if (z[x] <= std::min(a, b) || !(rise < none)) continue;
      z[x] = std::min(z[x], allowed(a, b, rise * cell_x_, rise * cell_y_));
    }
  }

  Grid<float>& z_;
  const Grid<float>& steepest_;
  float cell_x_, cell_y_;
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
