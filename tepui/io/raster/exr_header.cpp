#include "tepui/io/raster/exr_header.h"

#include <OpenEXR/Iex.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfVersion.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/io/raster/raster.h"

namespace tepui {

namespace {

constexpr size_t most_parts = 1024, most_channels = 1024;
constexpr int longest_name = 255;

[[noreturn]] void damaged(const std::string& path, const std::string& how) {
  refuse(fmt::format("'{}' is damaged: {}", path, how));
}

int32_t number(ExrInput& input) {
  unsigned char b[4];
  input.read(reinterpret_cast<char*>(b), 4);
  return static_cast<int32_t>(b[0] | uint32_t{b[1]} << 8 | uint32_t{b[2]} << 16 | uint32_t{b[3]} << 24);
}

/// Skips a text that ends with a zero; its length.
int skip_text(ExrInput& input) {
  char c = 0;
  for (int length = 0; length <= longest_name; ++length) {
    input.read(&c, 1);
    if (c == 0) return length;
  }
  return longest_name + 1;
}

/// Walks over the attributes of a header: the library allocates what an attribute says before it looks whether the
/// file has as much. False where the header is empty, which ends a file of several parts.
bool walk_header(const std::string& path, ExrInput& input) {
  for (bool any = false;; any = true) {
    const int name = skip_text(input);
    if (name == 0) return any;
    const int type = skip_text(input);
    const int32_t bytes = number(input);
    if (name > longest_name || type > longest_name) damaged(path, "its header is damaged");
    if (bytes < 0 || static_cast<uint64_t>(bytes) > input.file().size() - input.tellg())
      damaged(path, "its header claims more than the file holds");
    input.seekg(input.tellg() + static_cast<uint64_t>(bytes));
  }
}

/// How far a method shrinks the most monotonous samples.
double ratio_of(Imf::Compression compression) {
  switch (compression) {
    case Imf::NO_COMPRESSION:
      return 1;
    case Imf::RLE_COMPRESSION:
      return 64;
    case Imf::ZIPS_COMPRESSION:
    case Imf::ZIP_COMPRESSION:
      return 1032;
    case Imf::B44_COMPRESSION:
    case Imf::B44A_COMPRESSION:
      return 16;
    case Imf::PIZ_COMPRESSION:
    case Imf::PXR24_COMPRESSION:
      return 1500;
    default:
      return 16384;  // DWAA and DWAB, which lose
  }
}

int64_t rows_packed(Imf::Compression compression) {
  switch (compression) {
    case Imf::NO_COMPRESSION:
    case Imf::RLE_COMPRESSION:
    case Imf::ZIPS_COMPRESSION:
      return 1;
    case Imf::ZIP_COMPRESSION:
    case Imf::PXR24_COMPRESSION:
      return 16;
    case Imf::DWAB_COMPRESSION:
      return 256;
    default:
      return 32;
  }
}

double bytes_per_pixel(const std::string& path, const Imf::Header& header) {
  double bytes = 0;
  size_t count = 0;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i, ++count)
    bytes += i.channel().type == Imf::HALF ? 2 : 4;
  if (count == 0) refuse(fmt::format("'{}' has no channels", path));
  if (count > most_channels)
    refuse(fmt::format("'{}' has {} channels; at most {} are read", path, count, most_channels));
  return bytes;
}

struct Extent {
  double width, height;
};
Extent extent_of(const Imf::Header& header) {
  const Imath::Box2i& window = header.dataWindow();
  return {static_cast<double>(window.max.x) - window.min.x + 1, static_cast<double>(window.max.y) - window.min.y + 1};
}

/// Entries of the table that says where a part's blocks are, which is as long in the file.
double blocks_of(const Imf::Header& header, bool tiled) {
  const Extent extent = extent_of(header);
  if (!tiled) {
    const double rows = static_cast<double>(rows_packed(header.compression()));
    return std::max(1.0, extent.height / rows);
  }
  const Imf::TileDescription& tiles = header.tileDescription();
  return std::max(1.0, extent.width / tiles.xSize) * std::max(1.0, extent.height / tiles.ySize);
}

/// Checks the samples of the part that is read, and the memory that a block of them takes.
void check_part(const std::string& path, ExrPart& part, bool tiled, double file_bytes) {
  const Imf::Header& header = part.header;
  const Extent extent = extent_of(header);
  const double ratio = ratio_of(header.compression());
  part.bytes_per_pixel = bytes_per_pixel(path, header);
  double width = extent.width;
  part.block_rows = rows_packed(header.compression());
  if (tiled) {
    const Imf::TileDescription& tiles = header.tileDescription();
    part.block_rows = static_cast<int64_t>(tiles.ySize);
    width = std::max(width, static_cast<double>(tiles.xSize));
  }
  part.block_bytes = width * static_cast<double>(part.block_rows) * part.bytes_per_pixel;
  check_raster_claim(path, static_cast<int64_t>(extent.width), static_cast<int64_t>(extent.height), 1,
                     part.bytes_per_pixel, file_bytes, ratio);
  // Blocks are taken whole, even where the picture is smaller.
  if (part.block_bytes > 64.0 * 1024 * 1024 + ratio * file_bytes)
    damaged(path, fmt::format("its blocks of {:.0f} x {} samples are larger than the file", width, part.block_rows));
}

ExrPart read_headers(const std::string& path, ExrInput& input) {
  constexpr int32_t magic = 20000630;
  if (input.file().size() < 8 || number(input) != magic) refuse(fmt::format("'{}' is not an EXR file", path));
  int version = number(input);
  const bool multipart = Imf::isMultiPart(version);
  const uint64_t start = input.tellg();
  size_t parts = 0;
  while (walk_header(path, input)) {
    if (++parts > most_parts) refuse(fmt::format("'{}' has more than {} parts", path, most_parts));
    if (!multipart) break;
  }
  if (parts == 0) damaged(path, "it has no header");

  input.seekg(start);
  ExrPart first;
  double table_bytes = 0;
  const double file_bytes = static_cast<double>(input.file().size());
  for (size_t i = 0; i < parts; ++i) {
    Imf::Header header;
    header.readFrom(input, version);
    const std::string type = header.hasType() ? header.type() : "";
    if (Imf::isNonImage(version) && i == 0 && (!multipart || Imf::isDeepData(type)))
      refuse(fmt::format("'{}' is a deep image, with several values per sample", path),
             "only flat images are supported");
    const bool tiled = multipart ? Imf::isTiled(type) : Imf::isTiled(version);
    header.sanityCheck(tiled, multipart);
    table_bytes += 8 * blocks_of(header, tiled);
    if (table_bytes > file_bytes) damaged(path, "it claims more blocks than fit into it");
    if (i > 0) continue;
    first.header = header;
    first.parts = parts;
    check_part(path, first, tiled, file_bytes);
  }
  return first;
}

}  // namespace

ExrInput::ExrInput(const std::string& path) : IStream(path.c_str()), file_(path) {}

bool ExrInput::read(char to[], int bytes) {
  constexpr size_t ahead = 64 << 10;
  const size_t wanted = static_cast<size_t>(std::max(bytes, 0));
  if (at_ > file_.size() || wanted > file_.size() - at_) throw Iex::InputExc("the file ends too early");
  if (wanted >= ahead) {
    file_.read(at_, to, wanted);
  } else {
    if (at_ < buffer_at_ || at_ + wanted > buffer_at_ + buffer_.size()) {
      buffer_.resize(static_cast<size_t>(std::min<uint64_t>(ahead, file_.size() - at_)));
      buffer_at_ = at_;
      file_.read(at_, buffer_.data(), buffer_.size());
    }
    std::memcpy(to, buffer_.data() + (at_ - buffer_at_), wanted);
  }
  at_ += wanted;
  return at_ < file_.size();
}

ExrPart check_exr_headers(const std::string& path, ExrInput& input) {
  ExrPart part = read_headers(path, input);
  input.seekg(0);
  return part;
}

}  // namespace tepui
