#include "tepui/io/mesh_facts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tepui {

namespace {

using Position = std::array<float, 3>;

/// For every vertex the smallest number of a vertex at the same position.
std::vector<uint32_t> weld(const std::vector<Position>& positions) {
  std::vector<uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return positions[a] != positions[b] ? positions[a] < positions[b] : a < b; });
  std::vector<uint32_t> same(positions.size());
  for (size_t i = 0; i < order.size(); ++i)
    same[order[i]] = i > 0 && positions[order[i]] == positions[order[i - 1]] ? same[order[i - 1]] : order[i];
  return same;
}

class Sets {
 public:
  explicit Sets(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  uint32_t find(uint32_t a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;
};

int64_t count_sets(Sets& sets, const std::vector<bool>& used) {
  int64_t count = 0;
  for (uint32_t i = 0; i < used.size(); ++i)
    if (used[i] && sets.find(i) == i) ++count;
  return count;
}

Vec3 vec(const Position& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

Vec3 cross_of(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

void measure(const TriangleSoup& soup, MeshFileInfo& info) {
  if (soup.positions.empty()) return;
  Vec3 low = vec(soup.positions.front()), high = low;
  for (const Position& position : soup.positions) {
    const Vec3 p = vec(position);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  info.bounds = {low, high};
  double volume = 0;
  for (size_t i = 0; i < soup.corners.size(); i += 3) {
    const Vec3 a = vec(soup.positions[soup.corners[i]]), b = vec(soup.positions[soup.corners[i + 1]]),
               c = vec(soup.positions[soup.corners[i + 2]]);
    const Vec3 n = cross_of(a, b, c);
    const double area = 0.5 * std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (area == 0) ++info.degenerate_triangles;
    info.area += area;
    // From the corner of the bounds, to keep digits far from the origin.
    volume += ((a.x - low.x) * n.x + (a.y - low.y) * n.y + (a.z - low.z) * n.z) / 6;
  }
  info.volume = volume;
}

uint64_t edge_key(uint32_t a, uint32_t b) {
  return static_cast<uint64_t>(std::min(a, b)) << 32 | static_cast<uint64_t>(std::max(a, b));
}

}  // namespace

MeshFileInfo mesh_facts(const TriangleSoup& soup) {
  MeshFileInfo info;
  info.vertices = static_cast<int64_t>(soup.positions.size());
  info.triangles = static_cast<int64_t>(soup.corners.size() / 3);
  measure(soup, info);

  const std::vector<uint32_t> same = weld(soup.positions);
  std::vector<uint64_t> edges;
  std::vector<bool> used(same.size(), false);
  Sets components(same.size());
  edges.reserve(soup.corners.size());
  int64_t faces = 0;
  for (size_t i = 0; i < soup.corners.size(); i += 3) {
    const uint32_t a = same[soup.corners[i]], b = same[soup.corners[i + 1]], c = same[soup.corners[i + 2]];
    if (a == b || b == c || c == a) continue;  // covers no surface; counted above
    ++faces;
    for (const uint32_t corner : {a, b, c}) used[corner] = true;
    components.join(a, b);
    components.join(b, c);
    edges.insert(edges.end(), {edge_key(a, b), edge_key(b, c), edge_key(c, a)});
  }
  std::sort(edges.begin(), edges.end());

  Sets loops(same.size());
  std::vector<bool> on_boundary(same.size(), false);
  int64_t distinct = 0;
  for (size_t i = 0; i < edges.size();) {
    size_t next = i;
    while (next < edges.size() && edges[next] == edges[i]) ++next;
    ++distinct;
    if (next - i == 1) {
      ++info.boundary_edges;
      const auto a = static_cast<uint32_t>(edges[i] >> 32), b = static_cast<uint32_t>(edges[i]);
      on_boundary[a] = on_boundary[b] = true;
      loops.join(a, b);
    } else if (next - i > 2) {
      ++info.nonmanifold_edges;
    }
    i = next;
  }
  info.components = count_sets(components, used);
  const int64_t holes = count_sets(loops, on_boundary);
  const int64_t euler = std::count(used.begin(), used.end(), true) - distinct + faces;
  // Euler: V - E + F = 2 C - 2 g - holes, for surfaces with two sides.
  if (info.nonmanifold_edges == 0) info.genus = (2 * info.components - holes - euler) / 2;
  if (info.boundary_edges > 0 || info.nonmanifold_edges > 0 || faces == 0) info.volume.reset();
  return info;
}

}  // namespace tepui
