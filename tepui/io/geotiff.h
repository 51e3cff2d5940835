#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Land from a GeoTIFF (any TIFF with real samples). Samples are points at the pixels' centres.
///
/// A projected system's unit becomes metres and its coordinates the frame's. Of a geographic system the cell is
/// measured in metres along the parallel and the meridian at the central latitude, on the system's ellipsoid, and the
/// frame starts at (0, 0). Without a system, coordinates count as metres. Frame::geo keeps the file's own reference.
/// Rotated files are refused.
///
/// Cells that are nodata, masked, NaN or infinite become 1 in a mask layer `void` (present only where there are any)
/// and are filled smoothly. The relief spans the other cells; flat land gets a relief of 1 m.
///
/// A file that Tepui wrote gives its layers back; of any other, `band` (from 1) is the height. With `band` 0 that is
/// the first.
Terrain read_geotiff(const std::string& path, int band, const Context& context);

/// A GeoTIFF as it is stored.
struct GeoTiffInfo {
  int64_t width = 0, height = 0;
  Vec2 cell;                             ///< in the system's own unit, both positive
  bool rotated = false;                  ///< or sheared: such a file is not read
  std::optional<double> min, max, mean;  ///< none where all is nodata
  int64_t nodata_cells = 0;
  std::string crs;           ///< "EPSG:4326", else the system's name; empty where unknown
  std::string registration;  ///< "point" or "area"
  std::string type;          ///< of the samples: "Float32"
  std::vector<std::string> layers;
};
/// Statistics are of the height: the band that read_geotiff would make `height` (or the first).
GeoTiffInfo inspect_geotiff(const std::string& path, const Context& context);

/// Throws unless land on these samples can be written as a GeoTIFF.
void check_geotiff(const std::string& path, const Frame& frame);

/// Writes the layers as bands: float32, or integers for a category alone. Tiled, DEFLATE, point-registered, nodata
/// where `void` is at least half. Land with no reference system gets a local one in metres. Atomic; the same land
/// always gives the same bytes. Returns the bits of a sample.
int write_geotiff(const std::string& path, const Terrain& terrain, const std::vector<Layer>& layers,
                  const Context& context);

}  // namespace tepui
