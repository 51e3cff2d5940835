#include "tepui/erode/height_quanta.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

HeightQuanta HeightQuanta::of(Interval heights) {
  constexpr int bits = 24;
  const double span = heights.high - heights.low;
  if (!(span <= 1e38))
    refuse("the heights of this land lie too far apart to be worn", "at most 1e38 m; 'adjust' can bring them together");
  const double largest = std::max({std::abs(heights.low), std::abs(heights.high), span, 0x1p-90});
  int exponent = 0;
  std::frexp(largest, &exponent);
  const double quantum = std::ldexp(1.0, exponent - bits);
  return {quantum, std::floor(heights.low / quantum + 0.5) * quantum};
}

float HeightQuanta::quanta(double height) const {
  return static_cast<float>(std::floor((height - base) / quantum + 0.5));
}

}  // namespace tepui
