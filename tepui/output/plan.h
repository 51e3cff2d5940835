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

}  // namespace tepui
