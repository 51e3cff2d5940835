#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/io/mesh_file.h"
#include "tepui/io/raster/read_samples.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// One layer of land: its numbers where it has valid ones.
struct LayerInfo {
  std::string name;
  std::string kind{};  ///< "continuous", "category", "mask"; empty where a file does not say
  std::string unit{};  ///< empty where unknown
  std::optional<double> min{}, max{}, mean{};
};

/// What `tepui info` says of land: of one in memory, or as it is stored in a file.
struct TerrainInfo {
  std::string format{};         ///< of the file: "GeoTIFF"; empty in memory
  std::string type{"Float32"};  ///< of the samples: "Float32", "UInt16"
  int64_t width = 0, height = 0;
  std::optional<Vec2> cell{};  ///< in the unit of its reference system, else metres; none where nothing says
  bool rotated = false;        ///< or sheared
  std::optional<double> min{}, max{}, mean{};  ///< of the heights; none where all is nodata
  int64_t nodata_cells = 0;
  std::string crs{};                 ///< "EPSG:4326"; empty where unknown
  std::string registration{};        ///< "point" or "area"; empty where unknown
  std::string unit{};                ///< of the heights; empty where unknown
  std::optional<Scaling> scaling{};  ///< height = offset + scale * stored, where the file says
  std::optional<Relief> relief{};    ///< of land in memory
  std::vector<LayerInfo> layers{};
  std::vector<std::string> assumed{};  ///< what was taken for granted, in words
};
/// Of land in memory.
TerrainInfo terrain_info(const Terrain& land, const Context& context);

struct FileInfo {
  std::optional<TerrainInfo> terrain;
  std::optional<MeshInfo> mesh;
};

/// What a file of land or a mesh holds, by its ending. Refuses damaged files.
FileInfo inspect(const std::string& path, const Context& context);

/// The object that `tepui info --json` prints: the same keys for a file and for land in memory, null where there is
/// nothing to say.
std::string info_json(const TerrainInfo& info);
std::string info_json(const FileInfo& info);

}  // namespace tepui
