#pragma once

#include <array>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/mesh_textures.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/mesh/checks.h"
#include "tepui/terrain/terrain.h"

// Files of meshes, whatever their format: .glb, .obj, .ply, .stl.

namespace tepui {

/// All triangles of a file, in metres, z up. Refuses damaged files, in time and memory in proportion to their length.
Mesh read_mesh(const std::string& path, const Context& context);

/// What `tepui info` says of a mesh: of one in memory, or as it is stored in a file.
struct MeshInfo {
  std::string format{};  ///< of the file: "GLB"; empty in memory
  char up = 'z';         ///< the axis that points up: 'y' or 'z'
  MeshChecks checks{};
  std::array<Vec3, 2> bounds{};    ///< in its own axes, with a file's nodes at their places
  std::vector<std::string> has{};  ///< of "normals", "texture_coordinates" and "colours"
  std::vector<MeshAttributeRange> attributes{};
  size_t bytes = 0;  ///< in memory
};
MeshInfo mesh_info(const Mesh& mesh, const Context& context);
MeshInfo inspect_mesh(const std::string& path, const Context& context);
/// The object that `tepui info --json` prints.
std::string info_json(const MeshInfo& info);

/// Those of an output's options that a GLB takes.
GlbOptions glb_options(const OutputParams& options);

/// Writes a mesh by the file's ending; only a GLB takes the options and textures. The mesh's centre becomes the origin.
void write_mesh(const FileTarget& to, const Mesh& mesh, const Context& context, const GlbOptions& options = {},
                const MeshTextures& textures = {});

}  // namespace tepui
