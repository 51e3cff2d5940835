#pragma once  // internal

#include <array>
#include <cmath>
#include <cstdint>

#include "tepui/core/vec.h"

namespace tepui {

/// The eight neighbours by code: 0 is east, then anticlockwise. Row 0 is the southernmost.
inline constexpr int d8_none = 8;
inline constexpr std::array<int, 8> d8_x{1, 1, 0, -1, -1, -1, 0, 1};
inline constexpr std::array<int, 8> d8_y{0, 1, 1, 1, 0, -1, -1, -1};
inline constexpr int d8_opposite(int code) { return (code + 4) & 7; }

/// Steps to the neighbours of a cell of a grid with this width and these cells.
struct D8 {
  D8(int64_t width, Vec2 cell) {
    for (size_t k = 0; k < 8; ++k) {
      step[k] = d8_y[k] * width + d8_x[k];
      const double x = d8_x[k] * cell.x, y = d8_y[k] * cell.y;
      distance[k] = std::sqrt(x * x + y * y);
      per_metre[k] = 1 / distance[k];
    }
  }

  std::array<int64_t, 8> step;
  std::array<double, 8> distance;   ///< Metres between the samples.
  std::array<double, 8> per_metre;  ///< 1 / distance.
};

}  // namespace tepui
