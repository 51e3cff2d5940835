#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/graph/operator.h"

namespace tepui {

/// Every operator, sorted by name.
const std::vector<Operator>& operators();
/// nullptr if there is none of that name.
const Operator* find_operator(std::string_view name);

/// The operator that makes one kind of value from another alone, as `implicitize` makes a volume from land; nullptr
/// where there is none, or several.
const Operator* converter(const Kind& from, const Kind& to);

/// The key of a node that says as what it gives something: "op": "read", "as": "mask" is the operator read_mask.
inline constexpr std::string_view as_key = "as";
/// What it may say, too, where nothing else is meant.
inline constexpr std::string_view plain_as = "land";

/// The operator that a node's "op" and "as" name, an empty one being none; there need not be such an operator.
std::string operator_name(std::string_view op, std::string_view as);
/// What "as" may be with this operator.
std::vector<std::string> ways_of(std::string_view op);

}  // namespace tepui
