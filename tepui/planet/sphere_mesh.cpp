#include "tepui/planet/sphere_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr int64_t vertex_grain = 4096;

using Triangle = std::array<int32_t, 3>;
using Edge = std::array<int32_t, 2>;

/// A triangulation with its edges numbered: edge k of a triangle joins its corners k and k + 1.
struct Net {
  std::vector<Edge> edges;
  std::vector<Triangle> triangles, sides;
};

constexpr Triangle icosahedron[20] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                      {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                      {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                      {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

std::vector<Vec3> icosahedron_corners() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Vec3> corners = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                               {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Vec3& corner : corners) corner = normalised(corner);
  return corners;
}

Net icosahedron_net() {
  Net net;
  for (const Triangle& triangle : icosahedron) {
    Triangle sides;
    for (size_t k = 0; k < 3; ++k) {
      const int32_t a = triangle[k], b = triangle[(k + 1) % 3];
      const Edge edge = {std::min(a, b), std::max(a, b)};
      const auto found = std::find(net.edges.begin(), net.edges.end(), edge);
      sides[k] = static_cast<int32_t>(found - net.edges.begin());
      if (found == net.edges.end()) net.edges.push_back(edge);
    }
    net.triangles.push_back(triangle);
    net.sides.push_back(sides);
  }
  return net;
}

/// Every triangle in four. The vertex on edge e is number `vertices` + e; edge e becomes edges 2 e (at its first end)
/// and 2 e + 1.
Net split(const Net& net, int32_t vertices) {
  const auto edges = static_cast<int32_t>(net.edges.size());
  Net fine;
  fine.edges.resize(net.edges.size() * 2 + net.triangles.size() * 3);
  fine.triangles.resize(net.triangles.size() * 4);
  fine.sides.resize(net.triangles.size() * 4);
  for (int32_t e = 0; e < edges; ++e) {
    const Edge& edge = net.edges[static_cast<size_t>(e)];
    fine.edges[static_cast<size_t>(e) * 2] = {edge[0], vertices + e};
    fine.edges[static_cast<size_t>(e) * 2 + 1] = {edge[1], vertices + e};
  }
  for (size_t t = 0; t < net.triangles.size(); ++t) {
    const Triangle &corner = net.triangles[t], &side = net.sides[t];
    const auto half = [&](int32_t e, int32_t v) { return 2 * e + (net.edges[static_cast<size_t>(e)][0] == v ? 0 : 1); };
    const Triangle middle = {vertices + side[0], vertices + side[1], vertices + side[2]};
    const int32_t inner = 2 * edges + 3 * static_cast<int32_t>(t);
    for (size_t k = 0; k < 3; ++k) {
      const size_t before = (k + 2) % 3;
      const int32_t cut = inner + static_cast<int32_t>(k);
      fine.edges[static_cast<size_t>(cut)] = {middle[k], middle[before]};
      fine.triangles[4 * t + k] = {corner[k], middle[k], middle[before]};
      fine.sides[4 * t + k] = {half(side[k], corner[k]), cut, half(side[before], corner[k])};
    }
    fine.triangles[4 * t + 3] = middle;
    fine.sides[4 * t + 3] = {inner + 1, inner + 2, inner};
  }
  return fine;
}

/// Calls step(net, vertices) before every split up to `level`, and gives the last net.
template <class Step>
Net split_to(int level, const Step& step) {
  Net net = icosahedron_net();
  for (int n = 0; n < level; ++n) {
    const auto vertices = static_cast<int32_t>(vertices_of_level(n));
    step(net);
    net = split(net, vertices);
  }
  return net;
}

/// Which triangle lies across edge k of each triangle (between corners k and k + 1).
std::vector<Triangle> across(const Net& net) {
  std::vector<std::array<int32_t, 2>> of_edge(net.edges.size(), {-1, -1});
  for (size_t t = 0; t < net.triangles.size(); ++t)
    for (const int32_t e : net.sides[t]) {
      auto& both = of_edge[static_cast<size_t>(e)];
      both[both[0] < 0 ? 0 : 1] = static_cast<int32_t>(t);
    }
  std::vector<Triangle> other(net.triangles.size());
  for (size_t t = 0; t < net.triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const auto& both = of_edge[static_cast<size_t>(net.sides[t][k])];
      other[t][k] = both[both[0] == static_cast<int32_t>(t) ? 1 : 0];
    }
  return other;
}

/// Flips edges until every one obeys Delaunay's rule: on the sphere, until the solid of the triangles is convex.
class Flips {
 public:
  Flips(const std::vector<Direction>& places, std::vector<Triangle>& triangles, std::vector<Triangle> other)
      : places_(places), triangles_(triangles), other_(std::move(other)) {}

  void run() {
    for (int32_t t = 0; t < static_cast<int32_t>(triangles_.size()); ++t) todo_.push_back(t);
    for (size_t next = 0; next < todo_.size(); ++next)
      for (size_t k = 0; k < 3; ++k)
        if (is_dented(todo_[next], k)) {
          flip(todo_[next], k);
          break;
        }
  }

 private:
  static size_t side_towards(const Triangle& other, int32_t t) { return other[0] == t ? 0 : other[1] == t ? 1 : 2; }

  bool is_dented(int32_t t, size_t k) const {
    const int32_t u = other_[static_cast<size_t>(t)][k];
    const Triangle &ours = triangles_[static_cast<size_t>(t)], &theirs = triangles_[static_cast<size_t>(u)];
    const size_t side = side_towards(other_[static_cast<size_t>(u)], t);
    const Vec3 a = at(ours[k]), b = at(ours[(k + 1) % 3]), c = at(ours[(k + 2) % 3]), d = at(theirs[(side + 2) % 3]);
    return dot(cross(b - a, c - a), d - a) > 1e-18;
  }

  /// Triangles (a, b, c) and (b, a, d) become (c, a, d) and (d, b, c).
  void flip(int32_t t, size_t k) {
    const int32_t u = other_[static_cast<size_t>(t)][k];
    Triangle &ours = triangles_[static_cast<size_t>(t)], &theirs = triangles_[static_cast<size_t>(u)];
    Triangle &our_other = other_[static_cast<size_t>(t)], &their_other = other_[static_cast<size_t>(u)];
    const size_t side = side_towards(their_other, t);
    const int32_t a = ours[k], b = ours[(k + 1) % 3], c = ours[(k + 2) % 3], d = theirs[(side + 2) % 3];
    const int32_t bc = our_other[(k + 1) % 3], ca = our_other[(k + 2) % 3];
    const int32_t ad = their_other[(side + 1) % 3], db = their_other[(side + 2) % 3];
    ours = {c, a, d};
    our_other = {ca, ad, u};
    theirs = {d, b, c};
    their_other = {db, bc, t};
    redirect(ad, u, t);
    redirect(bc, t, u);
    for (const int32_t again : {t, u, ca, ad, db, bc}) todo_.push_back(again);
  }

  void redirect(int32_t triangle, int32_t from, int32_t to) {
    Triangle& other = other_[static_cast<size_t>(triangle)];
    other[side_towards(other, from)] = to;
  }

  Vec3 at(int32_t v) const { return places_[static_cast<size_t>(v)]; }

  const std::vector<Direction>& places_;
  std::vector<Triangle>& triangles_;
  std::vector<Triangle> other_;
  std::vector<int32_t> todo_;
};

std::vector<Vec3> regular_places(const std::vector<Edge>& parents) {
  std::vector<Vec3> places = icosahedron_corners();
  places.reserve(parents.size());
  for (size_t v = places.size(); v < parents.size(); ++v)
    places.push_back(
        normalised(places[static_cast<size_t>(parents[v][0])] + places[static_cast<size_t>(parents[v][1])]));
  return places;
}

}  // namespace

VertexId born_between(VertexId a, VertexId b) {
  if (b < a) std::swap(a, b);
  const uint64_t first = mix_bits(a.high + 0x9e3779b97f4a7c15u), second = mix_bits(b.high ^ 0xd1342543de82ef95u);
  return {mix_bits(first + 3 * second + mix_bits(a.low ^ mix_bits(b.low + first))),
          mix_bits(second + 5 * mix_bits(a.low + 1) + mix_bits(b.low ^ mix_bits(a.high + second)))};
}

double edge_of_level(int level) {
  // Of equal triangles that fill the sphere.
  return std::sqrt(4 * math::pi / static_cast<double>(triangles_of_level(level)) * 4 / std::sqrt(3.0));
}

std::vector<std::array<int32_t, 2>> icosphere_parents(int level) {
  std::vector<Edge> parents;
  for (int32_t v = 0; v < 12; ++v) parents.push_back({v, v});
  split_to(level, [&](const Net& net) { parents.insert(parents.end(), net.edges.begin(), net.edges.end()); });
  return parents;
}

std::vector<VertexId> icosphere_ids(int level) {
  std::vector<VertexId> ids;
  for (const Edge& parents : icosphere_parents(level))
    ids.push_back(ids.size() < 12
                      ? VertexId{0, ids.size() + 1}
                      : born_between(ids[static_cast<size_t>(parents[0])], ids[static_cast<size_t>(parents[1])]));
  return ids;
}

SphereMesh icosphere(int level, double jitter, uint64_t key, const Context& context) {
  SphereMesh mesh;
  mesh.level = level;
  std::vector<Edge> parents;
  for (int32_t v = 0; v < 12; ++v) parents.push_back({v, v});
  Net net = split_to(
      level, [&](const Net& coarse) { parents.insert(parents.end(), coarse.edges.begin(), coarse.edges.end()); });
  context.check();
  const std::vector<Vec3> regular = regular_places(parents);
  mesh.directions.resize(regular.size());
  const Stream stream(key);
  const double most = jitter * edge_of_level(level);
  parallel_chunks(static_cast<int64_t>(parents.size()), vertex_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const Vec3 place = regular[static_cast<size_t>(v)];
      const LocalAxes axes = local_axes(place);
      const double angle = stream.uniform(static_cast<uint64_t>(v), 0, 0, 2 * math::pi);
      const double far = most * std::sqrt(stream.uniform(static_cast<uint64_t>(v), 1));
      mesh.directions[static_cast<size_t>(v)] =
          normalised(place + axes.east * (far * math::cos(angle)) + axes.north * (far * math::sin(angle)));
    }
  });
  mesh.triangles = std::move(net.triangles);
  net.triangles = mesh.triangles;
  Flips(mesh.directions, mesh.triangles, across(net)).run();
  return mesh;
}

Neighbours neighbours(const SphereMesh& mesh) {
  const size_t count = mesh.directions.size();
  Neighbours all;
  all.first.assign(count + 1, 0);
  for (const Triangle& triangle : mesh.triangles)
    for (const int32_t v : triangle) ++all.first[static_cast<size_t>(v) + 1];
  std::partial_sum(all.first.begin(), all.first.end(), all.first.begin());
  std::vector<Edge> fans(mesh.triangles.size() * 3);
  std::vector<int32_t> filled(all.first.begin(), all.first.end() - 1);
  for (const Triangle& triangle : mesh.triangles)
    for (size_t k = 0; k < 3; ++k)
      fans[static_cast<size_t>(filled[static_cast<size_t>(triangle[k])]++)] = {triangle[(k + 1) % 3],
                                                                               triangle[(k + 2) % 3]};
  all.vertex.resize(fans.size());
  for (size_t v = 0; v < count; ++v) {
    const auto begin = fans.begin() + all.first[v], end = fans.begin() + all.first[v + 1];
    int32_t next = std::min_element(begin, end)->at(0);
    for (auto out = all.first[v]; out < all.first[v + 1]; ++out) {
      all.vertex[static_cast<size_t>(out)] = next;
      next = std::find_if(begin, end, [&](const Edge& fan) { return fan[0] == next; })->at(1);
    }
  }
  return all;
}

std::vector<double> cell_areas(const SphereMesh& mesh) {
  std::vector<double> areas(mesh.directions.size(), 0);
  double sum = 0;
  for (const Triangle& triangle : mesh.triangles) {
    const Vec3 a = mesh.directions[static_cast<size_t>(triangle[0])],
               b = mesh.directions[static_cast<size_t>(triangle[1])],
               c = mesh.directions[static_cast<size_t>(triangle[2])];
    // Van Oosterom and Strackee 1983: the solid angle of a triangle.
    const double area = 2 * math::atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
    sum += area;
    for (const int32_t v : triangle) areas[static_cast<size_t>(v)] += area / 3;
  }
  for (double& area : areas) area *= 4 * math::pi / sum;
  return areas;
}

double arc(Vec3 a, Vec3 b) { return 2 * math::atan2(length(a - b), length(a + b)); }

double latitude(Vec3 direction) {
  return math::atan2(direction.z, std::sqrt(direction.x * direction.x + direction.y * direction.y));
}
double longitude(Vec3 direction) { return math::atan2(direction.y, direction.x); }

Vec3 direction_at(double latitude, double longitude) {
  const double across = math::cos(latitude);
  return {across * math::cos(longitude), across * math::sin(longitude), math::sin(latitude)};
}

LocalAxes local_axes(Vec3 direction) {
  const double across = std::sqrt(direction.x * direction.x + direction.y * direction.y);
  const Vec3 east = across > 1e-12 ? Vec3{-direction.y / across, direction.x / across, 0} : Vec3{0, 1, 0};
  return {east, cross(direction, east)};
}

}  // namespace tepui
