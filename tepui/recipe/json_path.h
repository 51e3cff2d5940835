#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/json.h"

namespace tepui {

/// The keys that lead to a value, indices of lists among them: "nodes", "rock", "beds", "1".
using JsonPath = std::vector<std::string>;

/// The value at these keys, or nullptr where there is none.
const Json* find_value(const Json& document, const JsonPath& path);

/// The keys to the value or the key that stands at this place; none where nothing of the document does.
std::optional<JsonPath> path_at(const Json& document, const Place& place);

/// The error with the node and field that its place belongs to in a recipe's document, or in a part of it that these
/// keys lead to.
Error concerning(const Error& error, const Json& document, const JsonPath& above = {});

}  // namespace tepui
