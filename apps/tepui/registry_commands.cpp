// ops, explain, schema: what the registry knows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/tepui/commands.h"
#include "tepui/core/error.h"
#include "tepui/recipe/operator.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/schema.h"

namespace tepui::app {

namespace {

const Operator& require_operator(const std::string& name) {
  if (const Operator* op = find_operator(name)) return *op;
  std::vector<std::string> known;
  for (const Operator& op : operators()) known.push_back(op.name);
  refuse(fmt::format("there is no operator '{}'", name), suggest_name(name, known));
}

std::string range_text(const Field& field) {
  if (field.type == ParamType::choice) return fmt::format("{}", fmt::join(field.choices, ", "));
  const bool low = std::isfinite(field.range.low), high = std::isfinite(field.range.high);
  if (low && high) return fmt::format("{:g} to {:g}", field.range.low, field.range.high);
  if (low) return fmt::format("at least {:g}", field.range.low);
  return high ? fmt::format("at most {:g}", field.range.high) : "";
}

void print_field(const Field& field) {
  const std::string unit = field.unit.empty() ? "" : " [" + field.unit + "]";
  const std::string fallback = param_text(field, field.fallback);
  fmt::print("  {:<13} {}{}\n", field.name, field.doc, unit);
  const std::string range = range_text(field);
  fmt::print("  {:<13} {}{}{}\n", "", param_type_name(field.type), range.empty() ? "" : ", " + range,
             fallback.empty() ? "" : ", default " + fallback);
}

}  // namespace

void list_operators(const std::string& name, const Session& session) {
  if (!name.empty()) require_operator(name);
  if (session.json) {
    fmt::print("{}\n", operators_json(name));
    return;
  }
  for (const Operator& op : operators())
    if (name.empty() || op.name == name) fmt::print("{:<18} {}\n", op.name, op.params.about);
  if (name.empty()) fmt::print("\n'tepui explain NAME' tells more.\n");
}

void explain(const std::string& name, const Session& session) {
  const Operator& op = require_operator(name);
  if (session.json) {
    fmt::print("{}\n", operators_json(name));
    return;
  }
  fmt::print("{} (version {}): {}\n\n", op.name, op.version, op.params.about);
  if (op.takes_world) fmt::print("Fills the recipe's world.\n");
  for (const Port& port : op.inputs)
    fmt::print("Port {:<8} {}{}{}\n", port.name, value_type_name(port.type), port.list ? ", several" : "",
               port.optional ? ", optional" : "");
  const std::string radius = op.params.reach_radius.empty() ? "" : fmt::format(" of '{}'", op.params.reach_radius);
  fmt::print("Gives {}. Reach: {}{}.\n\nParameters\n", value_type_name(op.output), reach_name(op.params.reach), radius);
  for (const Field& field : op.params.fields) print_field(field);
  if (!op.citation.empty()) fmt::print("\nAfter {}\n", citation_text(op.citation));
}

void schema() { fmt::print("{}\n", recipe_schema()); }

}  // namespace tepui::app
