#include "reference/shape.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

namespace {

double share(ShapeKind kind, double u, double width, double v, double depth) {
  const double p = 2 * u / width, q = 2 * v / depth;
  const bool across = p >= -1 && p < 1, along = q >= -1 && q < 1;
  switch (kind) {
    case ShapeKind::box:
      return across && along ? 1 : 0;
    case ShapeKind::cylinder:
      return p * p + q * q <= 1 ? 1 : 0;
    case ShapeKind::cone:
      return std::max(0.0, 1 - std::hypot(p, q));
    case ShapeKind::pyramid:
      return std::max(0.0, 1 - std::max(std::abs(p), std::abs(q)));
    case ShapeKind::prism:
      return across ? std::max(0.0, 1 - std::abs(q)) : 0;
    case ShapeKind::cliff:
      return u >= 0 ? 1 : 0;
  }
  return 0;
}

}  // namespace

Terrain shape(const Frame& world, const ShapeParams& params) {
  const auto along = [](const Length& l, double side) { return l.percent ? l.value * 0.01 * side : l.value; };
  const double angle = params.rotation.degrees * std::acos(-1.0) / 180;
  const double width = params.width.in(world), depth = params.depth.in(world), height = params.height.in(world);
  Grid<float> z(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const double dx = world.x(x) - world.origin.x - along(params.x, world.size.x);
      const double dy = world.y(y) - world.origin.y - along(params.y, world.size.y);
      const double u = std::cos(angle) * dx + std::sin(angle) * dy, v = std::cos(angle) * dy - std::sin(angle) * dx;
      z(x, y) = static_cast<float>(share(params.kind, u, width, v, depth) * height);
    }
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference
