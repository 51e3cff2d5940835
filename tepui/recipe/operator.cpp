#include "tepui/recipe/operator.h"

#include <algorithm>

namespace tepui {

std::string_view value_type_name(ValueType type) {
  static constexpr std::string_view names[] = {"terrain"};
  return names[static_cast<size_t>(type)];
}

size_t value_bytes(const Value& value) {
  return std::visit([](const auto& v) { return v.bytes(); }, value);
}

Hash value_hash(const Value& value) {
  return std::visit([](const auto& v) { return v.hash(); }, value);
}

const Operator* find_operator(std::string_view name) {
  const auto& all = operators();
  const auto found = std::ranges::find(all, name, &Operator::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tepui
