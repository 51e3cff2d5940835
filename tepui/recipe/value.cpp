#include "tepui/recipe/value.h"

#include <fmt/format.h>

#include "tepui/core/error.h"

namespace tepui {

std::string_view value_type_name(ValueType type) {
  static constexpr std::string_view names[] = {"terrain", "geology", "lines", "volume", "mesh"};
  static_assert(std::size(names) == std::variant_size_v<Value>);
  return names[static_cast<size_t>(type)];
}

size_t value_bytes(const Value& value) {
  return std::visit([](const auto& v) { return v.bytes(); }, value);
}

Hash value_hash(const Value& value) {
  return std::visit([](const auto& v) { return v.hash(); }, value);
}

const Terrain& require_land(const Value& value, std::string_view what) {
  if (const Terrain* land = std::get_if<Terrain>(&value)) return *land;
  refuse(fmt::format("{} is {}, not land", what, value_type_name(value_type(value))));
}

}  // namespace tepui
