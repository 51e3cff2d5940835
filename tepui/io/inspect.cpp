#include "tepui/io/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/manifest.h"
#include "tepui/io/raster/border_watch.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/io/raster/raster_open.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

/// Of the band that `read` would make the height.
size_t main_band(const RasterInfo& info) {
  for (size_t i = 0; i < info.bands.size(); ++i)
    if (info.bands[i].name == "height") return i;
  return 0;
}

/// Of the samples that are heights; and what their border looks like.
BorderWatch measure(Raster& raster, size_t main, TerrainFileInfo& info, const Context& context) {
  double sum = 0;
  int64_t count = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  BorderWatch border(info.width, info.height);
  const auto take = [&](int64_t, const auto* values, const uint8_t* valid) {
    border.take(values, valid);
    double row_sum = 0;
    for (int64_t x = 0; x < info.width; ++x) {
      if (valid[x] == 0) continue;
      const auto value = static_cast<double>(values[x]);
      low = std::min(low, value);
      high = std::max(high, value);
      row_sum += value;
      ++count;
    }
    sum += row_sum;
  };
  for_each_row(raster, static_cast<int>(main), raster.info().bands[main], context, {take, take});
  info.nodata_cells = info.width * info.height - count;
  if (count == 0) return border;
  info.min = low;
  info.max = high;
  info.mean = sum / static_cast<double>(count);
  return border;
}

std::vector<std::string> layer_names(const RasterInfo& raster) {
  std::vector<std::string> names;
  for (const RasterBand& band : raster.bands)
    names.push_back(!band.name.empty()         ? band.name
                    : raster.bands.size() == 1 ? "height"
                                               : fmt::format("band {}", names.size() + 1));
  return names;
}

/// What a manifest says of a file that does not say it itself.
void add_record(const FileRecord& record, TerrainFileInfo& info) {
  if (!record.layers.empty()) info.layers = record.layers;
  if (record.scale && !info.scaling) info.scaling = Scaling{record.offset.value_or(0), *record.scale};
  if (info.cell || !record.place) return;
  info.cell = record.place->cell;
  info.registration = "point";
  if (!record.place->geo) return;
  RasterPlace place;
  place.crs = record.place->geo->crs;
  info.cell = record.place->geo->step;
  info.crs = crs_name("the manifest", place);
}

TerrainFileInfo inspect_raster(const std::string& path, const Context& context) {
  const std::unique_ptr<Raster> raster = open_raster(path, {});
  const RasterInfo& said = raster->info();
  const size_t main = main_band(said);
  TerrainFileInfo info;
  info.format = said.format;
  info.type = said.bands[main].type;
  info.width = said.width;
  info.height = said.height;
  if (said.place) {
    info.cell = Vec2{std::abs(said.place->step.x), std::abs(said.place->step.y)};
    info.rotated = said.place->rotated;
    info.crs = crs_name(path, *said.place);
  }
  info.registration = said.registration;
  info.unit = said.bands[main].unit;
  if (said.bands[main].scaled) info.scaling = {said.bands[main].offset, said.bands[main].scale};
  info.assumed = said.assumed;
  info.layers = layer_names(said);
  const std::optional<FileRecord> record = find_record(path, hash_file(path), context);
  if (record) add_record(*record, info);
  const BorderWatch border = measure(*raster, main, info, context);
  if (const auto hint = border.hint(path); hint && !record && !said.bands[main].kind) info.assumed.push_back(*hint);
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
  if (!info.unit.empty()) json["unit"] = info.unit;
  if (info.scaling) {
    json["offset"] = info.scaling->offset;
    json["scale"] = info.scaling->scale;
  }
  json["layers"] = info.layers;
  if (!info.assumed.empty()) json["assumed"] = info.assumed;
  return json;
}

}  // namespace

FileInfo inspect(const std::string& path, const Context& context) {
  const std::string ending = file_ending(path);
  FileInfo info;
  if (std::ranges::find(raster_endings(), ending) != raster_endings().end()) {
    info.terrain = inspect_raster(path, context);
  } else if (is_mesh_ending(ending)) {
    info.mesh = inspect_mesh(path, context);
  } else {
    refuse(fmt::format("cannot read '{}': no format has the ending '{}'", path, ending),
           fmt::format("the endings are {}, {}", fmt::join(raster_endings(), ", "), fmt::join(mesh_endings(), ", ")));
  }
  return info;
}

std::string info_json(const FileInfo& info) {
  if (info.mesh) return info_json(*info.mesh);
  const Json json = info.terrain ? json_of(*info.terrain) : Json::object();
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tepui
