#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/io/image.h"
#include "tepui/io/png.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// One file to write; the format follows from the name's ending: .tif, .png, .glb.
struct ExportRequest {
  std::string path;
  std::vector<std::string> layers;                 ///< empty: `height` alone, or the land's only layer
  std::optional<std::pair<double, double>> range;  ///< of a 16-bit file; by default the layer's own [min, max]
  const Image* texture = nullptr;                  ///< of a GLB: colours, north at the top; none for a plain mesh
  PngText text;                                    ///< of a PNG
};

/// What was written, as the manifest tells it.
struct FileRecord {
  std::string name;    ///< the path's last part
  std::string format;  ///< "GeoTIFF", "PNG", "GLB"
  std::vector<std::string> layers;
  int bits = 0;                         ///< per sample, of a raster
  std::optional<double> offset, scale;  ///< of integer files: value = offset + scale * stored
  size_t bytes = 0;
  Hash hash;  ///< of the file's bytes
};

FileRecord export_terrain(const Terrain& terrain, const ExportRequest& request, const Context& context);

/// The endings export_terrain knows, with the dot.
const std::vector<std::string>& export_endings();

/// The record of a file already on disk (a picture, say).
FileRecord record_file(const std::string& path, std::string format);

}  // namespace tepui
