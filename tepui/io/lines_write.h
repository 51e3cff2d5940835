#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Writes lines in the format of the path's ending, atomically: see write_lines_csv, write_lines_geojson,
/// write_lines_gpkg, write_engine_points and write_glb. Refuses options that the format does not take. Returns the
/// format's name for a manifest: "CSV", "GeoJSON", "GeoPackage" or "GLB".
std::string write_lines(const FileTarget& to, const Lines& lines, const Context& context,
                        const OutputParams& options = {});

}  // namespace tepui
