#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// One of several meshes that a mesh was divided into.
struct MeshTile {
  int64_t x = 0, y = 0;  ///< counted from the north-west, as tiles of land are
  Mesh mesh;
};

/// Divides a mesh in plan into columns and rows of equal rectangles over its bounds. Every triangle goes to one tile:
/// the one that the middle of its corners lies in (on a line between two, to the east or the north). Vertices that
/// several tiles share are in each of them with the same bits: all tiles keep the mesh's centre, so that they meet
/// where they are put at one place. Row by row from the north-west; tiles without triangles are left out.
std::vector<MeshTile> split_mesh(const Mesh& mesh, int64_t columns, int64_t rows, const Context& context);

}  // namespace tepui
