#include "tepui/render/height_pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"

namespace tepui {

HeightPyramid::HeightPyramid(Grid<float> height, const Context& context) : height_(std::move(height)) {
  Grid<float> patches(height_.width() - 1, height_.height() - 1);
  parallel_chunks(patches.height(), 32, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const float *south = height_.row(y), *north = height_.row(y + 1);
      for (int64_t x = 0; x < patches.width(); ++x)
        patches(x, y) = std::max(std::max(south[x], south[x + 1]), std::max(north[x], north[x + 1]));
    }
  });
  maxima_.push_back(std::move(patches));
  while (maxima_.back().size() > 1) {
    const Grid<float>& fine = maxima_.back();
    Grid<float> coarse((fine.width() + 1) / 2, (fine.height() + 1) / 2);
    for (int64_t y = 0; y < coarse.height(); ++y) {
      const float *south = fine.row(2 * y), *north = fine.row(std::min(2 * y + 1, fine.height() - 1));
      for (int64_t x = 0; x < coarse.width(); ++x) {
        const int64_t right = std::min(2 * x + 1, fine.width() - 1);
        coarse(x, y) = std::max(std::max(south[2 * x], south[right]), std::max(north[2 * x], north[right]));
      }
    }
    maxima_.push_back(std::move(coarse));
  }
  highest_ = static_cast<double>(maxima_.back()(0, 0));
}

double HeightPyramid::height_at(double u, double v) const {
  u = std::clamp(u, 0.0, static_cast<double>(height_.width() - 1));
  v = std::clamp(v, 0.0, static_cast<double>(height_.height() - 1));
  const int64_t x = std::min(static_cast<int64_t>(u), height_.width() - 2);
  const int64_t y = std::min(static_cast<int64_t>(v), height_.height() - 2);
  const double s = u - static_cast<double>(x), t = v - static_cast<double>(y);
  const auto z = [&](int64_t i, int64_t j) { return static_cast<double>(height_(i, j)); };
  const double south = z(x, y) + s * (z(x + 1, y) - z(x, y)), north = z(x, y + 1) + s * (z(x + 1, y + 1) - z(x, y + 1));
  return south + t * (north - south);
}

std::optional<double> HeightPyramid::hit_patch(Vec3 o, Vec3 d, int64_t x, int64_t y, double from, double to) const {
  const double a = static_cast<double>(height_(x, y)), b = static_cast<double>(height_(x + 1, y)) - a;
  const double c = static_cast<double>(height_(x, y + 1)) - a;
  const double e = static_cast<double>(height_(x + 1, y + 1)) - a - b - c;
  // Height of the ray over the patch is c0 + c1 s + c2 s^2 with s = t - from.
  const double u = o.x + from * d.x - static_cast<double>(x), v = o.y + from * d.y - static_cast<double>(y);
  const double c0 = o.z + from * d.z - (a + b * u + c * v + e * u * v);
  if (c0 <= 0) return from;
  const double c1 = d.z - (b * d.x + c * d.y + e * (u * d.y + v * d.x)), c2 = -e * d.x * d.y;
  const double within = c1 * c1 - 4 * c2 * c0;
  if (within < 0) return std::nullopt;
  // The stable pair of roots; the first one after s = 0 is where the ray goes under.
  const double q = -0.5 * (c1 + std::copysign(std::sqrt(within), c1));
  double first = std::numeric_limits<double>::infinity();
  if (q != 0 && c0 / q > 0) first = c0 / q;
  if (c2 != 0 && q / c2 > 0) first = std::min(first, q / c2);
  return from + first <= to ? std::optional(from + first) : std::nullopt;
}

std::optional<double> HeightPyramid::hit(Vec3 o, Vec3 d, double from, double to) const {
  const int top = static_cast<int>(maxima_.size()) - 1;
  const int64_t last_x = maxima_[0].width() - 1, last_y = maxima_[0].height() - 1;
  const double per_x = d.x != 0 ? 1 / d.x : 0, per_y = d.y != 0 ? 1 / d.y : 0;
  double t = from;
  int64_t x = std::clamp<int64_t>(static_cast<int64_t>(std::floor(o.x + t * d.x)), 0, last_x);
  int64_t y = std::clamp<int64_t>(static_cast<int64_t>(std::floor(o.y + t * d.y)), 0, last_y);
  int level = top;
  while (true) {
    const int64_t cx = x >> level, cy = y >> level, size = int64_t{1} << level;
    // Where the ray leaves this square, and through which side.
    const double edge_x = static_cast<double>(d.x > 0 ? (cx + 1) * size : cx * size);
    const double edge_y = static_cast<double>(d.y > 0 ? (cy + 1) * size : cy * size);
    const double tx = d.x != 0 ? (edge_x - o.x) * per_x : std::numeric_limits<double>::infinity();
    const double ty = d.y != 0 ? (edge_y - o.y) * per_y : std::numeric_limits<double>::infinity();
    const double leave = std::max(t, std::min({tx, ty, to}));
    const double lowest = o.z + d.z * (d.z < 0 ? leave : t);
    if (lowest <= static_cast<double>(maxima_[static_cast<size_t>(level)](cx, cy))) {
      if (level > 0) {
        --level;
        continue;
      }
      if (const auto found = hit_patch(o, d, x, y, t, leave)) return found;
    }
    if (leave >= to) return std::nullopt;
    t = leave;
    // Step across the side by index, so that rounding can never stall the walk.
    if (tx <= ty) {
      x = d.x > 0 ? (cx + 1) * size : cx * size - 1;
      y = std::clamp<int64_t>(static_cast<int64_t>(std::floor(o.y + t * d.y)), cy * size, (cy + 1) * size - 1);
    } else {
      y = d.y > 0 ? (cy + 1) * size : cy * size - 1;
      x = std::clamp<int64_t>(static_cast<int64_t>(std::floor(o.x + t * d.x)), cx * size, (cx + 1) * size - 1);
    }
    if (x < 0 || y < 0 || x > last_x || y > last_y) return std::nullopt;
    const bool new_square = tx <= ty ? (x >> (level + 1)) != (cx >> 1) : (y >> (level + 1)) != (cy >> 1);
    if (new_square && level < top) ++level;
  }
}

}  // namespace tepui
