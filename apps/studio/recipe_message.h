#pragma once

#include <string>

#include "apps/studio/document.h"
#include "apps/studio/errands.h"
#include "apps/studio/frames.h"
#include "tepui/core/problems.h"
#include "tepui/output/plan.h"

// A recipe as the page takes it.

namespace tepui::studio {

/// JSON as it was read, without its places.
Ordered ordered(const Json& value);

/// All of the recipe's parts that its text alone tells, and what its plan adds where it has one: title, seed, world,
/// variables with the ranges of the parameters that take them, nodes with the values that hold, look, outputs.
/// `first` is the text as it was opened, whose variables are the defaults.
Ordered recipe_parts(const Source& source, const std::string& first, const Plan* plan, const std::string& shown);

/// What is wrong with it.
Ordered problems_json(const std::vector<Error>& problems);

}  // namespace tepui::studio
