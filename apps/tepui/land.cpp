#include "apps/tepui/land.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/core/version.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/output/build.h"
#include "tepui/output/output_nodes.h"
#include "tepui/output/read_value.h"
#include "tepui/output/recipe_look.h"
#include "tepui/output/recipe_source.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

namespace fs = std::filesystem;

Plan load_recipe_or_preset(const std::string& name, const Overrides& overrides) {
  return plan(parse_recipe(recipe_source(name), overrides));
}

Plan load_recipe_or_preset(const std::string& name, const Overrides& overrides, Problems& problems) {
  return plan(parse_recipe(recipe_source(name), overrides, problems), problems);
}

std::optional<Json> recipe_document(const std::string& name) {
  try {
    std::error_code none;
    if (fs::is_regular_file(name, none)) return parse_json(read_recipe(name)).placed_at({});
    if (const Preset* preset = find_preset(name)) return parse_json({name, preset->text}).placed_at({});
  } catch (const std::exception&) {
    // A recipe that cannot be read has nothing to offer.
  }
  return std::nullopt;
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

Overrides overrides_of(const RecipeChanges& changes) {
  return {.seed = changes.seed, .resolution = changes.resolution, .set = changes.set};
}

const Kind& kind_of_file(const LandFile& file) {
  if (!is_node_spec(file.name)) return tepui::kind_of_file(file.name);
  const size_t hash = file.name.find('#');
  const Plan recipe = load_recipe_or_preset(file.name.substr(0, hash), overrides_of(file.changes));
  return *recipe.node(named_node(recipe, file.name.substr(hash + 1))).op->output;
}

Json look_of_file(const LandFile& file) {
  if (!is_node_spec(file.name)) return {};
  const size_t hash = file.name.find('#');
  return look_of(load_recipe_or_preset(file.name.substr(0, hash), overrides_of(file.changes)),
                 std::string_view(file.name).substr(hash + 1));
}

void require_unchanged(const LandFile& file) {
  if (!file.changes.empty())
    refuse(fmt::format("'{}' is a file; only recipes have parameters to set", file.name),
           "remove '--seed', '--resolution' and '--set', or give RECIPE#node");
}

LoadedValue load_value(const LandFile& file, const Invocation& call) {
  const std::string& spec = file.name;
  const std::string software = std::string("Tepui ") + version;
  if (is_recipe(spec) || (!fs::exists(spec) && find_preset(spec) != nullptr)) {
    std::vector<std::string> nodes;
    for (const Node& node : load_recipe_or_preset(spec).nodes)
      if (node.whole < 0) nodes.push_back(node.name);
    refuse(fmt::format("'{}' is a recipe, not land", spec),
           fmt::format("name one of its nodes, for example {}#{}", spec, fmt::join(nodes, ", #")));
  }
  if (!is_node_spec(spec)) {
    require_unchanged(file);
    return {read_value(spec, file.how, call.context), {}, {{"Software", software}}};
  }
  if (!file.how.empty()) refuse(fmt::format("'{}' is computed, not read from a file", spec), "remove '--in'");
  const size_t hash = spec.find('#');
  const Plan recipe = load_recipe_or_preset(spec.substr(0, hash), overrides_of(file.changes));
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

std::optional<Lines> lines_of(const NamedLines& named, const RecipeChanges& changes, const Invocation& call) {
  if (named.name.empty()) return std::nullopt;
  LandFile file;
  file.name = named.name;
  if (file.name.front() == '#') {
    if (!is_node_spec(named.beside))
      refuse(fmt::format("'{}' is a node of a recipe, and '{}' is a file", file.name, named.beside),
             "name the file of lines");
    file.name = named.beside.substr(0, named.beside.rfind('#')) + file.name;
  }
  if (is_node_spec(file.name)) file.changes = changes;
  const Kind& kind = kind_of_file(file);
  if (kind.name != Lines::kind_name)
    refuse(fmt::format("'{}' takes lines, and '{}' is {}", named.option, file.name, kind.noun),
           "for example rivers.gpkg");
  return get<Lines>(load_value(file, call).value);
}

const Terrain& land_of(const Value& value, const std::string& spec) {
  try {
    return get<Terrain>(value, fmt::format("'{}'", spec));
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(),
                fmt::format("draw it with 'tepui figure {} {}', or describe it with 'tepui info'",
                            output_kind(value).figures.front(), spec));
  }
}

LoadedLand load_land_and_facts(const LandFile& file, const Invocation& call) {
  LoadedValue loaded = load_value(file, call);
  return {land_of(loaded.value, file.name), loaded.around.sea_level, std::move(loaded.text)};
}

Terrain load_land(const LandFile& file, const Invocation& call) { return load_land_and_facts(file, call).land; }

}  // namespace tepui::app
