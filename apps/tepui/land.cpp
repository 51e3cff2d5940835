#include "apps/tepui/land.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/core/version.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/scratch_folder.h"
#include "tepui/recipe/build.h"
#include "tepui/recipe/graph_checks.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

namespace fs = std::filesystem;

namespace {

Recipe load_preset(const Preset& preset, const Overrides& overrides) {
  if (preset.files.empty()) return parse_recipe({preset.name + ".json", preset.text}, overrides);
  // Holds the files that presets read while the program runs.
  static const ScratchFolder scratch;
  for (const PresetFile& file : preset.files) {
    ensure_folder(fs::path(scratch / file.name).parent_path().string());
    write_file(scratch / file.name, file.bytes);
  }
  return parse_recipe({scratch / (preset.name + ".json"), preset.text}, overrides);
}

}  // namespace

Recipe load_recipe_or_preset(const std::string& name, const Overrides& overrides) {
  if (fs::is_regular_file(name)) return load_recipe(name, overrides);
  if (const Preset* preset = find_preset(name)) return load_preset(*preset, overrides);
  std::vector<std::string> known;
  for (const Preset& preset : presets()) known.push_back(preset.name);
  const std::string near = nearest_name(name, known);
  if (!near.empty() && !fs::exists(name))
    refuse(fmt::format("there is no recipe or preset '{}'", name), fmt::format("did you mean '{}'?", near));
  return load_recipe(name, overrides);
}

Reference named_node(const Recipe& recipe, const std::string& text) {
  const Reference reference = recipe.reference(text);
  const Node& node = recipe.nodes[static_cast<size_t>(reference.node)];
  if (!reference.layer.empty() && node.op->output != ValueType::terrain) refuse(no_layers(node));
  return reference;
}

std::unique_ptr<DiskCache> open_cache(const CacheOptions& options) {
  if (options.off) return nullptr;
  std::string folder = options.folder.empty() ? default_cache_folder() : options.folder;
  return folder.empty() ? nullptr : std::make_unique<DiskCache>(std::move(folder));
}

bool is_node_spec(const std::string& spec) { return spec.find('#') != std::string::npos && !fs::exists(spec); }

bool is_recipe(const std::string& spec) { return spec.ends_with(".json") && fs::is_regular_file(spec); }

ReadParams read_params(const std::string& file, const std::vector<std::string>& how) {
  ReadParams params = params_from_words<ReadParams>(how, "'read'");
  if (!params.file.path.empty()) refuse("the file is named already", "leave 'file' out");
  params.file.path = file;
  return params;
}

ValueType type_of_spec(const std::string& spec) {
  if (!is_node_spec(spec)) return ValueType::terrain;
  const size_t hash = spec.find('#');
  const Recipe recipe = load_recipe_or_preset(spec.substr(0, hash));
  return recipe.nodes[static_cast<size_t>(named_node(recipe, spec.substr(hash + 1)).node)].op->output;
}

LoadedValue load_value(const std::string& spec, const std::vector<std::string>& how, const Session& session,
                       const Overrides& overrides) {
  const std::string software = std::string("Tepui ") + version;
  if (is_recipe(spec) || (!fs::exists(spec) && find_preset(spec) != nullptr)) {
    std::vector<std::string> nodes;
    for (const Node& node : load_recipe_or_preset(spec).nodes)
      if (node.whole < 0) nodes.push_back(node.name);
    refuse(fmt::format("'{}' is a recipe, not land", spec),
           fmt::format("look at one of its nodes: {}#{}", spec, fmt::join(nodes, ", #")));
  }
  if (!is_node_spec(spec)) return {read(read_params(spec, how), session.context), {}, {{"Software", software}}};
  if (!how.empty()) refuse(fmt::format("'{}' is made, not read", spec), "leave '--in' out");
  const size_t hash = spec.find('#');
  const Recipe recipe = load_recipe_or_preset(spec.substr(0, hash), overrides);
  const Reference reference = named_node(recipe, spec.substr(hash + 1));
  session.progress.begin(build_tasks(recipe));
  const std::unique_ptr<DiskCache> disk = open_cache(session.cache);
  ValueCache cache(0, disk.get());
  const Evaluation evaluation = evaluate(recipe, {reference.node}, cache, session.context);
  const Value& value = evaluation.values.front();
  Setting around{{}, recipe.world.sea_level};
  if (value_kind(value).takes_world) around.world = world_frame(recipe, cache, session.context);
  session.progress.end();
  return {select(value, reference), around, png_text(recipe, evaluation.facts.front().hash, value_type(value))};
}

const Terrain& land_of(const Value& value, const std::string& spec) {
  if (const Terrain* land = std::get_if<Terrain>(&value)) return *land;
  const ValueKind& kind = value_kind(value);
  refuse(fmt::format("'{}' is {}, not land", spec, value_type_name(kind.type)),
         fmt::format("'tepui figure {} {}' draws it, 'tepui info' tells of it", kind.figures.front(), spec));
}

LoadedLand load_land_and_facts(const std::string& spec, const std::vector<std::string>& how, const Session& session,
                               const Overrides& overrides) {
  LoadedValue loaded = load_value(spec, how, session, overrides);
  return {land_of(loaded.value, spec), loaded.around.sea_level, std::move(loaded.text)};
}

Terrain load_land(const std::string& spec, const std::vector<std::string>& how, const Session& session) {
  return load_land_and_facts(spec, how, session).land;
}

const Layer& main_layer(const Terrain& land) {
  return land.find("height") != nullptr ? *land.find("height") : land.layers().front();
}

}  // namespace tepui::app
