#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/io/export_request.h"
#include "tepui/terrain/min_max.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Where samples lie: what another program needs to place them.
struct SamplePlace {
  int64_t width = 0, height = 0;    ///< samples; 0 where unknown
  Vec2 cell;                        ///< metres between samples
  Vec2 origin;                      ///< of the south-west sample, metres in the world
  std::optional<Georeference> geo;  ///< of the south-west sample, where the land lies on Earth
};
SamplePlace place_of(const Frame& frame);

/// Which of several tiles a file is, counted from the north-west.
struct TileIndex {
  int64_t x = 0, y = 0, columns = 1, rows = 1;
};

/// Whose form weights of ground have, and which of its layers or textures the file's first one is.
struct WeightsFor {
  std::string program;  ///< "unreal", "unity", "godot", "blender"
  int64_t first = 0;
};

/// What was written, as recorded in the manifest.
struct FileRecord {
  std::string name;    ///< the path's last part; in a manifest, the path from the manifest's folder
  std::string format;  ///< "GeoTIFF", "PNG", "picture", "figure"
  std::vector<std::string> layers;
  int bits = 0;                                 ///< per sample, of a raster
  std::optional<double> offset, scale;          ///< of integer files: value = offset + scale * stored
  std::optional<SamplePlace> place;             ///< of land; none for a picture
  std::optional<TileIndex> tile{};              ///< of a land in several files
  std::optional<std::array<double, 3>> centre;  ///< of a mesh: the point of the world at its origin
  std::optional<std::array<Vec3, 2>> bounds{};  ///< of a tile of a mesh or of samples in space: corners in the world
  std::optional<WeightsFor> weights_for{};
  size_t bytes = 0;
  Hash hash;  ///< of the file's bytes (XXH3, 128 bits)
};

/// Throws what export_files would throw about the request itself, without writing: an unknown ending, layers that are
/// not there or that the format cannot hold, options it does not take, a size it cannot have. So that all outputs can
/// be checked before the first is written.
void check_export(const Terrain& terrain, const ExportRequest& request);

/// How many cells of the land are void.
int64_t void_cells(const Terrain& terrain);

/// Writes layers of the land, to one file or to tiles. Files of whole numbers spread continuous layers over the
/// request's range or their own, so that reading them back is exact to half a step; classes are stored as they are,
/// masks over all numbers. Formats that know no nodata hold voids filled, with a warning.
std::vector<FileRecord> export_files(const Terrain& terrain, const ExportRequest& request, const Context& context);

/// Land that is brought window by window, and never is in memory as a whole.
struct LandParts {
  Frame frame;                                                                   ///< of all of it
  std::function<Terrain(const Frame& window, const Context& context)> window{};  ///< with all its layers
  std::map<std::string, MinMax> ranges{};  ///< lowest and highest cell of layers, where needs_ranges says so
  std::vector<bool> chosen{};              ///< the tiles to write, in the order of tile_names; empty: all
};

/// Whether tiles of a land with the layers of this sample can be written only if the ranges of the layers are known.
bool needs_ranges(const Terrain& sample, const ExportRequest& request);

/// Throws what export_tiles would throw about the request itself; `sample` is any window of the land.
void check_tiles(const Frame& all, const Terrain& sample, const ExportRequest& request);

/// Writes the tiles of a request, one at a time: the files that export_files writes of the whole land.
std::vector<FileRecord> export_tiles(const LandParts& land, const ExportRequest& request, const Context& context);

/// The same for a request of one file.
FileRecord export_terrain(const Terrain& terrain, const ExportRequest& request, const Context& context);

/// The record of a file that was written to this target.
FileRecord record_of(const FileTarget& written, std::string format);

}  // namespace tepui
