#include "tepui/io/manifest.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tepui/io/atomic_file.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

constexpr const char* axes =
    "x east, y north, z up, in metres; file row 0 is north; GLB is Y-up: x east, y up, z south";

Json pair(Vec2 v) { return {v.x, v.y}; }

/// Samples of the whole world along one side, of which the frame may hold a part.
int64_t whole(int64_t first, int64_t count, double size, double cell) {
  if (first == 0 && static_cast<double>(count) * cell >= size * (1 - 1e-12)) return count;
  return static_cast<int64_t>(std::floor(size / cell * (1 + 0x1p-40))) + 1;
}

Json world_of(const Frame& world) {
  const int64_t width = whole(world.first_x, world.width, world.size.x, world.cell.x);
  const int64_t height = whole(world.first_y, world.height, world.size.y, world.cell.y);
  Json result;
  result["size"] = pair(world.size);
  result["origin"] = pair(world.origin);
  result["samples"] = {width, height};
  result["resolution"] = std::max(width, height);
  result["metres_per_sample"] = pair(world.cell);
  result["crs"] = world.geo && !world.geo->crs.empty() ? Json(world.geo->crs) : Json();
  return result;
}

/// The system, the south-west sample in it, and GDAL's geotransform: the outer north-west corner and the cell.
Json geo_of(const SamplePlace& place) {
  const Georeference& geo = *place.geo;
  const double north = geo.origin.y + static_cast<double>(place.height - 1) * geo.step.y;
  Json result;
  result["crs"] = geo.crs.empty() ? Json() : Json(geo.crs);
  result["south_west"] = pair(geo.origin);
  result["north_west"] = pair({geo.origin.x, north});
  result["step"] = pair(geo.step);
  result["geotransform"] = {geo.origin.x - 0.5 * geo.step.x, geo.step.x, 0.0,
                            north + 0.5 * geo.step.y,        0.0,        -geo.step.y};
  return result;
}

void put_place(Json& result, const SamplePlace& place) {
  if (place.width > 0) result["samples"] = {place.width, place.height};
  result["metres_per_sample"] = pair(place.cell);
  if (place.width == 0) return;
  result["origin"] = pair(place.origin);
  result["extent"] =
      pair({static_cast<double>(place.width - 1) * place.cell.x, static_cast<double>(place.height - 1) * place.cell.y});
  if (place.geo) result["geo"] = geo_of(place);
}

Json land_of(const ManifestLand& land) {
  Json result = {{"name", land.name}, {"min", land.min}, {"max", land.max}};
  if (land.place.width == 0) return result;
  result["relief"] = {land.relief.base, land.relief.top};
  put_place(result, land.place);
  result["nodata_cells"] = land.nodata_cells;
  return result;
}

Json file_of(const FileRecord& file) {
  Json result;
  result["name"] = file.name;
  result["format"] = file.format;
  if (!file.layers.empty()) result["layers"] = file.layers;
  if (file.bits > 0) result["bits"] = file.bits;
  if (file.offset) result["offset"] = *file.offset;
  if (file.scale) result["scale"] = *file.scale;
  if (file.place) put_place(result, *file.place);
  if (file.centre) result["centre"] = *file.centre;
  result["bytes"] = file.bytes;
  result["hash"] = file.hash.text();
  return result;
}

}  // namespace

ManifestLand manifest_land(std::string name, const Terrain& land, const Context& context) {
  const MinMax range = min_max(land.height(), context);
  return {std::move(name), static_cast<double>(range.low), static_cast<double>(range.high),
          land.relief(),   place_of(land.frame()),         void_cells(land)};
}

std::string manifest_text(const ManifestInfo& info) {
  Json json;
  json["tepui_manifest"] = format_version;
  json["tepui"] = info.version;
  json["title"] = info.title.empty() ? Json() : Json(info.title);
  json["recipe"] = info.recipe.empty() ? Json() : Json(info.recipe);
  json["seed"] = info.seed;
  json["recipe_hash"] = info.recipe_hash.text();
  json["world"] = world_of(info.world);
  json["relief"] = {info.relief.base, info.relief.top};
  json["sea_level"] = info.sea_level ? Json(*info.sea_level) : Json();
  json["lands"] = Json::array();
  for (const ManifestLand& land : info.lands) json["lands"].push_back(land_of(land));
  json["axes"] = axes;
  json["files"] = Json::array();
  for (const FileRecord& file : info.files) json["files"].push_back(file_of(file));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_manifest(const std::string& path, const ManifestInfo& info) { write_file(path, manifest_text(info)); }

}  // namespace tepui
