#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/zip_read.h"
#include "tepui/io/raster/npy.h"
#include "tepui/io/raster/npy_header.h"
#include "tepui/io/raster/npy_values.h"
#include "tepui/io/raster/npz_place.h"

namespace tepui {

namespace {

constexpr int64_t buffer_bytes = 4 << 20;
constexpr int64_t most_bands = 1024;

/// An array as bands of rows.
struct NpyShape {
  int64_t bands = 1, height = 0, width = 0;
};

/// None where the dimensions are not those of a raster.
std::optional<NpyShape> raster_shape(const std::vector<int64_t>& shape) {
  if (shape.size() == 2) return NpyShape{1, shape[0], shape[1]};
  if (shape.size() != 3 || shape[0] > most_bands) {
    if (shape.size() == 3 && shape[2] == 1) return NpyShape{1, shape[0], shape[1]};
    return std::nullopt;
  }
  if (shape[2] == 1 && shape[0] != 1) return NpyShape{1, shape[0], shape[1]};
  // (h, w, 3) is a picture, and not h bands three samples wide.
  if (shape[2] <= 4 && shape[0] > 16 && shape[1] > 16) return std::nullopt;
  return NpyShape{shape[0], shape[1], shape[2]};
}

NpyShape require_shape(const NpyHeader& header, const std::string& shown) {
  const std::optional<NpyShape> shape = raster_shape(header.shape);
  if (shape) return *shape;
  const bool picture = header.shape.size() == 3 && header.dimension(2) <= 4;
  refuse(fmt::format("{} has the shape {}, which is not a raster", shown, shape_text(header.shape)),
         picture ? "the shape must be (height, width); array[:, :, 0] is its first channel"
                 : "the shape must be (height, width) or (bands, height, width)");
}

class NpyRaster : public Raster {
 public:
  NpyRaster(std::unique_ptr<ByteSource> source, NpyHeader header, NpyShape shape, RasterInfo info)
      : source_(std::move(source)),
        header_(std::move(header)),
        shape_(shape),
        bytes_(static_cast<int64_t>(npy_type_bytes(*header_.type))) {
    info_ = std::move(info);
  }

  void read_rows(int band, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(band, first, rows, values, valid);
  }
  void read_rows(int band, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(band, first, rows, values, valid);
  }

  int64_t block_rows() const override {
    return std::clamp<int64_t>(buffer_bytes / (shape_.width * bytes_), 1, shape_.height);
  }

 private:
  template <class T>
  void read(int band, int64_t first, int64_t rows, T* values, uint8_t* valid) {
    std::fill_n(valid, rows * shape_.width, uint8_t{1});
    if (header_.fortran_order)
      read_columns(band, first, rows, values);
    else
      read_run((band * shape_.height + first) * shape_.width, rows * shape_.width, values);
  }

  /// The numbers from index `first` on, one after the other.
  template <class T>
  void read_run(int64_t first, int64_t count, T* values) {
    const int64_t piece = buffer_bytes / bytes_;
    for (int64_t at = 0; at < count; at += piece) {
      const int64_t part = std::min(piece, count - at);
      const char* stored = fetch(first + at, part);
      convert_npy(header_, stored, static_cast<size_t>(bytes_), part, values + at, 1);
    }
  }

  /// The first index runs fastest: (band, row, column) is at band + bands * (row + height * column).
  template <class T>
  void read_columns(int band, int64_t first, int64_t rows, T* values) {
    const int64_t n = shape_.bands, piece = buffer_bytes / (n * bytes_);
    for (int64_t x = 0; x < shape_.width; ++x)
      for (int64_t at = 0; at < rows; at += piece) {
        const int64_t part = std::min(piece, rows - at);
        const char* stored = fetch(n * (first + at + shape_.height * x), n * part);
        convert_npy(header_, stored + band * bytes_, static_cast<size_t>(n * bytes_), part,
                    values + at * shape_.width + x, shape_.width);
      }
  }

  const char* fetch(int64_t first, int64_t count) {
    buffer_.resize(std::max(buffer_.size(), static_cast<size_t>(count * bytes_)));
    source_->read(header_.data_offset + static_cast<uint64_t>(first * bytes_), buffer_.data(),
                  static_cast<size_t>(count * bytes_));
    return buffer_.data();
  }

  std::unique_ptr<ByteSource> source_;
  NpyHeader header_;
  NpyShape shape_;
  int64_t bytes_;
  std::vector<char> buffer_;
};

uint64_t data_bytes(const NpyHeader& header) {
  uint64_t bytes = npy_type_bytes(*header.type);
  for (const int64_t count : header.shape) bytes *= static_cast<uint64_t>(count);
  return bytes;
}

/// Checks that there are as many numbers as the shape says, before anything is allocated for them.
RasterInfo describe_array(const std::string& path, const std::string& shown, const NpyHeader& header,
                          const ByteSource& source, double packed_bytes, double ratio) {
  require_numbers(header, shown);
  const NpyShape shape = require_shape(header, shown);
  if (shape.bands < 1 || shape.height < 1 || shape.width < 1)
    refuse(fmt::format("{} has the shape {}: no samples", shown, shape_text(header.shape)));
  const size_t bytes = npy_type_bytes(*header.type);
  const double needed = static_cast<double>(shape.bands) * static_cast<double>(shape.height) *
                        static_cast<double>(shape.width) * static_cast<double>(bytes);
  const double given = static_cast<double>(source.size() - header.data_offset);
  if (needed > given)
    refuse(fmt::format("{} has the shape {}, which takes {}; it holds {}", shown, shape_text(header.shape),
                       bytes_text(needed), bytes_text(given)),
           "it was probably cut off");
  check_raster_claim(path, shape.width, shape.height, shape.bands, static_cast<double>(bytes) * shape.bands,
                     packed_bytes, ratio);
  RasterInfo info;
  info.format = "NPY";
  info.width = shape.width;
  info.height = shape.height;
  info.bands.resize(static_cast<size_t>(shape.bands));
  for (RasterBand& band : info.bands) band.type = npy_type_name(*header.type);
  return info;
}

std::unique_ptr<Raster> open_array(const std::string& path) {
  auto source = std::make_unique<FileSource>(path);
  const std::string shown = fmt::format("'{}'", path);
  NpyHeader header = read_npy_header(*source, shown);
  const double bytes = static_cast<double>(source->size());
  RasterInfo info = describe_array(path, shown, header, *source, bytes, 1);
  if (source->size() > header.data_offset + data_bytes(header))
    info.assumed.push_back(fmt::format("{} continues after its first array: only that one is read", shown));
  const NpyShape shape = *raster_shape(header.shape);
  return std::make_unique<NpyRaster>(std::move(source), std::move(header), shape, std::move(info));
}

std::vector<NpzArray> arrays_of(const std::string& path, const ZipArchive& archive) {
  std::vector<NpzArray> arrays;
  for (const ZipEntry& entry : archive.entries()) {
    if (!entry.name.ends_with(".npy")) continue;
    NpzArray array{entry.name.substr(0, entry.name.size() - 4), &entry, {}};
    for (const NpzArray& other : arrays)
      if (other.name == array.name) refuse(fmt::format("'{}' has two arrays {}", path, listed({array.name})));
    array.header =
        read_npy_header(*archive.open(entry), fmt::format("the array {} of '{}'", listed({array.name}), path));
    arrays.push_back(std::move(array));
  }
  if (arrays.empty()) refuse(fmt::format("'{}' holds no arrays", path), "numpy.savez writes them");
  return arrays;
}

std::string arrays_text(const std::vector<NpzArray>& arrays) {
  constexpr size_t most = 12;
  std::string text;
  for (size_t i = 0; i < std::min(arrays.size(), most); ++i)
    text += fmt::format("{}{} {}", i > 0 ? ", " : "", listed({arrays[i].name}), shape_text(arrays[i].header.shape));
  if (arrays.size() > most) text += fmt::format(" and {} more", arrays.size() - most);
  return text;
}

/// Of several arrays, the one whose name says that it is heights.
const NpzArray* named_like_heights(const std::vector<const NpzArray*>& arrays) {
  for (const char* word : {"height",     "heights",   "elevation", "elevations", "elev",   "altitude",   "topo",
                           "topography", "topobathy", "dem",       "dtm",        "dsm",    "bathymetry", "heightmap",
                           "terrain",    "z",         "band",      "band1",      "band_1", "band_data"})
    for (const NpzArray* array : arrays)
      if (lower_case(array->name) == word) return array;
  return nullptr;
}

const NpzArray& choose_array(const std::string& path, const std::vector<NpzArray>& arrays, const std::string& layer,
                             std::vector<std::string>& assumed) {
  const std::string hint = fmt::format("it has {}", arrays_text(arrays));
  if (!layer.empty()) {
    for (const NpzArray& array : arrays)
      if (array.name == layer || array.name + ".npy" == layer) return array;
    refuse(fmt::format("'{}' has no array {}", path, listed({layer})), hint);
  }
  if (arrays.size() == 1) return arrays.front();
  std::vector<const NpzArray*> rasters;
  for (const NpzArray& array : arrays)
    if (array.header.type && raster_shape(array.header.shape)) rasters.push_back(&array);
  if (rasters.empty()) refuse(fmt::format("'{}' has no array of two dimensions", path), hint);
  if (rasters.size() == 1) return *rasters.front();
  const NpzArray* likely = named_like_heights(rasters);
  if (likely == nullptr)
    refuse(fmt::format("'{}' has {} arrays that could be heights", path, rasters.size()),
           fmt::format("name one as 'layer'; {}", hint));
  assumed.push_back(fmt::format("'{}' has {} rasters: using {} as the height; 'layer' selects another", path,
                                rasters.size(), listed({likely->name})));
  return *likely;
}

std::unique_ptr<Raster> open_archive(const std::string& path, const std::string& layer) {
  const ZipArchive archive(path);
  const std::vector<NpzArray> arrays = arrays_of(path, archive);
  std::vector<std::string> assumed;
  const NpzArray& array = choose_array(path, arrays, layer, assumed);
  std::unique_ptr<ByteSource> source = archive.open(*array.entry);
  const bool packed = array.entry->method != 0;
  const std::string shown = fmt::format("the array {} of '{}'", listed({array.name}), path);
  RasterInfo info = describe_array(path, shown, array.header, *source, static_cast<double>(array.entry->packed_bytes),
                                   packed ? deflate_ratio : 1);
  // The checksum is checked at the end of a source that was read from its start.
  read_npy_header(*source, shown);
  if (source->size() != array.header.data_offset + data_bytes(array.header))
    refuse(fmt::format("{} continues after its last sample", shown), "numpy.savez writes what can be read");
  const double bytes = static_cast<double>(array.entry->bytes);
  if (array.header.fortran_order) {
    // Columns are not read in the order in which they can be inflated and summed.
    if (bytes > static_cast<double>(physical_memory()))
      refuse(fmt::format("'{}' needs {}, more than this machine has", path, bytes_text(bytes)),
             "save numpy.ascontiguousarray(array), which needs less");
    source = in_memory(std::move(source));
  }
  info.format = "NPZ";
  info.assumed.insert(info.assumed.begin(), assumed.begin(), assumed.end());
  for (size_t i = 0; i < info.bands.size(); ++i)
    info.bands[i].name = info.bands.size() == 1 ? array.name : fmt::format("{} {}", array.name, i + 1);
  place_npz(path, archive, arrays, info);
  return std::make_unique<NpyRaster>(std::move(source), array.header, *raster_shape(array.header.shape),
                                     std::move(info));
}

}  // namespace

std::unique_ptr<Raster> open_npy(const std::string& path, const RasterOptions& options) {
  if (file_ending(path) == ".npz") return open_archive(path, options.layer);
  char start[2] = {};
  FileSource file(path);
  if (file.size() >= 2) file.read(0, start, 2);
  if (start[0] == 'P' && start[1] == 'K') return open_archive(path, options.layer);
  if (!options.layer.empty())
    refuse(fmt::format("'{}' has no array {}", path, listed({options.layer})),
           "an .npy holds one array, without a name");
  return open_array(path);
}

}  // namespace tepui
