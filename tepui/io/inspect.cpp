#include "tepui/io/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"
#include "tepui/io/manifest.h"
#include "tepui/io/raster/border_watch.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/io/raster_open.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

/// Of the band that `read` would make the height.
size_t main_band(const RasterInfo& info) {
  for (size_t i = 0; i < info.bands.size(); ++i)
    if (info.bands[i].name == "height") return i;
  return 0;
}

/// Measures one band, and what its border looks like; counts the samples that are valid.
BorderWatch measure(Raster& raster, size_t band, LayerInfo& layer, int64_t& count, const Context& context) {
  double sum = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  BorderWatch border(raster.info().width, raster.info().height);
  const auto take = [&](int64_t, const auto* values, const uint8_t* valid) {
    border.take(values, valid);
    double row_sum = 0;
    for (int64_t x = 0; x < raster.info().width; ++x) {
      if (valid[x] == 0) continue;
      const auto value = static_cast<double>(values[x]);
      low = std::min(low, value);
      high = std::max(high, value);
      row_sum += value;
      ++count;
    }
    sum += row_sum;
  };
  for_each_row(raster, static_cast<int>(band), raster.info().bands[band], context, {take, take});
  if (count == 0) return border;
  layer.min = low;
  layer.max = high;
  layer.mean = sum / static_cast<double>(count);
  return border;
}

std::vector<LayerInfo> layers_of(const RasterInfo& raster) {
  std::vector<LayerInfo> layers;
  for (const RasterBand& band : raster.bands)
    layers.push_back({.name = !band.name.empty()         ? band.name
                              : raster.bands.size() == 1 ? "height"
                                                         : fmt::format("band {}", layers.size() + 1),
                      .unit = band.unit});
  return layers;
}

/// What a manifest says of a file that does not say it itself.
void add_record(const FileRecord& record, TerrainInfo& info) {
  if (record.layers.size() == info.layers.size())
    for (size_t i = 0; i < info.layers.size(); ++i) info.layers[i].name = record.layers[i];
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

/// The numbers of the land as a whole are those of its heights.
void take_heights(TerrainInfo& info, size_t main) {
  info.min = info.layers[main].min;
  info.max = info.layers[main].max;
  info.mean = info.layers[main].mean;
}

TerrainInfo inspect_raster(const std::string& path, const Context& context) {
  const std::unique_ptr<Raster> raster = open_raster(path, {});
  const RasterInfo& said = raster->info();
  const size_t main = main_band(said);
  TerrainInfo info;
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
  info.layers = layers_of(said);
  const std::optional<FileRecord> record = find_record(path, hash_file(path), context);
  if (record) add_record(*record, info);
  const auto bands = static_cast<double>(info.layers.size());
  for (size_t i = 0; i < info.layers.size(); ++i) {
    const auto at = static_cast<double>(i);
    int64_t valid = 0;
    const BorderWatch border =
        measure(*raster, i, info.layers[i], valid, context.stage("reading", at / bands, (at + 1) / bands));
    if (i != main) continue;
    info.nodata_cells = info.width * info.height - valid;
    if (const auto hint = border.hint(path); hint && !record && !said.bands[main].kind) info.assumed.push_back(*hint);
  }
  take_heights(info, main);
  return info;
}

Json optional_text(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class T>
Json optional_number(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json json_of(const TerrainInfo& info) {
  Json names = Json::array(), details = Json::array();
  for (const LayerInfo& layer : info.layers) {
    names.push_back(layer.name);
    details.push_back({{"name", layer.name},
                       {"kind", optional_text(layer.kind)},
                       {"unit", optional_text(layer.unit)},
                       {"min", optional_number(layer.min)},
                       {"max", optional_number(layer.max)},
                       {"mean", optional_number(layer.mean)}});
  }
  return {{"kind", "terrain"},
          {"format", optional_text(info.format)},
          {"type", optional_text(info.type)},
          {"width", info.width},
          {"height", info.height},
          {"cell", info.cell ? Json({info.cell->x, info.cell->y}) : Json()},
          {"rotated", info.rotated},
          {"min", optional_number(info.min)},
          {"max", optional_number(info.max)},
          {"mean", optional_number(info.mean)},
          {"nodata_cells", info.nodata_cells},
          {"crs", optional_text(info.crs)},
          {"registration", optional_text(info.registration)},
          {"unit", optional_text(info.unit)},
          {"offset", info.scaling ? Json(info.scaling->offset) : Json()},
          {"scale", info.scaling ? Json(info.scaling->scale) : Json()},
          {"relief", info.relief ? Json({info.relief->base, info.relief->top}) : Json()},
          {"layers", names},
          {"details", details},
          {"assumed", info.assumed}};
}

}  // namespace

TerrainInfo terrain_info(const Terrain& land, const Context& context) {
  const Frame& frame = land.frame();
  TerrainInfo info;
  info.width = frame.width;
  info.height = frame.height;
  info.cell = frame.cell;
  info.registration = "point";
  info.relief = land.relief();
  info.nodata_cells = void_cells(land);
  if (frame.geo && !frame.geo->crs.empty()) {
    RasterPlace place;
    place.crs = frame.geo->crs;
    info.crs = crs_name("the land", place);
  }
  size_t main = 0;
  for (const Layer& layer : land.layers()) {
    if (layer.name == "height") main = info.layers.size();
    const LayerStatistics s = statistics(layer.grid(), context);
    info.layers.push_back({layer.name, std::string(layer_kind_name(layer.kind)), layer.unit, s.min, s.max, s.mean});
  }
  if (info.layers.empty()) return info;
  info.unit = info.layers[main].unit;
  take_heights(info, main);
  return info;
}

FileInfo inspect(const std::string& path, const Context& context) {
  FileInfo info;
  if (reading_format(path, Mesh::kind_name) != nullptr)
    info.mesh = inspect_mesh(path, context);
  else
    info.terrain = inspect_raster(path, context);
  return info;
}

std::string info_json(const TerrainInfo& info) {
  return json_of(info).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string info_json(const FileInfo& info) {
  return info.mesh ? info_json(*info.mesh) : info_json(info.terrain.value_or(TerrainInfo()));
}

}  // namespace tepui
