#include "tepui/terrain/stairs.h"

#include <algorithm>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// More on coarse levels, where they are cheap and where a wide terrace gets its slope.
constexpr int fine_sweeps = 16;
constexpr int coarse_sweeps = 96;
constexpr int64_t coarse_cells = 1 << 16;
constexpr int64_t row_grain = 16;

bool is_void(const Grid<float>& voids, int64_t x, int64_t y) { return !voids.empty() && voids(x, y) != 0; }

struct Level {
  Grid<float> heights;
  Grid<float> voids;  ///< empty: none
};

Level coarser(const Grid<float>& heights, const Grid<float>& voids, const Context& context) {
  const int64_t width = (heights.width() + 1) / 2, height = (heights.height() + 1) / 2;
  Level level{Grid<float>(width, height), voids.empty() ? Grid<float>() : Grid<float>(width, height)};
  parallel_chunks(height, row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < width; ++x) {
        double sum = 0;
        int count = 0;
        for (int64_t v = 2 * y; v < std::min(2 * y + 2, heights.height()); ++v)
          for (int64_t u = 2 * x; u < std::min(2 * x + 2, heights.width()); ++u)
            if (!is_void(voids, u, v)) {
              sum += static_cast<double>(heights(u, v));
              ++count;
            }
        level.heights(x, y) = count > 0 ? static_cast<float>(sum / count) : 0;
        if (!voids.empty()) level.voids(x, y) = count > 0 ? 0 : 1;
      }
  });
  return level;
}

/// Half a step either way, in floats that do not pass it.
float bounded(double z, float height, double half) {
  const double low = static_cast<double>(height) - half, high = static_cast<double>(height) + half;
  return static_cast<float>(std::clamp(z, low, high));
}

/// Cells of a level lie at the centres of 2 x 2 cells of the finer one, so that the weights are 3/4 and 1/4. Void cells
/// of the coarse level hold no height: where one would count, the nearest cell alone does.
void interpolate(const Grid<float>& coarse, const Grid<float>& coarse_voids, const Grid<float>& heights, double half,
                 Grid<float>& z, const Context& context) {
  parallel_chunks(z.height(), row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const int64_t v = y / 2;
      const int64_t v2 = std::clamp<int64_t>(y % 2 == 0 ? v - 1 : v + 1, 0, coarse.height() - 1);
      for (int64_t x = 0; x < z.width(); ++x) {
        const int64_t u = x / 2;
        const int64_t u2 = std::clamp<int64_t>(x % 2 == 0 ? u - 1 : u + 1, 0, coarse.width() - 1);
        const auto at = [&](int64_t i, int64_t j) {
          return static_cast<double>(is_void(coarse_voids, i, j) ? coarse(u, v) : coarse(i, j));
        };
        const double near = 0.75 * at(u, v) + 0.25 * at(u2, v), far = 0.75 * at(u, v2) + 0.25 * at(u2, v2);
        z(x, y) = bounded(0.75 * near + 0.25 * far, heights(x, y), half);
      }
    }
  });
}

void sweep(const Grid<float>& heights, const Grid<float>& voids, double half, int colour, Grid<float>& z,
           const Context& context) {
  const int64_t width = z.width(), height = z.height();
  parallel_chunks(height, row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = (y + colour) % 2; x < width; x += 2) {
        if (is_void(voids, x, y)) continue;
        double sum = 0;
        int count = 0;
        const auto pull = [&](int64_t u, int64_t v) {
          if (u < 0 || v < 0 || u >= width || v >= height || is_void(voids, u, v)) return;
          sum += static_cast<double>(z(u, v));
          ++count;
        };
        pull(x - 1, y);
        pull(x + 1, y);
        pull(x, y - 1);
        pull(x, y + 1);
        if (count > 0) z(x, y) = bounded(sum / count, heights(x, y), half);
      }
  });
}

Grid<float> solve(const Grid<float>& heights, const Grid<float>& voids, double half, const Context& context) {
  if (heights.size() == 1) return Grid<float>(1, 1, heights(0, 0));
  Grid<float> z(heights.width(), heights.height());
  {
    const Level level = coarser(heights, voids, context);
    interpolate(solve(level.heights, level.voids, half, context), level.voids, heights, half, z, context);
  }
  const int sweeps = z.size() <= coarse_cells ? coarse_sweeps : fine_sweeps;
  for (int i = 0; i < sweeps; ++i)
    for (const int colour : {0, 1}) sweep(heights, voids, half, colour, z, context);
  return z;
}

}  // namespace

void smooth_stairs(Grid<float>& heights, const Grid<float>& voids, double step, const Context& context) {
  if (heights.size() <= 1) return;
  Grid<float> z = solve(heights, voids, 0.5 * step, context);
  if (!voids.empty())
    for (int64_t i = 0; i < z.size(); ++i)
      if (voids.data()[i] != 0) z.data()[i] = heights.data()[i];
  heights = std::move(z);
}

}  // namespace tepui
