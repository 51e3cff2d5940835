#pragma once

#include <optional>
#include <span>
#include <string>

#include "tepui/core/frame.h"
#include "tepui/io/mesh/glb_scene.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// How the numbers of a GLB are stored.
struct GlbOptions {
  /// Positions in 16 bits (KHR_mesh_quantization), to 1/32767 of the longest side or better, normals and colours in 8.
  bool quantise = false;
  /// Compressed (EXT_meshopt_compression), vertices and triangles in an order that packs well; made in memory.
  bool meshopt = false;
  double step = 0;  ///< the least step of quantised positions, a power of two: for tiles, so that borders agree
  std::string name_suffix{};        ///< of mesh and node, after the name of the file
  const GlbScene* scene = nullptr;  ///< a camera and a sun beside the mesh
  const Mesh* water = nullptr;      ///< a surface around the mesh's centre, on a node and of a material of its own
  /// Points at which plants and rocks stand on it (mesh/standing.h): models that are in the file once and are placed by
  /// EXT_mesh_gpu_instancing. `coarser` takes models with fewer triangles, for levels of detail.
  std::span<const Lines> standing{};
  int coarser = 0;
  bool models_alone = false;      ///< models side by side, 1 m high, that stand nowhere, for programs that place them
  std::optional<Frame> within{};  ///< only what stands on these samples, on their south and west borders too
};

}  // namespace tepui
