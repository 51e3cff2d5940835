#pragma once

#include <optional>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/render/picture/picture_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Of land, export_files with the land's colours where the format takes them. `look` is the picture whose camera and
/// sun a file with a scene gets; nullptr: the usual one.
std::vector<FileRecord> write_land(const Terrain& land, ExportRequest request, std::optional<double> sea_level,
                                   const PictureParams* look, const Context& context);

/// The layer that stands for the land: its height, or the only one it has.
const Layer& main_layer(const Terrain& land);

}  // namespace tepui
