#pragma once

#include <string>
#include <vector>

namespace tepui {

/// Programs that have forms of their own for weights of ground (render/ground/engine_maps.h) and for scattered points
/// (io/table/engine_points.h).
enum class Engine { none, unreal, unity, godot, blender };

/// Of the values in their order, as a field's choices.
inline std::vector<std::string> engine_names() { return {"none", "unreal", "unity", "godot", "blender"}; }

}  // namespace tepui
