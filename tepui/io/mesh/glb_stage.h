#pragma once  // internal

#include <nlohmann/json.hpp>

#include "tepui/io/mesh/glb_scene.h"

namespace tepui {

/// Adds the scene's camera and sun (KHR_lights_punctual, which programs may pass over) to a glTF whose mesh has this
/// centre. A camera of glTF looks straight ahead: where the picture is shifted, it sees more than the picture, and its
/// extras say which part that is ("picture": left, top, right, bottom as shares of the view from its upper left). The
/// sun's extras hold the light of the sky.
void add_stage(nlohmann::ordered_json& gltf, const GlbScene& scene, Vec3 centre);

}  // namespace tepui
