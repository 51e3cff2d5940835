#pragma once  // internal

#include <array>
#include <string>
#include <string_view>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/mesh/source.h"

namespace tepui {

/// Writes a mesh as a Wavefront OBJ: positions, texture coordinates and normals where the mesh has them, faces;
/// geometry only, without materials. Metres, Y up as OBJ importers take it: x east is +X, z up is +Y, y north is -Z.
/// Colours of vertices follow the position, as many programs read them. Numbers are the shortest text that restores the
/// float; a comment names the centre. Atomic, block by block.
void write_obj(const FileTarget& to, const MeshSource& source, const Context& context);

/// The same of land's height, as LandMesh makes it. Returns the point of the land's frame (x, y, z) that is the mesh's
/// origin.
std::array<double, 3> write_obj(const FileTarget& to, const Terrain& terrain, const Context& context);

/// The faces of an OBJ, turned from Y up to z up; polygons become fans of triangles. Normals and texture coordinates
/// are kept where each vertex has but one, colours where all vertices have them. Materials, lines and points are left
/// out. `path` is for messages.
Mesh parse_obj(std::string_view bytes, const std::string& path, const Context& context);

}  // namespace tepui
