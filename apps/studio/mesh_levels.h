#pragma once

#include <cstdint>
#include <vector>

#include "tepui/mesh/mesh.h"

namespace tepui::studio {

/// Some triangles of a mesh: their vertices, and their corners among those.
struct MeshBlock {
  std::vector<uint32_t> vertices;
  std::vector<uint16_t> indices;
  /// One for each vertex, where they are not the mesh's own.
  std::vector<Vec3> normals{};
  std::vector<MeshColour> colours{};

  size_t triangles() const { return indices.size() / 3; }
};

/// The same block in fewer triangles, for a view from farther away; at most so many levels, each about a quarter of the
/// one before. Vertices of one small cube that face the same way become the one nearest to their middle (Rossignac and
/// Borrel 1993), with the mean of their normals and colours. Those at the block's border stay, so that blocks of
/// different levels meet.
std::vector<MeshBlock> coarser_levels(const Mesh& mesh, const MeshBlock& block, int most);

}  // namespace tepui::studio
