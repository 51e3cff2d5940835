#include "reference/reproject.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tepui::reference {

namespace {

/// Keys 1981, Eq. 4: the kernel of cubic convolution.
double keys(double s) {
  const double a = std::abs(s);
  if (a < 1) return 1.5 * a * a * a - 2.5 * a * a + 1;
  if (a < 2) return -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2;
  return 0;
}

/// The land at a whole position, which may lie outside: on the line through the border and the sample before it.
double height_at(const Grid<float>& in, int64_t x, int64_t y) {
  const int64_t w = in.width(), h = in.height();
  if (x < 0 || x >= w) {
    const int64_t border = x < 0 ? 0 : w - 1, inner = w == 1 ? 0 : x < 0 ? 1 : w - 2;
    const double steps = static_cast<double>(std::abs(x - border));
    return (1 + steps) * height_at(in, border, y) - steps * height_at(in, inner, y);
  }
  if (y < 0 || y >= h) {
    const int64_t border = y < 0 ? 0 : h - 1, inner = h == 1 ? 0 : y < 0 ? 1 : h - 2;
    const double steps = static_cast<double>(std::abs(y - border));
    return (1 + steps) * height_at(in, x, border) - steps * height_at(in, x, inner);
  }
  return static_cast<double>(in(x, y));
}

double cubic(const Grid<float>& in, double u, double v) {
  const int64_t i = static_cast<int64_t>(std::floor(u)), j = static_cast<int64_t>(std::floor(v));
  double sum = 0;
  for (int64_t y = j - 1; y <= j + 2; ++y)
    for (int64_t x = i - 1; x <= i + 2; ++x)
      sum += keys(u - static_cast<double>(x)) * keys(v - static_cast<double>(y)) * height_at(in, x, y);
  return sum;
}

}  // namespace

Grid<float> reproject(const Grid<float>& in, const Frame& from, const Frame& to,
                      const std::function<void(std::span<double>, std::span<double>)>& way_back) {
  Grid<float> out(to.width, to.height);
  const double last_u = static_cast<double>(in.width() - 1), last_v = static_cast<double>(in.height() - 1);
  std::vector<double> east(static_cast<size_t>(to.width)), north(east.size());
  for (int64_t y = 0; y < to.height; ++y) {
    for (size_t x = 0; x < east.size(); ++x) {
      east[x] = to.geo->origin.x + static_cast<double>(to.first_x + static_cast<int64_t>(x)) * to.geo->step.x;
      north[x] = to.geo->origin.y + static_cast<double>(to.first_y + y) * to.geo->step.y;
    }
    way_back(east, north);
    for (int64_t x = 0; x < to.width; ++x) {
      const Vec2 at{east[static_cast<size_t>(x)], north[static_cast<size_t>(x)]};
      const double u = (at.x - from.geo->origin.x) / from.geo->step.x - static_cast<double>(from.first_x);
      const double v = (at.y - from.geo->origin.y) / from.geo->step.y - static_cast<double>(from.first_y);
      const bool inside = u >= -0.5 && u <= last_u + 0.5 && v >= -0.5 && v <= last_v + 0.5;
      out(x, y) = inside ? static_cast<float>(cubic(in, std::clamp(u, 0.0, last_u), std::clamp(v, 0.0, last_v)))
                         : std::numeric_limits<float>::quiet_NaN();
    }
  }
  return out;
}

}  // namespace tepui::reference
