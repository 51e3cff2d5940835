#include "tepui/erode/height_quanta.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

HeightQuanta HeightQuanta::of(Interval heights) {
  constexpr int bits = 24;
  const double span = heights.high - heights.low;
  if (!(span <= 1e38))
    refuse("the heights of this land are too far apart for erosion", "the limit is 1e38 m; 'adjust' can reduce them");
  const double largest = std::max({std::abs(heights.low), std::abs(heights.high), span, 0x1p-90});
  int exponent = 0;
  std::frexp(largest, &exponent);
  const double quantum = std::ldexp(1.0, exponent - bits);
  // What would be rounded up to one bit more, and to a longer quantum the next time, is rounded down.
  constexpr double limit = 0x1p24 - 1;
  const double low = std::clamp(std::floor(heights.low / quantum + 0.5), -limit, limit);
  return {quantum, low * quantum, std::min(limit, limit - low)};
}

}  // namespace tepui
