#include "reference/smooth.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

namespace {

double to_segment(Vec3 a, Vec3 b, Vec3 p) {
  const Vec3 along = b - a;
  const double square = dot(along, along);
  const double t = square > 0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0.0;
  return length(p - a - along * t);
}

double weight_of(const SmoothStroke& stroke, Vec3 p) {
  double far = length(p - stroke.points.front());
  for (size_t i = 1; i < stroke.points.size(); ++i)
    far = std::min(far, to_segment(stroke.points[i - 1], stroke.points[i], p));
  const double u = std::min(far / stroke.radius, 1.0);
  return 1 - u * u * u * (6 * u * u - 15 * u + 10);
}

/// The cubic B-spline.
double spline(double x) {
  x = std::abs(x);
  if (x >= 2) return 0;
  return x < 1 ? 2.0 / 3 - x * x + x * x * x / 2 : std::pow(2 - x, 3) / 6;
}

}  // namespace

Smoothing smoothing_along(const std::vector<SmoothStroke>& strokes) {
  const auto share = [=](Vec3 p) {
    double left = 1;
    for (const SmoothStroke& stroke : strokes) left *= 1 - std::min(1.0, stroke.strength) * weight_of(stroke, p);
    return 1 - left;
  };
  const auto times = [=](Vec3 p) {
    double sum = 0;
    for (const SmoothStroke& stroke : strokes) sum += stroke.strength * weight_of(stroke, p);
    return std::min(8.0, sum);
  };
  return {share, times};
}

Smoothing smoothing_within(const Share& weight, double strength) {
  return {[=](Vec3 p) { return std::min(1.0, strength) * weight(p); }, [=](Vec3 p) { return strength * weight(p); }};
}

Field smooth(Field in, Smoothing smoothing, double cell, double threshold) {
  return [=](Vec3 p) {
    // The coefficient at a point of the lattice after so many passes.
    const std::function<double(Vec3, int)> coefficient = [&](Vec3 at, int passes) {
      if (passes == 0) return std::clamp(in(at), -threshold, threshold);
      const double before = coefficient(at, passes - 1), share = std::clamp(smoothing.times(at) - passes, 0.0, 1.0);
      if (share == 0) return before;
      double mean = 0;
      for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
          for (int x = -1; x <= 1; ++x)
            mean += std::pow(0.5, 3 + std::abs(x) + std::abs(y) + std::abs(z)) *
                    coefficient(at + Vec3{1.0 * x, 1.0 * y, 1.0 * z} * cell, passes - 1);
      return before + share * (mean - before);
    };
    const double v = in(p), share = smoothing.share(p);
    if (share == 0) return v;
    double s = 0;
    const auto first = [&](double x) { return std::floor(x / cell) - 1; };
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
          const Vec3 node = Vec3{first(p.x) + i, first(p.y) + j, first(p.z) + k} * cell, d = (p - node) * (1 / cell);
          const int passes = std::max(0, static_cast<int>(std::ceil(smoothing.times(node))) - 1);
          s += spline(d.x) * spline(d.y) * spline(d.z) * coefficient(node, passes);
        }
    return v + share * (s - v);
  };
}

}  // namespace tepui::reference
