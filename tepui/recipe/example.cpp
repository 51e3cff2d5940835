#include "tepui/recipe/example.h"

#include <algorithm>
#include <filesystem>

#include "tepui/io/file/atomic_file.h"
#include "tepui/recipe/embedded.h"
#include "tepui/recipe/one_liner.h"

namespace tepui {

namespace {

/// Enough for the lands that several examples begin with.
constexpr size_t cache_bytes = size_t{256} << 20;

bool same_cells(const Layer* a, const Layer* b) {
  return a != nullptr && b != nullptr && std::ranges::equal(a->grid().cells(), b->grid().cells());
}

/// The layer that is new or other than before on ground that is as before.
std::string added_layer(const Terrain& before, const Terrain& after) {
  if (!(before.frame() == after.frame()) || !same_cells(before.find("height"), after.find("height"))) return {};
  for (const Layer& layer : after.layers())
    if (!same_cells(before.find(layer.name), &layer)) return layer.name;
  return {};
}

/// A file brings its own samples, and the line none.
bool reads_a_file(const Recipe& recipe) {
  return std::ranges::any_of(recipe.nodes,
                             [](const Node& node) { return !node.op->takes_world && node.op->inputs.empty(); });
}

/// Table mountains, as the kind of value that an operator takes.
std::string hills_for(ValueType type) {
  std::string line = "circular_faults | materials | gradation";
  if (type == ValueType::geology) line = "strata";
  if (type == ValueType::volume || type == ValueType::mesh) line += " | implicitize";
  if (type == ValueType::mesh) line += " | polygonize";
  return line;
}

}  // namespace

std::string example_line(const Operator& op) {
  std::string line = op.params.example;
  if (line.empty()) line = op.inputs.empty() ? "{}" : hills_for(op.inputs.front().type) + " | {}";
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
    if (op.inputs[i].type == ValueType::terrain && !node.inputs[i].empty())
      wanted.push_back(node.inputs[i].front().node);
  Evaluation evaluation = evaluate(example.recipe, wanted, cache_, context);
  example.value = evaluation.values.front();
  example.world = world_frame(example.recipe, cache_, context);
  const Terrain* land = std::get_if<Terrain>(&example.value);
  const Terrain* before = wanted.size() > 1 ? std::get_if<Terrain>(&evaluation.values.back()) : nullptr;
  if (land != nullptr && before != nullptr) {
    example.before = *before;
    example.layer = added_layer(*before, *land);
  }
  return example;
}

}  // namespace tepui
