#include "tepui/planet/refine_net.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "tepui/core/parallel.h"
#include "tepui/planet/kept_numbers.h"

namespace tepui {

namespace {

constexpr int64_t grain = 2048;

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// Makes `triangle` the one on the side of the edge that is gone along from `corner`.
void set_side(NetEdge& edge, int32_t corner, int32_t triangle) {
  (edge.first == corner ? edge.left : edge.right) = triangle;
}

NetEdge ordered(int32_t from, int32_t to, int32_t left, int32_t right, std::span<const VertexId> ids) {
  return ids[at(from)] < ids[at(to)] ? NetEdge{from, to, left, right} : NetEdge{to, from, right, left};
}

/// Ring by ring, marks the corners of the triangles that touch marked ones.
void widen(const RefineNet& net, PoolVector<uint8_t>& marks, int rings, const Context& context) {
  for (int ring = 1; ring < rings; ++ring)
    parallel_chunks(static_cast<int64_t>(net.triangles.size()), grain, context, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const auto& corner = net.triangles[static_cast<size_t>(t)].corner;
        const auto mark = [&](size_t k) { return std::atomic_ref(marks[at(corner[k])]); };
        const auto marked = [&](size_t k) {
          const int value = mark(k).load(std::memory_order_relaxed);
          return value != 0 && value <= ring;
        };
        if (!marked(0) && !marked(1) && !marked(2)) continue;
        for (size_t k = 0; k < 3; ++k)
          if (mark(k).load(std::memory_order_relaxed) == 0)
            mark(k).store(static_cast<uint8_t>(ring + 1), std::memory_order_relaxed);
      }
    });
}

}  // namespace

RefineNet make_net(std::span<const std::array<int32_t, 3>> triangles, std::span<const VertexId> ids) {
  RefineNet net;
  net.triangles.resize(triangles.size());
  net.drawn.assign(triangles.size(), 1);
  net.edges.reserve(triangles.size() * 3 / 2 + 16);
  // The edges at each vertex, as a list through `next`.
  std::vector<int32_t> newest(ids.size(), -1), next;
  for (size_t t = 0; t < triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const int32_t from = triangles[t][k], to = triangles[t][(k + 1) % 3], number = static_cast<int32_t>(t);
      const NetEdge edge = ordered(from, to, -1, -1, ids);
      int32_t e = newest[at(edge.first)];
      while (e >= 0 && net.edges[at(e)].second != edge.second) e = next[at(e)];
      if (e < 0) {
        e = static_cast<int32_t>(net.edges.size());
        net.edges.push_back(edge);
        next.push_back(newest[at(edge.first)]);
        newest[at(edge.first)] = e;
      }
      set_side(net.edges[at(e)], from, number);
      net.triangles[t].corner[k] = from;
      net.triangles[t].edge[k] = e;
    }
  return net;
}

Splits find_splits(const RefineNet& net, const FineVertices& vertices, const SplitRegion& region, int level,
                   const Context& context) {
  Splits splits;
  splits.drawn.assign(net.edges.size(), 0);
  PoolVector<uint8_t> marks(vertices.size(), 0);
  std::atomic<bool> any = false;
  parallel_chunks(static_cast<int64_t>(net.edges.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto e = static_cast<size_t>(begin); e < static_cast<size_t>(end); ++e) {
      const NetEdge& edge = net.edges[e];
      const bool drawn =
          (edge.left >= 0 && net.drawn[at(edge.left)] != 0) || (edge.right >= 0 && net.drawn[at(edge.right)] != 0);
      if (!drawn) continue;
      const Vec3 middle = (vertices.direction[at(edge.first)] + vertices.direction[at(edge.second)]) * 0.5;
      if (!region.splits(level, middle)) continue;
      splits.drawn[e] = 1;
      for (const int32_t v : {edge.first, edge.second})
        std::atomic_ref(marks[at(v)]).store(1, std::memory_order_relaxed);
      any.store(true, std::memory_order_relaxed);
    }
  });
  splits.any = any;
  if (!splits.any) return splits;
  widen(net, marks, Splits::rings, context);
  KeptNumbers whole = kept_numbers(net.triangles.size(), context, [&](size_t t) {
    const auto& corner = net.triangles[t].corner;
    return (marks[at(corner[0])] | marks[at(corner[1])] | marks[at(corner[2])]) != 0;
  });
  KeptNumbers born = kept_numbers(net.edges.size(), context, [&](size_t e) {
    const NetEdge& edge = net.edges[e];
    return (edge.left >= 0 && whole.place[at(edge.left)] >= 0) || (edge.right >= 0 && whole.place[at(edge.right)] >= 0);
  });
  splits.whole = std::move(whole.kept);
  splits.ordinal = std::move(whole.place);
  splits.born = std::move(born.kept);
  splits.place = std::move(born.place);
  return splits;
}

RefineNet split_net(const RefineNet& net, const Splits& splits, int32_t first_new, std::span<const VertexId> ids,
                    const Context& context) {
  const auto halves = static_cast<int64_t>(splits.born.size()), whole = static_cast<int64_t>(splits.whole.size());
  RefineNet fine;
  fine.edges.resize(splits.born.size() * 2 + splits.whole.size() * 3);
  fine.triangles.resize(splits.whole.size() * 4);
  fine.drawn.resize(splits.whole.size() * 4);
  // The child of a triangle on edge k's side that keeps corner k, or the next.
  const auto child = [&](int32_t t, int32_t e, bool next) -> int32_t {
    if (t < 0 || splits.ordinal[at(t)] < 0) return -1;
    const auto& edge = net.triangles[at(t)].edge;
    const int32_t k = edge[0] == e ? 0 : edge[1] == e ? 1 : 2;
    return 4 * splits.ordinal[at(t)] + (next ? (k + 1) % 3 : k);
  };
  parallel_chunks(halves, grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int32_t e = splits.born[static_cast<size_t>(k)], middle = first_new + static_cast<int32_t>(k);
      const NetEdge& edge = net.edges[at(e)];
      const auto out = static_cast<size_t>(2 * k);
      fine.edges[out] = ordered(edge.first, middle, child(edge.left, e, false), child(edge.right, e, true), ids);
      fine.edges[out + 1] = ordered(middle, edge.second, child(edge.left, e, true), child(edge.right, e, false), ids);
    }
  });
  parallel_chunks(whole, grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const int32_t t = splits.whole[static_cast<size_t>(n)];
      const NetTriangle& coarse = net.triangles[at(t)];
      std::array<int32_t, 3> middle;
      bool drawn = net.drawn[at(t)] != 0;
      for (size_t k = 0; k < 3; ++k) {
        middle[k] = first_new + splits.place[at(coarse.edge[k])];
        drawn = drawn && splits.drawn[at(coarse.edge[k])] != 0;
      }
      const auto half = [&](size_t k, int32_t corner) {
        return 2 * splits.place[at(coarse.edge[k])] + (net.edges[at(coarse.edge[k])].first == corner ? 0 : 1);
      };
      const auto inner = static_cast<int32_t>(2 * halves + 3 * n), first = static_cast<int32_t>(4 * n);
      NetTriangle* out = &fine.triangles[at(first)];
      for (size_t k = 0; k < 3; ++k) {
        const size_t before = (k + 2) % 3;
        const int32_t cut = inner + static_cast<int32_t>(k), corner = coarse.corner[k];
        out[k] = {{corner, middle[k], middle[before]}, {half(k, corner), cut, half(before, corner)}};
        fine.edges[at(cut)] = ordered(middle[k], middle[before], first + static_cast<int32_t>(k), first + 3, ids);
      }
      out[3] = {middle, {inner + 1, inner + 2, inner}};
      std::fill_n(&fine.drawn[at(first)], 4, static_cast<uint8_t>(drawn ? 1 : 0));
    }
  });
  return fine;
}

namespace {

/// How badly an edge breaks Delaunay's rule: minus the sum of the cotangents of the angles across it. 0 where it keeps
/// the rule, or must not flip.
float badness(const RefineNet& net, size_t e, const FineVertices& vertices) {
  const NetEdge& edge = net.edges[e];
  if (edge.left < 0 || edge.right < 0) return 0;
  if (vertices.receiver[at(edge.first)] == edge.second || vertices.receiver[at(edge.second)] == edge.first) return 0;
  const auto place = [&](int32_t v) { return vertices.direction[at(v)]; };
  const auto number = static_cast<int32_t>(e);
  const Vec3 a = place(edge.first), b = place(edge.second);
  const Vec3 c = place(net.opposite(edge.left, number)), d = place(net.opposite(edge.right, number));
  const Vec3 ca = a - c, cb = b - c, da = a - d, db = b - d;
  const double cos_c = dot(ca, cb), cos_d = dot(da, db);
  // Two acute angles keep the rule.
  if (cos_c >= 0 && cos_d >= 0) return 0;
  const double at_c = dot(cross(ca, cb), c), at_d = dot(cross(db, da), d);
  if (!(at_c > 0) || !(at_d > 0)) return 0;
  const double bad = -(cos_c / at_c + cos_d / at_d);
  if (!(bad > 1e-6)) return 0;
  // Both new triangles must be sound.
  const double least = 0.05 * (at_c + at_d);
  if (dot(cross(ca, d - c), c) < least || dot(cross(d - c, cb), c) < least) return 0;
  return static_cast<float>(bad);
}

bool is_worst(const RefineNet& net, size_t e, std::span<const float> bad) {
  if (!(bad[e] > 0)) return false;
  for (const int32_t t : {net.edges[e].left, net.edges[e].right})
    for (const int32_t other : net.triangles[at(t)].edge)
      if (at(other) != e && bad[at(other)] >= bad[e]) return false;
  return true;
}

}  // namespace

bool breaks_delaunay(const RefineNet& net, int32_t edge, const FineVertices& vertices) {
  return badness(net, at(edge), vertices) > 0;
}

/// Triangles (a, b, c) and (b, a, d) become (c, a, d) and (d, b, c).
void flip_edge(RefineNet& net, int32_t number, std::span<const VertexId> ids) {
  const NetEdge old = net.edges[at(number)];
  NetTriangle &ours = net.triangles[at(old.left)], &theirs = net.triangles[at(old.right)];
  const auto side = [&](const NetTriangle& t) -> size_t {
    return t.edge[0] == number ? 0 : t.edge[1] == number ? 1 : 2;
  };
  const size_t k = side(ours), m = side(theirs);
  const int32_t a = old.first, b = old.second, c = ours.corner[(k + 2) % 3], d = theirs.corner[(m + 2) % 3];
  const int32_t bc = ours.edge[(k + 1) % 3], ca = ours.edge[(k + 2) % 3];
  const int32_t ad = theirs.edge[(m + 1) % 3], db = theirs.edge[(m + 2) % 3];
  ours = {{c, a, d}, {ca, ad, number}};
  theirs = {{d, b, c}, {db, bc, number}};
  net.edges[at(number)] = ordered(d, c, old.left, old.right, ids);
  set_side(net.edges[at(ad)], a, old.left);
  set_side(net.edges[at(bc)], b, old.right);
}

void flip_edges(RefineNet& net, const FineVertices& vertices, int level, FineLand& land, const Context& context) {
  const auto edges = static_cast<int64_t>(net.edges.size());
  PoolVector<float> bad(net.edges.size());
  parallel_chunks(edges, grain, context, [&](int64_t begin, int64_t end) {
    for (auto e = static_cast<size_t>(begin); e < static_cast<size_t>(end); ++e) bad[e] = badness(net, e, vertices);
  });
  PoolVector<uint8_t> flips(net.edges.size());
  parallel_chunks(edges, grain, context, [&](int64_t begin, int64_t end) {
    for (auto e = static_cast<size_t>(begin); e < static_cast<size_t>(end); ++e)
      flips[e] = is_worst(net, e, bad) ? 1 : 0;
  });
  for (size_t e = 0; e < flips.size(); ++e) {
    if (flips[e] == 0) continue;
    const int32_t left = net.edges[e].left, right = net.edges[e].right;
    if (net.drawn[at(left)] == net.drawn[at(right)]) continue;
    const int32_t alone = net.drawn[at(left)] != 0 ? left : right;
    land.triangles.push_back(net.triangles[at(alone)].corner);
    land.triangle_level.push_back(static_cast<uint8_t>(level));
    net.drawn[at(alone)] = 0;
  }
  parallel_chunks(edges, grain, context, [&](int64_t begin, int64_t end) {
    for (auto e = static_cast<size_t>(begin); e < static_cast<size_t>(end); ++e)
      if (flips[e] != 0) flip_edge(net, static_cast<int32_t>(e), vertices.id);
  });
}

namespace {

/// The areas of the two halves of a quadrilateral cut from p to r, the lesser of them.
double lesser_half(Vec3 p, Vec3 q, Vec3 r, Vec3 s) {
  return std::min(dot(cross(q - p, r - p), p), dot(cross(r - p, s - p), p));
}

using Corners = std::array<int32_t, 3>;

/// Of how many pieces a triangle is of whose edges those are split where `middle` is not negative; none if all are.
size_t piece_number(const Corners& middle) {
  const int split = (middle[0] >= 0) + (middle[1] >= 0) + (middle[2] >= 0);
  return split == 3 ? 0 : static_cast<size_t>(split) + 1;
}

/// Writes these pieces.
void pieces(const Corners& corner, const Corners& middle, std::span<const Vec3> places, Corners* out) {
  const size_t number = piece_number(middle) - 1;
  if (number == 0) {
    out[0] = corner;
    return;
  }
  // Turned so that the one edge that differs from the others is the first.
  size_t turn = 0;
  while ((middle[turn] >= 0) != (number == 1)) ++turn;
  const int32_t a = corner[turn], b = corner[(turn + 1) % 3], c = corner[(turn + 2) % 3];
  if (number == 1) {
    out[0] = {a, middle[turn], c};
    out[1] = {middle[turn], b, c};
    return;
  }
  const int32_t bc = middle[(turn + 1) % 3], ca = middle[(turn + 2) % 3];
  out[0] = {bc, c, ca};
  const auto place = [&](int32_t v) { return places[at(v)]; };
  const double from_a = lesser_half(place(a), place(b), place(bc), place(ca));
  const double from_b = lesser_half(place(b), place(bc), place(ca), place(a));
  if (from_a >= from_b) {
    out[1] = {a, b, bc};
    out[2] = {a, bc, ca};
  } else {
    out[1] = {a, b, ca};
    out[2] = {b, bc, ca};
  }
}

}  // namespace

void put_out_border(const RefineNet& net, const Splits& splits, int32_t first_new, int level, FineLand& land,
                    const Context& context) {
  const auto count = static_cast<int64_t>(net.triangles.size());
  const auto middles = [&](size_t t) {
    Corners middle{-1, -1, -1};
    if (splits.any)
      for (size_t k = 0; k < 3; ++k) {
        const int32_t e = net.triangles[t].edge[k];
        if (splits.drawn[at(e)] != 0) middle[k] = first_new + splits.place[at(e)];
      }
    return middle;
  };
  const auto number = [&](size_t t) { return net.drawn[t] != 0 ? piece_number(middles(t)) : 0; };
  // Where each chunk's pieces begin.
  PoolVector<size_t> first(static_cast<size_t>((count + grain - 1) / grain) + 1, land.triangles.size());
  parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
    size_t sum = 0;
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) sum += number(t);
    first[static_cast<size_t>(begin / grain) + 1] = sum;
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  land.triangles.resize(first.back());
  land.triangle_level.resize(first.back(), static_cast<uint8_t>(level));
  parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
    Corners* out = land.triangles.data() + first[static_cast<size_t>(begin / grain)];
    for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t)
      if (const size_t own = number(t); own > 0) {
        pieces(net.triangles[t].corner, middles(t), land.vertices.direction, out);
        out += own;
      }
  });
}

}  // namespace tepui
