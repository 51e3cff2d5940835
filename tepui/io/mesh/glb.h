#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/mesh/glb_options.h"
#include "tepui/io/mesh/mesh_textures.h"
#include "tepui/mesh/source.h"

namespace tepui {

/// Throws unless land on these samples can be written as a mesh: at least 2 x 2, within 4 GiB.
void check_glb(const std::string& path, const Frame& frame);

/// Writes the height as a glTF 2.0 mesh in one file, as LandMesh makes it. Metres, Y up: x east is +X, z up is +Y, y
/// north is -Z. Atomic, block by block. Returns the point of the land's frame (x, y, z) that is the mesh's origin.
std::array<double, 3> write_glb(const FileTarget& to, const Terrain& terrain, const MeshTextures& textures,
                                const Context& context, const GlbOptions& options = {});

/// The same for any mesh; colours of vertices are kept in linear light, as glTF wants them, attributes as `_NAME`.
/// Without texture coordinates the textures are left out. A surface that is not closed is seen from both sides.
void write_glb(const FileTarget& to, const MeshSource& source, const MeshTextures& textures, const Context& context,
               const GlbOptions& options = {});

/// What stands at points, without the ground, the same way; the origin is the middle of the points in plan.
void write_glb(const FileTarget& to, const Lines& points, const Context& context, const GlbOptions& options = {});

/// All triangles of a GLB's scene at their places, or of all its meshes where it has no scene, turned to z up.
/// Positions are floats or, with KHR_mesh_quantization, whole numbers; lists, strips and fans of triangles, with
/// indices or without; points and lines are left out. Views compressed with EXT_meshopt_compression are read; sparse,
/// external and otherwise compressed data are refused. Attributes whose names begin with an underscore are kept where
/// they are single numbers. `path` is for messages.
Mesh parse_glb(std::string_view bytes, const std::string& path, const Context& context);

}  // namespace tepui
