#include "tepui/io/raster/npz_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/io/raster/npy_values.h"

namespace tepui {

namespace {

/// Samples this far, in cells, from even spacing are rounding; up to the second number they are close enough to say so.
constexpr double rounding = 0.02, tolerable = 0.5;

/// Where samples lie along one side.
struct Axis {
  double first = 0, step = 0;
  double unevenness = 0;  // in cells
};

class Placer {
 public:
  Placer(const std::string& path, const ZipArchive& archive, const std::vector<NpzArray>& arrays, RasterInfo& info)
      : path_(path), archive_(archive), arrays_(arrays), info_(info) {}

  void place() {
    using Names = std::initializer_list<const char*>;
    const Names lons = {"longitude", "longitudes", "lon", "lons"}, lats = {"latitude", "latitudes", "lat", "lats"};
    if (place_along(side(lons, info_.width), side(lats, info_.height), true)) return;
    if (place_along(side({"x", "xs", "easting"}, info_.width), side({"y", "ys", "northing"}, info_.height), false))
      return;
    place_within_bounds();
  }

 private:
  void assume(std::string what) { info_.assumed.push_back(fmt::format("'{}': {}", path_, what)); }

  const NpzArray* find(const char* name) const {
    for (const NpzArray& array : arrays_)
      if (lower_case(array.name) == name && array.header.type) return &array;
    return nullptr;
  }

  /// One of the names that is an array of so many numbers.
  const NpzArray* side(std::initializer_list<const char*> names, int64_t count) const {
    for (const char* name : names) {
      const NpzArray* array = find(name);
      if (array != nullptr && array->header.shape == std::vector<int64_t>{count}) return array;
    }
    return nullptr;
  }

  /// An array of few dimensions, whole. Its length is that of a side of the raster, which was checked.
  std::vector<double> values_of(const NpzArray& array, int64_t count) const {
    constexpr int64_t piece = 1 << 16;
    const size_t bytes = npy_type_bytes(*array.header.type);
    const std::unique_ptr<ByteSource> source = archive_.open(*array.entry);
    std::vector<char> stored(static_cast<size_t>(std::min(piece, count)) * bytes);
    std::vector<double> values;
    for (int64_t at = 0; at < count; at += piece) {
      const int64_t part = std::min(piece, count - at);
      source->read(array.header.data_offset + static_cast<uint64_t>(at) * bytes, stored.data(),
                   static_cast<size_t>(part) * bytes);
      values.resize(static_cast<size_t>(at + part));
      convert_npy(array.header, stored.data(), bytes, part, values.data() + at, 1);
    }
    return values;
  }

  std::optional<double> number(const char* name) const {
    const NpzArray* array = find(name);
    if (array == nullptr || !(array->header.shape.empty() || array->header.shape == std::vector<int64_t>{1}))
      return std::nullopt;
    const double value = values_of(*array, 1).front();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  /// From the first number to the last; none where they go astray.
  static std::optional<Axis> axis_of(const std::vector<double>& values) {
    Axis axis{values.front(), 0, 0};
    if (!std::isfinite(values.front()) || !std::isfinite(values.back())) return std::nullopt;
    if (values.size() == 1) return axis;
    axis.step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
    if (axis.step == 0 || !std::isfinite(axis.step)) return std::nullopt;
    for (size_t i = 0; i < values.size(); ++i) {
      const double off = std::abs((values[i] - axis.first) / axis.step - static_cast<double>(i));
      if (!(off <= tolerable)) return std::nullopt;
      axis.unevenness = std::max(axis.unevenness, off);
    }
    return axis;
  }

  bool place_along(const NpzArray* across, const NpzArray* along, bool degrees) {
    if (across == nullptr || along == nullptr) return false;
    std::optional<Axis> x = axis_of(values_of(*across, info_.width));
    std::optional<Axis> y = axis_of(values_of(*along, info_.height));
    const std::string names = listed({across->name, along->name});
    if (!x || !y) {
      assume(fmt::format("its arrays {} are not evenly spaced and are ignored, so its position is unknown", names));
      return true;
    }
    // A single row or column is as far from the next as the others are.
    if (x->step == 0) x->step = std::abs(y->step);
    if (y->step == 0) y->step = -std::abs(x->step);
    if (x->step == 0) return false;
    const double worst = std::max(x->unevenness, y->unevenness);
    if (worst > rounding)
      assume(fmt::format("its arrays {} are treated as evenly spaced, though samples are up to {:.2f} cells off", names,
                         worst));
    const double rows = static_cast<double>(info_.height - 1), columns = static_cast<double>(info_.width - 1);
    const bool on_earth = is_degrees(x->first, x->first + columns * x->step, y->first, y->first + rows * y->step);
    if (degrees && !on_earth) assume(fmt::format("its arrays {} are lengths, not degrees", names));
    info_.place = RasterPlace{degrees && on_earth ? "EPSG:4326" : "", {x->first, y->first}, {x->step, y->step}};
    info_.registration = "point";
    return true;
  }

  static bool is_degrees(double x0, double x1, double y0, double y1) {
    return std::max(std::abs(y0), std::abs(y1)) <= 90.001 && std::max(std::abs(x0), std::abs(x1)) <= 540 &&
           std::abs(x1 - x0) <= 360.001;
  }

  /// Whether the bounds are those of the cells or of the samples: what the cell tells.
  std::optional<Axis> axis_between(double low, double high, std::optional<double> cell, int64_t count,
                                   std::string& registration) const {
    const double n = static_cast<double>(count);
    if (!(high > low)) return std::nullopt;
    const double step = cell ? std::abs(*cell) : (high - low) / n;
    const double cells = (high - low) / step;
    if (std::abs(cells - n) <= tolerable / 2) {
      registration = "area";
      return Axis{low + step / 2, step, 0};
    }
    if (std::abs(cells - (n - 1)) > tolerable / 2) return std::nullopt;
    registration = "point";
    return Axis{low, step, 0};
  }

  void place_within_bounds() {
    const std::optional<double> x0 = number("xmin"), x1 = number("xmax"), y0 = number("ymin"), y1 = number("ymax");
    if (!x0 || !x1 || !y0 || !y1) return;
    const std::optional<double> dx = number("dx"), dy = dx ? number("dy") : std::nullopt;
    const std::optional<double> cell_x = dx, cell_y = dy ? dy : dx;
    std::string across, along;
    const std::optional<Axis> x = axis_between(std::min(*x0, *x1), std::max(*x0, *x1), cell_x, info_.width, across);
    const std::optional<Axis> y = axis_between(std::min(*y0, *y1), std::max(*y0, *y1), cell_y, info_.height, along);
    if (!x || !y) {
      assume("its xmin, xmax, ymin, ymax do not fit its samples and are ignored, so its position is unknown");
      return;
    }
    if (*x0 > *x1) assume("its xmin and xmax are swapped; columns are taken to run from west to east");
    if (*y0 > *y1) assume("its ymin and ymax are swapped; rows are taken to run from north to south");
    if (!dx) assume("its xmin, xmax, ymin, ymax are taken as the outer edges of its cells");
    const bool degrees = x->step < 1 && y->step < 1 && is_degrees(*x0, *x1, *y0, *y1);
    if (degrees) assume("its bounds are taken as degrees (EPSG:4326)");
    const double top = y->first + static_cast<double>(info_.height - 1) * y->step;
    info_.place = RasterPlace{degrees ? "EPSG:4326" : "", {x->first, top}, {x->step, -y->step}};
    if (across == along) info_.registration = across;
  }

  const std::string& path_;
  const ZipArchive& archive_;
  const std::vector<NpzArray>& arrays_;
  RasterInfo& info_;
};

}  // namespace

void place_npz(const std::string& path, const ZipArchive& archive, const std::vector<NpzArray>& arrays,
               RasterInfo& info) {
  Placer(path, archive, arrays, info).place();
}

}  // namespace tepui
