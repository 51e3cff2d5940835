#include "tepui/io/mesh_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/formats.h"
#include "tepui/io/mesh/glb_parts.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/split.h"

namespace tepui {

namespace {

FileRecord record_mesh(const std::string& path, const Mesh& mesh) {
  FileRecord record = record_file(path, mesh_format(path));
  record.centre = {mesh.centre().x, mesh.centre().y, mesh.centre().z};
  return record;
}

}  // namespace

void check_mesh_request(const ExportRequest& request) {
  const OutputParams& options = request.options;
  if (!is_mesh_ending(file_ending(request.path)))
    refuse(fmt::format("cannot write '{}': no mesh has the ending '{}'", request.path, file_ending(request.path)),
           fmt::format("the endings are {}", fmt::join(mesh_endings(), ", ")));
  if (options.range) require_option(request.path, "range");
  if (options.cog) require_option(request.path, "cog");
  if (options.compression != Compression::deflate) require_option(request.path, "compression");
  if (options.quantise) require_option(request.path, "quantise");
  if (options.meshopt) require_option(request.path, "meshopt");
  check_tiling(request.path, options.tiles);
}

std::vector<FileRecord> export_mesh(const Mesh& mesh, const ExportRequest& request, const Context& context) {
  check_mesh_request(request);
  GlbOptions options = glb_options(request.options);
  const std::vector<std::string> paths = tile_names(request.path, request.options.tiles);
  if (!request.options.is_tiled()) {
    write_mesh(paths.front(), mesh, context.stage("writing", 0, 1), options);
    return {record_mesh(paths.front(), mesh)};
  }
  const auto columns = static_cast<int64_t>(request.options.tiles.x);
  const auto rows = static_cast<int64_t>(request.options.tiles.y);
  const std::vector<MeshTile> tiles = split_mesh(mesh, columns, rows, context.stage("dividing", 0, 0.2));
  if (tiles.size() < paths.size())
    refuse(fmt::format("cannot write '{}': of {} x {} tiles, {} would hold no triangle", request.path, columns, rows,
                       paths.size() - tiles.size()),
           "fewer tiles hold some each");
  for (const MeshTile& tile : tiles) options.step = std::max(options.step, glb_step(tile.mesh.bounds()));
  std::vector<FileRecord> records;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const auto share = [&](size_t at) {
      return 0.2 + 0.8 * static_cast<double>(at) / static_cast<double>(tiles.size());
    };
    write_mesh(paths[i], tiles[i].mesh, context.stage("writing", share(i), share(i + 1)), options);
    records.push_back(record_mesh(paths[i], tiles[i].mesh));
    records.back().tile = {tiles[i].x, tiles[i].y, columns, rows};
    records.back().bounds = tiles[i].mesh.world_bounds();
  }
  return records;
}

}  // namespace tepui
