#include "tepui/core/srgb.h"

#include "tepui/core/math.h"

namespace tepui {

double linear_from_srgb(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : math::pow((encoded + 0.055) / 1.055, 2.4);
}

double srgb_from_linear(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * math::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace tepui
