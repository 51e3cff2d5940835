#include "tepui/planet/sphere_locator.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

constexpr int64_t cube_side = 32;
constexpr double on_edge = 1e-15;  // as exactly as doubles can tell

}  // namespace

SphereLocator::SphereLocator(const SphereMesh& mesh)
    : mesh_(mesh), beside_(mesh.triangles.size()), start_(static_cast<size_t>(6 * cube_side * cube_side), -1) {
  struct Side {
    int32_t low, high, triangle, corner;
    bool operator<(const Side& o) const { return low != o.low ? low < o.low : high < o.high; }
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const int32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int32_t>(t), static_cast<int32_t>(k)});
    }
  std::sort(sides.begin(), sides.end());
  for (size_t i = 0; i + 1 < sides.size(); i += 2) {
    beside_[static_cast<size_t>(sides[i].triangle)][static_cast<size_t>(sides[i].corner)] = sides[i + 1].triangle;
    beside_[static_cast<size_t>(sides[i + 1].triangle)][static_cast<size_t>(sides[i + 1].corner)] = sides[i].triangle;
  }
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const auto& d = mesh.directions;
    int32_t& start = start_[cell_of(d[static_cast<size_t>(a)] + d[static_cast<size_t>(b)] + d[static_cast<size_t>(c)])];
    if (start < 0) start = static_cast<int32_t>(t);
  }
  // Cells without a triangle's middle, on coarse meshes, start where the one before does.
  int32_t last = 0;
  for (int32_t& start : start_) last = start = start < 0 ? last : start;
}

size_t SphereLocator::cell_of(Vec3 d) const {
  const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z), most = std::max({x, y, z});
  const int face = most == x ? (d.x < 0 ? 1 : 0) : most == y ? (d.y < 0 ? 3 : 2) : d.z < 0 ? 5 : 4;
  const double u = (face < 2 ? d.y : d.x) / most, v = (face < 4 ? d.z : d.y) / most;
  const auto index = [](double w) {
    return std::clamp(static_cast<int64_t>((w + 1) / 2 * static_cast<double>(cube_side)), int64_t{0}, cube_side - 1);
  };
  return static_cast<size_t>((face * cube_side + index(v)) * cube_side + index(u));
}

SpherePlace SphereLocator::from(int32_t triangle, Vec3 direction) const {
  // The number of steps has a bound only so that a mesh that is not sound cannot hold anyone for ever.
  for (size_t step = 0; step < mesh_.triangles.size(); ++step) {
    const auto& corners = mesh_.triangles[static_cast<size_t>(triangle)];
    std::array<double, 3> across{};  // six times the volume below the edge from corner k to the next and the place
    size_t worst = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 a = mesh_.directions[static_cast<size_t>(corners[k])];
      const Vec3 b = mesh_.directions[static_cast<size_t>(corners[(k + 1) % 3])];
      across[k] = dot(cross(a, b), direction);
      if (across[k] < across[worst]) worst = k;
    }
    if (across[worst] >= -on_edge) {
      for (double& share : across) share = std::max(share, 0.0);
      const double all = across[0] + across[1] + across[2];
      if (all > 0) return {triangle, {across[1] / all, across[2] / all, across[0] / all}};
    }
    triangle = beside_[static_cast<size_t>(triangle)][worst];
  }
  return {triangle, {1, 0, 0}};
}

SpherePlace SphereLocator::at(Vec3 direction) const { return from(start_[cell_of(direction)], direction); }

}  // namespace tepui
