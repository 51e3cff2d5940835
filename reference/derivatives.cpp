#include "reference/derivatives.h"

#include <cmath>

namespace tepui::reference {

namespace {

/// The height at any index up to one beyond the border.
double height_at(const Grid<float>& z, int64_t x, int64_t y) {
  if (x < 0 || x >= z.width()) {
    const int64_t border = x < 0 ? 0 : z.width() - 1;
    if (z.width() == 1) return height_at(z, border, y);
    return 2 * height_at(z, border, y) - height_at(z, x < 0 ? 1 : border - 1, y);
  }
  if (y < 0 || y >= z.height()) {
    const int64_t border = y < 0 ? 0 : z.height() - 1;
    if (z.height() == 1) return height_at(z, x, border);
    return 2 * height_at(z, x, border) - height_at(z, x, y < 0 ? 1 : border - 1);
  }
  return z(x, y);
}

}  // namespace

Grid<float> slope(const Grid<float>& z, Vec2 cell) {
  Grid<float> out(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      double east = 0, north = 0;
      for (int64_t k = -1; k <= 1; ++k) {
        const double weight = k == 0 ? 2 : 1;
        east += weight * (height_at(z, x + 1, y + k) - height_at(z, x - 1, y + k));
        north += weight * (height_at(z, x + k, y + 1) - height_at(z, x + k, y - 1));
      }
      east /= 8 * cell.x;
      north /= 8 * cell.y;
      out(x, y) = static_cast<float>(std::sqrt(east * east + north * north));
    }
  return out;
}

}  // namespace tepui::reference
