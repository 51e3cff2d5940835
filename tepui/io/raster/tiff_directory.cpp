#include "tepui/io/raster/tiff_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/io/file/byte_source.h"

// TIFF 6.0, section 2, and BigTIFF, which has wider numbers.

namespace tepui {

namespace {

/// In all directories together, which may overlap.
constexpr uint64_t most_entries = 1000000;

/// Bytes of a number, by the file's number of its type; 0 where there is no such type.
constexpr std::array<uint64_t, 19> type_bytes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};

enum Tag : uint64_t {
  width_tag = 256,
  height_tag = 257,
  strip_offsets = 273,
  orientation_tag = 274,
  samples_per_pixel = 277,
  rows_per_strip = 278,
  strip_bytes = 279,
  planar_configuration = 284,
  tile_width = 322,
  tile_height = 323,
  tile_offsets = 324,
  tile_bytes = 325,
};

uint64_t blocks(uint64_t size, uint64_t block) { return size / block + (size % block != 0 ? 1 : 0); }

/// Numbers in a row somewhere in the file.
struct List {
  uint64_t count = 0, bytes = 0, offset = 0;
};

/// One directory's claims.
struct Directory {
  uint64_t width = 0, height = 0, samples = 1, planar = 1, orientation = 1;
  uint64_t strip_height = 0, tile_width = 0, tile_height = 0;  ///< 0: not said
  std::optional<uint64_t> offsets;                             ///< how many strips or tiles are listed
  List sizes;                                                  ///< bytes of each
  bool tiled = false;

  double needed() const {
    const uint64_t planes = planar == 2 ? samples : 1;
    if (tiled) {
      if (tile_width == 0 || tile_height == 0) return 0;
      return static_cast<double>(blocks(width, tile_width)) * static_cast<double>(blocks(height, tile_height)) *
             static_cast<double>(planes);
    }
    if (height == 0) return 0;
    return static_cast<double>(blocks(height, strip_height == 0 ? height : strip_height)) * static_cast<double>(planes);
  }
};

class DirectoryReader {
 public:
  explicit DirectoryReader(const std::string& path) : file_(path) {}

  TiffBlocks check() {
    TiffBlocks first;
    if (file_.size() < 8) return first;
    std::array<uint8_t, 8> start{};
    file_.read(0, start.data(), start.size());
    if (start[0] != start[1] || (start[0] != 'I' && start[0] != 'M')) return first;
    big_endian_ = start[0] == 'M';
    const uint64_t version = number(2, 2);
    if (version != 42 && version != 43) return first;
    big_ = version == 43;
    uint64_t at = big_ ? (file_.size() < 16 ? 0 : number(8, 8)) : number(4, 4);
    std::set<uint64_t> seen;
    while (at != 0 && seen.insert(at).second) {
      const std::optional<uint64_t> next = directory(at, seen.size() == 1 ? &first : nullptr);
      if (!next) break;
      at = *next;
    }
    return first;
  }

 private:
  bool holds(uint64_t offset, uint64_t bytes) const { return offset <= file_.size() && bytes <= file_.size() - offset; }

  uint64_t number(const uint8_t* raw, size_t bytes) const {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value = value << 8 | raw[big_endian_ ? i : bytes - 1 - i];
    return value;
  }
  uint64_t number(uint64_t offset, size_t bytes) {
    std::array<uint8_t, 8> raw{};
    file_.read(offset, raw.data(), bytes);
    return number(raw.data(), bytes);
  }

  /// Where the next directory lies; nothing where this one ends too early, which the library says well.
  std::optional<uint64_t> directory(uint64_t at, TiffBlocks* blocks) {
    const uint64_t count_bytes = big_ ? 8 : 2, entry_bytes = big_ ? 20 : 12, link_bytes = big_ ? 8 : 4;
    if (!holds(at, count_bytes)) return std::nullopt;
    const uint64_t count = number(at, count_bytes);
    at += count_bytes;
    if (count > file_.size() / entry_bytes || !holds(at, count * entry_bytes + link_bytes)) return std::nullopt;
    entries_ += count + 1;
    if (entries_ > most_entries) refuse(fmt::format("'{}' has more directories than a TIFF can have", file_.path()));
    entries_read_.resize(count * entry_bytes + link_bytes);
    file_.read(at, entries_read_.data(), entries_read_.size());
    directory_at_ = at;
    Directory claims;
    for (uint64_t i = 0; i < count; ++i) entry(entries_read_.data() + i * entry_bytes, claims);
    if (claims.offsets && claims.needed() > static_cast<double>(*claims.offsets))
      refuse(fmt::format("'{}' claims {:.0f} {}, but lists {} of them", file_.path(), claims.needed(),
                         claims.tiled ? "tiles" : "strips", *claims.offsets));
    if (blocks != nullptr && claims.sizes.count > 0)
      *blocks = {claims.sizes.count, empty_of(claims.sizes), claims.tiled, claims.orientation};
    return number(entries_read_.data() + count * entry_bytes, link_bytes);
  }

  void entry(const uint8_t* at, Directory& claims) const {
    const uint64_t tag = number(at, 2), type = number(at + 2, 2);
    const uint64_t count = number(at + 4, big_ ? 8 : 4);
    const uint8_t* place = at + (big_ ? 12 : 8);
    if (type >= type_bytes.size() || type_bytes[type] == 0 || count == 0) return;
    const auto value = [&] { return number(place, std::min<uint64_t>(type_bytes[type], big_ ? 8 : 4)); };
    switch (tag) {
      case width_tag:
        claims.width = value();
        break;
      case height_tag:
        claims.height = value();
        break;
      case orientation_tag:
        claims.orientation = value();
        break;
      case samples_per_pixel:
        claims.samples = value();
        break;
      case planar_configuration:
        claims.planar = value();
        break;
      case rows_per_strip:
        claims.strip_height = value();
        break;
      case tile_width:
        claims.tile_width = value();
        break;
      case tile_height:
        claims.tile_height = value();
        break;
      case strip_offsets:
      case strip_bytes:
      case tile_offsets:
      case tile_bytes:
        claims.tiled = claims.tiled || tag >= tile_offsets;
        check_list(count, type_bytes[type], place, tag >= tile_offsets);
        if (tag == strip_offsets || tag == tile_offsets)
          claims.offsets = count;
        else
          claims.sizes = list_at(count, type_bytes[type], place);
        break;
      default:
        break;
    }
  }

  /// A list that fits stands in the entry itself, any other where the entry says.
  List list_at(uint64_t count, uint64_t bytes, const uint8_t* place) const {
    const uint64_t inside = big_ ? 8 : 4;
    const uint64_t here = directory_at_ + static_cast<uint64_t>(place - entries_read_.data());
    return {count, bytes, count <= inside / bytes ? here : number(place, inside)};
  }

  void check_list(uint64_t count, uint64_t bytes, const uint8_t* place, bool tiles) const {
    if (count <= file_.size() / bytes && holds(list_at(count, bytes, place).offset, count * bytes)) return;
    refuse(fmt::format("'{}' claims {} {}, but its {} bytes end before the list of them", file_.path(), count,
                       tiles ? "tiles" : "strips", file_.size()));
  }

  uint64_t empty_of(const List& sizes) {
    std::vector<uint8_t> raw(sizes.count * sizes.bytes);
    file_.read(sizes.offset, raw.data(), raw.size());
    uint64_t empty = 0;
    for (uint64_t i = 0; i < sizes.count; ++i)
      if (number(raw.data() + i * sizes.bytes, sizes.bytes) == 0) ++empty;
    return empty;
  }

  FileSource file_;
  uint64_t directory_at_ = 0;          ///< of its entries in the file
  std::vector<uint8_t> entries_read_;  ///< of the directory at hand, and the link to the next
  uint64_t entries_ = 0;               ///< of all directories
  bool big_endian_ = false, big_ = false;
};

}  // namespace

TiffBlocks check_tiff_directories(const std::string& path) { return DirectoryReader(path).check(); }

}  // namespace tepui
