#include "tepui/planet/front.h"

#include <algorithm>
#include <numeric>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t vertex_grain = 2048;
/// Up to this level every point is tried.
constexpr int coarsest_level = 3;

using Link = std::array<int32_t, 2>;

Neighbours linked(size_t points, const std::vector<Link>& links) {
  Neighbours all;
  all.first.assign(points + 1, 0);
  for (const Link& link : links)
    for (const int32_t end : link) ++all.first[static_cast<size_t>(end) + 1];
  std::partial_sum(all.first.begin(), all.first.end(), all.first.begin());
  all.vertex.resize(links.size() * 2);
  std::vector<int32_t> filled(all.first.begin(), all.first.end() - 1);
  for (const Link& link : links)
    for (size_t k = 0; k < 2; ++k)
      all.vertex[static_cast<size_t>(filled[static_cast<size_t>(link[k])]++)] = link[1 - k];
  return all;
}

struct Crossing {
  std::array<int32_t, 2> edge;
  size_t triangle;
};

}  // namespace

Front front_between(const SphereMesh& mesh, std::span<const int32_t> labels) {
  std::vector<Crossing> crossings;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& triangle = mesh.triangles[t];
    for (size_t k = 0; k < 3; ++k) {
      const int32_t a = triangle[k], b = triangle[(k + 1) % 3];
      if (labels[static_cast<size_t>(a)] != labels[static_cast<size_t>(b)])
        crossings.push_back({{std::min(a, b), std::max(a, b)}, t});
    }
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) { return a.edge < b.edge; });
  Front front;
  std::vector<std::array<int32_t, 2>> of_triangle;  // triangle, point
  for (size_t i = 0; i < crossings.size(); ++i) {
    const auto [a, b] = crossings[i].edge;
    if (i == 0 || crossings[i].edge != crossings[i - 1].edge) {
      const bool turned = labels[static_cast<size_t>(b)] < labels[static_cast<size_t>(a)];
      const Vec3 middle = mesh.directions[static_cast<size_t>(a)] + mesh.directions[static_cast<size_t>(b)];
      front.points.push_back({normalised(middle), turned ? Link{b, a} : Link{a, b}});
    }
    of_triangle.push_back({static_cast<int32_t>(crossings[i].triangle), static_cast<int32_t>(front.points.size() - 1)});
  }
  std::sort(of_triangle.begin(), of_triangle.end());
  std::vector<Link> links;
  for (size_t i = 0; i < of_triangle.size(); ++i)
    for (size_t j = i + 1; j < of_triangle.size() && of_triangle[j][0] == of_triangle[i][0]; ++j)
      links.push_back({of_triangle[i][1], of_triangle[j][1]});
  front.links = linked(front.points.size(), links);
  return front;
}

void smooth_places(Front& front, int rounds) {
  std::vector<Vec3> next(front.points.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < next.size(); ++i) {
      next[i] = front.points[i].place;
      for (const int32_t j : front.links.of(static_cast<int32_t>(i)))
        next[i] = next[i] + front.points[static_cast<size_t>(j)].place;
      next[i] = normalised(next[i]);
    }
    for (size_t i = 0; i < next.size(); ++i) front.points[i].place = next[i];
  }
}

Front part_of(const Front& front, std::span<const uint8_t> keep) {
  Front part;
  std::vector<int32_t> number(front.points.size(), -1);
  for (size_t i = 0; i < front.points.size(); ++i)
    if (keep[i] != 0) {
      number[i] = static_cast<int32_t>(part.points.size());
      part.points.push_back(front.points[i]);
    }
  std::vector<Link> links;
  for (size_t i = 0; i < front.points.size(); ++i)
    for (const int32_t j : front.links.of(static_cast<int32_t>(i)))
      if (j > static_cast<int32_t>(i) && number[i] >= 0 && number[static_cast<size_t>(j)] >= 0)
        links.push_back({number[i], number[static_cast<size_t>(j)]});
  part.links = linked(part.points.size(), links);
  return part;
}

std::vector<int32_t> nearest_points(const Front& front, const SphereMesh& mesh,
                                    std::span<const std::array<int32_t, 2>> parents, const Context& context) {
  const size_t count = mesh.directions.size();
  std::vector<int32_t> nearest(count, -1);
  if (front.empty()) return nearest;
  const auto closeness = [&](size_t v, int32_t point) {
    return dot(mesh.directions[v], front.points[static_cast<size_t>(point)].place);
  };
  const auto walk = [&](size_t v, int32_t from) {
    double best = closeness(v, from);
    for (bool moved = true; moved;) {
      moved = false;
      for (const int32_t next : front.links.of(from))
        if (const double close = closeness(v, next); close > best) {
          best = close;
          from = next;
          moved = true;
          break;
        }
    }
    return from;
  };
  const auto coarse = static_cast<int64_t>(
      std::min<size_t>(count, static_cast<size_t>(vertices_of_level(std::min(coarsest_level, mesh.level)))));
  parallel_chunks(coarse, 16, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      nearest[v] = 0;
      for (int32_t point = 1; point < static_cast<int32_t>(front.points.size()); ++point)
        if (closeness(v, point) > closeness(v, nearest[v])) nearest[v] = point;
    }
  });
  for (int level = coarsest_level + 1; level <= mesh.level; ++level) {
    const int64_t from = vertices_of_level(level - 1), to = vertices_of_level(level);
    parallel_chunks(to - from, vertex_grain, context, [&](int64_t begin, int64_t end) {
      for (auto v = static_cast<size_t>(from + begin); v < static_cast<size_t>(from + end); ++v) {
        const int32_t first = walk(v, nearest[static_cast<size_t>(parents[v][0])]);
        const int32_t second = walk(v, nearest[static_cast<size_t>(parents[v][1])]);
        nearest[v] = closeness(v, second) > closeness(v, first) ? second : first;
      }
    });
  }
  // Where another piece of the front passes between the levels, its own vertices and neighbours know it.
  for (size_t i = 0; i < front.points.size(); ++i)
    for (const int32_t v : front.points[i].sides)
      if (const auto point = static_cast<int32_t>(i);
          closeness(static_cast<size_t>(v), point) > closeness(static_cast<size_t>(v), nearest[static_cast<size_t>(v)]))
        nearest[static_cast<size_t>(v)] = point;
  for (const auto& triangle : mesh.triangles)
    for (size_t k = 0; k < 3; ++k) {
      const auto v = static_cast<size_t>(triangle[k]), w = static_cast<size_t>(triangle[(k + 1) % 3]);
      if (closeness(v, nearest[w]) > closeness(v, nearest[v])) nearest[v] = nearest[w];
      if (closeness(w, nearest[v]) > closeness(w, nearest[w])) nearest[w] = nearest[v];
    }
  return nearest;
}

}  // namespace tepui
