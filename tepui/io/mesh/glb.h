#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/mesh/glb_scene.h"
#include "tepui/io/mesh/mesh_textures.h"
#include "tepui/mesh/source.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Throws unless land on these samples can be written as a mesh: at least 2 x 2, within 4 GiB.
void check_glb(const std::string& path, const Frame& frame);

/// How the numbers of a GLB are stored.
struct GlbOptions {
  /// Positions in 16 bits (KHR_mesh_quantization), to 1/32767 of the longest side or better, normals and colours in 8.
  bool quantise = false;
  /// Compressed (EXT_meshopt_compression), vertices and triangles in an order that packs well; made in memory.
  bool meshopt = false;
  double step = 0;     ///< the least step of quantised positions, a power of two: for tiles, so that borders agree
  std::string name{};  ///< of mesh and node; the file's unless said otherwise
  const GlbScene* scene = nullptr;  ///< a camera and a sun beside the mesh
  /// Points at which plants and rocks stand on it (mesh/standing.h): models that are in the file once and are placed by
  /// EXT_mesh_gpu_instancing. `coarser` takes models with fewer triangles, for levels of detail.
  std::span<const Lines> standing{};
  int coarser = 0;
  bool models_alone = false;      ///< models side by side, 1 m high, that stand nowhere, for programs that place them
  std::optional<Frame> within{};  ///< only what stands on these samples, on their south and west borders too
};

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
