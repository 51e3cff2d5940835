#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"

namespace tepui {

/// A raster as it is stored: what `tepui info` says of it.
struct TerrainFileInfo {
  std::string format;  ///< "GeoTIFF", "PNG"
  std::string type;    ///< of the samples: "Float32", "UInt16"
  int64_t width = 0, height = 0;
  std::optional<Vec2> cell;              ///< in the unit of its reference system; none for a PNG
  bool rotated = false;                  ///< or sheared
  std::optional<double> min, max, mean;  ///< none where all is nodata
  int64_t nodata_cells = 0;
  std::string crs;           ///< "EPSG:4326"; empty where unknown
  std::string registration;  ///< "point" or "area"; empty where unknown
  std::vector<std::string> layers;
};

/// A mesh as it is stored, all its triangles together, in the file's own axes and without its nodes' placements.
/// Vertices at the same position count as one for everything but `vertices`.
struct MeshFileInfo {
  std::string format;  ///< "GLB"
  int64_t vertices = 0, triangles = 0;
  int64_t components = 0, boundary_edges = 0, nonmanifold_edges = 0, degenerate_triangles = 0;
  std::optional<int64_t> genus;  ///< of all components together; none where edges are not manifold
  std::optional<double> volume;  ///< of a closed mesh
  double area = 0;
  std::array<Vec3, 2> bounds{};
};

struct FileInfo {
  std::optional<TerrainFileInfo> terrain;
  std::optional<MeshFileInfo> mesh;
};

/// What a file holds, by its ending: .tif, .tiff, .png, .glb. Refuses damaged files.
FileInfo inspect(const std::string& path, const Context& context);

/// The object that `tepui info --json` prints.
std::string info_json(const FileInfo& info);

}  // namespace tepui
