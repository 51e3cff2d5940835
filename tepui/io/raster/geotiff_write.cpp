#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/place/file_place.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/raster/geotiff.h"
#include "tepui/io/raster/nodata.h"

namespace tepui {

namespace {

constexpr int tile = 256;

/// Byte or UInt16 for classes alone, where they fit with the nodata value above them.
GDALDataType type_of(const std::vector<Layer>& layers, bool voids) {
  if (layers.size() != 1 || layers.front().kind != LayerKind::category) return GDT_Float32;
  float largest = static_cast<float>(std::max(layers.front().classes - 1, 0));  // all tiles of a land have one type
  for (const float v : layers.front().grid().cells()) {
    if (!(v >= 0) || v != std::floor(v)) return GDT_Float32;
    largest = std::max(largest, v);
  }
  if (largest <= (voids ? 254.0f : 255.0f)) return GDT_Byte;
  return largest <= (voids ? 65534.0f : 65535.0f) ? GDT_UInt16 : GDT_Float32;
}

float nodata_for(GDALDataType type, const std::vector<Layer>& layers, const Grid<float>& voids) {
  if (type == GDT_Byte) return 255;
  return type == GDT_UInt16 ? 65535 : nodata_of(layers, &voids);
}

/// Throws where GDAL has reported a failure, in words about the file that was asked for.
void check(const GdalSession& session, bool done, const std::string& path, const std::string& temporary) {
  if (done && !session.failed()) return;
  std::string message = session.message("GDAL gives no reason");
  for (size_t at; (at = message.find(temporary)) != std::string::npos;) message.replace(at, temporary.size(), path);
  fail(fmt::format("cannot write '{}': {}", path, message));
}

/// A file's samples as GDAL is to see them.
struct Content {
  const Frame& frame;
  const std::vector<Layer>& layers;
  const Grid<float>* voids;
  GDALDataType type;
  float nodata;
};

/// Place and registration of the pixels.
void place(GDALDataset& dataset, const Frame& frame) {
  // GDAL counts from the outer corner of the north-west pixel whatever the registration; its sample is half a cell
  // further in.
  const FilePlace at = file_place(frame);
  double transform[6] = {at.west, at.step.x, 0, at.north, 0, -at.step.y};
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

/// Names, kinds and units.
void name_bands(GDALDataset& dataset, const Content& content) {
  for (size_t i = 0; i < content.layers.size(); ++i) {
    const Layer& layer = content.layers[i];
    GDALRasterBand& band = *dataset.GetRasterBand(static_cast<int>(i) + 1);
    band.SetDescription(layer.name.c_str());
    band.SetMetadataItem("TEPUI_KIND", std::string(layer_kind_name(layer.kind)).c_str());
    if (layer.classes > 0) band.SetMetadataItem("TEPUI_CLASSES", std::to_string(layer.classes).c_str());
    if (!layer.unit.empty()) band.SetUnitType(layer.unit.c_str());
    if (content.voids != nullptr) band.SetNoDataValue(static_cast<double>(content.nodata));
  }
}

void write_band(GDALRasterBand& band, const Grid<float>& grid, const Content& content, const Context& context) {
  const int64_t width = grid.width(), height = grid.height();
  std::vector<float> rows(static_cast<size_t>(width * std::min<int64_t>(tile, height)));
  for (int64_t y = 0; y < height; y += tile) {
    context.check();
    context.progress(static_cast<double>(y) / static_cast<double>(height));
    const int64_t count = std::min<int64_t>(tile, height - y);
    for (int64_t i = 0; i < count; ++i)
      copy_row(grid, content.voids, height - 1 - (y + i), content.nodata, rows.data() + i * width);
    if (band.RasterIO(GF_Write, 0, static_cast<int>(y), static_cast<int>(width), static_cast<int>(count), rows.data(),
                      static_cast<int>(width), static_cast<int>(count), GDT_Float32, 0, 0, nullptr) != CE_None)
      return;
    // Compressed now and not all at the end, so that the work can be cancelled between strips and GDAL holds one.
    if (band.FlushCache(false) != CE_None) return;
  }
}

/// Creation options as GDAL takes them.
class Options {
 public:
  void add(std::string option) { texts_.push_back(std::move(option)); }
  char** list() {
    pointers_.clear();
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

void write_dataset(const std::string& path, const std::string& temporary, const Content& content,
                   Compression compression, const Context& context) {
  GdalSession session;
  const Frame& frame = content.frame;
  Options options;
  if (compression == Compression::deflate) {
    options.add("COMPRESS=DEFLATE");
    options.add(fmt::format("PREDICTOR={}", content.type == GDT_Float32 ? 3 : 2));
    options.add("ZLEVEL=4");
    options.add(fmt::format("NUM_THREADS={}", thread_count()));
  }
  options.add("BIGTIFF=IF_SAFER");
  options.add("INTERLEAVE=BAND");
  if (frame.width >= tile || frame.height >= tile) options.add("TILED=YES");
  GdalDataset dataset(tiff_driver().Create(temporary.c_str(), static_cast<int>(frame.width),
                                           static_cast<int>(frame.height), static_cast<int>(content.layers.size()),
                                           content.type, options.list()));
  check(session, dataset != nullptr, path, temporary);
  place(*dataset, frame);
  name_bands(*dataset, content);
  check(session, true, path, temporary);
  const double share = 1.0 / static_cast<double>(content.layers.size());
  for (size_t i = 0; i < content.layers.size(); ++i) {
    const double from = static_cast<double>(i) * share;
    write_band(*dataset->GetRasterBand(static_cast<int>(i) + 1), content.layers[i].grid(), content,
               context.stage("writing", from, from + share));
    check(session, true, path, temporary);
  }
  dataset->FlushCache(true);
  check(session, true, path, temporary);
  dataset.reset();
  check(session, true, path, temporary);
}

/// A layer as a band that GDAL reads straight from our grid, row by row from the north: no second copy.
class LayerBand final : public GDALRasterBand {
 public:
  LayerBand(GDALDataset* dataset, int number, const Content& content)
      : content_(content), grid_(content.layers[static_cast<size_t>(number) - 1].grid()) {
    poDS = dataset;
    nBand = number;
    eDataType = content.type;
    nRasterXSize = nBlockXSize = static_cast<int>(grid_.width());
    nRasterYSize = static_cast<int>(grid_.height());
    nBlockYSize = 1;
  }
  double GetNoDataValue(int* present) override {
    if (present != nullptr) *present = content_.voids != nullptr;
    return static_cast<double>(content_.nodata);
  }
  CPLErr SetNoDataValue(double) override { return CE_None; }
  const char* GetUnitType() override { return content_.layers[static_cast<size_t>(nBand) - 1].unit.c_str(); }
  CPLErr SetUnitType(const char*) override { return CE_None; }

 protected:
  CPLErr IReadBlock(int, int row, void* to) override {
    const int64_t from = grid_.height() - 1 - row;
    if (eDataType == GDT_Float32) {
      copy_row(grid_, content_.voids, from, content_.nodata, static_cast<float*>(to));
      return CE_None;
    }
    std::vector<float> cells(static_cast<size_t>(grid_.width()));
    copy_row(grid_, content_.voids, from, content_.nodata, cells.data());
    GDALCopyWords64(cells.data(), GDT_Float32, sizeof(float), to, eDataType, GDALGetDataTypeSizeBytes(eDataType),
                    grid_.width());
    return CE_None;
  }

 private:
  const Content& content_;
  const Grid<float>& grid_;
};

class LayerDataset final : public GDALDataset {
 public:
  explicit LayerDataset(const Content& content) {
    nRasterXSize = static_cast<int>(content.frame.width);
    nRasterYSize = static_cast<int>(content.frame.height);
    for (size_t i = 0; i < content.layers.size(); ++i) {
      const int number = static_cast<int>(i) + 1;
      SetBand(number, new LayerBand(this, number, content));
    }
    place(*this, content.frame);
    name_bands(*this, content);
  }
  CPLErr GetGeoTransform(double* transform) override {
    std::copy_n(transform_, 6, transform);
    return CE_None;
  }
  CPLErr SetGeoTransform(double* transform) override {
    std::copy_n(transform, 6, transform_);
    return CE_None;
  }
  const OGRSpatialReference* GetSpatialRef() const override { return crs_.IsEmpty() ? nullptr : &crs_; }
  CPLErr SetSpatialRef(const OGRSpatialReference* crs) override {
    crs_ = *crs;
    return CE_None;
  }

 private:
  double transform_[6] = {};
  OGRSpatialReference crs_;
};

/// Averages suit all but classes, and a file has one rule for all its content.
const char* overview_rule(const std::vector<Layer>& layers) {
  const bool classes =
      std::ranges::any_of(layers, [](const Layer& layer) { return layer.kind == LayerKind::category; });
  return classes ? "NEAREST" : "AVERAGE";
}

int CPL_STDCALL report(double fraction, const char*, void* context) {
  const auto& work = *static_cast<const Context*>(context);
  work.progress(fraction);
  return work.cancelled() ? FALSE : TRUE;
}

void write_cog(const std::string& path, const std::string& temporary, const Content& content, Compression compression,
               const Context& context) {
  GdalSession session;
  LayerDataset land(content);
  const bool deflate = compression == Compression::deflate;
  Options options;
  options.add(deflate ? "COMPRESS=DEFLATE" : "COMPRESS=NONE");
  if (deflate) options.add("PREDICTOR=YES");
  if (deflate) options.add("LEVEL=4");
  options.add("BIGTIFF=IF_SAFER");
  options.add(fmt::format("NUM_THREADS={}", thread_count()));
  options.add(fmt::format("OVERVIEW_RESAMPLING={}", overview_rule(content.layers)));
  context.check();
  Context writing = context.stage("writing", 0, 1);
  GdalDataset dataset(cog_driver().CreateCopy(temporary.c_str(), &land, FALSE, options.list(), report, &writing));
  context.check();
  check(session, dataset != nullptr, path, temporary);
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

int write_geotiff(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers,
                  const OutputParams& options, const Context& context) {
  check_geotiff(to.path(), terrain.frame());
  const Grid<float>* voids = voids_of(terrain, layers);
  const GDALDataType type = type_of(layers, voids != nullptr);
  const Content content{terrain.frame(), layers, voids, type, voids != nullptr ? nodata_for(type, layers, *voids) : 0};
  to.write_by_name([&](const std::string& temporary) {
    if (options.cog)
      write_cog(to.path(), temporary, content, options.compression, context);
    else
      write_dataset(to.path(), temporary, content, options.compression, context);
  });
  return GDALGetDataTypeSizeBits(type);
}

int write_geotiff(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers,
                  const Context& context) {
  return write_geotiff(to, terrain, layers, OutputParams(), context);
}

}  // namespace tepui
