#pragma once  // internal

#include <optional>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Writes the GLBs of a land, whose request is found sound: levels of detail and a mesh for collisions, each as one
/// file or as tiles, with textures of the ground and a surface of the water.
///
/// All tiles have the middle of the land as their origin: put at one place they meet, whatever their neighbours' level
/// but for what the errors differ by. Vertices, normals and texels on a border are those of the neighbour, to the last
/// bit.
std::vector<FileRecord> write_land_models(const Terrain& land, const ExportRequest& request,
                                          std::optional<double> sea_level, const Context& context);

}  // namespace tepui
