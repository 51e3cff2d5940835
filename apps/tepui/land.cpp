#include "apps/tepui/land.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/io/atomic_file.h"
#include "tepui/recipe/build.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

namespace fs = std::filesystem;

namespace {

/// Holds the files a preset reads while the program runs.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "tepui-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      fail(fmt::format("cannot make a folder in '{}'", fs::temp_directory_path().string()));
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Recipe load_preset(const Preset& preset, const Overrides& overrides) {
  if (preset.files.empty()) return parse_recipe({preset.name + ".json", preset.text}, overrides);
  static const Scratch scratch;
  for (const PresetFile& file : preset.files) {
    ensure_folder((scratch.path() / file.name).parent_path().string());
    write_file((scratch.path() / file.name).string(), file.bytes);
  }
  return parse_recipe({(scratch.path() / (preset.name + ".json")).string(), preset.text}, overrides);
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

Terrain load_land(const std::string& spec, const std::vector<std::string>& how, const Session& session) {
  if (is_recipe(spec)) {
    std::vector<std::string> nodes;
    for (const Node& node : load_recipe(spec).nodes) nodes.push_back(node.name);
    refuse(fmt::format("'{}' is a recipe, not land", spec),
           fmt::format("look at one of its nodes: {}#{}", spec, fmt::join(nodes, ", #")));
  }
  if (!is_node_spec(spec)) return read(read_params(spec, how), session.context);
  if (!how.empty()) refuse(fmt::format("'{}' is made, not read", spec), "leave '--in' out");
  const size_t hash = spec.find('#');
  const Recipe recipe = load_recipe_or_preset(spec.substr(0, hash));
  const Reference reference = recipe.reference(spec.substr(hash + 1));
  session.progress.begin(build_tasks(recipe));
  const std::unique_ptr<DiskCache> disk = open_cache(session.cache);
  ValueCache cache(0, disk.get());
  const Evaluation evaluation = evaluate(recipe, {reference.node}, cache, session.context);
  session.progress.end();
  return std::get<Terrain>(select(evaluation.values.front(), reference));
}

const Layer& main_layer(const Terrain& land) {
  return land.find("height") != nullptr ? *land.find("height") : land.layers().front();
}

}  // namespace tepui::app
