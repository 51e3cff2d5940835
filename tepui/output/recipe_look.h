#pragma once

#include <string_view>

#include "tepui/core/json.h"
#include "tepui/output/plan.h"

namespace tepui {

/// The look of a recipe's pictures: its "look" or, where it has none, that of the node's picture in natural colours or
/// else the first of any node, but for the picture's size and quality.
Json look_of(const Plan& recipe, std::string_view node = {});

}  // namespace tepui
