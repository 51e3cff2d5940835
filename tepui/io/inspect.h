#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/raster/read_samples.h"

namespace tepui {

/// A raster as it is stored: what `tepui info` says of it.
struct TerrainFileInfo {
  std::string format;  ///< "GeoTIFF", "PNG"
  std::string type;    ///< of the samples: "Float32", "UInt16"
  int64_t width = 0, height = 0;
  std::optional<Vec2> cell;              ///< in the unit of its reference system, else metres; none where nothing says
  bool rotated = false;                  ///< or sheared
  std::optional<double> min, max, mean;  ///< none where all is nodata
  int64_t nodata_cells = 0;
  std::string crs;                   ///< "EPSG:4326"; empty where unknown
  std::string registration;          ///< "point" or "area"; empty where unknown
  std::string unit{};                ///< of the heights; empty where unknown
  std::optional<Scaling> scaling{};  ///< height = offset + scale * stored, where the file says
  std::vector<std::string> layers{};
  std::vector<std::string> assumed{};  ///< what was taken for granted, in words
};

struct FileInfo {
  std::optional<TerrainFileInfo> terrain;
  std::optional<MeshFileInfo> mesh;
};

/// What a file holds, by its ending: any of raster_endings(), or a mesh. Refuses damaged files.
FileInfo inspect(const std::string& path, const Context& context);

/// The object that `tepui info --json` prints.
std::string info_json(const FileInfo& info);

}  // namespace tepui
