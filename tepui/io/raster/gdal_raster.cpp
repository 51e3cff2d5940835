#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/core/parallel.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/sidecars.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/raster/raster_formats.h"
#include "tepui/io/raster/tiff_directory.h"

namespace tepui {

namespace {

constexpr int64_t gdal_strip_bytes = 8 << 20;
/// Above each other, in one call.
constexpr int64_t most_blocks = 4096;

/// TIFFs shrink by 1000 to 1 at most, bar the odd codec on level ground, and may leave empty blocks out.
constexpr double tightest = 2000;

enum class Family { tiff, labelled };

Family family_of(const std::string& ending) {
  return ending == ".tif" || ending == ".tiff" ? Family::tiff : Family::labelled;
}

GdalOpen how_to_open(const std::string& path, Family family) {
  GdalOpen how;
  for (const std::string& file : sidecars(path)) how.neighbours.push_back(file_name(file));
  if (family == Family::tiff)
    how.options = {"GEOREF_SOURCES=INTERNAL", fmt::format("NUM_THREADS={}", thread_count())};
  else
    how = {"samples with a .hdr label", {"ENVI", "EHdr"}, {}, std::move(how.neighbours)};
  return how;
}

constexpr const char* family_names[] = {"GeoTIFF", "ENVI or ESRI raster"};

/// Whether a file can hold what its header says; and what GDAL would hold for one block of it.
void check_claim(const std::string& path, Family family, GDALDataset& dataset, int64_t bands) {
  GDALRasterBand& band = *dataset.GetRasterBand(1);
  const double sample = GDALGetDataTypeSizeBytes(band.GetRasterDataType());
  const double bytes = static_cast<double>(file_size(path));
  const int64_t width = dataset.GetRasterXSize(), height = dataset.GetRasterYSize();
  if (family == Family::labelled)
    check_raster_claim(path, width, height, 1, sample, bytes, 1);
  else
    check_raster_claim(path, width, height, bands, sample * static_cast<double>(bands), bytes, tightest);
  int block_width = 0, block_height = 0;
  band.GetBlockSize(&block_width, &block_height);
  if (static_cast<double>(block_width) * block_height * sample > 16.0 * 1024 * 1024 + tightest * bytes)
    refuse(fmt::format("'{}' claims blocks of {} x {} samples, but its {} cannot hold one", path, block_width,
                       block_height, bytes_text(bytes)));
}

std::optional<double> nodata_of(GDALRasterBand& band) {
  int declared = 0;
  double value = 0;
  switch (band.GetRasterDataType()) {
    case GDT_Int64:
      value = static_cast<double>(band.GetNoDataValueAsInt64(&declared));
      break;
    case GDT_UInt64:
      value = static_cast<double>(band.GetNoDataValueAsUInt64(&declared));
      break;
    default:
      value = band.GetNoDataValue(&declared);
  }
  return declared != 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What a band that Tepui wrote says of its kind.
std::optional<LayerKind> own_kind(GDALRasterBand& band) {
  const char* text = band.GetMetadataItem("TEPUI_KIND");
  if (text == nullptr) return std::nullopt;
  for (const LayerKind kind : {LayerKind::continuous, LayerKind::category, LayerKind::mask})
    if (layer_kind_name(kind) == text) return kind;
  return std::nullopt;
}

/// How many classes a band of Tepui's says it has; 0 where it does not say, or nothing sensible.
int own_classes(GDALRasterBand& band) {
  const char* text = band.GetMetadataItem("TEPUI_CLASSES");
  const std::optional<double> count = text != nullptr ? parse_number(text) : std::nullopt;
  return count && *count >= 1 && *count <= 65536 ? static_cast<int>(*count) : 0;
}

/// Bytes from -128 to 127, which GDAL before 3.7 hands out as if they were from 0 to 255.
bool is_signed_byte(GDALRasterBand& band) {
  const char* sign = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
  return band.GetRasterDataType() == GDT_Byte && sign != nullptr && EQUAL(sign, "SIGNEDBYTE");
}

constexpr int signed_byte_top = 127, signed_byte_wrap = 256;

RasterBand describe_band(const std::string& path, GDALRasterBand& band) {
  if (GDALDataTypeIsComplex(band.GetRasterDataType()) != 0)
    refuse(fmt::format("'{}' holds complex numbers, which cannot be heights", path));
  RasterBand result;
  result.name = band.GetDescription();
  result.type = GDALGetDataTypeName(band.GetRasterDataType());
  result.unit = band.GetUnitType();
  int has_scale = 0, has_offset = 0;
  const double scale = band.GetScale(&has_scale), offset = band.GetOffset(&has_offset);
  if (has_scale != 0) result.scale = scale;
  if (has_offset != 0) result.offset = offset;
  result.scaled = has_scale != 0 || has_offset != 0;
  result.nodata = nodata_of(band);
  if (is_signed_byte(band)) {
    result.type = "Int8";
    if (result.nodata && *result.nodata > signed_byte_top) *result.nodata -= signed_byte_wrap;
  }
  result.kind = own_kind(band);
  result.classes = own_classes(band);
  return result;
}

std::optional<RasterPlace> place_of(const std::string& path, GDALDataset& dataset) {
  double t[6] = {0, 1, 0, 0, 0, -1};
  if (dataset.GetGeoTransform(t) != CE_None) {
    if (dataset.GetGCPCount() > 0)
      refuse(fmt::format("'{}' is placed by ground control points, not by a grid", path),
             "convert it to a grid with gdalwarp");
    return std::nullopt;
  }
  RasterPlace place;
  if (const OGRSpatialReference* crs = dataset.GetSpatialRef()) {
    // What GDAL makes up for files that have coordinates and say no more, and what we write for them, is no system;
    // its unit still counts.
    const char* name = crs->GetName();
    const bool none = crs->IsLocal() && (name == nullptr || EQUAL(name, "unnamed") || EQUAL(name, local_metres));
    if (!none || crs->GetLinearUnits() != 1) place.crs = crs_wkt(*crs);
  }
  place.rotated = t[2] != 0 || t[4] != 0;
  place.step = place.rotated ? Vec2{std::sqrt(t[1] * t[1] + t[4] * t[4]), std::sqrt(t[2] * t[2] + t[5] * t[5])}
                             : Vec2{t[1], t[5]};
  place.origin = {t[0] + 0.5 * t[1] + 0.5 * t[2], t[3] + 0.5 * t[4] + 0.5 * t[5]};
  return place;
}

class GdalRaster : public Raster {
 public:
  explicit GdalRaster(const std::string& path) : path_(path) {
    GdalSession session;
    const Family family = family_of(file_ending(path));
    refuse_virtual_file(path);
    const TiffBlocks blocks = family == Family::tiff ? check_tiff_directories(path) : TiffBlocks{};
    dataset_ = open_gdal_dataset(path, how_to_open(path, family), session);
    info_.format = family_names[static_cast<size_t>(family)];
    GDALDataset& data = *dataset_;
    if (data.GetRasterCount() < 1 || data.GetRasterXSize() < 1 || data.GetRasterYSize() < 1)
      refuse(fmt::format("'{}' has no samples", path));
    info_.width = data.GetRasterXSize();
    info_.height = data.GetRasterYSize();
    for (int i = 1; i <= data.GetRasterCount(); ++i) info_.bands.push_back(describe_band(path, *data.GetRasterBand(i)));
    // All bands of a file that Tepui wrote are read, one of any other.
    const bool own = std::ranges::all_of(info_.bands, [](const RasterBand& band) { return band.kind.has_value(); });
    check_claim(path, family, data, own ? data.GetRasterCount() : 1);
    info_.place = place_of(path, data);
    tell_of_doubts(blocks, *data.GetRasterBand(1));
    const char* registration = data.GetMetadataItem("AREA_OR_POINT");
    if (family == Family::tiff || registration != nullptr)
      info_.registration = registration != nullptr && EQUAL(registration, "Point") ? "point" : "area";
  }
  ~GdalRaster() override {
    const GdalSession session;
    dataset_.reset();
  }

  void read_rows(int band, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(band, first, rows, values, valid);
  }
  void read_rows(int band, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(band, first, rows, values, valid);
  }

  /// Whole blocks, several of them side by side where the file is tiled, within a few megabytes, and so many that
  /// nobody waits long for a stop.
  int64_t block_rows() const override {
    int block_width = 0, block_height = 0;
    dataset_->GetRasterBand(1)->GetBlockSize(&block_width, &block_height);
    const int64_t block = std::clamp<int64_t>(block_height, 1, info_.height);
    const int64_t fitting = std::clamp<int64_t>(gdal_strip_bytes / (4 * info_.width), 1, most_blocks * block);
    return block >= fitting ? fitting : fitting / block * block;
  }

 private:
  /// What may make a number mean something else than it says.
  void tell_of_doubts(const TiffBlocks& blocks, GDALRasterBand& band) {
    if (blocks.empty > 0 && !info_.bands.front().nodata)
      info_.assumed.push_back(
          fmt::format("'{}' leaves out {} of its {} {}, which are read as 0; 'nodata=0' marks them as missing", path_,
                      blocks.empty, blocks.count, blocks.tiled ? "tiles" : "strips"));
    if (blocks.orientation != 1 && !info_.place)
      info_.assumed.push_back(
          fmt::format("'{}' says that its first row is not its top ({}), which is ignored; 'orientation' turns it",
                      path_, blocks.orientation));
    if (const char* white = dataset_->GetMetadataItem("MINISWHITE", "IMAGE_STRUCTURE");
        white != nullptr && EQUAL(white, "YES"))
      info_.assumed.push_back(
          fmt::format("'{}' says that 0 is white, which is ignored; 'scale=-1' inverts the heights", path_));
    if (band.GetColorTable() != nullptr && !info_.bands.front().kind)
      info_.assumed.push_back(
          fmt::format("'{}' has a colour table: its numbers are read as heights, not as colours", path_));
  }

  template <class To>
  void read(int band, int64_t first, int64_t rows, To* values, uint8_t* valid) {
    GdalSession session;
    GDALRasterBand& source = *dataset_->GetRasterBand(band + 1);
    const int width = static_cast<int>(info_.width), y = static_cast<int>(first), count = static_cast<int>(rows);
    const GDALDataType type = sizeof(To) == sizeof(float) ? GDT_Float32 : GDT_Float64;
    bool read = source.RasterIO(GF_Read, 0, y, width, count, values, width, count, type, 0, 0, nullptr) == CE_None;
    const size_t samples = static_cast<size_t>(info_.width) * static_cast<size_t>(rows);
    if (is_signed_byte(source))
      for (size_t i = 0; i < samples; ++i)
        if (values[i] > signed_byte_top) values[i] -= signed_byte_wrap;
    if (read && (source.GetMaskFlags() & GMF_PER_DATASET) != 0) {
      read = source.GetMaskBand()->RasterIO(GF_Read, 0, y, width, count, valid, width, count, GDT_Byte, 0, 0,
                                            nullptr) == CE_None;
      for (size_t i = 0; i < samples; ++i) valid[i] = valid[i] != 0;
    } else {
      std::fill_n(valid, samples, uint8_t{1});
    }
    if (!read || session.failed())
      refuse(fmt::format("cannot read '{}': {}", path_, session.message_about(path_, "its data are damaged")));
  }

  std::string path_;
  GdalDataset dataset_;
};

}  // namespace

std::unique_ptr<Raster> open_gdal(const std::string& path, const RasterOptions&) {
  return std::make_unique<GdalRaster>(path);
}

}  // namespace tepui
