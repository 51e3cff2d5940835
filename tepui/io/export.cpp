#include "tepui/io/export.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"
#include "tepui/io/tiles.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

std::vector<Layer> chosen_layers(const Terrain& terrain, const ExportRequest& request) {
  if (terrain.layers().empty()) refuse(fmt::format("cannot write '{}': the land has no layers", request.path));
  std::vector<Layer> layers;
  for (const std::string& name : request.layers) layers.push_back(terrain.layer(name));
  if (layers.empty())
    layers.push_back(terrain.layers().size() == 1 ? terrain.layers().front() : terrain.layer("height"));
  return layers;
}

/// A request found sound.
struct Plan {
  const FileFormat* format = nullptr;
  std::vector<Layer> layers;
  Encoding encoding;
  std::vector<std::string> paths;
  std::vector<TileWindow> windows;  ///< one per path; none where the land is one file
};

void check_layers(const Plan& plan, const std::string& path) {
  const FileFormat& format = *plan.format;
  if (format.samples == Samples::mesh && (plan.layers.size() != 1 || plan.layers.front().name != "height"))
    refuse(fmt::format("cannot write '{}': a mesh can only be made of the layer 'height'", path));
  if (plan.layers.size() == 1 || format.many_layers) return;
  std::vector<std::string> others;
  for (const FileFormat& other : file_formats())
    if (other.many_layers && other.writes(Terrain::kind_name)) others.push_back(other.endings.front());
  refuse(fmt::format("cannot write '{}': {} holds one layer, not {}", path, format.name, plan.layers.size()),
         fmt::format("{} holds several", fmt::join(others, ", ")));
}

bool is_whole_numbers(const FileFormat& format) {
  return format.samples == Samples::fitted || format.samples == Samples::sixteen;
}

/// Of land that lies on `frame`, of which `terrain` is all or a part; all but the encoding.
Plan plan_files(const Frame& frame, const Terrain& terrain, const ExportRequest& request) {
  Plan plan;
  plan.format = writing_format(request.path, Terrain::kind_name);
  if (plan.format == nullptr)
    refuse(fmt::format("cannot write '{}': there is no format with the extension '{}'", request.path,
                       file_ending(request.path)),
           fmt::format("known extensions: {}", fmt::join(writing_endings(Terrain::kind_name), ", ")));
  plan.layers = chosen_layers(terrain, request);
  if (frame.width < 1 || frame.height < 1)
    refuse(fmt::format("cannot write '{}': the land has no samples", request.path));
  check_options(Terrain::kind_name, request.path, request.options);
  check_layers(plan, request.path);
  if (plan.format->check != nullptr) plan.format->check(request.path, frame);
  plan.paths = tile_names(request.path, request.options.tiles);
  if (request.options.is_tiled()) plan.windows = tile_windows(request.path, frame, request.options.tiles);
  return plan;
}

Plan plan_of(const Terrain& terrain, const ExportRequest& request) {
  Plan plan = plan_files(terrain.frame(), terrain, request);
  if (is_whole_numbers(*plan.format))
    plan.encoding =
        encoding_of(request.path, plan.layers.front(), request.options, plan.format->samples == Samples::fitted);
  return plan;
}

void warn_of_voids(int64_t count, int64_t cells, const Plan& plan, const ExportRequest& request,
                   const Context& context) {
  if (plan.format->keeps_voids || plan.layers.front().name == "void" || count == 0) return;
  context.warn(fmt::format("'{}': {} of {} cells are void and are written filled; a .tif keeps them as nodata",
                           request.path, count, cells));
}

void warn_of_clamped(int64_t count, int64_t cells, const Plan& plan, const ExportRequest& request,
                     const Context& context) {
  const Encoding& e = plan.encoding;
  if (count > 0)
    context.warn(fmt::format("'{}': {} of {} cells lie outside [{:g}, {:g}] and were clamped", request.path, count,
                             cells, e.offset, e.offset + e.top * e.scale));
}

/// Writes one file; adds to the cells that were clamped.
FileRecord write_one(const WriteJob& job, const FileFormat& format, int64_t& clamped) {
  const Written written = format.write(job);
  clamped += written.clamped;
  FileRecord record = record_of(job.to, format.name);
  record.bits = written.bits;
  record.centre = written.centre;
  if (is_whole_numbers(format)) {
    record.offset = job.encoding.offset;
    record.scale = job.encoding.scale;
  }
  for (const Layer& layer : job.layers) record.layers.push_back(layer.name);
  record.place = place_of(job.terrain.frame());
  return record;
}

FileRecord write_tile(const Terrain& tile, const ExportRequest& request, const Plan& plan, size_t index,
                      int64_t& clamped, const Context& context) {
  const TileWindow& window = plan.windows[index];
  std::vector<Layer> layers;
  for (const Layer& layer : plan.layers) layers.push_back(tile.layer(layer.name));
  FileRecord record = write_one({request.target(plan.paths[index]), tile, layers, plan.encoding, request, context},
                                *plan.format, clamped);
  const Vec2 tiles = request.options.tiles;
  record.tile = {window.x, window.y, static_cast<int64_t>(tiles.x), static_cast<int64_t>(tiles.y)};
  return record;
}

/// The layers that a tile's file is made from.
std::vector<std::string> layers_of_tiles(const Plan& plan) {
  std::vector<std::string> names{"void"};
  for (const Layer& layer : plan.layers)
    if (layer.name != "void") names.push_back(layer.name);
  return names;
}

Context stage_of_tile(const Context& context, size_t index, size_t count) {
  const double share = 1 / static_cast<double>(count), begin = static_cast<double>(index) * share;
  return context.stage("writing", begin, begin + share);
}

}  // namespace

SamplePlace place_of(const Frame& frame) {
  SamplePlace place{frame.width, frame.height, frame.cell, {frame.x(0), frame.y(0)}, std::nullopt};
  if (!frame.geo) return place;
  place.geo = *frame.geo;
  place.geo->origin.x += static_cast<double>(frame.first_x) * frame.geo->step.x;
  place.geo->origin.y += static_cast<double>(frame.first_y) * frame.geo->step.y;
  return place;
}

int64_t void_cells(const Terrain& terrain) {
  const Layer* voids = terrain.find("void");
  if (voids == nullptr) return 0;
  return std::count_if(voids->grid().cells().begin(), voids->grid().cells().end(), is_void);
}

void check_export(const Terrain& terrain, const ExportRequest& request) { plan_of(terrain, request); }

std::vector<FileRecord> export_files(const Terrain& terrain, const ExportRequest& request, const Context& context) {
  const Plan plan = plan_of(terrain, request);
  const int64_t cells = plan.layers.front().grid().size();
  warn_of_voids(void_cells(terrain), cells, plan, request, context);
  std::vector<FileRecord> records;
  int64_t clamped = 0;
  if (plan.windows.empty())
    records = {write_one({request.target(plan.paths.front()), terrain, plan.layers, plan.encoding, request, context},
                         *plan.format, clamped)};
  for (size_t i = 0; i < plan.windows.size(); ++i)
    records.push_back(write_tile(cut_tile(terrain, plan.windows[i], layers_of_tiles(plan)), request, plan, i, clamped,
                                 stage_of_tile(context, i, plan.windows.size())));
  warn_of_clamped(clamped, cells, plan, request, context);
  return records;
}

bool needs_ranges(const Terrain& sample, const ExportRequest& request) {
  const Plan plan = plan_files(sample.frame(), sample, request);
  return is_whole_numbers(*plan.format) && encoding_needs_range(plan.layers.front(), request.options);
}

void check_tiles(const Frame& all, const Terrain& sample, const ExportRequest& request) {
  plan_files(all, sample, request);
}

std::vector<FileRecord> export_tiles(const LandParts& land, const ExportRequest& request, const Context& context) {
  std::vector<FileRecord> records;
  std::optional<Plan> plan;
  int64_t clamped = 0, voids = 0, cells = 0;
  const std::vector<TileWindow> windows = tile_windows(request.path, land.frame, request.options.tiles);
  for (size_t i = 0; i < windows.size(); ++i) {
    if (!land.chosen.empty() && !land.chosen[i]) continue;
    const TileWindow& w = windows[i];
    const Context step = stage_of_tile(context, i, windows.size());
    const Terrain tile = land.window(land.frame.window(w.first_x, w.first_y, w.width, w.height), step);
    if (!plan) {
      plan = plan_files(land.frame, tile, request);
      const Layer& first = plan->layers.front();
      const auto range = land.ranges.find(first.name);
      if (is_whole_numbers(*plan->format))
        plan->encoding = encoding_of(request.path, first, range != land.ranges.end() ? range->second : MinMax(),
                                     request.options, plan->format->samples == Samples::fitted);
      // Only their names and kinds are needed from here on.
      for (Layer& layer : plan->layers) layer.data.reset();
    }
    records.push_back(write_tile(tile, request, *plan, i, clamped, step));
    voids += void_cells(tile);
    cells += w.width * w.height;
  }
  if (!plan) return records;
  warn_of_voids(voids, cells, *plan, request, context);
  warn_of_clamped(clamped, cells, *plan, request, context);
  return records;
}

FileRecord export_terrain(const Terrain& terrain, const ExportRequest& request, const Context& context) {
  if (request.options.is_tiled()) {
    check_export(terrain, request);
    refuse(fmt::format("cannot write '{}' as tiles: it must be a single file", request.path));
  }
  return export_files(terrain, request, context).front();
}

FileRecord record_of(const FileTarget& written, std::string format) {
  FileRecord record;
  record.name = file_name(written.path());
  record.format = std::move(format);
  record.bytes = written.stored().bytes;
  record.hash = written.stored().hash;
  return record;
}

}  // namespace tepui
