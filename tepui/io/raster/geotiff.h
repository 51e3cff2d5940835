#pragma once

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Throws unless land on these samples can be written as a GeoTIFF.
void check_geotiff(const std::string& path, const Frame& frame);

/// Writes the layers as bands: float32, or integers for a category alone. Tiled, DEFLATE, point-registered, nodata
/// where `void` is at least half. Land with no reference system gets a local one in metres. Atomic; the same land
/// always gives the same bytes; holds a few rows of tiles beside the land. Returns the bits of a sample.
///
/// Of the options `compression` and `cog` count. A cloud optimised file has overviews: means, or the nearest samples
/// where there are classes among the layers.
int write_geotiff(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers,
                  const OutputParams& options, const Context& context);
int write_geotiff(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers,
                  const Context& context);

}  // namespace tepui
