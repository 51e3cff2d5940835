// convert: land, a mesh or lines from one format to another.
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
#include "tepui/io/tiles.h"
#include "tepui/output/build.h"
#include "tepui/output/land_output.h"
#include "tepui/output/output_json.h"
#include "tepui/output/output_kind.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

std::string in_folder_of(const std::string& path, const std::string& name) {
  return (fs::path(path).parent_path() / name).string();
}

/// All layers where the format holds several, else the height.
std::vector<std::string> layers_to_write(const Terrain& land, const ConvertOptions& options) {
  const FileFormat* format = writing_format(options.output, Terrain::kind_name);
  if (!options.layers.empty() || format == nullptr || !format->many_layers) return options.layers;
  std::vector<std::string> names;
  for (const Layer& layer : land.layers())
    if (layer.name != "void" || land.layers().size() == 1) names.push_back(layer.name);
  return names;
}

/// What is no land, as its own kind of file.
std::vector<FileRecord> convert_value(const ConvertOptions& options, const ExportRequest& request,
                                      const LoadedValue& loaded, const Invocation& call) {
  if (!options.layers.empty()) refuse("'--layer' only applies to land", "leave it out");
  call.progress.begin({file_name(options.output)});
  std::vector<FileRecord> records = write_value(loaded.value, request, loaded.around, call.context.task(0));
  call.progress.end();
  return records;
}

std::vector<FileRecord> convert_file(const ConvertOptions& options, const Invocation& call) {
  ExportRequest request;
  request.path = options.output;
  const Kind& kind = kind_of_file(options.file);
  const bool land_is_made = kind.has_layers();
  if (!land_is_made) check_value_file(options.output, kind, fmt::format("'{}'", options.file.name));
  request.options = output_options(options.out, options.output, kind);
  if (!request.options.is_tiled()) check_writable(options.output);
  const LoadedValue loaded = load_value(options.file, call);
  if (!land_is_made) return convert_value(options, request, loaded, call);
  const Terrain& land = get<Terrain>(loaded.value);
  request.text = loaded.text;
  request.layers = layers_to_write(land, options);
  check_export(land, request);
  call.progress.begin({file_name(options.output)});
  ManifestInfo info;
  info.version = version;
  info.world = land.frame();
  info.relief = land.relief();
  info.sea_level = loaded.around.sea_level;
  info.files = write_land(land, request, loaded.around.sea_level, loaded.around.its_look(), call.context.task(0));
  if (land.find("height") != nullptr) info.lands.push_back(manifest_land("land", land, call.context));
  // Named after the whole file, so that it stands beside the manifest of the build that the land came from.
  const std::string manifest = name_of_all(options.output) + ".manifest.json";
  info.files.push_back(write_manifest(manifest, info));
  call.progress.end();
  return info.files;
}

}  // namespace

void convert(const ConvertOptions& options, const Invocation& call) {
  const auto began = std::chrono::steady_clock::now();
  const std::vector<FileRecord> records = convert_file(options, call);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  Ordered outputs = Ordered::array();
  for (const FileRecord& record : records) {
    const std::string path = in_folder_of(options.output, record.name);
    outputs.push_back({{"path", path}, {"bytes", record.bytes}, {"hash", record.hash.text()}});
    report(call, fmt::format("wrote {}  {}  {}\n", readable(path), size_text(record.bytes), record.format));
  }
  if (call.json) print_json(Ordered{{"outputs", outputs}, {"seconds", seconds}});
}

}  // namespace tepui::app
