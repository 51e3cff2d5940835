#pragma once

#include <array>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/mesh_textures.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/mesh/checks.h"
#include "tepui/terrain/terrain.h"

// Files of meshes, whatever their format: .glb, .obj, .ply, .stl.

namespace tepui {

/// With the dot, in lower case, as file_ending() gives it.
bool is_mesh_ending(const std::string& ending);
const std::vector<std::string>& mesh_endings();
/// "GLB" of "land.glb"; empty of other files.
std::string mesh_format(const std::string& path);

/// All triangles of a file, in metres, z up. Refuses damaged files, in time and memory in proportion to their length.
Mesh read_mesh(const std::string& path, const Context& context);

/// A mesh as it is stored: what `tepui info` says of it.
struct MeshFileInfo {
  std::string format;  ///< "GLB"
  std::string up;      ///< the axis that is up in its format: "y" or "z"
  MeshChecks checks;
  std::array<Vec3, 2> bounds{};  ///< in the file's own axes, with its nodes at their places
  bool normals = false, coordinates = false, colours = false;
  std::vector<MeshAttributeRange> attributes{};
};
MeshFileInfo inspect_mesh(const std::string& path, const Context& context);
/// The object that `tepui info --json` prints.
std::string info_json(const MeshFileInfo& info);

/// Throws what writing land on these samples as this file would throw about the request itself.
void check_mesh_export(const std::string& path, const Frame& frame);

/// Those of an output's options that a GLB takes.
GlbOptions glb_options(const OutputParams& options);

/// Writes the height as a mesh, by the file's ending; only a GLB takes the textures and options. Returns the point of
/// the land's frame (x, y, z) that is the mesh's origin.
std::array<double, 3> write_mesh(const std::string& path, const Terrain& terrain, const MeshTextures& textures,
                                 const Context& context, const GlbOptions& options = {});
/// The same for a mesh, whose centre becomes the origin.
void write_mesh(const std::string& path, const Mesh& mesh, const Context& context, const GlbOptions& options = {});

}  // namespace tepui
