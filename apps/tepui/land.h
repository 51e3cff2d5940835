#pragma once

#include <string>

#include "apps/tepui/commands.h"
#include "tepui/recipe/recipe.h"
#include "tepui/terrain/terrain.h"

namespace tepui::app {

/// A recipe from a file or, where there is no such file, from the presets.
Recipe load_recipe_or_preset(const std::string& name, const Overrides& overrides = {});

/// The land that FILE or RECIPE#node[.layer] means.
Terrain load_land(const std::string& spec, const Session& session);

/// Whether it is RECIPE#node.
bool is_node_spec(const std::string& spec);

/// The layer that stands for the land: its height, or the only one it has.
const Layer& main_layer(const Terrain& land);

}  // namespace tepui::app
