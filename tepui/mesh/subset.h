#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/mesh/mesh.h"

namespace tepui {

/// The vertices that are named, in this order, with all they have and without triangles.
MeshData pick_vertices(const Mesh& mesh, std::span<const uint32_t> vertices);

/// These triangles, whose corners are vertices of `mesh`, with the vertices that they use in the order in which the
/// mesh has them.
Mesh subset(const Mesh& mesh, std::span<const MeshTriangle> triangles);

/// The same triangles, turned round and ordered so that a graphics card transforms few vertices twice, and vertices in
/// the order of their first use; those that no triangle uses are left out. Tepui's own order of the input decides, so
/// the same mesh always comes out the same.
Mesh in_drawing_order(const Mesh& mesh);

}  // namespace tepui
