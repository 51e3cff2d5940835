// bake: the natural look of land as maps for engines.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/core/error.h"
#include "tepui/core/skin.h"
#include "tepui/core/version.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/manifest.h"
#include "tepui/render/ground/engine_maps.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

/// "maps/mesa.tif" -> "mesa", "recipes/mesa.json#rock.height" -> "mesa_rock_height".
std::string map_name(const std::string& spec) {
  const size_t hash = is_node_spec(spec) ? spec.rfind('#') : spec.size();
  std::string name = fs::path(spec.substr(0, hash)).stem().string();
  if (hash < spec.size()) {
    name += '_' + spec.substr(hash + 1);
    std::ranges::replace(name, '.', '_');
  }
  return name;
}

Engine engine_of(const std::string& name) {
  const std::vector<std::string> names = engine_names();
  if (name.empty()) return Engine::none;
  const auto found = std::ranges::find(names, name);
  if (found == names.end() || name == names.front())
    refuse(fmt::format("there are no maps for '{}'", name), "--for unreal, unity, godot or blender");
  return static_cast<Engine>(found - names.begin());
}

std::string manifest_of(const std::string& prefix) { return prefix + "_maps.manifest.json"; }

void prepare_folder(const BakeOptions& options, const std::string& prefix) {
  ensure_folder(options.folder);
  check_writable(manifest_of(prefix));
}

std::vector<FileRecord> bake_files(const BakeOptions& options, const BakeParams& params, const std::string& prefix,
                                   ManifestInfo& info, const Invocation& call) {
  const Engine engine = engine_of(options.engine);
  const Context task = call.context.task(0);
  const Kind& kind = kind_of_file(options.file);
  if (kind.has_layers() || !has_maps(kind)) {
    const LoadedLand loaded = load_land_and_facts(options.file, call);
    prepare_folder(options, prefix);
    const Terrain& land = loaded.land;
    info.world = land.frame();
    info.relief = land.relief();
    info.sea_level = options.sea_level ? options.sea_level : loaded.sea_level;
    call.progress.begin({"maps"});
    std::vector<FileRecord> files = write_maps(prefix, land, params, engine, info.sea_level, loaded.text, task);
    if (land.find("height") != nullptr) info.lands.push_back(manifest_land("land", land, call.context));
    return files;
  }
  if (engine != Engine::none) refuse("'--for' only applies to land", "leave it out: the maps lie over the mesh");
  LoadedValue loaded = load_value(options.file, call);
  prepare_folder(options, prefix);
  if (options.sea_level) loaded.around.sea_level = options.sea_level;
  info.world = loaded.around.world;
  info.sea_level = loaded.around.sea_level;
  call.progress.begin({"maps"});
  return bake_value(loaded.value, {prefix, params, loaded.text}, loaded.around, task);
}

}  // namespace

void bake(const BakeOptions& asked, const Invocation& call) {
  BakeOptions options = asked;
  Fields<BakeParams> fields;
  describe(fields);
  part_words(options.file.changes.set, options.look, {options.file.name}, fields.table());
  const auto began = std::chrono::steady_clock::now();
  const std::string& file = options.file.name;
  if (options.sea_level && !std::isfinite(*options.sea_level)) refuse("the sea level must be a finite number");
  Json words = object_from_words(options.look);
  // Maps have the colours that pictures of the recipe have.
  const Json look = look_of_file(options.file);
  for (const std::string& name : skin_fields())
    if (const Json* told = look.find(name); told != nullptr && words.find(name) == nullptr)
      words.members.push_back({name, {}, *told});
  const BakeParams params = fields.make(params_from_json(fields.table(), words, "maps"));
  const std::string prefix = (fs::path(options.folder) / map_name(file)).string();
  ManifestInfo info;
  info.version = version;
  info.files = bake_files(options, params, prefix, info, call);
  info.files.push_back(write_manifest(manifest_of(prefix), info));
  call.progress.end();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  Ordered outputs = Ordered::array();
  for (const FileRecord& record : info.files) {
    const std::string path = (fs::path(options.folder) / record.name).string();
    outputs.push_back(
        {{"path", path}, {"bytes", record.bytes}, {"hash", record.hash.text()}, {"channels", record.layers}});
    report(call,
           fmt::format("wrote {}  {}  {}\n", readable(path), size_text(record.bytes),
                       record.layers.empty() ? record.format : fmt::format("{}", fmt::join(record.layers, ", "))));
  }
  if (call.json) print_json(Ordered{{"outputs", outputs}, {"seconds", seconds}});
}

}  // namespace tepui::app
