#include "tepui/io/mesh_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"
#include "tepui/io/mesh/glb_parts.h"
#include "tepui/io/mesh_file.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/split.h"

namespace tepui {

namespace {

FileRecord write_one(const FileTarget& to, const Mesh& mesh, GlbOptions options, const ExportRequest& request,
                     const Context& context) {
  options.name_suffix = request.name_suffix;
  write_mesh(to, mesh, context, options, request.textures);
  FileRecord record = record_of(to, writing_format(to.path(), Mesh::kind_name)->name);
  record.centre = {mesh.centre().x, mesh.centre().y, mesh.centre().z};
  return record;
}

}  // namespace

void check_mesh_request(const ExportRequest& request) {
  const OutputParams& options = request.options;
  if (writing_format(request.path, Mesh::kind_name) == nullptr)
    refuse(fmt::format("cannot write '{}': there is no mesh format with the extension '{}'", request.path,
                       file_ending(request.path)),
           fmt::format("known extensions: {}", fmt::join(writing_endings(Mesh::kind_name), ", ")));
  check_options(Mesh::kind_name, request.path, options);
  check_tiling(request.path, options.tiles);
}

std::vector<FileRecord> export_mesh(const Mesh& mesh, const ExportRequest& request, const Context& context) {
  check_mesh_request(request);
  GlbOptions options = glb_options(request.options);
  const std::vector<std::string> paths = tile_names(request.path, request.options.tiles);
  if (!request.options.is_tiled())
    return {write_one(request.target(paths.front()), mesh, options, request, context.stage("writing", 0, 1))};
  const auto columns = static_cast<int64_t>(request.options.tiles.x);
  const auto rows = static_cast<int64_t>(request.options.tiles.y);
  const std::vector<MeshTile> tiles = split_mesh(mesh, columns, rows, context.stage("dividing", 0, 0.2));
  if (tiles.size() < paths.size())
    refuse(fmt::format("cannot write '{}': {} x {} tiles would leave {} without a triangle", request.path, columns,
                       rows, paths.size() - tiles.size()),
           "use fewer tiles");
  for (const MeshTile& tile : tiles) options.step = std::max(options.step, glb_step(tile.mesh.bounds()));
  std::vector<FileRecord> records;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const auto share = [&](size_t at) {
      return 0.2 + 0.8 * static_cast<double>(at) / static_cast<double>(tiles.size());
    };
    records.push_back(write_one(request.target(paths[i]), tiles[i].mesh, options, request,
                                context.stage("writing", share(i), share(i + 1))));
    records.back().tile = {tiles[i].x, tiles[i].y, columns, rows};
    records.back().bounds = tiles[i].mesh.world_bounds();
  }
  return records;
}

}  // namespace tepui
