#include "reference/height_field.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

namespace {

/// Narrows [begin, end] to where from + t direction is in [low, low + 1].
void clip(double from, double direction, double low, double& begin, double& end) {
  if (direction == 0) {
    if (from < low || from > low + 1) end = -INFINITY;
    return;
  }
  const double a = (low - from) / direction, b = (low + 1 - from) / direction;
  begin = std::max(begin, std::min(a, b));
  end = std::min(end, std::max(a, b));
}

}  // namespace

std::optional<SurfaceHit> first_hit(const Grid<float>& heights, Vec3 from, Vec3 direction, double near, double far) {
  std::optional<SurfaceHit> first;
  for (int64_t y = 0; y + 1 < heights.height(); ++y)
    for (int64_t x = 0; x + 1 < heights.width(); ++x) {
      double begin = near, end = far;
      clip(from.x, direction.x, static_cast<double>(x), begin, end);
      clip(from.y, direction.y, static_cast<double>(y), begin, end);
      if (begin > end) continue;
      const double a = heights(x, y), b = heights(x + 1, y) - a, c = heights(x, y + 1) - a;
      const double e = heights(x + 1, y + 1) - a - b - c;
      // The patch is z = a + b u + c v + e u v; the ray's height over it is c0 + c1 s + c2 s^2 with s from `begin` on.
      const Vec3 at = from + direction * begin;
      const double u = at.x - static_cast<double>(x), v = at.y - static_cast<double>(y);
      const double c0 = at.z - (a + b * u + c * v + e * u * v);
      const double c1 = direction.z - b * direction.x - c * direction.y - e * (u * direction.y + v * direction.x);
      const double c2 = -e * direction.x * direction.y;
      const double within = c1 * c1 - 4 * c2 * c0;
      if (within < 0) continue;
      const double q = -0.5 * (c1 + std::copysign(std::sqrt(within), c1));
      for (const double s : {c0 / q, q / c2}) {
        const double distance = begin + s;
        if (!(s >= 0) || !std::isfinite(s) || distance <= near || distance > end ||
            (first && distance >= first->distance))
          continue;
        first = {distance, from.x + distance * direction.x, from.y + distance * direction.y};
      }
    }
  return first;
}

}  // namespace tepui::reference
