#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tepui {

/// A number in two bytes (IEEE 754 binary16): eleven binary digits, up to 65,504.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  /// The nearest; what is too large becomes infinite.
  Half(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    const float size = std::fabs(value);
    uint32_t rounded = 0;
    if (!(size <= 65519)) {
      rounded = std::isnan(value) ? 0x7e00 : 0x7c00;
    } else if (size < 0x1p-14f) {
      rounded = static_cast<uint32_t>(std::nearbyint(size * 0x1p24f));
    } else {
      const uint32_t word_of_size = word & 0x7fffffff;
      rounded = (word_of_size + 0xfff + (word_of_size >> 13 & 1)) >> 13;
      rounded -= 112 << 10;
    }
    bits = static_cast<uint16_t>((word >> 16 & 0x8000) | rounded);
  }

  operator float() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = 0;
    if (exponent == 31)
      value = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
      value = static_cast<float>(fraction) * 0x1p-24f;
    else
      value = static_cast<float>(1024 + fraction) * 0x1p-25f * static_cast<float>(uint32_t{1} << exponent);
    return (bits & 0x8000) != 0 ? -value : value;
  }
};

}  // namespace tepui
