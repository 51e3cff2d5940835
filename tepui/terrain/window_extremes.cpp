#include "tepui/terrain/window_extremes.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// So many columns are gone through side by side: a cache line and a vector at a time.
constexpr int64_t strip = 32;

float higher(float a, float b) { return a < b ? b : a; }

/// The largest of [i - reach, i + reach] of a line of `count` entries, each of them `wide` numbers side by side. The
/// line begins at entry `reach` of `padded`, and what is around it is less than anything; it is used up.
void slide(std::vector<float>& padded, int64_t count, int64_t reach, int64_t wide, std::vector<float>& result) {
  const int64_t length = 2 * reach + 1, entries = count + 2 * reach;
  int64_t have = 1;  // entries that each entry is the largest of, itself and those after it
  const auto take = [&](int64_t ahead, int64_t last) {
    float* p = padded.data();
    for (int64_t i = 0; i < last * wide; ++i) p[i] = higher(p[i], p[i + ahead * wide]);
  };
  for (; 2 * have <= length; have *= 2) take(have, entries - have);
  const float* p = padded.data();
  const int64_t second = (length - have) * wide;
  for (int64_t i = 0; i < count * wide; ++i) result[static_cast<size_t>(i)] = higher(p[i], p[i + second]);
}

/// The highest of each window; of `sign` -1 the lowest, with its sign turned.
Grid<float> highest(const Grid<float>& cells, Halo reach, float sign, const Context& context) {
  const int64_t width = cells.width(), height = cells.height();
  const int64_t rx = std::min(reach.x, width), ry = std::min(reach.y, height);
  constexpr float nothing = -std::numeric_limits<float>::infinity();
  Grid<float> across(width, height);
  parallel_chunks(height, 16, context.stage("along x", 0, 0.5), [&](int64_t begin, int64_t end) {
    std::vector<float> padded, result(static_cast<size_t>(width));
    for (int64_t y = begin; y < end; ++y) {
      padded.assign(static_cast<size_t>(width + 2 * rx), nothing);
      for (int64_t x = 0; x < width; ++x) padded[static_cast<size_t>(rx + x)] = sign * cells(x, y);
      slide(padded, width, rx, 1, result);
      std::ranges::copy(result, across.row(y));
    }
  });
  Grid<float> all(width, height);
  parallel_chunks((width + strip - 1) / strip, 1, context.stage("along y", 0.5, 1), [&](int64_t begin, int64_t) {
    const int64_t west = begin * strip, wide = std::min(strip, width - west);
    std::vector<float> padded(static_cast<size_t>((height + 2 * ry) * wide), nothing);
    std::vector<float> result(static_cast<size_t>(height * wide));
    for (int64_t y = 0; y < height; ++y)
      std::copy_n(across.row(y) + west, wide, padded.begin() + static_cast<ptrdiff_t>((ry + y) * wide));
    slide(padded, height, ry, wide, result);
    for (int64_t y = 0; y < height; ++y)
      std::copy_n(result.begin() + static_cast<ptrdiff_t>(y * wide), wide, all.row(y) + west);
  });
  return all;
}

}  // namespace

WindowExtremes window_extremes(const Grid<float>& cells, Halo reach, const Context& context) {
  WindowExtremes result{highest(cells, reach, -1, context.stage("lowest", 0, 0.5)),
                        highest(cells, reach, 1, context.stage("highest", 0.5, 1))};
  for (float& low : result.low.cells()) low = 0.0f - low;
  for (float& high : result.high.cells()) high = 0.0f + high;
  return result;
}

}  // namespace tepui
