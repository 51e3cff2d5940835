#pragma once  // internal

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tepui/core/grid.h"

namespace tepui {

/// Weights of the four samples around a place, by Catmull and Rom's cubic.
struct CubicWeights {
  explicit CubicWeights(float t) {
    const float t2 = t * t, t3 = t2 * t;
    w[0] = 0.5f * (2 * t2 - t3 - t);
    w[1] = 0.5f * (3 * t3 - 5 * t2 + 2);
    w[2] = 0.5f * (4 * t2 - 3 * t3 + t);
    w[3] = 0.5f * (t3 - t2);
  }
  float w[4];
};

/// The value of a map between its samples, at a column and row that may be fractions: cubic, kept within the four
/// samples around, because overshoot would put spikes beside cliffs. Exactly a sample's value at its own place; beyond
/// the border that of the border.
inline float between_samples(const Grid<float>& map, double column, double row) {
  const int64_t w = map.width(), h = map.height();
  column = std::clamp(column, 0.0, static_cast<double>(w - 1));
  row = std::clamp(row, 0.0, static_cast<double>(h - 1));
  const auto x = static_cast<int64_t>(column), y = static_cast<int64_t>(row);
  const auto tx = static_cast<float>(column - static_cast<double>(x));
  const auto ty = static_cast<float>(row - static_cast<double>(y));
  if (tx == 0 && ty == 0) return map(x, y);
  const CubicWeights along(tx), across(ty);
  int64_t columns[4], rows[4];
  for (int64_t k = 0; k < 4; ++k) {
    columns[k] = std::clamp<int64_t>(x + k - 1, 0, w - 1);
    rows[k] = std::clamp<int64_t>(y + k - 1, 0, h - 1);
  }
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    const float* r = map.data() + rows[k] * w;
    sum += across.w[k] * (along.w[0] * r[columns[0]] + along.w[1] * r[columns[1]] + along.w[2] * r[columns[2]] +
                          along.w[3] * r[columns[3]]);
  }
  const float *south = map.data() + rows[1] * w, *north = map.data() + rows[2] * w;
  const float a = south[columns[1]], b = south[columns[2]], c = north[columns[1]], d = north[columns[2]];
  return std::clamp(sum, std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d)));
}

}  // namespace tepui
