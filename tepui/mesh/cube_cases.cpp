#include "tepui/mesh/cube_cases.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tepui {

namespace {

constexpr auto edges = cube_edges();

/// Corners of each face, counter-clockwise from outside the cell.
constexpr uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

int edge_between(uint8_t a, uint8_t b) {
  for (int e = 0; e < 12; ++e)
    if (edges[static_cast<size_t>(e)].low == std::min(a, b) && edges[static_cast<size_t>(e)].high == std::max(a, b))
      return e;
  return -1;
}

bool has_corner(const uint8_t (&face)[4], uint8_t corner) { return std::ranges::find(face, corner) != std::end(face); }

bool share_a_face(int a, int b) {
  return std::ranges::any_of(faces, [&](const auto& face) {
    const CubeEdge &p = edges[static_cast<size_t>(a)], &q = edges[static_cast<size_t>(b)];
    return has_corner(face, p.low) && has_corner(face, p.high) && has_corner(face, q.low) && has_corner(face, q.high);
  });
}

/// Four times the squared distance between the middles of two edges.
int distance(int a, int b) {
  const CubeEdge &p = edges[static_cast<size_t>(a)], &q = edges[static_cast<size_t>(b)];
  int sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int d = (p.low >> axis & 1) + (p.high >> axis & 1) - (q.low >> axis & 1) - (q.high >> axis & 1);
    sum += d * d;
  }
  return sum;
}

/// For each edge that the surface crosses the one that comes next around its loop: where the walk around a face enters
/// rock the surface comes in, and it goes out where that walk leaves that rock.
std::array<int, 12> following(unsigned corners) {
  std::array<int, 12> next;
  next.fill(-1);
  const auto rock = [&](uint8_t corner) { return (corners >> corner & 1) != 0; };
  for (const auto& face : faces)
    for (size_t k = 0; k < 4; ++k) {
      if (rock(face[k]) || !rock(face[(k + 1) % 4])) continue;
      size_t last = k + 1;
      while (rock(face[(last + 1) % 4])) ++last;
      next[static_cast<size_t>(edge_between(face[k], face[(k + 1) % 4]))] =
          edge_between(face[last % 4], face[(last + 1) % 4]);
    }
  return next;
}

constexpr int in_a_face = 10000;

/// The triangles of a loop with the shortest diagonals, none of which lies in a face where that can be had.
void triangulate(const std::vector<int>& loop, CubeCase& result) {
  const size_t n = loop.size();
  const auto diagonal = [&](size_t a, size_t b) {
    if (b == a + 1 || (a == 0 && b == n - 1)) return 0;
    return distance(loop[a], loop[b]) + (share_a_face(loop[a], loop[b]) ? in_a_face : 0);
  };
  std::vector<std::vector<int>> cost(n, std::vector<int>(n, 0));
  std::vector<std::vector<size_t>> apex(n, std::vector<size_t>(n, 0));
  for (size_t span = 2; span < n; ++span)
    for (size_t a = 0; a + span < n; ++a) {
      const size_t b = a + span;
      cost[a][b] = 1 << 30;
      for (size_t c = a + 1; c < b; ++c) {
        const int total = cost[a][c] + cost[c][b] + diagonal(a, c) + diagonal(c, b);
        if (total < cost[a][b]) cost[a][b] = total, apex[a][b] = c;
      }
    }
  std::vector<std::pair<size_t, size_t>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    if (b - a < 2) continue;
    const size_t c = apex[a][b];
    result.triangle[result.triangles++] = {static_cast<uint8_t>(loop[a]), static_cast<uint8_t>(loop[c]),
                                           static_cast<uint8_t>(loop[b])};
    open.push_back({c, b});
    open.push_back({a, c});
  }
}

bool either_way(const std::vector<int>& loop) {
  return loop.size() == 4 && !share_a_face(loop[0], loop[2]) && !share_a_face(loop[1], loop[3]);
}

CubeCase make_case(unsigned corners) {
  std::array<int, 12> next = following(corners);
  std::vector<std::vector<int>> loops;
  for (size_t start = 0; start < 12; ++start) {
    std::vector<int> loop;
    for (size_t edge = start; next[edge] >= 0;) {
      loop.push_back(static_cast<int>(edge));
      edge = static_cast<size_t>(std::exchange(next[edge], -1));
    }
    if (!loop.empty()) loops.push_back(loop);
  }
  CubeCase result;
  for (const std::vector<int>& loop : loops)
    if (either_way(loop)) {
      const auto at = [&](size_t k) { return static_cast<uint8_t>(loop[k]); };
      result.triangle[result.triangles++] = {at(0), at(1), at(2)};
      result.triangle[result.triangles++] = {at(0), at(2), at(3)};
      ++result.quads;
    }
  for (const std::vector<int>& loop : loops)
    if (!either_way(loop)) triangulate(loop, result);
  return result;
}

}  // namespace

const std::array<CubeCase, 256>& cube_cases() {
  static const std::array<CubeCase, 256> cases = [] {
    std::array<CubeCase, 256> all;
    for (unsigned c = 0; c < 256; ++c) all[c] = make_case(c);
    return all;
  }();
  return cases;
}

}  // namespace tepui
