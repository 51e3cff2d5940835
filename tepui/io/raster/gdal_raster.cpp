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

namespace tepui {

namespace {

constexpr int64_t strip_bytes = 8 << 20;

/// TIFFs shrink by 1000 to 1 at most, bar the odd codec on level ground, and may leave empty blocks out.
constexpr double tightest = 2000;

enum class Family { tiff, ascii, srtm, labelled, netcdf };

Family family_of(const std::string& ending) {
  if (ending == ".asc") return Family::ascii;
  if (ending == ".hgt") return Family::srtm;
  if (ending == ".nc" || ending == ".cdf" || ending == ".nc4") return Family::netcdf;
  return ending == ".tif" || ending == ".tiff" ? Family::tiff : Family::labelled;
}

GdalOpen how_to_open(const std::string& path, Family family) {
  GdalOpen how;
  for (const std::string& file : sidecars(path)) how.neighbours.push_back(file_name(file));
  switch (family) {
    case Family::tiff:
      how.options = {"GEOREF_SOURCES=INTERNAL", fmt::format("NUM_THREADS={}", thread_count())};
      break;
    case Family::ascii:
      // Left to itself the driver takes a file for whole numbers when its beginning has no decimal point.
      how = {"ASCII grid", {"AAIGrid"}, {"DATATYPE=Float64"}, std::move(how.neighbours)};
      break;
    case Family::srtm:
      how = {"an SRTM tile", {"SRTMHGT"}, {}, {}};
      break;
    case Family::labelled:
      how = {"samples with a .hdr label", {"ENVI", "EHdr"}, {}, std::move(how.neighbours)};
      break;
    case Family::netcdf:
      how = {"netCDF", {"netCDF"}, {}, {}, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY};
      break;
  }
  return how;
}

/// What GDAL would refuse without a reason.
void check_srtm(const std::string& path) {
  const size_t samples = file_size(path) / 2;
  const bool sized = file_size(path) % 2 == 0 && (samples == size_t{1201} * 1201 || samples == size_t{3601} * 3601 ||
                                                  samples == size_t{1801} * 3601);
  if (!sized)
    refuse(fmt::format("'{}' has {} bytes, which is no SRTM tile", path, file_size(path)),
           "tiles have 1201 x 1201 or 3601 x 3601 samples of two bytes; raw samples of other sizes are read as .raw");
  const std::string name = file_name(path);
  const auto digits = [&](size_t from, size_t count) {
    return name.find_first_not_of("0123456789", from) >= from + count;
  };
  const auto is = [&](size_t at, const char* letters) {
    return std::string(letters).find(name[at]) != std::string::npos;
  };
  if (name.size() < 7 || !is(0, "NSns") || !digits(1, 2) || !is(3, "EWew") || !digits(4, 3))
    refuse(fmt::format("'{}' is not named after its place", path),
           "SRTM tiles are named after their south-west corner, such as N36W113.hgt");
}

constexpr const char* family_names[] = {"GeoTIFF", "ASCII grid", "SRTM HGT", "ENVI or ESRI raster", "netCDF"};

/// Whether a file can hold what its header says; and what GDAL would hold for one block of it.
void check_claim(const std::string& path, Family family, GDALDataset& dataset, int64_t bands) {
  GDALRasterBand& band = *dataset.GetRasterBand(1);
  const double sample = GDALGetDataTypeSizeBytes(band.GetRasterDataType());
  const double bytes = static_cast<double>(file_size(path));
  const int64_t width = dataset.GetRasterXSize(), height = dataset.GetRasterYSize();
  switch (family) {
    case Family::ascii:  // a digit and a space each
      check_raster_claim(path, width, height, 1, 2, bytes + 1, 1);
      break;
    case Family::labelled:
      check_raster_claim(path, width, height, 1, sample, bytes, 1);
      break;
    default:
      check_raster_claim(path, width, height, bands, sample * static_cast<double>(bands), bytes, tightest);
  }
  int block_width = 0, block_height = 0;
  band.GetBlockSize(&block_width, &block_height);
  if (static_cast<double>(block_width) * block_height * sample > 16.0 * 1024 * 1024 + tightest * bytes)
    refuse(fmt::format("'{}' says its blocks are {} x {} samples, but its {} cannot hold one", path, block_width,
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

RasterBand describe_band(const std::string& path, GDALRasterBand& band) {
  if (GDALDataTypeIsComplex(band.GetRasterDataType()) != 0)
    refuse(fmt::format("'{}' holds complex numbers, which are no heights", path));
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
  result.kind = own_kind(band);
  result.classes = own_classes(band);
  return result;
}

std::optional<RasterPlace> place_of(const std::string& path, GDALDataset& dataset) {
  double t[6] = {0, 1, 0, 0, 0, -1};
  if (dataset.GetGeoTransform(t) != CE_None) {
    if (dataset.GetGCPCount() > 0)
      refuse(fmt::format("'{}' is placed by ground control points, not by a grid", path),
             "gdalwarp turns it into a grid");
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

std::vector<std::string> names_of(const std::vector<std::shared_ptr<GDALMDArray>>& arrays) {
  std::vector<std::string> names;
  for (const auto& array : arrays) names.push_back(array->GetName());
  return names;
}

/// A variable of two or more dimensions, by name or because there is no other; of further dimensions the first entry.
std::shared_ptr<GDALMDArray> choose_variable(const std::string& path, GDALGroup& group, const std::string& wanted,
                                             RasterInfo& info) {
  constexpr size_t most_variables = 1000;
  std::vector<std::shared_ptr<GDALMDArray>> maps;
  const std::vector<std::string> names = group.GetMDArrayNames();
  for (size_t i = 0; i < std::min(names.size(), most_variables); ++i)
    if (const auto array = group.OpenMDArray(names[i]); array && array->GetDimensionCount() >= 2) maps.push_back(array);
  if (maps.empty()) refuse(fmt::format("'{}' has no variable over a grid", path));
  if (wanted.empty() && maps.size() > 1)
    refuse(fmt::format("'{}' has several variables over a grid", path),
           fmt::format("choose one with 'layer': {}", fmt::join(names_of(maps), ", ")));
  std::shared_ptr<GDALMDArray> chosen = maps.front();
  if (!wanted.empty()) {
    const auto found = std::ranges::find(maps, wanted, [](const auto& array) { return array->GetName(); });
    if (found == maps.end())
      refuse(fmt::format("'{}' has no variable '{}' over a grid", path, wanted),
             fmt::format("it has {}", fmt::join(names_of(maps), ", ")));
    chosen = *found;
  }
  if (chosen->GetDimensionCount() == 2) return chosen;
  std::string view = "[";
  for (size_t i = 2; i < chosen->GetDimensionCount(); ++i) view += "0,";
  const std::string name = chosen->GetName();
  chosen = chosen->GetView(view + "...]");
  if (!chosen || chosen->GetDimensionCount() != 2)
    refuse(fmt::format("'{}': variable '{}' cannot be read as a grid", path, name));
  info.assumed.push_back(fmt::format("'{}': of variable '{}' the first grid is read", path, name));
  return chosen;
}

bool is_degrees(const GDALDimension& dimension, const char* unit, const char* name) {
  const auto axis = const_cast<GDALDimension&>(dimension).GetIndexingVariable();
  const std::string shown = axis ? axis->GetUnit() : "";
  return STARTS_WITH_CI(shown.c_str(), unit) || (shown.empty() && STARTS_WITH_CI(dimension.GetName().c_str(), name));
}

class GdalRaster : public Raster {
 public:
  GdalRaster(const std::string& path, const RasterOptions& options) : path_(path) {
    GdalSession session;
    const Family family = family_of(file_ending(path));
    if (family == Family::srtm) check_srtm(path);
    dataset_ = open_gdal_dataset(path, how_to_open(path, family), session);
    info_.format = family_names[static_cast<size_t>(family)];
    if (family == Family::netcdf) open_variable(options.layer, session);
    GDALDataset& data = *dataset();
    if (data.GetRasterCount() < 1 || data.GetRasterXSize() < 1 || data.GetRasterYSize() < 1)
      refuse(fmt::format("'{}' has no samples", path));
    info_.width = data.GetRasterXSize();
    info_.height = data.GetRasterYSize();
    for (int i = 1; i <= data.GetRasterCount(); ++i) info_.bands.push_back(describe_band(path, *data.GetRasterBand(i)));
    // All bands of a file that Tepui wrote are read, one of any other.
    const bool own = std::ranges::all_of(info_.bands, [](const RasterBand& band) { return band.kind.has_value(); });
    check_claim(path, family, data, own ? data.GetRasterCount() : 1);
    const std::optional<RasterPlace> place = place_of(path, data);
    if (place) {
      const std::string crs = info_.place ? info_.place->crs : "";
      info_.place = place;
      if (info_.place->crs.empty()) info_.place->crs = crs;
    } else {
      info_.place.reset();
    }
    const char* registration = data.GetMetadataItem("AREA_OR_POINT");
    if (family == Family::tiff || registration != nullptr)
      info_.registration = registration != nullptr && EQUAL(registration, "Point") ? "point" : "area";
  }
  ~GdalRaster() override {
    const GdalSession session;
    classic_.reset();
    array_.reset();
    dataset_.reset();
  }

  void read_rows(int band, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(band, first, rows, values, GDT_Float32, valid);
  }
  void read_rows(int band, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(band, first, rows, values, GDT_Float64, valid);
  }

  /// Whole blocks, several of them side by side where the file is tiled, within a few megabytes.
  int64_t block_rows() const override {
    int block_width = 0, block_height = 0;
    dataset()->GetRasterBand(1)->GetBlockSize(&block_width, &block_height);
    const int64_t fitting = std::max<int64_t>(strip_bytes / (4 * info_.width), 1);
    const int64_t block = std::clamp<int64_t>(block_height, 1, info_.height);
    return block >= fitting ? fitting : fitting / block * block;
  }

 private:
  GDALDataset* dataset() const { return classic_ ? classic_.get() : dataset_.get(); }

  void open_variable(const std::string& wanted, const GdalSession& session) {
    const auto group = dataset_->GetRootGroup();
    if (!group)
      refuse(fmt::format("cannot read '{}' as netCDF: {}", path_, session.message_about(path_, "it has no variables")));
    array_ = choose_variable(path_, *group, wanted, info_);
    const auto& dimensions = array_->GetDimensions();
    const double samples =
        static_cast<double>(dimensions[0]->GetSize()) * static_cast<double>(dimensions[1]->GetSize());
    check_raster_claim(path_, 1, 1, 1, samples, static_cast<double>(file_size(path_)), tightest);
    size_t x = 1, y = 0;
    if (is_degrees(*dimensions[0], "degrees_e", "lon")) std::swap(x, y);
    classic_.reset(array_->AsClassicDataset(x, y));
    if (!classic_) refuse(fmt::format("cannot read '{}': {}", path_, session.message_about(path_, "it is no grid")));
    if (is_degrees(*dimensions[x], "degrees_e", "lon") && is_degrees(*dimensions[y], "degrees_n", "lat")) {
      info_.place = RasterPlace();
      info_.place->crs = "EPSG:4326";
    }
    classic_->GetRasterBand(1)->SetDescription(array_->GetName().c_str());
  }

  void read(int band, int64_t first, int64_t rows, void* values, GDALDataType type, uint8_t* valid) {
    GdalSession session;
    GDALRasterBand& source = *dataset()->GetRasterBand(band + 1);
    const int width = static_cast<int>(info_.width), y = static_cast<int>(first), count = static_cast<int>(rows);
    bool read = source.RasterIO(GF_Read, 0, y, width, count, values, width, count, type, 0, 0, nullptr) == CE_None;
    const size_t samples = static_cast<size_t>(info_.width) * static_cast<size_t>(rows);
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
  std::shared_ptr<GDALMDArray> array_;
  GdalDataset classic_;  ///< of a netCDF variable
};

}  // namespace

std::unique_ptr<Raster> open_gdal(const std::string& path, const RasterOptions& options) {
  return std::make_unique<GdalRaster>(path, options);
}

}  // namespace tepui
