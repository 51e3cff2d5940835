// ops, explain, schema: what the registry knows.
#include <fmt/format.h>

#include <algorithm>

#include "apps/tepui/commands.h"
#include "tepui/output/example.h"
#include "tepui/output/schema.h"
#include "tepui/recipe/meaning.h"
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
  fmt::print("{}: {}\n\nParameters, for --set NAME=VALUE and in recipes\n", name, fields.table().about);
  for (const Field& field : fields.table().fields) print_field(field, field.name);
}

bool explain_command(const std::string& name) {
  if (name == "render") return explain_command<PictureParams>(name), true;
  if (name == "figure") return explain_command<FigureParams>(name), true;
  if (name == "bake") return explain_command<BakeParams>(name), true;
  return false;
}

/// Those of the commands' parameters that a word names, such as "biome" or "haze".
template <class Params>
void add_parameters(const std::string& command, const std::string& word, std::vector<std::string>& lines) {
  Fields<Params> fields;
  describe(fields);
  for (const Field& field : fields.table().fields)
    if (concerns(word, field.name) || std::ranges::find(field.choices, word) != field.choices.end())
      lines.push_back(fmt::format("{:<18} its '{}': {}\n", command, field.name, field.doc));
}

/// What has to do with a word that is no operator's name.
void explain_word(const std::string& word, const Invocation& call) {
  std::vector<std::string> known;
  for (const Operator& op : operators()) known.push_back(op.name);
  const std::string near = nearest_name(word, known);
  const std::vector<const Operator*> about = operators_about(word);
  // A slip of the keys, rather than a word for something.
  const auto is_near = [&](const Operator* op) { return op->name == near; };
  if (std::ranges::any_of(about, is_near)) require_operator(word);
  std::vector<std::string> lines;
  for (const Operator* op : about) lines.push_back(fmt::format("{:<18} {}\n", op->name, op->params.about));
  if (concerns(word, "sea"))
    lines.push_back(fmt::format(
        "{:<18} \"sea_level\" of a recipe's world, in metres; used by pictures and the manifest\n", "world"));
  add_parameters<PictureParams>("render", word, lines);
  add_parameters<FigureParams>("figure", word, lines);
  add_parameters<BakeParams>("bake", word, lines);
  if (lines.empty() || call.json) require_operator(word);
  fmt::print("There is no operator '{}'. Related:\n\n", readable(word, 60));
  for (const std::string& line : lines) fmt::print("{}", line);
  fmt::print("\nFor more: {} explain NAME\n", call.program);
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
  if (name.empty()) fmt::print("\nFor more: tepui explain NAME\n");
}

void explain(const std::string& name, const Invocation& call) {
  if (!call.json && explain_command(name)) return;
  if (find_operator(name) == nullptr) return explain_word(name, call);
  const Operator& op = require_operator(name);
  if (call.json) {
    fmt::print("{}\n", operators_json(name));
    return;
  }
  fmt::print("{} (version {}): {}\n\n", op.name, op.version, op.params.about);
  if (op.takes_world)
    fmt::print("{}\n",
               op.inputs.empty() ? "Fills the recipe's world." : "Places and % are those of the recipe's world.");
  for (const Port& port : op.inputs) fmt::print("Port {:<8} {}\n", port.name, port_text(port));
  fmt::print("Gives {}. Reach (how far it looks): {}.\n\nParameters\n", op.output->name, reach_text(op.params));
  for (const Field& field : op.params.fields) print_field(field, field.name);
  if (has_ages(op)) fmt::print("\nStages\n  {:<13} {}\n", every_key, every_doc);
  fmt::print("\nExample\n  {} make {}\n", call.program, shell_word(example_line(op)));
  if (!op.citation.empty()) fmt::print("\nAfter {}\n", citation_text(op.citation));
}

void schema() { fmt::print("{}\n", recipe_schema()); }

}  // namespace tepui::app
