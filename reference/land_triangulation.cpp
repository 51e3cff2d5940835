#include "reference/land_triangulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tepui::reference {

namespace {

struct Point {
  int64_t x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
using Triangle = std::array<Point, 3>;

int64_t turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

bool in_circle(const Triangle& t, Point p) {
  const auto row = [&](Point q) {
    return std::array<int64_t, 3>{q.x - p.x, q.y - p.y, (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y)};
  };
  const auto a = row(t[0]), b = row(t[1]), c = row(t[2]);
  return a[2] * (b[0] * c[1] - b[1] * c[0]) - b[2] * (a[0] * c[1] - a[1] * c[0]) + c[2] * (a[0] * b[1] - a[1] * b[0]) >
         0;
}

bool holds(const Triangle& t, Point p) {
  return turn(t[0], t[1], p) >= 0 && turn(t[1], t[2], p) >= 0 && turn(t[2], t[0], p) >= 0;
}

/// All triangles whose circles hold the point, and those that it lies on, make room for triangles around it.
void insert(std::vector<Triangle>& triangles, Point p) {
  std::vector<std::pair<Point, Point>> edges;
  std::erase_if(triangles, [&](const Triangle& t) {
    if (!in_circle(t, p) && !holds(t, p)) return false;
    for (size_t k = 0; k < 3; ++k) edges.emplace_back(t[k], t[(k + 1) % 3]);
    return true;
  });
  for (const auto& [a, b] : edges) {
    const bool inner = std::ranges::find(edges, std::pair(b, a)) != edges.end();
    // An edge of the border that the point lies on is gone.
    if (!inner && turn(a, b, p) > 0) triangles.push_back({a, b, p});
  }
}

void reduce(const Grid<float>& z, Point a, Point b, double error, std::vector<Point>& kept) {
  const int64_t count = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y));
  const auto at = [&](int64_t i) { return Point{a.x + (b.x - a.x) / count * i, a.y + (b.y - a.y) / count * i}; };
  const auto height = [&](Point p) { return static_cast<double>(z(p.x, p.y)); };
  double most = error;
  int64_t worst = 0;
  for (int64_t i = 1; i < count; ++i) {
    const double rise = (height(b) - height(a)) / static_cast<double>(count);
    const double off = std::abs(height(at(i)) - (height(a) + rise * static_cast<double>(i)));
    if (off > most) most = off, worst = i;
  }
  if (worst == 0) return;
  kept.push_back(at(worst));
  reduce(z, a, at(worst), error, kept);
  reduce(z, at(worst), b, error, kept);
}

struct Worst {
  double error = 0;
  Point at;
};

Worst worst_of(const Grid<float>& z, const Triangle& t, double error) {
  const auto height = [&](Point p) { return static_cast<double>(z(p.x, p.y)); };
  const auto area = static_cast<double>(turn(t[0], t[1], t[2]));
  Worst worst{error, {}};
  for (int64_t y = 1; y + 1 < z.height(); ++y)
    for (int64_t x = 1; x + 1 < z.width(); ++x) {
      const Point p{x, y};
      if (!holds(t, p) || std::ranges::find(t, p) != t.end()) continue;
      const double there = (static_cast<double>(turn(t[1], t[2], p)) * height(t[0]) +
                            static_cast<double>(turn(t[2], t[0], p)) * height(t[1]) +
                            static_cast<double>(turn(t[0], t[1], p)) * height(t[2])) /
                           area;
      const double off = std::abs(height(p) - there);
      if (off > worst.error) worst = {off, p};
    }
  return worst;
}

}  // namespace

std::vector<int64_t> triangulate_land(const Grid<float>& heights, double error) {
  const int64_t e = heights.width() - 1, n = heights.height() - 1;
  std::vector<Triangle> triangles{{Point{0, 0}, {e, 0}, {e, n}}, {Point{0, 0}, {e, n}, {0, n}}};
  std::vector<Point> border;
  reduce(heights, {0, 0}, {e, 0}, error, border);
  reduce(heights, {0, n}, {e, n}, error, border);
  reduce(heights, {0, 0}, {0, n}, error, border);
  reduce(heights, {e, 0}, {e, n}, error, border);
  for (const Point& p : border) insert(triangles, p);
  for (;;) {
    Worst worst{error, {}};
    for (const Triangle& t : triangles)
      if (const Worst own = worst_of(heights, t, error); own.error > worst.error) worst = own;
    if (!(worst.error > error)) break;
    insert(triangles, worst.at);
  }
  std::vector<int64_t> corners;
  for (const Triangle& t : triangles)
    for (const Point& p : t) corners.push_back(p.y * heights.width() + p.x);
  return corners;
}

}  // namespace tepui::reference
