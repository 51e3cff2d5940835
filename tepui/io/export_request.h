#pragma once

#include <span>
#include <string>
#include <vector>

#include "tepui/io/mesh/glb_scene.h"
#include "tepui/io/mesh/mesh_textures.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/io/raster/png.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// What to write; the format follows from the name's ending (formats.h).
struct ExportRequest {
  std::string path;                   ///< of tiles: a pattern (tiles.h)
  MemoryFiles* memory = nullptr;      ///< where the files go instead of to disk
  std::vector<std::string> layers{};  ///< empty: `height` alone, or the land's only layer
  OutputParams options{};
  MeshTextures textures{};  ///< of a GLB; none for a plain mesh
  /// Of a file of land as a mesh: its surface, around the middle of the land at height 0, in place of one through all
  /// samples.
  const Mesh* surface = nullptr;
  std::string name_suffix{};  ///< of a GLB's node, after the file's name
  bool made_for_it = false;   ///< a mesh was made for this file alone: it may lose what nobody sees
  /// Of a GLB of land: the points at which plants and rocks stand on it, and by how much their models are coarser.
  std::span<const Lines> standing{};
  int coarser = 0;
  const GlbScene* scene = nullptr;  ///< of a GLB
  const Mesh* water = nullptr;      ///< of a GLB of land, around the same centre
  double step = 0;                  ///< the least one of a GLB's quantised positions (GlbOptions)
  PngText text{};                   ///< of a PNG

  /// Where one of its files goes.
  FileTarget target(std::string file) const {
    return memory != nullptr ? FileTarget(std::move(file), *memory) : FileTarget(std::move(file));
  }
};

}  // namespace tepui
