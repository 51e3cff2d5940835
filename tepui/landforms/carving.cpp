#include "tepui/landforms/carving.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tepui {

namespace {

/// Area that a point of `sample_surface` has for itself, in squares of the spacing.
constexpr double poisson_area = 1.57;
/// Integral of g along a line through the centre, in falloffs: 2 * 16 / 35.
constexpr double line_integral = 32.0 / 35;
/// Integral of g over space, in cubes of the falloff. At the surface of a filled body half of it counts.
constexpr double space_integral = 64 * std::numbers::pi / 315;

double square(double x) { return x * x; }

/// What is left of a falloff at a share of it: 1 - u^2.
double left_at(double length, double falloff) { return 1 - square(length / falloff); }

}  // namespace

double sheet_energy(double threshold, double depth, double falloff, double spacing) {
  // Points are not a layer: where they lie wide and the surface comes near them, it bulges out between them. Measured
  // over spacings of 0.3 to 0.5 and depths of 0.2 to 0.74 falloffs.
  const double u = depth / falloff, patchy = 0.0056 * square(spacing / falloff) / (u * u * u);
  const double left = square(square(left_at(depth * (1 + std::min(patchy, 0.1)), falloff)));
  return -4 * threshold * poisson_area * square(spacing) / (std::numbers::pi * square(falloff) * left);
}

double chain_energy(double threshold, double radius, double falloff, double step) {
  const double left = left_at(radius, falloff);
  return -threshold * step / (line_integral * falloff * left * left * left * std::sqrt(left));
}

double body_energy(double threshold, double falloff, double spacing) {
  const double ratio = falloff / spacing;
  return -2 * threshold / (space_integral * ratio * ratio * ratio);
}

}  // namespace tepui
