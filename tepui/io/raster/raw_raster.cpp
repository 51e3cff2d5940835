#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/byte_source.h"
#include "tepui/io/file/sidecars.h"
#include "tepui/io/raster/raster_formats.h"

namespace tepui {

namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian; this machine would have to swap");

struct SampleType {
  const char* name;
  size_t bytes;
};
constexpr SampleType sample_types[] = {{"Byte", 1},   {"Int8", 1},  {"UInt16", 2},  {"Int16", 2},
                                       {"UInt32", 4}, {"Int32", 4}, {"Float32", 4}, {"Float64", 8}};

SampleType type_of(const std::string& path, const RasterOptions& options) {
  const std::string ending = file_ending(path);
  const std::string name = !options.type.empty() ? options.type : ending == ".r16" ? "UInt16" : "Float32";
  if (options.type.empty() && ending != ".r16" && ending != ".r32")
    refuse(fmt::format("'{}' has no .hdr file that describes its samples", path),
           "describe them with 'type', 'size' and 'order', such as type=int16 size=1201,1201 order=big");
  for (const SampleType& type : sample_types)
    if (name == type.name) return type;
  refuse(fmt::format("raw samples cannot have the type '{}'", name));
}

template <class From, class To>
void convert(const std::vector<uint8_t>& bytes, bool swap, To* to) {
  for (size_t i = 0; i < bytes.size() / sizeof(From); ++i) {
    uint8_t sample[sizeof(From)];
    std::memcpy(sample, bytes.data() + i * sizeof(From), sizeof(From));
    if (swap) std::reverse(sample, sample + sizeof(From));
    From value;
    std::memcpy(&value, sample, sizeof(From));
    to[i] = static_cast<To>(value);
  }
}

class RawRaster : public Raster {
 public:
  RawRaster(const std::string& path, const RasterOptions& options)
      : path_(path), type_(type_of(path, options)), swap_(options.big_endian) {
    const size_t bytes = file_size(path);
    info_.format = "raw";
    info_.width = options.width;
    info_.height = options.height;
    info_.bands.emplace_back();
    info_.bands.back().type = type_.name;
    if (info_.width == 0 && info_.height == 0) guess_size(bytes);
    const double expected =
        static_cast<double>(info_.width) * static_cast<double>(info_.height) * static_cast<double>(type_.bytes);
    if (info_.width < 1 || info_.height < 1 || expected != static_cast<double>(bytes))
      refuse(fmt::format("'{}' has {} bytes, but {} x {} samples of {} need {:.0f}", path, bytes, info_.width,
                         info_.height, type_.name, expected),
             "give its 'size' and 'type'");
    check_raster_claim(path, info_.width, info_.height, 1, static_cast<double>(type_.bytes), static_cast<double>(bytes),
                       1);
    file_.reset(std::fopen(path.c_str(), "rbe"));
    if (!file_) refuse(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
  }

  void read_rows(int, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }
  void read_rows(int, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }

 private:
  /// Engines' height maps are square.
  void guess_size(size_t bytes) {
    const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(bytes / type_.bytes)) + 0.5);
    if (bytes == 0 || static_cast<size_t>(side) * static_cast<size_t>(side) * type_.bytes != bytes)
      refuse(fmt::format("the size of '{}' is not given, and its {} bytes are not a square of {} samples", path_, bytes,
                         type_.name),
             "give it: size=WIDTH,HEIGHT");
    info_.width = info_.height = side;
    info_.assumed.push_back(
        fmt::format("the size of '{}' is not given: assuming {} x {} samples of {}", path_, side, side, type_.name));
  }

  template <class To>
  void read(int64_t first, int64_t rows, To* values, uint8_t* valid) {
    buffer_.resize(static_cast<size_t>(info_.width * rows) * type_.bytes);
    const int64_t at = first * info_.width * static_cast<int64_t>(type_.bytes);
    if (fseeko(file_.get(), at, SEEK_SET) != 0 ||
        std::fread(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
      refuse(fmt::format("cannot read '{}': the file ends too early", path_));
    const std::string_view name = type_.name;
    if (name == "Byte") convert<uint8_t>(buffer_, swap_, values);
    if (name == "Int8") convert<int8_t>(buffer_, swap_, values);
    if (name == "UInt16") convert<uint16_t>(buffer_, swap_, values);
    if (name == "Int16") convert<int16_t>(buffer_, swap_, values);
    if (name == "UInt32") convert<uint32_t>(buffer_, swap_, values);
    if (name == "Int32") convert<int32_t>(buffer_, swap_, values);
    if (name == "Float32") convert<float>(buffer_, swap_, values);
    if (name == "Float64") convert<double>(buffer_, swap_, values);
    std::fill_n(valid, info_.width * rows, uint8_t{1});
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  SampleType type_;
  bool swap_ = false;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<uint8_t> buffer_;
};

/// Formats that come under the same endings and say themselves what they are, whatever lies beside them.
void refuse_others(const std::string& path) {
  struct Other {
    std::string_view start;
    const char *name, *remedy;
  };
  static constexpr Other others[] = {
      {"EHFA_HEADER_TAG", "an image of ERDAS Imagine", "convert it to GeoTIFF with gdal_translate"},
      {"\x89HDF\r\n\x1a\n", "HDF5", "if it is netCDF, name it .nc"},
      {"\x89PNG\r\n\x1a\n", "a PNG", "name it .png"},
  };
  FileSource file(path);
  std::string start(static_cast<size_t>(std::min<uint64_t>(file.size(), 16)), '\0');
  file.read(0, start.data(), start.size());
  for (const Other& other : others)
    if (start.starts_with(other.start))
      refuse(fmt::format("'{}' is {}, not a file of plain samples", path, other.name), other.remedy);
}

}  // namespace

std::unique_ptr<Raster> open_raw(const std::string& path, const RasterOptions& options) {
  refuse_others(path);
  for (const std::string& file : sidecars(path))
    if (file_ending(file) == ".hdr" && options.type.empty() && options.width == 0) return open_gdal(path, options);
  return std::make_unique<RawRaster>(path, options);
}

}  // namespace tepui
