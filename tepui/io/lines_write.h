#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Writes lines in the format of the path's ending, atomically: see write_lines_csv, write_lines_geojson and
/// write_lines_gpkg. Returns the format's name for a manifest: "CSV", "GeoJSON" or "GeoPackage".
std::string write_lines(const FileTarget& to, const Lines& lines, const Context& context);

}  // namespace tepui
