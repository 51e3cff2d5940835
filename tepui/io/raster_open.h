#pragma once

#include <memory>
#include <string>

#include "tepui/io/raster/raster.h"

namespace tepui {

/// Opens a file by its ending; refuses what is not of its format.
std::unique_ptr<Raster> open_raster(const std::string& path, const RasterOptions& options);

}  // namespace tepui
