#pragma once

#include <string>

#include "apps/tepui/commands.h"
#include "tepui/output/build.h"

// What `run` and `run --watch` share.

namespace tepui::app {

/// The recipe that the words ask for; refuses one without outputs.
Plan open_recipe_to_run(const RunOptions& options);

Build build_with_progress(const Plan& recipe, const std::string& folder, const BuildOptions& options, ValueCache& cache,
                          const Invocation& call);

Ordered build_json(const Plan& recipe, const Build& built);
void print_build(const Plan& recipe, const Build& built);

/// Runs the recipe again and again, whenever it or a file it reads is saved. Ends by cancelling only.
[[noreturn]] void watch(const RunOptions& options, const Invocation& call);

}  // namespace tepui::app
