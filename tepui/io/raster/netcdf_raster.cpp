#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/byte_source.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/raster/netcdf_file.h"
#include "tepui/io/raster/netcdf_meaning.h"
#include "tepui/io/raster/raster_formats.h"

namespace tepui {

namespace {

/// Even steps along an axis.
struct Axis {
  double first = 0, step = 0;
  std::string name, unit;  ///< in small letters
};

bool is_degrees(const Axis& axis, const char* unit, const char* start) {
  return axis.unit.starts_with(unit) || ((axis.unit.empty() || axis.unit == "degrees") && axis.name.starts_with(start));
}

class NetCdfRaster : public Raster {
 public:
  NetCdfRaster(std::unique_ptr<NcFile> file, const RasterOptions& options) : file_(std::move(file)) {
    choose(options.layer);
    describe();
    place();
  }

  void read_rows(int, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }
  void read_rows(int, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }

 private:
  bool is_map(const NcVariable& v) const {
    const size_t rank = v.dimensions.size();
    return rank >= 2 && !v.type.empty() && file_->length(v, rank - 1) > 0 && file_->length(v, rank - 2) > 0;
  }

  void choose(const std::string& wanted) {
    const std::string& path = file_->path();
    std::vector<const NcVariable*> maps;
    std::vector<std::string> names;
    for (const NcVariable& v : file_->variables())
      if (is_map(v)) {
        maps.push_back(&v);
        names.push_back(v.name);
      }
    if (maps.empty()) refuse(fmt::format("'{}' has no gridded variable", path));
    if (wanted.empty() && maps.size() > 1)
      refuse(fmt::format("'{}' has several gridded variables", path),
             fmt::format("choose one with 'layer': {}", fmt::join(names, ", ")));
    const auto found = wanted.empty() ? names.begin() : std::ranges::find(names, wanted);
    if (found == names.end())
      refuse(fmt::format("'{}' has no gridded variable '{}'", path, wanted),
             fmt::format("it has {}", fmt::join(names, ", ")));
    map_ = maps[static_cast<size_t>(found - names.begin())];
    meaning_ = meaning_of(*map_);
  }

  void assume(const std::string& what) { info_.assumed.push_back(fmt::format("'{}': {}", file_->path(), what)); }

  void describe() {
    const size_t rank = map_->dimensions.size();
    const uint64_t width = file_->length(*map_, rank - 1), height = file_->length(*map_, rank - 2);
    file_->check_claim(*map_, width, height);
    info_.format = "netCDF";
    info_.width = static_cast<int64_t>(width);
    info_.height = static_cast<int64_t>(height);
    bool several = false;
    for (size_t i = 0; i + 2 < rank; ++i) several = several || file_->length(*map_, i) != 1;
    if (several) assume(fmt::format("variable '{}' has several grids: only the first is read", map_->name));
    RasterBand band;
    band.name = map_->name;
    band.type = meaning_.type;
    band.unit = map_->text("units");
    band.scale = meaning_.scale;
    band.offset = meaning_.offset;
    band.scaled = meaning_.scaled;
    if (!meaning_.missing.empty()) band.nodata = meaning_.missing.front();
    if (map_->text("positive") == "down") {
      band.scale = -band.scale;
      band.offset = -band.offset;
      band.scaled = true;
      assume(fmt::format("'{}' is positive downwards, so its heights are negative", map_->name));
    }
    info_.bands.push_back(std::move(band));
  }

  /// The coordinates along a dimension, if its variable is there and they are evenly spaced.
  std::optional<Axis> axis(size_t index) {
    const NcDimension& dimension = file_->dimensions()[index];
    const auto found = std::ranges::find_if(file_->variables(), [&](const NcVariable& v) {
      return v.name == dimension.name && v.dimensions == std::vector<size_t>{index} && !v.type.empty();
    });
    if (found == file_->variables().end() || dimension.length < 1) return std::nullopt;
    file_->check_claim(*found, dimension.length, 1);
    const uint64_t length = dimension.length;
    std::vector<double> at(length);
    file_->read(*found, 0, length, at.data());
    const NcMeaning meaning = meaning_of(*found);
    for (double& value : at) value = meaning.offset + meaning.scale * meaning.wrapped(value);
    Axis result{at.front(), 1, lower_case(dimension.name), found->text("units")};
    if (length > 1) result.step = (at.back() - at.front()) / static_cast<double>(length - 1);
    for (uint64_t i = 0; i < length; ++i)
      if (!(std::abs(at[i] - (result.first + static_cast<double>(i) * result.step)) <= 0.02 * std::abs(result.step))) {
        assume(fmt::format("the coordinates '{}' are not evenly spaced and are ignored", dimension.name));
        return std::nullopt;
      }
    return result;
  }

  void place() {
    const GdalSession session;
    const size_t rank = map_->dimensions.size();
    std::optional<Axis> x = axis(map_->dimensions[rank - 1]), y = axis(map_->dimensions[rank - 2]);
    if (!x || !y) return;
    if (is_degrees(*x, "degrees_n", "lat") && is_degrees(*y, "degrees_e", "lon")) {
      transposed_ = true;
      std::swap(x, y);
      std::swap(info_.width, info_.height);
    }
    if (x->step == 0 || y->step == 0) return;
    const bool degrees = is_degrees(*x, "degrees_e", "lon") && is_degrees(*y, "degrees_n", "lat");
    const std::optional<double> metres_x = coordinate_metres(x->unit), metres_y = coordinate_metres(y->unit);
    if (!degrees && (!metres_x || !metres_y)) {
      const std::string& unit = metres_x ? y->unit : x->unit;
      assume(fmt::format("coordinates in '{}' are ignored; set 'cell' to the distance between samples", unit));
      return;
    }
    RasterPlace at;
    at.origin = {x->first, y->first};
    at.step = {x->step, y->step};
    const std::optional<OGRSpatialReference> crs = mapping(degrees ? 1 : *metres_x);
    if (crs && (crs->IsGeographic() != 0) != degrees) {
      assume(
          fmt::format("its coordinates do not match its grid mapping '{}' and are ignored; set 'cell' to the distance "
                      "between samples",
                      map_->text("grid_mapping")));
      return;
    }
    if (!degrees) {
      const double own = crs ? crs->GetLinearUnits() : 1;
      // Without a unit they are in the system's.
      const double unit_x = x->unit.empty() ? 1 : *metres_x / own, unit_y = y->unit.empty() ? 1 : *metres_y / own;
      at.origin = {at.origin.x * unit_x, at.origin.y * unit_y};
      at.step = {at.step.x * unit_x, at.step.y * unit_y};
    }
    at.crs = crs ? crs_wkt(*crs) : degrees ? "EPSG:4326" : "";
    info_.place = at;
    info_.registration = "point";
  }

  /// The reference system that the variable's grid mapping names.
  std::optional<OGRSpatialReference> mapping(double metres) {
    std::string name = map_->plain_text("grid_mapping");
    if (name.empty()) return std::nullopt;
    name = name.substr(0, name.find_first_of(": "));
    const auto found = std::ranges::find(file_->variables(), name, &NcVariable::name);
    if (found == file_->variables().end()) {
      assume(fmt::format("its grid mapping '{}' does not exist; set the reference system with 'crs'", name));
      return std::nullopt;
    }
    const std::string text = crs_of_mapping(*found, metres);
    try {
      if (!text.empty()) return parse_crs_with_heights(text, "its grid mapping");
    } catch (const Error&) {
      // Said below.
    }
    const std::string kind = found->text("grid_mapping_name");
    assume(fmt::format("its grid mapping '{}' is not known; set the reference system with 'crs'",
                       kind.empty() ? name : kind));
    return std::nullopt;
  }

  /// Of a file whose rows run from south to north, all of it at once.
  void load_transposed() {
    const auto columns = static_cast<size_t>(info_.width), rows = static_cast<size_t>(info_.height);
    std::vector<double> stored(columns * rows);
    file_->read(*map_, 0, columns, stored.data());
    all_.resize(stored.size());
    for (size_t x = 0; x < columns; ++x)
      for (size_t y = 0; y < rows; ++y) all_[y * columns + x] = stored[x * rows + y];
  }

  template <class To>
  void read(int64_t first, int64_t rows, To* values, uint8_t* valid) {
    const double* from = nullptr;
    if (transposed_) {
      if (all_.empty()) load_transposed();
      from = all_.data() + first * info_.width;
    } else {
      buffer_.resize(static_cast<size_t>(info_.width * rows));
      file_->read(*map_, static_cast<uint64_t>(first), static_cast<uint64_t>(rows), buffer_.data());
      from = buffer_.data();
    }
    // The first is the band's nodata, which whoever reads it may know better.
    constexpr size_t others = 1;
    for (int64_t i = 0; i < info_.width * rows; ++i) {
      const double stored = meaning_.wrapped(from[i]);
      values[i] = static_cast<To>(stored);
      valid[i] = meaning_.is_value(stored, others) ? 1 : 0;
    }
  }

  std::unique_ptr<NcFile> file_;
  const NcVariable* map_ = nullptr;
  NcMeaning meaning_;
  bool transposed_ = false;
  std::vector<double> buffer_, all_;
};

}  // namespace

std::unique_ptr<Raster> open_netcdf(const std::string& path, const RasterOptions& options) {
  FileSource file(path);
  if (file.size() == 0) refuse(fmt::format("cannot read '{}' as netCDF: the file is empty", path));
  char start[4] = {};
  if (file.size() >= 4) file.read(0, start, 4);
  const bool hdf5 = std::string_view(start, 4) == "\x89HDF";
  return std::make_unique<NetCdfRaster>(hdf5 ? open_netcdf4(path) : open_classic_netcdf(path), options);
}

}  // namespace tepui
