#include "reference/stairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tepui::reference {

namespace {

bool counts(const Grid<float>& voids, int64_t x, int64_t y) { return voids.empty() || voids(x, y) == 0; }

}  // namespace

double roughness(const Grid<float>& z, const Grid<float>& voids) {
  double sum = 0;
  const auto add = [&](int64_t x, int64_t y, int64_t u, int64_t v) {
    if (u >= z.width() || v >= z.height() || !counts(voids, x, y) || !counts(voids, u, v)) return;
    const double d = static_cast<double>(z(x, y)) - static_cast<double>(z(u, v));
    sum += d * d;
  };
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      add(x, y, x + 1, y);
      add(x, y, x, y + 1);
    }
  return sum;
}

Grid<float> smooth_stairs(const Grid<float>& heights, const Grid<float>& voids, double step) {
  const int64_t width = heights.width(), height = heights.height();
  std::vector<double> z(heights.cells().begin(), heights.cells().end());
  const auto at = [&](int64_t x, int64_t y) -> double& { return z[static_cast<size_t>(y * width + x)]; };
  for (double moved = step; moved > 1e-9 * step;) {
    moved = 0;
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        if (!counts(voids, x, y)) continue;
        double sum = 0;
        int count = 0;
        for (const auto& [u, v] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
          if (u < 0 || v < 0 || u >= width || v >= height || !counts(voids, u, v)) continue;
          sum += at(u, v);
          ++count;
        }
        if (count == 0) continue;
        const auto stored = static_cast<double>(heights(x, y));
        const double better = std::clamp(sum / count, stored - 0.5 * step, stored + 0.5 * step);
        moved = std::max(moved, std::abs(better - at(x, y)));
        at(x, y) = better;
      }
  }
  Grid<float> result(width, height);
  for (int64_t i = 0; i < result.size(); ++i) result.data()[i] = static_cast<float>(z[static_cast<size_t>(i)]);
  return result;
}

}  // namespace tepui::reference
