#include "tepui/terrain/fill_voids.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// More on coarse levels, where they are cheap and where a wide void gets its shape.
constexpr int fine_sweeps = 24;
constexpr int coarse_sweeps = 96;
constexpr int64_t coarse_cells = 1 << 16;
constexpr int64_t row_grain = 16;

struct Level {
  Grid<float> values;
  Grid<float> voids;
};

Level coarser(const Grid<float>& values, const Grid<float>& voids, const Context& context) {
  const int64_t width = (values.width() + 1) / 2, height = (values.height() + 1) / 2;
  Level level{Grid<float>(width, height), Grid<float>(width, height)};
  parallel_chunks(height, row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < width; ++x) {
        double sum = 0;
        int count = 0;
        for (int64_t v = 2 * y; v < std::min(2 * y + 2, values.height()); ++v)
          for (int64_t u = 2 * x; u < std::min(2 * x + 2, values.width()); ++u)
            if (voids(u, v) == 0) {
              sum += static_cast<double>(values(u, v));
              ++count;
            }
        level.values(x, y) = count > 0 ? static_cast<float>(sum / count) : 0;
        level.voids(x, y) = count > 0 ? 0 : 1;
      }
  });
  return level;
}

/// Cells of a level lie at the centres of 2 x 2 cells of the finer one, so that the weights are 3/4 and 1/4.
void interpolate(const Grid<float>& coarse, Grid<float>& values, const Grid<float>& voids, const Context& context) {
  parallel_chunks(values.height(), row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const int64_t v = y / 2;
      const int64_t v2 = std::clamp<int64_t>(y % 2 == 0 ? v - 1 : v + 1, 0, coarse.height() - 1);
      for (int64_t x = 0; x < values.width(); ++x) {
        if (voids(x, y) == 0) continue;
        const int64_t u = x / 2;
        const int64_t u2 = std::clamp<int64_t>(x % 2 == 0 ? u - 1 : u + 1, 0, coarse.width() - 1);
        const double near = 0.75 * static_cast<double>(coarse(u, v)) + 0.25 * static_cast<double>(coarse(u2, v));
        const double far = 0.75 * static_cast<double>(coarse(u, v2)) + 0.25 * static_cast<double>(coarse(u2, v2));
        values(x, y) = static_cast<float>(0.75 * near + 0.25 * far);
      }
    }
  });
}

void sweep(Grid<float>& values, const Grid<float>& voids, const std::vector<int64_t>& rows, int colour,
           const Context& context) {
  const int64_t width = values.width(), height = values.height();
  parallel_chunks(static_cast<int64_t>(rows.size()), row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t y = rows[static_cast<size_t>(i)];
      for (int64_t x = (y + colour) % 2; x < width; x += 2) {
        if (voids(x, y) == 0) continue;
        double sum = 0;
        int count = 0;
        if (x > 0) sum += static_cast<double>(values(x - 1, y)), ++count;
        if (x + 1 < width) sum += static_cast<double>(values(x + 1, y)), ++count;
        if (y > 0) sum += static_cast<double>(values(x, y - 1)), ++count;
        if (y + 1 < height) sum += static_cast<double>(values(x, y + 1)), ++count;
        if (count > 0) values(x, y) = static_cast<float>(sum / count);
      }
    }
  });
}

std::vector<int64_t> rows_with_voids(const Grid<float>& voids) {
  std::vector<int64_t> rows;
  for (int64_t y = 0; y < voids.height(); ++y)
    if (std::any_of(voids.row(y), voids.row(y) + voids.width(), [](float v) { return v != 0; })) rows.push_back(y);
  return rows;
}

void fill(Grid<float>& values, const Grid<float>& voids, const Context& context) {
  const std::vector<int64_t> rows = rows_with_voids(voids);
  if (rows.empty()) return;
  if (values.size() == 1) fail("cannot fill the land: every sample is void");
  Level level = coarser(values, voids, context);
  fill(level.values, level.voids, context);
  interpolate(level.values, values, voids, context);
  const int sweeps = values.size() <= coarse_cells ? coarse_sweeps : fine_sweeps;
  for (int i = 0; i < sweeps; ++i)
    for (const int colour : {0, 1}) sweep(values, voids, rows, colour, context);
}

}  // namespace

void fill_voids(Grid<float>& values, const Grid<float>& voids, const Context& context) { fill(values, voids, context); }

}  // namespace tepui
