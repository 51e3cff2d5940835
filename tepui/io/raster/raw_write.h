#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/raster/encoding.h"
#include "tepui/terrain/terrain.h"

// Samples and nothing else, little-endian, the northernmost row first: what game engines import. Beside the file lies
// an ENVI header, `land.r16.hdr`, with size, place, system and scale, so that GIS open it too. The header is replaced
// together with the file: none of an older file stays beside a newer one.

namespace tepui {

/// Writes one layer as unsigned 16-bit numbers. Returns the cells that the encoding had to clamp.
int64_t write_r16(const FileTarget& to, const Terrain& terrain, const Layer& layer, const Encoding& encoding,
                  const Context& context);

/// Writes one layer as 32-bit floats, nodata where the land is void.
void write_r32(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context);

}  // namespace tepui
