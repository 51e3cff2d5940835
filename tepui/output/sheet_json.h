#pragma once  // internal

#include <optional>
#include <string>
#include <vector>

#include "tepui/output/output.h"
#include "tepui/recipe/recipe.h"

namespace tepui {

/// A sheet from the object that describes it, variables resolved; `name` is the file it becomes.
Sheet sheet_from_json(const Json& object, const std::string& name, const Recipe& recipe);

/// What the land of an output or a panel is made of, from its "rock"; none where it says nothing.
std::optional<Reference> rock_from_json(const Json& object, const Recipe& recipe, const Reference& shown);

/// The lines that a map of its land shows, from its "rivers", the same way; they are for figures.
std::optional<Reference> rivers_from_json(const Json& object, const Recipe& recipe, const Reference& shown);

/// The lines that the camera inside follows through a volume, from its "along", the same way.
std::optional<Reference> along_from_json(const Json& object, const Recipe& recipe, const Reference& shown);

/// The points where plants and rocks stand on what is shown, from its "scatter": a node, or a list of them. `file` is
/// the output's name: a GLB of land holds what stands on it.
std::vector<Reference> scatter_from_json(const Json& object, const Recipe& recipe, const Reference& shown,
                                         const std::string& file);

}  // namespace tepui
