#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Land from a file: GeoTIFF (.tif, .tiff; see geotiff.h) or a grey PNG of 8 or 16 bits.
///
/// z = offset + scale * stored. A PNG says neither its cell nor its scale: they come from the parameters, else from a
/// manifest of Tepui's beside it, else 1 m is assumed, with a warning.
struct ReadParams {
  FilePath file;
  Length cell;       ///< metres; 0: what the file says
  Interval range;    ///< of a PNG: heights of the smallest and the largest number its samples can hold; 0..0: not used
  double scale = 0;  ///< metres per stored unit; 0: what the file says, else 1
  double offset = 0;
  int band = 0;  ///< of a TIFF; 0: the layers Tepui wrote, or the first
};
void describe(Fields<ReadParams>&);

Terrain read(const ReadParams& params, const Context& context);

/// Throws unless cells are from 1e-6 to 1e7 m, sides at most 1e9 m and the place within 1e12 m: beyond, a file is
/// damaged or its numbers mean something else.
void require_sane_cells(const std::string& path, const Frame& frame);
bool is_sane_cell(Vec2 cell);

/// Of all that `read` looks at for this file: its bytes, and what a manifest beside it says.
Hash read_key(const std::string& path);

}  // namespace tepui
