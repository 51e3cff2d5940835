#pragma once

#include "tepui/core/json.h"
#include "tepui/core/params.h"

namespace tepui {

/// The one place where JSON (or a word of a one-liner) becomes a parameter's value. Throws with the value's place when
/// the type or range is wrong.
ParamValue param_from_json(const Field& field, const Json& value);

/// One value per field: those that the object gives, defaults for the rest. Refuses other keys; `what` names the
/// object.
std::vector<ParamValue> params_from_json(const ParamTable& table, const Json& object, std::string_view what);

/// The value as JSON, as a recipe would hold it.
Json param_to_json(const Field& field, const ParamValue& value);

/// A length that is not a parameter, such as the sides of the world.
Length length_from_json(const Json& value);

}  // namespace tepui
