#pragma once

#include <cstdint>
#include <vector>

#include "tepui/io/inspect.h"

namespace tepui {

/// Triangles as a file holds them.
struct TriangleSoup {
  std::vector<std::array<float, 3>> positions;
  std::vector<uint32_t> corners;  ///< three per triangle, each below positions.size()
};

/// Counts and measures; the format is left to the caller.
MeshFileInfo mesh_facts(const TriangleSoup& soup);

/// All triangles of a GLB with plain float positions in its own binary chunk. Refuses damaged files.
TriangleSoup read_glb(const std::string& path);

}  // namespace tepui
