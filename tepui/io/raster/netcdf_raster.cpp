#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/raster_formats.h"

// The classic netCDF formats (CDF-1, CDF-2, CDF-5), read here because netCDF's own library crashes on damaged headers.
// The layout is in the NetCDF User's Guide, appendix "File Format Specifications".

namespace tepui {

namespace {

constexpr size_t largest_header = 16 << 20;
constexpr uint64_t most_entries = 100000;
constexpr double default_fill = 9.9692099683868690e+36;  // of floats that were never written
constexpr uint32_t dimension_tag = 10, variable_tag = 11, attribute_tag = 12;

struct NcType {
  const char* name;
  size_t bytes;
};
/// Indexed by the file's number of a type; characters are no numbers.
constexpr NcType nc_types[] = {{nullptr, 0},   {"Int8", 1}, {nullptr, 1},  {"Int16", 2},  {"Int32", 4}, {"Float32", 4},
                               {"Float64", 8}, {"Byte", 1}, {"UInt16", 2}, {"UInt32", 4}, {"Int64", 8}, {"UInt64", 8}};

template <class T>
T big_endian(const uint8_t* bytes) {
  uint8_t turned[sizeof(T)];
  std::reverse_copy(bytes, bytes + sizeof(T), turned);
  T value;
  std::memcpy(&value, turned, sizeof(T));
  return value;
}

double number_at(uint32_t type, const uint8_t* bytes) {
  switch (type) {
    case 1:
      return static_cast<double>(static_cast<int8_t>(*bytes));
    case 3:
      return big_endian<int16_t>(bytes);
    case 4:
      return big_endian<int32_t>(bytes);
    case 5:
      return static_cast<double>(big_endian<float>(bytes));
    case 6:
      return big_endian<double>(bytes);
    case 7:
      return *bytes;
    case 8:
      return big_endian<uint16_t>(bytes);
    case 9:
      return big_endian<uint32_t>(bytes);
    case 10:
      return static_cast<double>(big_endian<int64_t>(bytes));
    default:
      return static_cast<double>(big_endian<uint64_t>(bytes));
  }
}

struct Attribute {
  std::string text;              ///< of characters
  std::optional<double> number;  ///< the first of numbers
};

struct Dimension {
  std::string name;
  uint64_t length = 0;  ///< 0: the record dimension
};

struct Variable {
  std::string name;
  std::vector<uint64_t> dimensions;
  std::map<std::string, Attribute> attributes;
  uint32_t type = 0;
  uint64_t begin = 0;
};

/// Takes a header apart; every step is checked against its end.
class HeaderParser {
 public:
  HeaderParser(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {
    if (bytes_.size() < 4 || !bytes_.starts_with("CDF") || (bytes_[3] != 1 && bytes_[3] != 2 && bytes_[3] != 5))
      refuse_damaged("it is not one");
    version_ = bytes_[3];
    bytes_.remove_prefix(4);
    count();  // of records: the file's length tells as well
    list(dimension_tag, [&] {
      Dimension dimension;
      dimension.name = name();
      dimension.length = count();
      dimensions.push_back(std::move(dimension));
    });
    attributes();
    list(variable_tag, [&] { variables.push_back(variable()); });
  }

  std::vector<Dimension> dimensions;
  std::vector<Variable> variables;

 private:
  [[noreturn]] void refuse_damaged(const char* why) const {
    refuse(fmt::format("cannot read '{}' as netCDF: {}", path_, why));
  }

  const uint8_t* take(uint64_t bytes) {
    if (bytes > bytes_.size()) refuse_damaged("its header ends too early");
    const auto* at = reinterpret_cast<const uint8_t*>(bytes_.data());
    bytes_.remove_prefix(bytes);
    return at;
  }
  uint32_t word() { return big_endian<uint32_t>(take(4)); }
  uint64_t count() { return version_ == 5 ? big_endian<uint64_t>(take(8)) : word(); }

  uint64_t bounded_count() {
    const uint64_t entries = count();
    if (entries > most_entries) refuse_damaged("its header has too many entries");
    return entries;
  }

  template <class Each>
  void list(uint32_t tag, const Each& each) {
    const uint32_t found = word();
    const uint64_t entries = bounded_count();
    if (found != tag && (found != 0 || entries != 0)) refuse_damaged("its header is damaged");
    for (uint64_t i = 0; i < entries; ++i) each();
  }

  std::string name() {
    const uint64_t length = bounded_count();
    const auto* at = reinterpret_cast<const char*>(take(length));
    std::string result(at, length);
    take((4 - length % 4) % 4);
    return result;
  }

  uint32_t type() {
    const uint32_t number = word();
    if (number < 1 || number >= std::size(nc_types)) refuse_damaged("it has samples of an unknown type");
    return number;
  }

  std::map<std::string, Attribute> attributes() {
    std::map<std::string, Attribute> result;
    list(attribute_tag, [&] {
      const std::string key = name();
      const uint32_t kind = type();
      const uint64_t entries = count();
      const uint64_t size = nc_types[kind].bytes;
      if (entries > bytes_.size() / size) refuse_damaged("its header ends too early");
      const uint8_t* at = take(entries * size);
      Attribute& attribute = result[key];
      if (kind == 2)
        attribute.text.assign(reinterpret_cast<const char*>(at), entries);
      else if (entries > 0)
        attribute.number = number_at(kind, at);
      take((4 - entries * size % 4) % 4);
    });
    return result;
  }

  Variable variable() {
    Variable result;
    result.name = name();
    const uint64_t rank = bounded_count();
    for (uint64_t i = 0; i < rank; ++i) {
      result.dimensions.push_back(count());
      if (result.dimensions.back() >= dimensions.size()) refuse_damaged("a variable has an unknown dimension");
    }
    result.attributes = attributes();
    result.type = type();
    count();  // bytes of the variable, which its dimensions tell as well
    result.begin = version_ == 1 ? word() : big_endian<uint64_t>(take(8));
    return result;
  }

  const std::string& path_;
  std::string_view bytes_;
  int version_ = 1;
};

/// In small letters, without the padding at its end.
std::string plain_word(const std::string& padded) {
  std::string text = lower_case(padded);
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string text_of(const Variable& variable, const char* key) {
  const auto found = variable.attributes.find(key);
  return found != variable.attributes.end() ? found->second.text : "";
}

std::optional<double> number_of(const Variable& variable, const char* key) {
  const auto found = variable.attributes.find(key);
  return found != variable.attributes.end() ? found->second.number : std::nullopt;
}

/// Even steps along an axis.
struct Axis {
  double first = 0, step = 0;
  std::string unit;
};

bool is_degrees(const Axis& axis, const std::string& name, const char* unit, const char* start) {
  return plain_word(axis.unit).starts_with(unit) ||
         ((axis.unit.empty() || plain_word(axis.unit) == "degrees") && plain_word(name).starts_with(start));
}

/// Metres, kilometres, or nothing said.
bool is_metric(const std::string& unit) {
  static const std::vector<std::string> known = {"", "m", "km", "metre", "metres", "meter", "meters"};
  return std::ranges::find(known, plain_word(unit)) != known.end();
}

class NetCdfRaster : public Raster {
 public:
  NetCdfRaster(const std::string& path, const RasterOptions& options) : path_(path), bytes_(file_size(path)) {
    file_.reset(std::fopen(path.c_str(), "rbe"));
    if (!file_) refuse(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
    std::string text(std::min(bytes_, largest_header), '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
    HeaderParser header(path_, text);
    dimensions_ = std::move(header.dimensions);
    variables_ = std::move(header.variables);
    choose(options.layer);
    place();
  }

  void read_rows(int, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }
  void read_rows(int, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }

 private:
  uint64_t length_of(const Variable& variable, size_t i) const {
    return dimensions_[static_cast<size_t>(variable.dimensions[i])].length;
  }

  bool is_map(const Variable& v) const {
    const size_t rank = v.dimensions.size();
    return rank >= 2 && nc_types[v.type].name != nullptr && length_of(v, rank - 1) > 0 && length_of(v, rank - 2) > 0;
  }

  void choose(const std::string& wanted) {
    std::vector<const Variable*> maps;
    std::vector<std::string> names;
    for (const Variable& v : variables_)
      if (is_map(v)) {
        maps.push_back(&v);
        names.push_back(v.name);
      }
    if (maps.empty()) refuse(fmt::format("'{}' has no variable over a grid", path_));
    if (wanted.empty() && maps.size() > 1)
      refuse(fmt::format("'{}' has several variables over a grid", path_),
             fmt::format("choose one with 'layer': {}", fmt::join(names, ", ")));
    const auto found = wanted.empty() ? names.begin() : std::ranges::find(names, wanted);
    if (found == names.end())
      refuse(fmt::format("'{}' has no variable '{}' over a grid", path_, wanted),
             fmt::format("it has {}", fmt::join(names, ", ")));
    map_ = maps[static_cast<size_t>(found - names.begin())];
    describe();
  }

  void describe() {
    const size_t rank = map_->dimensions.size();
    const uint64_t width = length_of(*map_, rank - 1), height = length_of(*map_, rank - 2);
    const uint64_t room = bytes_ / nc_types[map_->type].bytes;
    if (map_->begin > bytes_ || width > room || height > room / width ||
        width * height * nc_types[map_->type].bytes > bytes_ - map_->begin)
      refuse(fmt::format("'{}' says it has {} x {} samples, but the file ends before them", path_, width, height));
    info_.format = "netCDF";
    info_.width = static_cast<int64_t>(width);
    info_.height = static_cast<int64_t>(height);
    check_raster_claim(path_, info_.width, info_.height, 1, 1, static_cast<double>(bytes_), 1);
    if (rank > 2)
      info_.assumed.push_back(fmt::format("'{}': of variable '{}' the first grid is read", path_, map_->name));
    RasterBand band;
    band.name = map_->name;
    band.type = nc_types[map_->type].name;
    band.unit = plain_word(text_of(*map_, "units"));
    band.scale = number_of(*map_, "scale_factor").value_or(1);
    band.offset = number_of(*map_, "add_offset").value_or(0);
    band.scaled = number_of(*map_, "scale_factor") || number_of(*map_, "add_offset");
    band.nodata = number_of(*map_, "_FillValue");
    if (!band.nodata) band.nodata = number_of(*map_, "missing_value");
    if (!band.nodata && band.type.starts_with("Float")) band.nodata = default_fill;
    info_.bands.push_back(std::move(band));
  }

  /// The coordinates along a dimension, if its variable is there and they are evenly spaced.
  std::optional<Axis> axis(uint64_t index) {
    const Dimension& dimension = dimensions_[static_cast<size_t>(index)];
    const auto found = std::ranges::find_if(variables_, [&](const Variable& v) {
      return v.name == dimension.name && v.dimensions == std::vector<uint64_t>{index} &&
             nc_types[v.type].name != nullptr;
    });
    if (found == variables_.end() || dimension.length < 1) return std::nullopt;
    const size_t size = nc_types[found->type].bytes;
    const uint64_t length = dimension.length;
    if (found->begin > bytes_ || length > (bytes_ - found->begin) / size) return std::nullopt;
    std::vector<uint8_t> bytes(length * size);
    if (fseeko(file_.get(), static_cast<off_t>(found->begin), SEEK_SET) != 0 ||
        std::fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
      return std::nullopt;
    const auto at = [&](uint64_t i) { return number_at(found->type, bytes.data() + i * size); };
    Axis result{at(0), 1, text_of(*found, "units")};
    if (length > 1) result.step = (at(length - 1) - at(0)) / static_cast<double>(length - 1);
    for (uint64_t i = 0; i < length; ++i)
      if (!(std::abs(at(i) - (result.first + static_cast<double>(i) * result.step)) <= 0.02 * std::abs(result.step))) {
        info_.assumed.push_back(
            fmt::format("'{}': the coordinates '{}' are not evenly spaced and are not used", path_, dimension.name));
        return std::nullopt;
      }
    return result;
  }

  void place() {
    const size_t rank = map_->dimensions.size();
    const uint64_t x_index = map_->dimensions[rank - 1], y_index = map_->dimensions[rank - 2];
    const std::string &x_name = dimensions_[x_index].name, &y_name = dimensions_[y_index].name;
    const std::optional<Axis> x = axis(x_index), y = axis(y_index);
    if (!x || !y) return;
    if (is_degrees(*x, x_name, "degrees_n", "lat") && is_degrees(*y, y_name, "degrees_e", "lon"))
      refuse(fmt::format("the rows of '{}' run from south to north, not from west to east", path_),
             fmt::format("ncpdq -a {},{} turns it", x_name, y_name));
    if (x->step == 0 || y->step == 0) return;
    const bool degrees = is_degrees(*x, x_name, "degrees_e", "lon") && is_degrees(*y, y_name, "degrees_n", "lat");
    for (const Axis* side : {&*x, &*y})
      if (!degrees && !is_metric(side->unit)) {
        info_.assumed.push_back(
            fmt::format("'{}' has coordinates in '{}', which are not used; 'cell' says how far apart its samples are",
                        path_, side->unit));
        return;
      }
    RasterPlace at;
    const double unit_x = plain_word(x->unit) == "km" ? 1000 : 1, unit_y = plain_word(y->unit) == "km" ? 1000 : 1;
    at.origin = {x->first * unit_x, y->first * unit_y};
    at.step = {x->step * unit_x, y->step * unit_y};
    if (degrees) at.crs = "EPSG:4326";
    info_.place = at;
    info_.registration = "point";
  }

  template <class To>
  void read(int64_t first, int64_t rows, To* values, uint8_t* valid) {
    const size_t size = nc_types[map_->type].bytes;
    buffer_.resize(static_cast<size_t>(info_.width * rows) * size);
    const uint64_t at = map_->begin + static_cast<uint64_t>(first * info_.width) * size;
    if (fseeko(file_.get(), static_cast<off_t>(at), SEEK_SET) != 0 ||
        std::fread(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
      refuse(fmt::format("cannot read '{}': the file ends too early", path_));
    for (int64_t i = 0; i < info_.width * rows; ++i)
      values[i] = static_cast<To>(number_at(map_->type, buffer_.data() + static_cast<size_t>(i) * size));
    std::fill_n(valid, info_.width * rows, uint8_t{1});
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  size_t bytes_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<Dimension> dimensions_;
  std::vector<Variable> variables_;
  const Variable* map_ = nullptr;
  std::vector<uint8_t> buffer_;
};

}  // namespace

std::unique_ptr<Raster> open_netcdf(const std::string& path, const RasterOptions& options) {
  char start[4] = {};
  if (std::FILE* file = file_size(path) >= 4 ? std::fopen(path.c_str(), "rbe") : nullptr) {
    if (std::fread(start, 1, 4, file) != 4) start[0] = 0;
    std::fclose(file);
  }
  if (std::string_view(start, 4) == "\x89HDF") return open_gdal(path, options);
  return std::make_unique<NetCdfRaster>(path, options);
}

}  // namespace tepui
