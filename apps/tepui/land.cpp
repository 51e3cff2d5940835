#include "apps/tepui/land.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/core/version.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/scratch_folder.h"
#include "tepui/output/build.h"
#include "tepui/output/output_nodes.h"
#include "tepui/output/read_value.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

namespace fs = std::filesystem;

namespace {

Plan load_preset(const Preset& preset, const Overrides& overrides) {
  if (preset.files.empty()) return plan(parse_recipe({preset.name + ".json", preset.text}, overrides));
  // Holds the files that presets read while the program runs.
  static const ScratchFolder scratch;
  for (const PresetFile& file : preset.files) {
    ensure_folder(fs::path(scratch / file.name).parent_path().string());
    write_file(scratch / file.name, file.bytes);
  }
  return plan(parse_recipe({scratch / (preset.name + ".json"), preset.text}, overrides));
}

}  // namespace

Plan load_recipe_or_preset(const std::string& name, const Overrides& overrides) {
  if (fs::is_regular_file(name)) return plan(load_recipe(name, overrides));
  if (const Preset* preset = find_preset(name)) return load_preset(*preset, overrides);
  std::vector<std::string> known;
  for (const Preset& preset : presets()) known.push_back(preset.name);
  const std::string near = nearest_name(name, known);
  if (!near.empty() && !fs::exists(name))
    refuse(fmt::format("there is no recipe or preset '{}'", name), fmt::format("did you mean '{}'?", near));
  return plan(load_recipe(name, overrides));
}

Reference named_node(const Recipe& recipe, const std::string& text) {
  const Reference reference = recipe.reference(text);
  check_layer(recipe, reference);
  return reference;
}

std::unique_ptr<DiskCache> open_cache(const CacheOptions& options) {
  if (options.off) return nullptr;
  std::string folder = options.folder.empty() ? default_cache_folder() : options.folder;
  return folder.empty() ? nullptr : std::make_unique<DiskCache>(std::move(folder));
}

bool is_node_spec(const std::string& spec) { return spec.find('#') != std::string::npos && !fs::exists(spec); }

bool is_recipe(const std::string& spec) { return spec.ends_with(".json") && fs::is_regular_file(spec); }

const Kind& kind_of_spec(const std::string& spec) {
  if (!is_node_spec(spec)) return kind_of_file(spec);
  const size_t hash = spec.find('#');
  const Plan recipe = load_recipe_or_preset(spec.substr(0, hash));
  return *recipe.node(named_node(recipe, spec.substr(hash + 1))).op->output;
}

Json look_of_spec(const std::string& spec) {
  return is_node_spec(spec) ? load_recipe_or_preset(spec.substr(0, spec.find('#'))).look_text : Json();
}

LoadedValue load_value(const std::string& spec, const std::vector<std::string>& how, const Invocation& call,
                       const Overrides& overrides) {
  const std::string software = std::string("Tepui ") + version;
  if (is_recipe(spec) || (!fs::exists(spec) && find_preset(spec) != nullptr)) {
    std::vector<std::string> nodes;
    for (const Node& node : load_recipe_or_preset(spec).nodes)
      if (node.whole < 0) nodes.push_back(node.name);
    refuse(fmt::format("'{}' is a recipe, not land", spec),
           fmt::format("look at one of its nodes: {}#{}", spec, fmt::join(nodes, ", #")));
  }
  if (!is_node_spec(spec)) return {read_value(spec, how, call.context), {}, {{"Software", software}}};
  if (!how.empty()) refuse(fmt::format("'{}' is made, not read", spec), "leave '--in' out");
  const size_t hash = spec.find('#');
  const Plan recipe = load_recipe_or_preset(spec.substr(0, hash), overrides);
  const Reference reference = named_node(recipe, spec.substr(hash + 1));
  call.progress.begin(build_tasks(recipe));
  const std::unique_ptr<DiskCache> disk = open_cache(call.cache);
  ValueCache cache(0, disk.get());
  const Evaluation evaluation = evaluate(recipe, {reference.node}, cache, call.context);
  const Value& value = evaluation.values.front();
  Setting around{{}, recipe.world.sea_level};
  if (output_kind(value).takes_world) around.world = world_frame(recipe, cache, call.context);
  call.progress.end();
  return {select(value, reference), around, png_text(recipe, evaluation.facts.front().hash, value.kind())};
}

const Terrain& land_of(const Value& value, const std::string& spec) {
  try {
    return get<Terrain>(value, fmt::format("'{}'", spec));
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(),
                fmt::format("'tepui figure {} {}' draws it, 'tepui info' tells of it",
                            output_kind(value).figures.front(), spec));
  }
}

LoadedLand load_land_and_facts(const std::string& spec, const std::vector<std::string>& how, const Invocation& call,
                               const Overrides& overrides) {
  LoadedValue loaded = load_value(spec, how, call, overrides);
  return {land_of(loaded.value, spec), loaded.around.sea_level, std::move(loaded.text)};
}

Terrain load_land(const std::string& spec, const std::vector<std::string>& how, const Invocation& call) {
  return load_land_and_facts(spec, how, call).land;
}

}  // namespace tepui::app
