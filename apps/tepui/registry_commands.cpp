// ops, explain, schema: what the registry knows.
#include <fmt/format.h>

#include "apps/tepui/commands.h"
#include "tepui/output/example.h"
#include "tepui/output/schema.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/stages.h"
#include "tepui/render/ground/bake.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/picture.h"

namespace tepui::app {

namespace {

void print_field(const Field& field, const std::string& name) {
  const std::string unit = field.unit.empty() ? "" : " [" + field.unit + "]";
  const std::string fallback = param_text(field, field.fallback);
  fmt::print("  {:<13} {}{}\n", name, field.doc, unit);
  const std::string range = range_text(field);
  fmt::print("  {:<13} {}{}{}\n", "", param_type_name(field.type), range.empty() ? "" : ", " + range,
             fallback.empty() ? "" : ", default " + fallback);
  if (field.record == nullptr) return;
  for (const Field& column : field.record->fields) print_field(column, "  " + column.name);
}

/// What `--set` of a command takes.
template <class Params>
void explain_command(const std::string& name) {
  const Fields<Params>& fields = fields_of<Params>();
  fmt::print("{}: {}\n\nParameters, as --set NAME=VALUE and in recipes\n", name, fields.table().about);
  for (const Field& field : fields.table().fields) print_field(field, field.name);
}

bool explain_command(const std::string& name) {
  if (name == "render") return explain_command<PictureParams>(name), true;
  if (name == "figure") return explain_command<FigureParams>(name), true;
  if (name == "bake") return explain_command<BakeParams>(name), true;
  return false;
}

/// Whether it gives what it is given.
bool is_of_the_same_kind(const Operator& op) { return !op.inputs.empty() && op.inputs.front().kind == op.output; }

}  // namespace

void list_operators(const std::string& name, const Invocation& call) {
  if (!name.empty()) require_operator(name);
  if (call.json) {
    fmt::print("{}\n", operators_json(name));
    return;
  }
  for (const Operator& op : operators())
    if (name.empty() || op.name == name)
      fmt::print("{:<18} {}{}\n", op.name, op.params.about,
                 is_of_the_same_kind(op) ? "" : fmt::format(" (gives {})", op.output->name));
  if (name.empty()) fmt::print("\n'tepui explain NAME' tells more.\n");
}

void explain(const std::string& name, const Invocation& call) {
  if (!call.json && explain_command(name)) return;
  const Operator& op = require_operator(name);
  if (call.json) {
    fmt::print("{}\n", operators_json(name));
    return;
  }
  fmt::print("{} (version {}): {}\n\n", op.name, op.version, op.params.about);
  if (op.takes_world) fmt::print("Fills the recipe's world.\n");
  for (const Port& port : op.inputs) fmt::print("Port {:<8} {}\n", port.name, port_text(port));
  fmt::print("Gives {}. Reach: {}.\n\nParameters\n", op.output->name, reach_text(op.params));
  for (const Field& field : op.params.fields) print_field(field, field.name);
  if (has_ages(op)) fmt::print("\nStages\n  {:<13} {}\n", every_key, every_doc);
  fmt::print("\nExample\n  {} make {}\n", call.program, shell_word(example_line(op)));
  if (!op.citation.empty()) fmt::print("\nAfter {}\n", citation_text(op.citation));
}

void schema() { fmt::print("{}\n", recipe_schema()); }

}  // namespace tepui::app
