#pragma once

#include <vector>

#include "tepui/output/output.h"
#include "tepui/recipe/recipe.h"

namespace tepui {

/// A recipe and what leaves it.
struct Plan : Recipe {
  std::vector<Output> outputs;
};

/// Reads the recipe's outputs: refuses what no file or picture can be, at its place.
Plan plan(Recipe recipe);
/// The same, where all problems are wanted: if there are any, what comes back is of no use.
Plan plan(Recipe recipe, Problems& problems);

}  // namespace tepui
