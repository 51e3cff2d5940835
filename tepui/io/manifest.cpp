#include "tepui/io/manifest.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tepui/io/engines.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

constexpr const char* axes =
    "x east, y north, z up, in metres; file row 0 is north; GLB and OBJ are Y up: x east, y up, z south";

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

Json vec(Vec3 v) { return {v.x, v.y, v.z}; }

/// Of a file or a tile, however the land was made.
std::string needs_samples(int64_t width, int64_t height) {
  return "this file needs " + std::to_string(width) + " x " + std::to_string(height) +
         " samples: make the land at that resolution, or resample it first";
}

Json unreal_of(const UnrealImport& import) {
  Json result;
  result["legal"] = import.legal;
  if (import.legal) {
    result["section_size"] = {import.section_quads, import.section_quads};
    result["sections_per_component"] = {import.sections, import.sections};
    result["number_of_components"] = {import.components_x, import.components_y};
  } else {
    result["nearest_size"] = {import.nearest_width, import.nearest_height};
    result["recommended_size"] = import.recommended;
    result["what_to_do"] = needs_samples(import.nearest_width, import.nearest_height);
  }
  result["scale"] = vec(import.scale);
  result["location"] = vec(import.location);
  return result;
}

Json unity_of(const UnityImport& import) {
  Json result;
  result["legal"] = import.legal;
  result["resolution"] = import.resolution;
  if (!import.legal) result["what_to_do"] = needs_samples(import.nearest, import.nearest);
  result["depth"] = "16 bit";
  result["byte_order"] = "Windows";
  result["flip_vertically"] = import.flip_vertically;
  result["terrain_size"] = vec(import.size);
  result["position"] = vec(import.position);
  return result;
}

Json godot_of(const GodotImport& import) {
  Json result;
  result["legal"] = import.fits && import.square_cells;
  if (!import.square_cells) result["what_to_do"] = "make the cells square with 'resample'";
  if (!import.fits) result["what_to_do"] = "its largest world has 65536 samples a side";
  if (import.r16_range) {
    result["r16_range"] = pair(*import.r16_range);
    result["r16_size"] = {import.width, import.height};
  }
  result["import_scale"] = 1;
  result["height_offset"] = 0;
  result["import_position"] = {import.position_x, import.position_z};
  result["vertex_spacing"] = import.vertex_spacing;
  return result;
}

Json blender_of(const BlenderImport& import) {
  Json result;
  if (!import.is_mesh) {
    result["plane_size"] = pair(import.plane_size);
    result["displace"] = {{"direction", "Z"}, {"strength", import.strength}, {"midlevel", 0}};
    result["colour_space"] = "Non-Color";
  }
  result["location"] = vec(import.location);
  return result;
}

/// What a program makes of weights in its form.
Json weights_import(const FileRecord& file) {
  const WeightsFor& weights = *file.weights_for;
  Json layers = Json::array();
  for (const std::string& name : file.layers)
    if (name != "none") layers.push_back(name);
  if (weights.program == "unreal") return {{"unreal_landscape", {{"layer", layers.at(0)}}}};
  if (weights.program == "unity")
    return {{"unity_terrain",
             {{"control_texture", weights.first / 4}, {"first_layer", weights.first}, {"terrain_layers", layers}}}};
  if (weights.program == "godot")
    return {{"godot_terrain3d", {{"map", "control"}, {"first_texture", weights.first}, {"textures", layers}}}};
  return {{weights.program, {{"colour_space", "Non-Color"}, {"channels", layers}}}};
}

/// What to type where the file is imported, by program.
Json imports_of(const FileRecord& file) {
  Json result;
  if (file.weights_for) return weights_import(file);
  if (const auto import = unreal_import(file)) result["unreal_landscape"] = unreal_of(*import);
  if (const auto import = unity_import(file)) result["unity_terrain"] = unity_of(*import);
  if (const auto import = godot_import(file)) result["godot_terrain3d"] = godot_of(*import);
  if (const auto import = blender_import(file)) result["blender"] = blender_of(*import);
  return result;
}

Json tile_of(const TileIndex& tile) {
  return {{"x", tile.x}, {"y", tile.y}, {"of", {tile.columns, tile.rows}}, {"first", "north-west"}};
}

Json file_of(const FileRecord& file) {
  Json result;
  result["name"] = file.name;
  result["format"] = file.format;
  if (!file.layers.empty()) result["layers"] = file.layers;
  if (file.bits > 0) result["bits"] = file.bits;
  if (file.offset) result["offset"] = *file.offset;
  if (file.scale) result["scale"] = *file.scale;
  if (file.tile) result["tile"] = tile_of(*file.tile);
  if (file.place) put_place(result, *file.place);
  if (file.centre) result["centre"] = *file.centre;
  if (file.weights_for) result["weights"] = {{"for", file.weights_for->program}, {"first", file.weights_for->first}};
  if (file.bounds) {
    const auto corner = [](Vec3 p) { return Json{p.x, p.y, p.z}; };
    result["bounds"] = {{"min", corner((*file.bounds)[0])}, {"max", corner((*file.bounds)[1])}};
  }
  if (Json imports = imports_of(file); !imports.empty()) result["import"] = std::move(imports);
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
  // Land that was only converted has no recipe.
  if (!info.recipe.empty()) {
    json["seed"] = info.seed;
    json["recipe_hash"] = info.recipe_hash.text();
  }
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

std::string record_text(const FileRecord& record) {
  return file_of(record).dump(-1, ' ', false, Json::error_handler_t::replace);
}

FileRecord write_manifest(const FileTarget& to, const ManifestInfo& info) {
  to.write(manifest_text(info));
  return record_of(to, "manifest");
}

}  // namespace tepui
