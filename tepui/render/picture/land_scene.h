#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/io/mesh/glb_scene.h"
#include "tepui/render/picture/picture_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The camera and the light of draw_picture(land, params, sea_level): its picture is as large as asked for, else 16 by
/// 9, and a map has the shape of the land. Exaggerated heights are those of the picture, not of the land.
GlbScene scene_of_picture(const Terrain& land, const PictureParams& params, std::optional<double> sea_level,
                          const Context& context);

}  // namespace tepui
