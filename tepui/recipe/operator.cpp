#include "tepui/recipe/operator.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"

namespace tepui {

std::string port_text(const Port& port) {
  return fmt::format("{}{}{}", value_type_name(port.type), port.list ? ", several" : "",
                     port.optional ? ", optional" : "");
}

const Operator* find_operator(std::string_view name) {
  const auto& all = operators();
  const auto found = std::ranges::find(all, name, &Operator::name);
  return found == all.end() ? nullptr : &*found;
}

const Operator& require_operator(std::string_view name) {
  if (const Operator* op = find_operator(name)) return *op;
  std::vector<std::string> known;
  for (const Operator& op : operators()) known.push_back(op.name);
  refuse(fmt::format("there is no operator '{}'", name), suggest_name(name, known));
}

}  // namespace tepui
