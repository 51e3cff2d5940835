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

/// A place between the samples of a map, at a column and row that may be fractions, for several maps of one size.
class BetweenSamples {
 public:
  BetweenSamples(int64_t width, int64_t height, double column, double row) : width_(width) {
    column = std::clamp(column, 0.0, static_cast<double>(width - 1));
    row = std::clamp(row, 0.0, static_cast<double>(height - 1));
    const auto x = static_cast<int64_t>(column), y = static_cast<int64_t>(row);
    tx_ = static_cast<float>(column - static_cast<double>(x));
    ty_ = static_cast<float>(row - static_cast<double>(y));
    centre_ = y * width + x;
    inside_ = x >= 1 && y >= 1 && x + 2 < width && y + 2 < height;
    if (inside_) return;
    for (int64_t k = 0; k < 4; ++k) {
      columns_[k] = std::clamp<int64_t>(x + k - 1, 0, width - 1) - x;
      rows_[k] = (std::clamp<int64_t>(y + k - 1, 0, height - 1) - y) * width;
    }
  }

  /// Cubic, kept within the four samples around, because overshoot would put spikes beside cliffs. Exactly a sample's
  /// value at its own place; beyond the border that of the border.
  float operator()(const Grid<float>& map) const {
    const float* centre = map.data() + centre_;
    if (tx_ == 0 && ty_ == 0) return *centre;
    if (inside_)
      return mixed(
          centre, [](int k) { return k - 1; }, [this](int k) { return (k - 1) * width_; });
    return mixed(
        centre, [this](int k) { return columns_[k]; }, [this](int k) { return rows_[k]; });
  }

 private:
  template <class Column, class Row>
  float mixed(const float* centre, const Column& column, const Row& row) const {
    const CubicWeights along(tx_), across(ty_);
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      const float* r = centre + row(k);
      sum += across.w[k] * (along.w[0] * r[column(0)] + along.w[1] * r[column(1)] + along.w[2] * r[column(2)] +
                            along.w[3] * r[column(3)]);
    }
    const float *south = centre + row(1), *north = centre + row(2);
    const float a = south[column(1)], b = south[column(2)], c = north[column(1)], d = north[column(2)];
    return std::clamp(sum, std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d)));
  }

  int64_t width_, centre_ = 0;
  float tx_ = 0, ty_ = 0;
  bool inside_ = false;
  int64_t columns_[4] = {}, rows_[4] = {};
};

inline float between_samples(const Grid<float>& map, double column, double row) {
  return BetweenSamples(map.width(), map.height(), column, row)(map);
}

}  // namespace tepui
