#include "tepui/output/example.h"

#include <algorithm>
#include <filesystem>

#include "tepui/io/file/atomic_file.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/embedded.h"
#include "tepui/recipe/one_liner.h"

namespace tepui {

namespace {

/// Enough for the lands that several examples begin with.
constexpr size_t cache_bytes = size_t{256} << 20;

/// A file brings its own samples, and the line none.
bool reads_a_file(const Recipe& recipe) {
  return std::ranges::any_of(recipe.nodes,
                             [](const Node& node) { return !node.op->takes_world && node.op->inputs.empty(); });
}

}  // namespace

std::string example_line(const Operator& op) {
  std::string line = op.params.example;
  if (line.empty()) line = op.inputs.empty() ? "{}" : output_kind(*op.inputs.front().kind).example + " | {}";
  if (const size_t place = line.find("{}"); place != std::string::npos) line.replace(place, 2, op.name);
  return line;
}

Examples::Examples() : cache_(cache_bytes) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.starts_with("recipes/data/")) continue;
    const std::string path = files_ / file.name;
    ensure_folder(std::filesystem::path(path).parent_path().string());
    write_file(path, file.bytes);
  }
}

Example Examples::make(const Operator& op, const std::string& setting, std::optional<int64_t> resolution,
                       const Context& context) {
  // Files lie relative to the source.
  const auto line = std::make_shared<const Source>(Source{files_ / "example", example_line(op)});
  Overrides overrides;
  if (!setting.empty()) overrides.set.push_back(op.name + "." + setting);
  const Json document = parse_one_liner(*line, {});
  Example example;
  example.recipe = build_recipe(document, {line}, overrides);
  if (resolution && !reads_a_file(example.recipe)) {
    overrides.resolution = resolution;
    example.recipe = build_recipe(document, {line}, overrides);
  }
  example.recipe.name = op.name;
  const int shown = static_cast<int>(example.recipe.nodes.size()) - 1;
  const Node& node = example.recipe.nodes[static_cast<size_t>(example.recipe.find_node(op.name))];
  std::vector<int> wanted{shown};
  for (size_t i = 0; i < node.inputs.size() && wanted.size() == 1; ++i)
    if (op.inputs[i].kind == op.output && !node.inputs[i].empty()) wanted.push_back(node.inputs[i].front().node);
  Evaluation evaluation = evaluate(example.recipe, wanted, cache_, context);
  example.value = evaluation.values.front();
  example.world = world_frame(example.recipe, cache_, context);
  if (wanted.size() > 1) example.before = evaluation.values.back();
  const OutputKind& row = output_kind(example.value);
  if (!example.before.empty() && row.added != nullptr && &example.before.kind() == row.kind)
    example.layer = row.added(example.before, example.value);
  return example;
}

}  // namespace tepui
