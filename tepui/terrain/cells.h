#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tepui {

/// Rows of `width` samples that make a chunk of work: large enough to be worth a task, small enough to cancel soon.
inline int64_t rows_per_chunk(int64_t width) { return std::max<int64_t>(1, 65536 / std::max<int64_t>(width, 1)); }

/// The nearest float; what is too large for one becomes the largest, so that layers stay finite.
inline float to_cell(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -largest, largest));
}

/// What a cell of the mask layer `void` means: nodata, from half on.
inline bool is_void(float mask) { return mask >= 0.5f; }

/// Exactly `a` at weight 0 and exactly `b` at weight 1.
inline double blend(double a, double b, double weight) {
  return weight <= 0 ? a : weight >= 1 ? b : (1 - weight) * a + weight * b;
}

}  // namespace tepui
