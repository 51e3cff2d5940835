#pragma once  // internal

#include <optional>
#include <string>

#include "tepui/io/raster/raster.h"

namespace tepui {

/// The place of a web map's square tile whose path ends in zoom, column and row: "12/654/1582.png",
/// "land_12_654_1582.png". In Web Mercator (EPSG:3857), whose tile 0/0/0 is the whole world and rows count from north.
std::optional<RasterPlace> map_tile_place(const std::string& path, int64_t width, int64_t height);

}  // namespace tepui
