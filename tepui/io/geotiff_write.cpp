#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/gdal_session.h"
#include "tepui/io/geotiff.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int tile = 256;

/// Whether some cell outside the voids has this value.
bool occurs(const std::vector<Layer>& layers, const Grid<float>& voids, float value) {
  for (const Layer& layer : layers)
    for (int64_t i = 0; i < voids.size(); ++i)
      if (!is_void(voids.data()[i]) && layer.grid().data()[i] == value) return true;
  return false;
}

/// Byte or UInt16 for classes alone, where they fit with the nodata value above them.
GDALDataType type_of(const std::vector<Layer>& layers, bool voids) {
  if (layers.size() != 1 || layers.front().kind != LayerKind::category) return GDT_Float32;
  float largest = 0;
  for (const float v : layers.front().grid().cells()) {
    if (!(v >= 0) || v != std::floor(v)) return GDT_Float32;
    largest = std::max(largest, v);
  }
  if (largest <= (voids ? 254.0f : 255.0f)) return GDT_Byte;
  return largest <= (voids ? 65534.0f : 65535.0f) ? GDT_UInt16 : GDT_Float32;
}

float nodata_for(GDALDataType type, const std::vector<Layer>& layers, const Grid<float>& voids) {
  if (type == GDT_Byte) return 255;
  if (type == GDT_UInt16) return 65535;
  for (const float candidate : {-9999.0f, -99999.0f})
    if (!occurs(layers, voids, candidate)) return candidate;
  return std::numeric_limits<float>::lowest();
}

/// Throws where GDAL has reported a failure, in words about the file that was asked for.
void check(const GdalSession& session, bool done, const std::string& path, const std::string& temporary) {
  if (done && !session.failed()) return;
  std::string message = session.message("GDAL gives no reason");
  for (size_t at; (at = message.find(temporary)) != std::string::npos;) message.replace(at, temporary.size(), path);
  fail(fmt::format("cannot write '{}': {}", path, message));
}

void place(GDALDataset& dataset, const Frame& frame) {
  Vec2 origin = frame.origin, step = frame.cell;
  if (frame.geo) {
    origin = frame.geo->origin;
    step = frame.geo->step;
  }
  // GDAL counts from the outer corner of the north-west pixel whatever the registration; its sample is half a cell
  // further in.
  const double west = static_cast<double>(frame.first_x) - 0.5;
  const double north = static_cast<double>(frame.first_y + frame.height) - 0.5;
  double transform[6] = {origin.x + west * step.x, step.x, 0, origin.y + north * step.y, 0, -step.y};
  dataset.SetMetadataItem("AREA_OR_POINT", "Point");
  dataset.SetGeoTransform(transform);
  OGRSpatialReference crs;
  if (!frame.geo) {
    crs.SetLocalCS(local_metres);
    crs.SetLinearUnits("metre", 1);
  } else if (frame.geo->crs.empty() || crs.importFromWkt(frame.geo->crs.c_str()) != OGRERR_NONE) {
    return;
  }
  crs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  dataset.SetSpatialRef(&crs);
}

void write_band(GDALRasterBand& band, const Grid<float>& grid, const Grid<float>* voids, float nodata,
                const Context& context) {
  const int64_t width = grid.width(), height = grid.height();
  std::vector<float> rows(static_cast<size_t>(width * std::min<int64_t>(tile, height)));
  for (int64_t y = 0; y < height; y += tile) {
    context.check();
    context.progress(static_cast<double>(y) / static_cast<double>(height));
    const int64_t count = std::min<int64_t>(tile, height - y);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = height - 1 - (y + i);
      float* to = rows.data() + i * width;
      std::copy_n(grid.row(row), width, to);
      if (voids == nullptr) continue;
      for (int64_t x = 0; x < width; ++x)
        if (is_void((*voids)(x, row))) to[x] = nodata;
    }
    if (band.RasterIO(GF_Write, 0, static_cast<int>(y), static_cast<int>(width), static_cast<int>(count), rows.data(),
                      static_cast<int>(width), static_cast<int>(count), GDT_Float32, 0, 0, nullptr) != CE_None)
      return;
    // Compressed now and not all at the end, so that the work can be cancelled between strips.
    if (band.FlushCache(false) != CE_None) return;
  }
}

void write_dataset(const std::string& path, const std::string& temporary, const Terrain& terrain,
                   const std::vector<Layer>& layers, GDALDataType type, const Grid<float>* voids,
                   const Context& context) {
  GdalSession session;
  const std::string predictor = fmt::format("PREDICTOR={}", type == GDT_Float32 ? 3 : 2);
  const std::string threads = fmt::format("NUM_THREADS={}", thread_count());
  const bool small = terrain.frame().width < tile && terrain.frame().height < tile;
  std::vector<const char*> options = {"COMPRESS=DEFLATE", predictor.c_str(), "ZLEVEL=4",
                                      "BIGTIFF=IF_SAFER", "INTERLEAVE=BAND", threads.c_str()};
  if (!small) options.push_back("TILED=YES");
  options.push_back(nullptr);
  GdalDataset dataset(tiff_driver().Create(temporary.c_str(), static_cast<int>(terrain.frame().width),
                                           static_cast<int>(terrain.frame().height), static_cast<int>(layers.size()),
                                           type, const_cast<char**>(options.data())));
  check(session, dataset != nullptr, path, temporary);
  place(*dataset, terrain.frame());
  const float nodata = voids != nullptr ? nodata_for(type, layers, *voids) : 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    GDALRasterBand& band = *dataset->GetRasterBand(static_cast<int>(i) + 1);
    band.SetDescription(layers[i].name.c_str());
    band.SetMetadataItem("TEPUI_KIND", std::string(layer_kind_name(layers[i].kind)).c_str());
    if (layers[i].classes > 0) band.SetMetadataItem("TEPUI_CLASSES", std::to_string(layers[i].classes).c_str());
    if (!layers[i].unit.empty()) band.SetUnitType(layers[i].unit.c_str());
    if (voids != nullptr) band.SetNoDataValue(static_cast<double>(nodata));
  }
  check(session, true, path, temporary);
  const double share = 1.0 / static_cast<double>(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    const double from = static_cast<double>(i) * share;
    write_band(*dataset->GetRasterBand(static_cast<int>(i) + 1), layers[i].grid(), voids, nodata,
               context.stage("writing", from, from + share));
    check(session, true, path, temporary);
  }
  dataset->FlushCache(true);
  check(session, true, path, temporary);
  dataset.reset();
  check(session, true, path, temporary);
}

}  // namespace

void check_geotiff(const std::string& path, const Frame& frame) {
  constexpr int64_t limit = std::numeric_limits<int>::max();
  if (frame.width < 1 || frame.height < 1 || frame.width > limit || frame.height > limit)
    refuse(
        fmt::format("cannot write '{}': a TIFF of {} x {} samples is not possible", path, frame.width, frame.height));
  if (path.starts_with("/vsi")) refuse(fmt::format("cannot write '{}': GDAL's virtual files are not written", path));
}

int write_geotiff(const std::string& path, const Terrain& terrain, const std::vector<Layer>& layers,
                  const Context& context) {
  check_geotiff(path, terrain.frame());
  const Layer* mask = terrain.find("void");
  for (const Layer& layer : layers)
    if (layer.name == "void") mask = nullptr;  // asked for as data
  const Grid<float>* voids = mask != nullptr ? &mask->grid() : nullptr;
  const GDALDataType type = type_of(layers, voids != nullptr);
  write_atomically(path, [&](const std::string& temporary) {
    write_dataset(path, temporary, terrain, layers, type, voids, context);
  });
  return GDALGetDataTypeSizeBits(type);
}

}  // namespace tepui
