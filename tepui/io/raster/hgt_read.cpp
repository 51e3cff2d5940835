#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/zip_read.h"
#include "tepui/io/raster/raster_formats.h"

// Tiles of the Shuttle Radar Topography Mission and what was made like them: big-endian whole numbers of 16 bits, the
// north-western one first, over one degree named by its south-western corner. Samples stand on its edges.

namespace tepui {

namespace {

constexpr double no_height = -32768;

struct TileSize {
  int64_t width, height;
};
constexpr TileSize tile_sizes[] = {{1201, 1201}, {3601, 3601}, {1801, 3601}};

/// The only .hgt in an archive.
std::unique_ptr<ByteSource> open_zipped(const std::string& path, std::string& name) {
  const ZipArchive archive(path);
  const ZipEntry* found = nullptr;
  for (const ZipEntry& entry : archive.entries()) {
    if (file_ending(entry.name) != ".hgt") continue;
    if (found != nullptr) refuse(fmt::format("'{}' holds several tiles", path), "unpack it and give one of the tiles");
    found = &entry;
  }
  if (found == nullptr) refuse(fmt::format("'{}' does not contain an .hgt file", path));
  name = file_name(found->name);
  return archive.open(*found);
}

/// Its south-western corner in degrees, as "N36W113.hgt" says.
Vec2 corner_of(const std::string& path, const std::string& name) {
  const auto digits = [&](size_t from, size_t count) {
    return name.find_first_not_of("0123456789", from) >= from + count;
  };
  const std::string letters = lower_case(name);
  if (name.size() < 7 || (letters[0] != 'n' && letters[0] != 's') || !digits(1, 2) ||
      (letters[3] != 'e' && letters[3] != 'w') || !digits(4, 3))
    refuse(fmt::format("'{}' is not named after its position", path),
           "SRTM tiles are named after their south-west corner, such as N36W113.hgt");
  const Vec2 corner{std::stod(name.substr(4, 3)), std::stod(name.substr(1, 2))};
  return {letters[3] == 'w' ? -corner.x : corner.x, letters[0] == 's' ? -corner.y : corner.y};
}

class HgtRaster : public Raster {
 public:
  explicit HgtRaster(const std::string& path) {
    std::string name = file_name(path);
    source_ = file_ending(path) == ".hgt" ? std::make_unique<FileSource>(path) : open_zipped(path, name);
    const auto size = std::ranges::find_if(tile_sizes, [&](const TileSize& tile) {
      return source_->size() == static_cast<uint64_t>(2 * tile.width * tile.height);
    });
    if (size == std::end(tile_sizes))
      refuse(fmt::format("'{}' has {} bytes, which is not the size of an SRTM tile", path, source_->size()),
             "tiles have 1201 x 1201 or 3601 x 3601 samples of two bytes; to read raw samples of another size, name "
             "the file .raw");
    info_.format = "SRTM HGT";
    info_.width = size->width;
    info_.height = size->height;
    RasterBand band;
    band.type = "Int16";
    band.unit = "m";
    band.nodata = no_height;
    info_.bands.push_back(band);
    const Vec2 corner = corner_of(path, name);
    RasterPlace place;
    place.crs = "EPSG:4326";
    place.step = {1.0 / static_cast<double>(size->width - 1), -1.0 / static_cast<double>(size->height - 1)};
    place.origin = {corner.x, corner.y + 1};
    info_.place = place;
    info_.registration = "point";
  }

  void read_rows(int, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }
  void read_rows(int, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(first, rows, values, valid);
  }

 private:
  template <class To>
  void read(int64_t first, int64_t rows, To* values, uint8_t* valid) {
    buffer_.resize(static_cast<size_t>(2 * rows * info_.width));
    source_->read(static_cast<uint64_t>(2 * first * info_.width), buffer_.data(), buffer_.size());
    for (size_t i = 0; i < buffer_.size() / 2; ++i)
      values[i] = static_cast<To>(static_cast<int16_t>(buffer_[2 * i] << 8 | buffer_[2 * i + 1]));
    std::fill_n(valid, rows * info_.width, uint8_t{1});
  }

  std::unique_ptr<ByteSource> source_;
  std::vector<uint8_t> buffer_;
};

}  // namespace

std::unique_ptr<Raster> open_hgt(const std::string& path, const RasterOptions&) {
  return std::make_unique<HgtRaster>(path);
}

}  // namespace tepui
