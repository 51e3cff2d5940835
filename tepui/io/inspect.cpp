#include "tepui/io/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/geotiff.h"
#include "tepui/io/manifest.h"
#include "tepui/io/mesh_facts.h"
#include "tepui/io/png.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

TerrainFileInfo inspect_png(const std::string& path, const Context& context) {
  const PngSamples samples = read_png(path);
  TerrainFileInfo info;
  info.format = "PNG";
  info.type = samples.bits == 16 ? "UInt16" : "Byte";
  info.width = samples.grid.width();
  info.height = samples.grid.height();
  const auto cells = samples.grid.cells();
  const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
  info.min = *low;
  info.max = *high;
  uint64_t sum = 0;
  for (const uint16_t v : cells) sum += v;
  info.mean = static_cast<double>(sum) / static_cast<double>(cells.size());
  const std::optional<FileRecord> record = find_record(path, hash_file(path), context);
  info.layers = record && !record->layers.empty() ? record->layers : std::vector<std::string>{"height"};
  return info;
}

TerrainFileInfo inspect_tiff(const std::string& path, const Context& context) {
  const GeoTiffInfo tiff = inspect_geotiff(path, context);
  TerrainFileInfo info;
  info.format = "GeoTIFF";
  info.type = tiff.type;
  info.width = tiff.width;
  info.height = tiff.height;
  info.cell = tiff.cell;
  info.rotated = tiff.rotated;
  info.min = tiff.min;
  info.max = tiff.max;
  info.mean = tiff.mean;
  info.nodata_cells = tiff.nodata_cells;
  info.crs = tiff.crs;
  info.registration = tiff.registration;
  info.layers = tiff.layers;
  return info;
}

Json optional_text(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class T>
Json optional_number(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json json_of(const TerrainFileInfo& info) {
  Json json = {{"kind", "terrain"}, {"format", info.format}, {"type", info.type}};
  json["width"] = info.width;
  json["height"] = info.height;
  json["cell"] = info.cell ? Json({info.cell->x, info.cell->y}) : Json();
  if (info.rotated) json["rotated"] = true;
  json["min"] = optional_number(info.min);
  json["max"] = optional_number(info.max);
  json["mean"] = optional_number(info.mean);
  json["nodata_cells"] = info.nodata_cells;
  json["crs"] = optional_text(info.crs);
  json["registration"] = optional_text(info.registration);
  json["layers"] = info.layers;
  return json;
}

Json json_of(const MeshFileInfo& info) {
  Json json = {{"kind", "mesh"}, {"format", info.format}};
  json["vertices"] = info.vertices;
  json["triangles"] = info.triangles;
  json["components"] = info.components;
  json["boundary_edges"] = info.boundary_edges;
  json["nonmanifold_edges"] = info.nonmanifold_edges;
  json["degenerate_triangles"] = info.degenerate_triangles;
  json["genus"] = optional_number(info.genus);
  json["volume"] = optional_number(info.volume);
  json["area"] = info.area;
  json["bounds"] = Json::array();
  for (const Vec3& corner : info.bounds) json["bounds"].push_back({corner.x, corner.y, corner.z});
  return json;
}

}  // namespace

FileInfo inspect(const std::string& path, const Context& context) {
  const std::string ending = file_ending(path);
  FileInfo info;
  if (ending == ".tif" || ending == ".tiff") {
    info.terrain = inspect_tiff(path, context);
  } else if (ending == ".png") {
    info.terrain = inspect_png(path, context);
  } else if (ending == ".glb") {
    info.mesh = mesh_facts(read_glb(path));
    info.mesh->format = "GLB";
  } else {
    refuse(fmt::format("cannot read '{}': no format has the ending '{}'", path, ending),
           "the endings are .tif, .tiff, .png, .glb");
  }
  return info;
}

std::string info_json(const FileInfo& info) {
  const Json json = info.terrain ? json_of(*info.terrain) : info.mesh ? json_of(*info.mesh) : Json::object();
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tepui
