#pragma once

#include <string_view>
#include <vector>

#include "tepui/graph/operator.h"

namespace tepui {

/// Every operator, sorted by name.
const std::vector<Operator>& operators();
/// nullptr if there is none of that name.
const Operator* find_operator(std::string_view name);
/// Throws with a suggestion.
const Operator& require_operator(std::string_view name);

}  // namespace tepui
