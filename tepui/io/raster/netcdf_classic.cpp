#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tepui/core/error.h"
#include "tepui/io/file/byte_source.h"
#include "tepui/io/raster/netcdf_file.h"
#include "tepui/io/raster/raster.h"

// The classic netCDF formats (CDF-1, CDF-2, CDF-5), read here because netCDF's own library crashes on damaged headers.
// The layout is in the NetCDF User's Guide, appendix "File Format Specifications".

namespace tepui {

namespace {

constexpr size_t largest_header = 16 << 20;
constexpr uint64_t most_entries = 100000;
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

/// Where a variable's numbers lie.
struct Storage {
  uint32_t type = 0;
  uint64_t begin = 0;
};

/// Takes a header apart; every step is checked against its end.
class HeaderParser {
 public:
  HeaderParser(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {
    if (bytes_.size() < 4 || !bytes_.starts_with("CDF")) refuse_damaged("it does not start like one");
    if (bytes_[3] != 1 && bytes_[3] != 2 && bytes_[3] != 5) refuse_damaged("it has an unknown version");
    version_ = bytes_[3];
    bytes_.remove_prefix(4);
    count();  // of records: the file's length tells as well
    list(dimension_tag, [&] {
      NcDimension dimension;
      dimension.name = name();
      dimension.length = count();
      dimensions.push_back(std::move(dimension));
    });
    attributes();
    list(variable_tag, [&] { variable(); });
  }

  std::vector<NcDimension> dimensions;
  std::vector<NcVariable> variables;
  std::vector<Storage> storage;  ///< of each variable

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

  std::map<std::string, NcAttribute> attributes() {
    std::map<std::string, NcAttribute> result;
    list(attribute_tag, [&] {
      const std::string key = name();
      const uint32_t kind = type();
      const uint64_t entries = count();
      const uint64_t size = nc_types[kind].bytes;
      if (entries > bytes_.size() / size) refuse_damaged("its header ends too early");
      const uint8_t* at = take(entries * size);
      NcAttribute& attribute = result[key];
      if (kind == 2) {
        attribute.text.assign(reinterpret_cast<const char*>(at), entries);
      } else {
        attribute.type = nc_types[kind].name;
        for (uint64_t i = 0; i < entries; ++i) attribute.numbers.push_back(number_at(kind, at + i * size));
      }
      take((4 - entries * size % 4) % 4);
    });
    return result;
  }

  void variable() {
    NcVariable result;
    Storage place;
    result.name = name();
    const uint64_t rank = bounded_count();
    for (uint64_t i = 0; i < rank; ++i) {
      const uint64_t dimension = count();
      if (dimension >= dimensions.size()) refuse_damaged("a variable has an unknown dimension");
      result.dimensions.push_back(dimension);
    }
    result.attributes = attributes();
    place.type = type();
    if (nc_types[place.type].name != nullptr) result.type = nc_types[place.type].name;
    count();  // bytes of the variable, which its dimensions tell as well
    place.begin = version_ == 1 ? word() : big_endian<uint64_t>(take(8));
    variables.push_back(std::move(result));
    storage.push_back(place);
  }

  const std::string& path_;
  std::string_view bytes_;
  int version_ = 1;
};

class ClassicFile : public NcFile {
 public:
  explicit ClassicFile(const std::string& path) : NcFile(path), file_(path) {
    std::string text(std::min<uint64_t>(file_.size(), largest_header), '\0');
    file_.read(0, text.data(), text.size());
    HeaderParser header(path_, text);
    dimensions_ = std::move(header.dimensions);
    variables_ = std::move(header.variables);
    storage_ = std::move(header.storage);
  }

  void check_claim(const NcVariable& variable, uint64_t width, uint64_t height) const override {
    const Storage& place = storage_of(variable);
    const uint64_t size = nc_types[place.type].bytes, room = file_.size() / size;
    if (place.begin > file_.size() || width > room || height > room / std::max<uint64_t>(width, 1) ||
        width * height * size > file_.size() - place.begin)
      refuse(fmt::format("'{}' claims that '{}' has {} x {} samples, but the file ends before them", path_,
                         variable.name, width, height));
    check_raster_claim(path_, static_cast<int64_t>(width), static_cast<int64_t>(height), 1, 1,
                       static_cast<double>(file_.size()), 1);
  }

  void read(const NcVariable& variable, uint64_t first, uint64_t rows, double* to) override {
    const Storage& place = storage_of(variable);
    const uint64_t width = variable.dimensions.size() < 2 ? 1 : length(variable, variable.dimensions.size() - 1);
    const size_t size = nc_types[place.type].bytes;
    buffer_.resize(width * rows * size);
    file_.read(place.begin + first * width * size, buffer_.data(), buffer_.size());
    for (uint64_t i = 0; i < width * rows; ++i) to[i] = number_at(place.type, buffer_.data() + i * size);
  }

 private:
  const Storage& storage_of(const NcVariable& variable) const {
    return storage_[static_cast<size_t>(&variable - variables_.data())];
  }

  FileSource file_;
  std::vector<Storage> storage_;
  std::vector<uint8_t> buffer_;
};

}  // namespace

std::unique_ptr<NcFile> open_classic_netcdf(const std::string& path) { return std::make_unique<ClassicFile>(path); }

}  // namespace tepui
