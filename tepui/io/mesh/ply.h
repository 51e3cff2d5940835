#pragma once  // internal

#include <array>
#include <string>
#include <string_view>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/mesh/source.h"

namespace tepui {

/// Writes a mesh as a binary little-endian PLY, with normals, texture coordinates (s, t from the lower left),
/// colours and attributes (floats by their names) where the mesh has them. Metres, z up as in Tepui: PLY importers do
/// not turn it. Comments name the centre and the attributes' units. Atomic, block by block.
void write_ply(const FileTarget& to, const MeshSource& source, const Context& context);

/// The same of land's height, as LandMesh makes it. Returns the point of the land's frame (x, y, z) that is the mesh's
/// origin.
std::array<double, 3> write_ply(const FileTarget& to, const Terrain& terrain, const Context& context);

/// The faces of a PLY, text or binary of either byte order, taken as z up; polygons become fans of triangles. Normals,
/// texture coordinates and colours are kept, and the first 16 other numbers of a vertex whose names attributes can
/// have; all else is skipped. Triangle strips are refused. `path` is for messages.
Mesh parse_ply(std::string_view bytes, const std::string& path, const Context& context);

}  // namespace tepui
