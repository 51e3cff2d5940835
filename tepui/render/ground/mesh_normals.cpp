#include "tepui/render/ground/mesh_normals.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tepui {

namespace {

/// Texels on an edge belong to both sides, whatever rounding says.
constexpr double slack = 1e-5;

struct Corner {
  double x, y;  ///< texels from the lower left one's middle
};

bool is_known(const MeshPoint& normal) { return normal != MeshPoint{}; }

void draw_triangle(Grid<MeshPoint>& out, const Mesh& mesh, const MeshTriangle& t) {
  std::array<Corner, 3> at{};
  std::array<Vec3, 3> normal{};
  for (size_t k = 0; k < 3; ++k) {
    const MeshCoordinate& place = mesh.coordinates()[t[k]];
    at[k] = {static_cast<double>(place[0]) * static_cast<double>(out.width()) - 0.5,
             (1 - static_cast<double>(place[1])) * static_cast<double>(out.height()) - 0.5};
    normal[k] = to_vec(mesh.normals()[t[k]]);
  }
  const auto turn = [](Corner a, Corner b, Corner c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
  const double area = turn(at[0], at[1], at[2]);
  if (!(area > 0)) return;
  const auto first = [](double v) { return std::max<int64_t>(static_cast<int64_t>(std::ceil(v - slack)), 0); };
  const auto last = [](double v, int64_t size) {
    return std::min<int64_t>(static_cast<int64_t>(std::floor(v + slack)), size - 1);
  };
  const auto [south, north] = std::minmax({at[0].y, at[1].y, at[2].y});
  const auto [west, east] = std::minmax({at[0].x, at[1].x, at[2].x});
  for (int64_t y = first(south); y <= last(north, out.height()); ++y)
    for (int64_t x = first(west); x <= last(east, out.width()); ++x) {
      const Corner p{static_cast<double>(x), static_cast<double>(y)};
      const double a = turn(at[1], at[2], p) / area, b = turn(at[2], at[0], p) / area, c = 1 - a - b;
      if (std::min({a, b, c}) < -slack) continue;
      const Vec3 sum = normal[0] * a + normal[1] * b + normal[2] * c, unit = sum * (1 / length(sum));
      out(x, y) = {static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z)};
    }
}

/// The first and the last of `count` lines for which known(line) holds; none: both 0.
template <class Known>
std::pair<int64_t, int64_t> known_range(int64_t count, const Known& known) {
  int64_t low = 0, high = count - 1;
  while (low < count - 1 && !known(low)) ++low;
  while (high > low && !known(high)) --high;
  return {low, high};
}

}  // namespace

Grid<MeshPoint> draw_normals(const Mesh& mesh, int width, int height) {
  Grid<MeshPoint> out(width, height, MeshPoint{});
  for (const MeshTriangle& t : mesh.triangles()) draw_triangle(out, mesh, t);
  const auto row_known = [&](int64_t y) { return std::any_of(out.row(y), out.row(y) + width, is_known); };
  const auto column_known = [&](int64_t x) {
    for (int64_t y = 0; y < height; ++y)
      if (is_known(out(x, y))) return true;
    return false;
  };
  const auto [south, north] = known_range(height, row_known);
  const auto [west, east] = known_range(width, column_known);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      if (y < south || y > north || x < west || x > east)
        out(x, y) = out(std::clamp(x, west, east), std::clamp(y, south, north));
  return out;
}

Vec3 SheetNormals::at(double u, double v) const {
  if (z_ == nullptr) return {0, 0, 1};
  u = std::clamp(u, 0.0, static_cast<double>(z_->width() - 1));
  v = std::clamp(v, 0.0, static_cast<double>(z_->height() - 1));
  const auto x = static_cast<int64_t>(u), y = static_cast<int64_t>(v);
  const double s = u - static_cast<double>(x), t = v - static_cast<double>(y);
  const int64_t x1 = std::min(x + 1, z_->width() - 1), y1 = std::min(y + 1, z_->height() - 1);
  const Vec3 south = vertex(x, y) * (1 - s) + vertex(x1, y) * s, north = vertex(x, y1) * (1 - s) + vertex(x1, y1) * s;
  const Vec3 mean = south * (1 - t) + north * t;
  return mean * (1 / length(mean));
}

Vec3 SheetNormals::vertex(int64_t x, int64_t y) const {
  const int64_t w = std::max<int64_t>(x - 1, 0), e = std::min(x + 1, z_->width() - 1);
  const int64_t s = std::max<int64_t>(y - 1, 0), n = std::min(y + 1, z_->height() - 1);
  const auto rise = [&](int64_t xa, int64_t ya, int64_t xb, int64_t yb) {
    return static_cast<double>((*z_)(xb, yb)) - static_cast<double>((*z_)(xa, ya));
  };
  const Vec3 up{e > w ? -rise(w, y, e, y) / (static_cast<double>(e - w) * cell_.x) : 0,
                n > s ? -rise(x, s, x, n) / (static_cast<double>(n - s) * cell_.y) : 0, 1};
  return up * (1 / length(up));
}

}  // namespace tepui
