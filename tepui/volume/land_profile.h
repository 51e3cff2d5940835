#pragma once  // internal

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tepui {

/// How the field rises through the ground, and falls beyond walls and floor.
struct LandProfile {
  float t = 0, r = 0;             ///< T and R
  float square = 0, cube = 0;     ///< coefficients of s
  float inverse_square_fall = 0;  ///< 1 / F^2

  LandProfile(double threshold, double radius, double falloff)
      : t(static_cast<float>(threshold)),
        r(static_cast<float>(radius)),
        square(static_cast<float>((3 * threshold - 2 * radius) / (radius * radius))),
        cube(static_cast<float>((radius - 2 * threshold) / (radius * radius * radius))),
        inverse_square_fall(static_cast<float>(1 / (falloff * falloff))) {}

  /// s.
  float operator()(float x) const {
    const float a = std::abs(x);
    const float s = std::min(((cube * a + square) * a + 1.0f) * a, t);
    return std::copysign(a < r ? s : t, x);
  }
  /// Its slope.
  float steepness(float x) const {
    const float a = std::abs(x);
    return a >= r ? 0.0f : std::max((3 * cube * a + 2 * square) * a + 1.0f, 0.0f);
  }
  /// 2T g - T, from a squared distance.
  float walls(float square_distance) const {
    const float u = std::max(1.0f - square_distance * inverse_square_fall, 0.0f);
    return 2 * t * (u * u * u) - t;
  }
};

/// v[i] = s(h[i] - z), and s(h[i] - z[i]).
void land_layer(const LandProfile& profile, const double* h, double z, int64_t count, float* v);
void land_points(const LandProfile& profile, const double* h, const double* z, int64_t count, float* v);

}  // namespace tepui
