#pragma once

#include <gdal/gdal_frmts.h>
#include <gdal/gdal_priv.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tepui/io/raster/read_samples.h"
#include "tepui/io/raster_open.h"

// A file as GDAL itself reads it, and as our readers do, for comparison.

namespace tepui::test {

struct Sampled {
  int64_t width = 0, height = 0;
  double transform[6] = {0, 1, 0, 0, 0, 1};  ///< of the samples' corners; as GDAL has it
  bool placed = false;
  double scale = 1, offset = 0;
  std::string unit;
  std::vector<double> values;  ///< as stored; NaN where there is no value

  /// The number at a place; nothing outside.
  std::optional<double> at(double x, double y) const {
    const double column = std::floor((x - transform[0]) / transform[1]),
                 row = std::floor((y - transform[3]) / transform[5]);
    if (!(column >= 0 && row >= 0 && column < static_cast<double>(width) && row < static_cast<double>(height)))
      return std::nullopt;
    return values[static_cast<size_t>(row) * static_cast<size_t>(width) + static_cast<size_t>(column)];
  }
};

/// Nothing where GDAL refuses the file, or some of its data, or it holds no real numbers.
inline std::optional<Sampled> gdal_sampled(const std::string& path, const std::vector<const char*>& open_options = {}) {
  GDALRegister_GTiff();
  GDALRegister_AAIGrid();
  GDALRegister_SRTMHGT();
  GDALRegister_ENVI();
  GDALRegister_EHdr();
  GDALRegister_netCDF();
  GDALRegister_PNG();
  CPLPushErrorHandler(CPLQuietErrorHandler);
  const auto read = [&]() -> std::optional<Sampled> {
    std::vector<const char*> options = open_options;
    options.push_back(nullptr);
    const std::unique_ptr<GDALDataset> dataset(
        GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, options.data(), nullptr));
    if (!dataset || dataset->GetRasterCount() < 1) return std::nullopt;
    GDALRasterBand& band = *dataset->GetRasterBand(1);
    if (GDALDataTypeIsComplex(band.GetRasterDataType()) != 0) return std::nullopt;
    Sampled result;
    result.width = band.GetXSize();
    result.height = band.GetYSize();
    if (result.width * result.height > 20000000) return std::nullopt;
    result.placed = dataset->GetGeoTransform(result.transform) == CE_None;
    result.scale = band.GetScale();
    result.offset = band.GetOffset();
    result.unit = band.GetUnitType();
    const auto cells = static_cast<size_t>(result.width * result.height);
    result.values.resize(cells);
    std::vector<uint8_t> mask(cells);
    const int width = band.GetXSize(), height = band.GetYSize();
    CPLErrorReset();
    if (band.RasterIO(GF_Read, 0, 0, width, height, result.values.data(), width, height, GDT_Float64, 0, 0, nullptr) !=
            CE_None ||
        band.GetMaskBand()->RasterIO(GF_Read, 0, 0, width, height, mask.data(), width, height, GDT_Byte, 0, 0,
                                     nullptr) != CE_None)
      return std::nullopt;
    const char* sign = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
    const bool is_signed = sign != nullptr && EQUAL(sign, "SIGNEDBYTE");
    // Its mask compares nodata with a byte without its sign, and knows no nodata where there is a mask of its own.
    int declared = 0;
    double nodata = band.GetNoDataValue(&declared);
    if (is_signed && nodata > 127) nodata -= 256;
    const bool masked = (band.GetMaskFlags() & GMF_PER_DATASET) != 0;
    for (size_t i = 0; i < cells; ++i) {
      if (is_signed && result.values[i] > 127) result.values[i] -= 256;
      if (is_signed && !masked) mask[i] = 255;
      if (declared != 0 && result.values[i] == nodata) mask[i] = 0;
      if (mask[i] == 0 || !std::isfinite(result.values[i])) result.values[i] = std::nan("");
    }
    return result;
  };
  std::optional<Sampled> result = read();
  CPLPopErrorHandler();
  return result;
}

/// By our reader; refusals get through.
inline Sampled our_sampled(const std::string& path, const RasterOptions& options = {}) {
  const std::unique_ptr<Raster> raster = open_raster(path, options);
  const RasterInfo& info = raster->info();
  const RasterBand& band = info.bands.front();
  Sampled result;
  result.width = info.width;
  result.height = info.height;
  result.placed = info.place.has_value();
  if (info.place) {
    const RasterPlace& place = *info.place;
    result.transform[0] = place.origin.x - 0.5 * place.step.x;
    result.transform[1] = place.step.x;
    result.transform[3] = place.origin.y - 0.5 * place.step.y;
    result.transform[5] = place.step.y;
  }
  result.scale = band.scale;
  result.offset = band.offset;
  result.unit = band.unit;
  result.values.resize(static_cast<size_t>(info.width * info.height));
  const auto take = [&](int64_t row, const auto* values, const uint8_t* valid) {
    for (int64_t x = 0; x < info.width; ++x)
      result.values[static_cast<size_t>(row * info.width + x)] =
          valid[x] != 0 ? static_cast<double>(values[x]) : std::nan("");
  };
  for_each_row(*raster, 0, band, Context(), {take, take});
  return result;
}

}  // namespace tepui::test
