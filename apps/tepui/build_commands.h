#pragma once

#include <string>

#include "apps/tepui/commands.h"
#include "tepui/recipe/build.h"

// What `run` and `run --watch` share.

namespace tepui::app {

/// The recipe that the words ask for; refuses one without outputs.
Recipe open_recipe_to_run(const RunOptions& options);

Build build_with_progress(const Recipe& recipe, const std::string& folder, const BuildOptions& options,
                          ValueCache& cache, const Session& session);

Ordered build_json(const Recipe& recipe, const Build& built);
void print_build(const Recipe& recipe, const Build& built);

/// Runs the recipe again and again, whenever it or a file it reads is saved. Ends by cancelling only.
[[noreturn]] void watch(const RunOptions& options, const Session& session);

}  // namespace tepui::app
