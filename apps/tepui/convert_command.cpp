// convert: land or a mesh from one format to another.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "tepui/core/error.h"
#include "tepui/core/version.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/formats.h"
#include "tepui/io/manifest.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/mesh_export.h"
#include "tepui/recipe/build.h"
#include "tepui/recipe/output_json.h"
#include "tepui/recipe/value_kind.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

std::string in_folder_of(const std::string& path, const std::string& name) {
  return (fs::path(path).parent_path() / name).string();
}

std::vector<FileRecord> convert_mesh(const ConvertOptions& options, const Session& session) {
  const std::string& from = options.file.name;
  if (!is_mesh_ending(file_ending(options.output)))
    refuse(fmt::format("'{}' is a mesh, and '{}' would hold none", from, options.output),
           fmt::format("meshes are written as {}", fmt::join(mesh_endings(), ", ")));
  if (!options.file.how.empty() || !options.layers.empty()) refuse("'--in' and '--layer' are for land, not for a mesh");
  ExportRequest request{.path = options.output};
  request.options = output_options(options.out, options.output, ValueType::mesh);
  check_mesh_request(request);
  return export_mesh(read_mesh(from, session.context), request, session.context);
}

/// All layers where the format holds several, else the height.
std::vector<std::string> layers_to_write(const Terrain& land, const ConvertOptions& options) {
  const FileFormat* format = find_format(options.output);
  if (!options.layers.empty() || format == nullptr || !format->many_layers) return options.layers;
  std::vector<std::string> names;
  for (const Layer& layer : land.layers())
    if (layer.name != "void" || land.layers().size() == 1) names.push_back(layer.name);
  return names;
}

/// What is no land, as its own kind of file.
std::vector<FileRecord> convert_value(const ConvertOptions& options, const ExportRequest& request,
                                      const LoadedValue& loaded, const Session& session) {
  if (!options.layers.empty()) refuse("'--layer' is for land", "leave it out");
  const ValueKind& kind = value_kind(loaded.value);
  if (kind.check != nullptr) kind.check(loaded.value, request);
  session.progress.begin({file_name(options.output)});
  std::vector<FileRecord> records = kind.write(loaded.value, request, loaded.around, session.context.task(0));
  session.progress.end();
  return records;
}

std::vector<FileRecord> convert_land(const ConvertOptions& options, const Session& session) {
  ExportRequest request;
  request.path = options.output;
  const ValueType type = type_of_spec(options.file.name);
  if (type != ValueType::terrain) check_value_file(options.output, type, fmt::format("'{}'", options.file.name));
  request.options = output_options(options.out, options.output, type);
  if (!request.options.is_tiled()) check_writable(options.output);
  const LoadedValue loaded = load_value(options.file.name, options.file.how, session);
  if (type != ValueType::terrain) return convert_value(options, request, loaded, session);
  const Terrain& land = std::get<Terrain>(loaded.value);
  request.text = loaded.text;
  request.layers = layers_to_write(land, options);
  check_export(land, request);
  session.progress.begin({file_name(options.output)});
  ManifestInfo info;
  info.version = version;
  info.world = land.frame();
  info.relief = land.relief();
  info.sea_level = loaded.around.sea_level;
  info.files = write_land(land, request, loaded.around.sea_level, session.context.task(0));
  if (land.find("height") != nullptr) info.lands.push_back(manifest_land("land", land, session.context));
  // Named after the whole file, so that it stands beside the manifest of the build that the land came from.
  const std::string manifest = options.output + ".manifest.json";
  write_manifest(manifest, info);
  session.progress.end();
  info.files.push_back(record_file(manifest, "manifest"));
  return info.files;
}

}  // namespace

void convert(const ConvertOptions& options, const Session& session) {
  const auto began = std::chrono::steady_clock::now();
  const bool mesh = !is_node_spec(options.file.name) && is_mesh_ending(file_ending(options.file.name));
  const std::vector<FileRecord> records = mesh ? convert_mesh(options, session) : convert_land(options, session);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  Ordered outputs = Ordered::array();
  for (const FileRecord& record : records) {
    const std::string path = in_folder_of(options.output, record.name);
    outputs.push_back({{"path", path}, {"bytes", record.bytes}, {"hash", record.hash.text()}});
    if (!session.json) fmt::print("wrote {}  {}  {}\n", path, size_text(record.bytes), record.format);
  }
  if (session.json) print_json(Ordered{{"outputs", outputs}, {"seconds", seconds}});
}

}  // namespace tepui::app
