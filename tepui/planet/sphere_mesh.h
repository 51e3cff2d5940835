#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Planets are made at the Earth's size, in metres; one of another radius is that one made smaller or larger.
inline constexpr double earth_radius = 6.371e6;

/// The name of a vertex for ever: of a corner of the icosahedron its number, of every other a hash of the names of the
/// two ends of the edge on which it was born.
struct VertexId {
  uint64_t high = 0, low = 0;
  friend auto operator<=>(const VertexId&, const VertexId&) = default;
};

/// The name of the vertex born on the edge between `a` and `b`, in any order.
VertexId born_between(VertexId a, VertexId b);

/// A unit vector, exact to some 30 cm on the Earth: where jitter has put a vertex of a mesh, which is then there
/// exactly.
struct Direction {
  float x = 0, y = 0, z = 0;
  Direction() = default;
  Direction(Vec3 v) : x(static_cast<float>(v.x)), y(static_cast<float>(v.y)), z(static_cast<float>(v.z)) {}
  operator Vec3() const { return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}; }
};

/// A mesh on the unit sphere. Vertices of coarser levels of an icosphere come first, so that the first
/// `vertices_of_level(n)` are those of level n.
struct SphereMesh {
  int level = 0;
  std::vector<Direction> directions;              ///< unit vectors; z is the pole, x the meridian of Greenwich
  std::vector<std::array<int32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

constexpr int64_t vertices_of_level(int level) { return 10 * (int64_t{1} << (2 * level)) + 2; }
constexpr int64_t triangles_of_level(int level) { return 20 * (int64_t{1} << (2 * level)); }

/// The length in radians of the edges of a level, on average.
double edge_of_level(int level);

/// The two ends of the edge of the coarser level on which each vertex was born; of the twelve corners themselves.
std::vector<std::array<int32_t, 2>> icosphere_parents(int level);

/// The names of the vertices of an icosphere.
std::vector<VertexId> icosphere_ids(int level);

/// The icosphere whose vertices are moved sideways by up to `jitter` edges, by their names and `key`, and whose edges
/// are those of Delaunay's triangulation: nothing in it shows where the icosahedron lay.
SphereMesh icosphere(int level, double jitter, uint64_t key, const Context& context);

/// Each vertex's neighbours, counter-clockwise seen from outside: those of vertex v are vertex[first[v]] up to
/// vertex[first[v + 1]]. The triangles between them lie between one and the next.
struct Neighbours {
  std::vector<int32_t> first, vertex;
  std::span<const int32_t> of(int32_t v) const {
    const auto begin = static_cast<size_t>(first[static_cast<size_t>(v)]);
    const auto end = static_cast<size_t>(first[static_cast<size_t>(v) + 1]);
    return {vertex.data() + begin, end - begin};
  }
};
Neighbours neighbours(const SphereMesh& mesh);

/// The share of the sphere's surface that each vertex's cell has: a third of the triangles around it. They sum to 4 pi.
std::vector<double> cell_areas(const SphereMesh& mesh);

/// The length of the arc between two unit vectors, in radians; exact for near ones.
double arc(Vec3 a, Vec3 b);

/// In radians: latitude in [-pi/2, pi/2], longitude in [-pi, pi].
double latitude(Vec3 direction);
double longitude(Vec3 direction);
Vec3 direction_at(double latitude, double longitude);

/// East and north at a place; at a pole, as if it lay on the meridian of Greenwich.
struct LocalAxes {
  Vec3 east, north;
};
LocalAxes local_axes(Vec3 direction);

inline Vec3 normalised(Vec3 v) { return v * (1 / length(v)); }

}  // namespace tepui
