#pragma once

namespace tepui::math {

// The elementary functions of everything that is kept: made of IEEE + - * / and sqrt only, so that they have the same
// bits on every machine and compiler, which libm's have not. Bounds are in units in the last place (ulp) of the result
// and hold for every argument, subnormal results excepted (1 ulp more); tests/core/math_test.cpp checks them. Zeros,
// infinities and NaN follow IEEE 754 and C's Annex F.

inline constexpr double pi = 0x1.921fb54442d18p+1;

constexpr double radians(double degrees) { return degrees * 0x1.1df46a2529d39p-6; }
constexpr double degrees(double radians) { return radians * 0x1.ca5dc1a63c1f8p+5; }

/// 0 up to `from`, 1 from `to` on, and smooth in between; a step where they are equal.
constexpr double smoothstep(double from, double to, double x) {
  if (!(to > from)) return x >= to ? 1 : 0;
  const double share = (x - from) / (to - from), u = share < 0 ? 0 : share > 1 ? 1 : share;
  return u * u * (3 - 2 * u);
}

double exp(double x);            ///< within 1 ulp
double log(double x);            ///< within 0.51 ulp
double log10(double x);          ///< within 2.5 ulp
double pow(double x, double y);  ///< within 1 ulp

/// Within 1 ulp; the argument is reduced exactly, however large.
double sin(double x);
double cos(double x);  ///< as sin
double tan(double x);  ///< within 2.5 ulp

double atan(double x);             ///< within 2 ulp
double atan2(double y, double x);  ///< the angle of (x, y) in [-pi, pi]; within 2 ulp
double asin(double x);             ///< within 3 ulp; NaN outside [-1, 1]
double acos(double x);             ///< within 3 ulp; NaN outside [-1, 1]

}  // namespace tepui::math
