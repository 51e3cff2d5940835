#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Throws unless land on these samples can be an Esri ASCII grid, which knows one cell size for both directions.
void check_asc(const std::string& path, const Frame& frame);

/// Writes one layer as an Esri ASCII grid, each number in the shortest text that gives its float back, nodata where the
/// land is void. Where the land's reference system is known, it goes beside the file as .prj. Atomic; streamed.
void write_asc(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context);

}  // namespace tepui
