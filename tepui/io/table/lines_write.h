#pragma once

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// What the ending of a file of lines stands for: .csv, .geojson and .gpkg.
const std::vector<std::string>& lines_endings();

/// Writes lines in the format of the path's ending, atomically: see write_lines_csv, write_lines_geojson and
/// write_lines_gpkg. Returns the format's name for a manifest: "CSV", "GeoJSON" or "GeoPackage".
std::string write_lines(const std::string& path, const Lines& lines, const Context& context);

}  // namespace tepui
