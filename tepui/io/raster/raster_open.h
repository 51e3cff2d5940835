#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tepui/io/raster/raster.h"

namespace tepui {

/// Opens a file by its ending; refuses what is not of its format.
std::unique_ptr<Raster> open_raster(const std::string& path, const RasterOptions& options);

/// The endings open_raster knows, with the dot.
const std::vector<std::string>& raster_endings();

}  // namespace tepui
