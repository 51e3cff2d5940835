#include "reference/measures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tepui::reference {

namespace {

struct Point {
  double x, y, z;
};

/// The samples of the square around one of them.
std::vector<Point> square_around(const Terrain& land, double radius, int64_t x, int64_t y) {
  const Frame& frame = land.frame();
  const auto cells = [&](double cell) { return std::max(std::floor(radius / cell + 0.5), 1.0); };
  const double kx = cells(frame.cell.x), ky = cells(frame.cell.y);
  const auto within = [](int64_t a, int64_t b, double k) { return std::abs(static_cast<double>(a - b)) <= k; };
  std::vector<Point> points;
  for (int64_t j = 0; j < frame.height; ++j)
    for (int64_t i = 0; i < frame.width && within(j, y, ky); ++i)
      if (within(i, x, kx))
        points.push_back({static_cast<double>(i), static_cast<double>(j), static_cast<double>(land.height()(i, j))});
  return points;
}

double mean_of(const std::vector<Point>& points, double Point::*member) {
  double sum = 0;
  for (const Point& p : points) sum += p.*member;
  return sum / static_cast<double>(points.size());
}

double squares_from(const std::vector<Point>& points, double centre) {
  double sum = 0;
  for (const Point& p : points) sum += (p.z - centre) * (p.z - centre);
  return sum;
}

/// Least squares: the normal equations of a plane through the middle of all.
double squares_from_plane(const std::vector<Point>& points) {
  const double mx = mean_of(points, &Point::x), my = mean_of(points, &Point::y), mz = mean_of(points, &Point::z);
  double xx = 0, yy = 0, xz = 0, yz = 0;
  for (const Point& p : points) {
    xx += (p.x - mx) * (p.x - mx);
    yy += (p.y - my) * (p.y - my);
    xz += (p.x - mx) * (p.z - mz);
    yz += (p.y - my) * (p.z - mz);
  }
  const double a = xx > 0 ? xz / xx : 0, b = yy > 0 ? yz / yy : 0;
  double sum = 0;
  for (const Point& p : points) {
    const double rest = (p.z - mz) - a * (p.x - mx) - b * (p.y - my);
    sum += rest * rest;
  }
  return sum;
}

template <class Value>
Grid<float> everywhere(const Terrain& land, const Value& value) {
  Grid<float> result(land.frame().width, land.frame().height);
  for (int64_t y = 0; y < result.height(); ++y)
    for (int64_t x = 0; x < result.width(); ++x) result(x, y) = static_cast<float>(value(x, y));
  return result;
}

/// The height between two samples of a line of sight, or nothing where one of them is not there.
double height_between(const Grid<float>& z, double x, double y) {
  const auto snapped = [](double v) { return std::abs(v - std::round(v)) < 1e-6 ? std::round(v) : v; };
  x = snapped(x);
  y = snapped(y);
  const auto i = static_cast<int64_t>(std::floor(x)), j = static_cast<int64_t>(std::floor(y));
  const int64_t right = x > std::floor(x) ? 1 : 0, up = y > std::floor(y) ? 1 : 0;
  if (i < 0 || j < 0 || i + right >= z.width() || j + up >= z.height()) return std::nan("");
  const double rest = right == 1 ? x - std::floor(x) : y - std::floor(y);
  return (1 - rest) * static_cast<double>(z(i, j)) + rest * static_cast<double>(z(i + right, j + up));
}

/// The tangent of the horizon.
double horizon(const Terrain& land, int64_t x, int64_t y, double azimuth, double radius) {
  const Vec2 cell = land.frame().cell;
  const double sx = std::sin(azimuth) / cell.x, sy = std::cos(azimuth) / cell.y;
  const double major = std::max(std::abs(sx), std::abs(sy));
  const double here = static_cast<double>(land.height()(x, y));
  double tangent = 0;
  const double steps = std::max(std::floor(radius * major + 1e-9), 1.0);
  for (double k = 1; k <= steps; ++k) {
    const double z =
        height_between(land.height(), static_cast<double>(x) + k * sx / major, static_cast<double>(y) + k * sy / major);
    if (std::isnan(z)) break;
    tangent = std::max(tangent, (z - here) / (k / major));
  }
  return tangent;
}

}  // namespace

Grid<float> roughness(const Terrain& land, const RoughnessParams& params) {
  return everywhere(land, [&](int64_t x, int64_t y) {
    const std::vector<Point> points = square_around(land, params.radius.in(land.frame()), x, y);
    const double n = static_cast<double>(points.size());
    const auto [low, high] = std::ranges::minmax(points, {}, &Point::z);
    switch (params.measure) {
      case RoughnessMeasure::residual:
        return std::sqrt(squares_from_plane(points) / n);
      case RoughnessMeasure::difference:
        return std::sqrt(squares_from(points, static_cast<double>(land.height()(x, y))) / std::max(n - 1, 1.0));
      case RoughnessMeasure::range:
        return high.z - low.z;
      case RoughnessMeasure::deviation:
        break;
    }
    return std::sqrt(squares_from(points, mean_of(points, &Point::z)) / n);
  });
}

Grid<float> relative_height(const Terrain& land, const RelativeHeightParams& params) {
  return everywhere(land, [&](int64_t x, int64_t y) {
    const std::vector<Point> points = square_around(land, params.radius.in(land.frame()), x, y);
    const double z = static_cast<double>(land.height()(x, y)), mean = mean_of(points, &Point::z);
    const auto [low, high] = std::ranges::minmax(points, {}, &Point::z);
    if (params.measure == RelativeHeightMeasure::share) return high.z > low.z ? (z - low.z) / (high.z - low.z) : 0.5;
    if (params.measure == RelativeHeightMeasure::mean) return z - mean;
    return high.z > low.z ? (z - mean) / std::sqrt(squares_from(points, mean) / static_cast<double>(points.size())) : 0;
  });
}

Grid<float> accessibility(const Terrain& land, const AccessibilityParams& params) {
  return everywhere(land, [&](int64_t x, int64_t y) {
    double sum = 0;
    for (int k = 0; k < params.directions; ++k) {
      const double azimuth = 2 * std::numbers::pi * k / params.directions;
      const double elevation = std::atan(horizon(land, x, y, azimuth, params.radius.in(land.frame())));
      sum += params.measure == AccessibilityMeasure::share ? 1 - std::sin(elevation)
                                                           : std::cos(elevation) * std::cos(elevation);
    }
    return sum / params.directions;
  });
}

}  // namespace tepui::reference
