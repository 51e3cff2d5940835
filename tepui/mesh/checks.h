#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/source.h"

namespace tepui {

/// What a mesh is as a surface. Vertices at the same position count as one for everything but `vertices`.
struct MeshChecks {
  int64_t vertices = 0, triangles = 0;
  int64_t components = 0;            ///< of the surface; vertices without a triangle do not count
  int64_t boundary_edges = 0;        ///< with one triangle
  int64_t nonmanifold_edges = 0;     ///< with more than two
  int64_t misoriented_edges = 0;     ///< with two triangles that do not go round the same way
  int64_t degenerate_triangles = 0;  ///< without area
  std::optional<int64_t> genus;  ///< of all components together; none where the surface is not a manifold with sides
  std::optional<double> volume;  ///< of a closed mesh with an outside
  double area = 0;
};

/// An attribute's unit and values, from the least to the most.
struct MeshAttributeRange {
  std::string name, unit;
  float low = 0, high = 0;
};
/// Of a mesh without vertices from 0 to 0.
std::vector<MeshAttributeRange> attribute_ranges(const Mesh& mesh);

/// Counts and measures; the same bits for any number of threads. Time goes as n log n at worst.
MeshChecks check_mesh(const Mesh& mesh, const Context& context);

/// Whether every edge is gone along as often one way as the other. Quick: by vertices, so that a surface whose
/// triangles do not share them counts as open, and by a sum of hashes, which errs once in 2^64.
bool is_closed(const MeshSource& source, const Context& context);

/// For every vertex the smallest number of a vertex at the same position.
std::vector<uint32_t> weld(const Mesh& mesh, const Context& context);

/// The edges with one triangle, from and to as that triangle goes round, by welded vertices in ascending order.
std::vector<std::pair<uint32_t, uint32_t>> boundary_edges(const Mesh& mesh, const std::vector<uint32_t>& welded,
                                                          const Context& context);

}  // namespace tepui
