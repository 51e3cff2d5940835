#include "tepui/mesh/checks.h"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/mesh/sets.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 15;

/// A position that sorts as whole numbers; which order does not matter.
struct Key {
  uint64_t xy;
  uint32_t z, index;
  friend bool operator<(const Key& a, const Key& b) {
    if (a.xy != b.xy) return a.xy < b.xy;
    return a.z != b.z ? a.z < b.z : a.index < b.index;
  }
  bool same_place(const Key& other) const { return xy == other.xy && z == other.z; }
};

int64_t count_sets(Sets& sets, const std::vector<uint8_t>& member) {
  int64_t count = 0;
  for (size_t i = 0; i < member.size(); ++i)
    if (member[i] != 0 && sets.find(static_cast<uint32_t>(i)) == i) ++count;
  return count;
}

/// Calls act(a, b, c) with the welded corners of every triangle that has three.
template <class Act>
void for_each_face(const Mesh& mesh, const std::vector<uint32_t>& welded, const Act& act) {
  for (const MeshTriangle& t : mesh.triangles()) {
    const uint32_t a = welded[t[0]], b = welded[t[1]], c = welded[t[2]];
    if (a != b && b != c && c != a) act(a, b, c);
  }
}

/// The directed edges that go up (or down) in vertex number, gathered by their lower end.
struct EdgeLists {
  std::vector<uint64_t> first;  ///< of vertex v: first[v] to first[v + 1]
  std::vector<uint32_t> upper;  ///< the other end, ascending within a list

  std::span<const uint32_t> of(size_t v) const {
    return {upper.data() + first[v], static_cast<size_t>(first[v + 1] - first[v])};
  }
};

EdgeLists edge_lists(const Mesh& mesh, const std::vector<uint32_t>& welded, bool up, const Context& context) {
  EdgeLists lists;
  // One place further on, so that filling moves each start to where the next list begins.
  lists.first.assign(welded.size() + 2, 0);
  const auto each = [&](const auto& act) {
    for_each_face(mesh, welded, [&](uint32_t a, uint32_t b, uint32_t c) {
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
        if ((from < to) == up) act(std::min(from, to), std::max(from, to));
    });
  };
  each([&](uint32_t low, uint32_t) { ++lists.first[size_t{low} + 2]; });
  context.check();
  for (size_t v = 2; v < lists.first.size(); ++v) lists.first[v] += lists.first[v - 1];
  lists.upper.resize(static_cast<size_t>(lists.first.back()));
  each([&](uint32_t low, uint32_t high) { lists.upper[static_cast<size_t>(lists.first[size_t{low} + 1]++)] = high; });
  lists.first.pop_back();
  parallel_chunks(static_cast<int64_t>(welded.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v)
      std::sort(lists.upper.begin() + static_cast<int64_t>(lists.first[static_cast<size_t>(v)]),
                lists.upper.begin() + static_cast<int64_t>(lists.first[static_cast<size_t>(v) + 1]));
  });
  return lists;
}

/// How many times each edge from v is gone along upward and downward: act(other end, up, down).
template <class Act>
void for_each_edge(const EdgeLists& up, const EdgeLists& down, size_t v, const Act& act) {
  const auto a = up.of(v), b = down.of(v);
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const uint32_t end = j == b.size() || (i < a.size() && a[i] < b[j]) ? a[i] : b[j];
    const size_t i0 = i, j0 = j;
    while (i < a.size() && a[i] == end) ++i;
    while (j < b.size() && b[j] == end) ++j;
    act(end, i - i0, j - j0);
  }
}

struct EdgeCounts {
  int64_t all = 0, boundary = 0, nonmanifold = 0, misoriented = 0;
};

EdgeCounts count_edges(const EdgeLists& up, const EdgeLists& down, size_t vertices, const Context& context) {
  return parallel_reduce(
      static_cast<int64_t>(vertices), grain, context, EdgeCounts(),
      [&](int64_t begin, int64_t end) {
        EdgeCounts counts;
        for (int64_t v = begin; v < end; ++v)
          for_each_edge(up, down, static_cast<size_t>(v), [&](uint32_t, size_t there, size_t back) {
            ++counts.all;
            if (there + back == 1) ++counts.boundary;
            if (there + back > 2) ++counts.nonmanifold;
            if (there + back == 2 && there != back) ++counts.misoriented;
          });
        return counts;
      },
      [](const EdgeCounts& a, const EdgeCounts& b) {
        return EdgeCounts{a.all + b.all, a.boundary + b.boundary, a.nonmanifold + b.nonmanifold,
                          a.misoriented + b.misoriented};
      });
}

/// How many rings the boundary edges make.
int64_t count_rings(const EdgeLists& up, const EdgeLists& down, size_t vertices) {
  Sets rings(vertices);
  std::vector<uint8_t> on_ring(vertices, 0);
  for (size_t v = 0; v < vertices; ++v)
    for_each_edge(up, down, v, [&](uint32_t end, size_t there, size_t back) {
      if (there + back != 1) return;
      on_ring[v] = on_ring[end] = 1;
      rings.join(static_cast<uint32_t>(v), end);
    });
  return count_sets(rings, on_ring);
}

struct Measures {
  double area = 0, six_volumes = 0;
  int64_t degenerate = 0;
};

Measures measure(const Mesh& mesh, const Context& context) {
  // From the corner of the bounds, to keep digits far from the origin.
  const Vec3 low = to_vec(mesh.bounds().low);
  return parallel_reduce(
      static_cast<int64_t>(mesh.triangles().size()), grain, context, Measures(),
      [&](int64_t begin, int64_t end) {
        Measures sum;
        for (int64_t i = begin; i < end; ++i) {
          const MeshTriangle& t = mesh.triangles()[static_cast<size_t>(i)];
          const Vec3 a = to_vec(mesh.positions()[t[0]]), b = to_vec(mesh.positions()[t[1]]),
                     c = to_vec(mesh.positions()[t[2]]);
          const Vec3 normal = cross(b - a, c - a);
          const double area = 0.5 * length(normal);
          if (area == 0) ++sum.degenerate;
          sum.area += area;
          sum.six_volumes += dot(a - low, normal);
        }
        return sum;
      },
      [](const Measures& a, const Measures& b) {
        return Measures{a.area + b.area, a.six_volumes + b.six_volumes, a.degenerate + b.degenerate};
      });
}

}  // namespace

std::vector<MeshAttributeRange> attribute_ranges(const Mesh& mesh) {
  std::vector<MeshAttributeRange> ranges;
  for (const MeshAttribute& attribute : mesh.attributes()) {
    ranges.push_back({attribute.name, attribute.unit});
    if (attribute.values.empty()) continue;
    const auto [low, high] = std::ranges::minmax_element(attribute.values);
    ranges.back().low = *low;
    ranges.back().high = *high;
  }
  return ranges;
}

bool is_closed(const MeshSource& source, const Context& context) {
  const Stream stream(0x636c6f736564);
  const auto sum_of = [&](int64_t begin, int64_t end) {
    std::vector<MeshTriangle> triangles(static_cast<size_t>(end - begin));
    source.triangles(begin, triangles);
    uint64_t sum = 0;
    for (const MeshTriangle& t : triangles)
      for (size_t k = 0; k < 3; ++k) {
        const uint32_t from = t[k], to = t[(k + 1) % 3];
        const uint64_t hash = stream.bits(std::min(from, to), std::max(from, to));
        if (from != to) sum += from < to ? hash : 0 - hash;
      }
    return sum;
  };
  return source.facts().triangles > 0 && parallel_reduce(source.facts().triangles, grain, context, uint64_t{0}, sum_of,
                                                         [](uint64_t a, uint64_t b) { return a + b; }) == 0;
}

std::vector<uint32_t> weld(const Mesh& mesh, const Context& context) {
  const auto positions = mesh.positions();
  std::vector<Key> keys(positions.size());
  parallel_chunks(static_cast<int64_t>(keys.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const MeshPoint& p = positions[static_cast<size_t>(i)];
      keys[static_cast<size_t>(i)] = {uint64_t{std::bit_cast<uint32_t>(p[0])} << 32 | std::bit_cast<uint32_t>(p[1]),
                                      std::bit_cast<uint32_t>(p[2]), static_cast<uint32_t>(i)};
    }
  });
  // No two keys are equal, so that there is one order.
  tbb::this_task_arena::isolate([&] { tbb::parallel_sort(keys.begin(), keys.end()); });
  context.check();
  std::vector<uint32_t> same(positions.size());
  for (size_t i = 0; i < keys.size(); ++i)
    same[keys[i].index] = i > 0 && keys[i].same_place(keys[i - 1]) ? same[keys[i - 1].index] : keys[i].index;
  return same;
}

std::vector<std::pair<uint32_t, uint32_t>> boundary_edges(const Mesh& mesh, const std::vector<uint32_t>& welded,
                                                          const Context& context) {
  const EdgeLists up = edge_lists(mesh, welded, true, context), down = edge_lists(mesh, welded, false, context);
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (size_t v = 0; v < welded.size(); ++v)
    for_each_edge(up, down, v, [&](uint32_t end, size_t there, size_t back) {
      const auto here = static_cast<uint32_t>(v);
      if (there + back == 1) edges.push_back(there == 1 ? std::pair(here, end) : std::pair(end, here));
    });
  return edges;
}

MeshChecks check_mesh(const Mesh& mesh, const Context& context) {
  MeshChecks checks;
  checks.vertices = static_cast<int64_t>(mesh.positions().size());
  checks.triangles = static_cast<int64_t>(mesh.triangles().size());
  const Measures measures = measure(mesh, context.stage("measuring", 0, 0.1));
  checks.area = measures.area;
  checks.degenerate_triangles = measures.degenerate;

  const std::vector<uint32_t> welded = weld(mesh, context.stage("welding", 0.1, 0.3));
  Sets components(welded.size());
  std::vector<uint8_t> used(welded.size(), 0);
  int64_t faces = 0;
  for_each_face(mesh, welded, [&](uint32_t a, uint32_t b, uint32_t c) {
    ++faces;
    used[a] = used[b] = used[c] = 1;
    components.join(a, b);
    components.join(b, c);
  });
  checks.components = count_sets(components, used);
  context.check();

  const EdgeLists up = edge_lists(mesh, welded, true, context.stage("edges", 0.4, 0.6));
  const EdgeLists down = edge_lists(mesh, welded, false, context.stage("edges", 0.6, 0.8));
  const EdgeCounts edges = count_edges(up, down, welded.size(), context.stage("edges", 0.8, 1));
  checks.boundary_edges = edges.boundary;
  checks.nonmanifold_edges = edges.nonmanifold;
  checks.misoriented_edges = edges.misoriented;
  if (faces == 0 || edges.nonmanifold > 0 || edges.misoriented > 0) return checks;
  if (edges.boundary == 0) checks.volume = measures.six_volumes / 6;
  // Euler: V - E + F = 2 C - 2 g - rings, for surfaces with two sides.
  const int64_t euler = std::count(used.begin(), used.end(), uint8_t{1}) - edges.all + faces;
  const int64_t handles = 2 * checks.components - count_rings(up, down, welded.size()) - euler;
  // Parts that touch in a single point make it odd or negative.
  if (handles >= 0 && handles % 2 == 0) checks.genus = handles / 2;
  return checks;
}

}  // namespace tepui
