#pragma once  // internal

#include <nlohmann/json.hpp>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/graph/value.h"

namespace tepui {

/// JSON whose members stay in the order they were given.
using OrderedJson = nlohmann::ordered_json;

/// A point as JSON.
inline OrderedJson corner(Vec3 p) { return {p.x, p.y, p.z}; }

/// The text of what a function tells of a value.
template <OrderedJson (*describe)(const Value& value, const Context& context)>
std::string info_text(const Value& value, const Context& context) {
  return describe(value, context).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace tepui
