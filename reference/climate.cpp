#include "reference/climate.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/cover/sunlight.h"

namespace tepui::reference {

namespace {

double ground(const Grid<float>& z, double x, double y) {
  const auto x0 = std::min(static_cast<int64_t>(x), z.width() - 1),
             y0 = std::min(static_cast<int64_t>(y), z.height() - 1);
  const auto x1 = std::min(x0 + 1, z.width() - 1), y1 = std::min(y0 + 1, z.height() - 1);
  const double u = x - static_cast<double>(x0), v = y - static_cast<double>(y0);
  const auto at = [&](int64_t i, int64_t j) { return static_cast<double>(z(i, j)); };
  return (1 - v) * ((1 - u) * at(x0, y0) + u * at(x1, y0)) + v * ((1 - u) * at(x0, y1) + u * at(x1, y1));
}

/// The tangent of the horizon's elevation.
double horizon(const Grid<float>& z, Vec2 cell, int64_t x, int64_t y, double azimuth) {
  const double step = std::min(cell.x, cell.y) / 2, east = math::sin(azimuth) / cell.x,
               north = math::cos(azimuth) / cell.y;
  double tangent = 0;
  for (double way = step;; way += step) {
    const double px = static_cast<double>(x) + way * east, py = static_cast<double>(y) + way * north;
    if (px < 0 || py < 0 || px > static_cast<double>(z.width() - 1) || py > static_cast<double>(z.height() - 1)) break;
    tangent = std::max(tangent, (ground(z, px, py) - static_cast<double>(z(x, y))) / way);
  }
  return tangent;
}

}  // namespace

Grid<float> yearly_sun(const Grid<float>& height, Vec2 cell, const Grid<float>& dx, const Grid<float>& dy,
                       double latitude) {
  const std::vector<SunDay> days = sun_days(latitude);
  Grid<float> year(height.width(), height.height());
  for (int64_t y = 0; y < height.height(); ++y)
    for (int64_t x = 0; x < height.width(); ++x) {
      const double gx = static_cast<double>(dx(x, y)), gy = static_cast<double>(dy(x, y));
      const double length = std::sqrt(1 + gx * gx + gy * gy);
      const auto facing = [&](double east, double north, double up) {
        return std::max(0.0, (up - gx * east - gy * north) / length);
      };
      double sky = 0, sum = 0;
      constexpr int around = 72, upwards = 18;
      for (int a = 0; a < around; ++a) {
        const double azimuth = 2 * math::pi * (a + 0.5) / around, edge = horizon(height, cell, x, y, azimuth);
        for (int b = 0; b < upwards; ++b) {
          // Rings of equal solid angle.
          const double up = (b + 0.5) / upwards, level = std::sqrt(1 - up * up);
          if (up / level < edge) continue;
          sky += 2 * facing(level * math::sin(azimuth), level * math::cos(azimuth), up) / (around * upwards);
        }
      }
      for (const SunDay& day : days) {
        sum += day.share * day.diffuse * sky;
        for (const SunPosition& sun : day.positions) {
          const double up = static_cast<double>(sun.up), tangent = up / std::sqrt(1 - up * up);
          const double above = tangent - horizon(height, cell, x, y, sun.azimuth);
          const double seen = std::clamp(above / (0.04 * (1 + tangent * tangent)) + 0.5, 0.0, 1.0);
          sum += day.share / day_steps * static_cast<double>(sun.beam) * seen *
                 facing(static_cast<double>(sun.east), static_cast<double>(sun.north), up);
        }
      }
      year(x, y) = static_cast<float>(sum);
    }
  return year;
}

std::vector<double> rain_along(const std::vector<double>& z, double cell, const OrographicRain& params) {
  // Both delays of a rise at distance d upwind: d / carry^2 exp(-d / carry), over the cells in between.
  const double kept = math::exp(-cell / params.carry), forgotten = math::exp(-cell / params.carry / 10);
  std::vector<double> rain;
  for (size_t i = 0; i < z.size(); ++i) {
    double risen = 0, dry = 0;
    for (size_t j = 1; j <= i; ++j) {
      const auto steps = static_cast<double>(i - j);
      risen += (z[j] - z[j - 1]) / cell * (1 - kept) * (1 - kept) * (steps + 1) * math::pow(kept, steps);
      // The highest crest as seen from j: each is forgotten towards the ground that is passed.
      double crest = z[0];
      for (size_t k = 1; k <= j; ++k) crest = std::max(z[k], z[k] + (crest - z[k]) * forgotten);
      dry += (crest - z[j]) / 2500 * (1 - kept) * math::pow(kept, steps);
    }
    rain.push_back(math::exp(std::clamp(params.strength * (3.5 * risen - dry), -6.9, 6.9)));
  }
  return rain;
}

}  // namespace tepui::reference
