#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/output/output.h"
#include "tepui/recipe/recipe.h"

// Outputs that show or hold a node's stages: a file for each, or all in one animation.

namespace tepui {

/// A time-lapse of a node from the object that describes its pictures, variables resolved; `name` is the file it
/// becomes.
Timelapse timelapse_from_json(const Json& render, const std::string& name, const Recipe& recipe, const Reference& node);

/// The name of a stage's file: {age} replaced by its age with as many digits as the others have, so that names sort as
/// ages do; where the name has none, "_{age}" goes before its ending.
std::string frame_name(const std::string& pattern, const std::vector<double>& ages, size_t stage);

/// An output for each stage of the node that `pattern` is from.
std::vector<Output> frame_outputs(const Output& pattern, const Recipe& recipe);

}  // namespace tepui
