#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tepui/core/context.h"
#include "tepui/recipe/value.h"

namespace tepui::app {

/// What `info` tells of a value in memory; of land as of a file.
nlohmann::ordered_json describe_value(const Value& value, const Context& context);

/// The same for a reader, in a line or a few.
std::string value_text(const Value& value, const Context& context);

}  // namespace tepui::app
