#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/map_tile.h"
#include "tepui/io/raster/png.h"
#include "tepui/io/raster/png_session.h"
#include "tepui/io/raster/raster_formats.h"

namespace tepui {

namespace {

void on_read(png_structp png, png_bytep data, png_size_t bytes) {
  auto* session = static_cast<PngSession*>(png_get_io_ptr(png));
  if (std::fread(data, 1, bytes, session->input) != bytes) png_error(png, "the file ends too early");
}

/// The header's numbers, after the transformations that a stream asks for.
struct Header {
  png_uint_32 width = 0, height = 0;
  int bits = 8, channels = 1, passes = 1;
  bool colour = false, opacity = false;  // opacity is the last channel
  bool calibrated = false;               // numbers stand for others, by a pCAL chunk
  bool sized = false;                    // pixels have a length, by an sCAL chunk
  int file_bits = 8;                     // of a pixel, before any transformation
};

/// A PNG's pixels, row after row from the top: 1 or 3 channels of 8 or 16 bits, and one of opacity where it has that or
/// names a transparent number or colour.
class PngStream {
 public:
  explicit PngStream(const std::string& path) : path_(path) {
    bytes_ = file_size(path);
    if (bytes_ == 0) refuse(fmt::format("cannot read '{}' as PNG: the file is empty", path));
    session_.input = std::fopen(path.c_str(), "rbe");
    if (session_.input == nullptr)
      refuse(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session_, on_png_error, on_png_warning);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    try {
      if (info_ == nullptr) fail("out of memory: no PNG reader");
      png_set_read_fn(png_, &session_, on_read);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      read_header();
      check_claim();
      begin();
    } catch (...) {
      close();
      throw;
    }
  }
  ~PngStream() { close(); }
  PngStream(const PngStream&) = delete;
  PngStream& operator=(const PngStream&) = delete;

  const Header& header() const { return header_; }
  size_t row_bytes() const {
    return static_cast<size_t>(header_.width) * static_cast<size_t>(header_.channels * header_.bits / 8);
  }

  /// Numbers of 16 bits are in the machine's order.
  const uint8_t* next_row() {
    uint8_t* row = rows_.data();
    png_structp png = png_;
    if (header_.passes > 1)
      row += static_cast<size_t>(taken_) * row_bytes();
    else
      run([png, row] { png_read_row(png, row, nullptr); });
    if (++taken_ == header_.height) run([png] { png_read_end(png, nullptr); });
    return row;
  }

 private:
  template <class Body>
  void run(const Body& body) {
    if (!guarded(png_, body)) refuse(fmt::format("cannot read '{}' as PNG: {}", path_, session_.message));
  }

  void close() {
    png_destroy_read_struct(&png_, &info_, nullptr);
    std::fclose(session_.input);
  }

  void read_header() {
    Header* out = &header_;
    png_structp png = png_;
    png_infop info = info_;
    run([png, info, out] {
      png_read_info(png, info);
      out->width = png_get_image_width(png, info);
      out->height = png_get_image_height(png, info);
      const int bits = png_get_bit_depth(png, info);
      const int colour = png_get_color_type(png, info);
      if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
      if (colour == PNG_COLOR_TYPE_GRAY && bits < 8) png_set_expand_gray_1_2_4_to_8(png);
      if (png_get_valid(png, info, PNG_INFO_tRNS) != 0) png_set_tRNS_to_alpha(png);
      if (bits == 16) png_set_swap(png);
      out->bits = bits == 16 ? 16 : 8;
      out->file_bits = bits * png_get_channels(png, info);
      out->colour = (colour & PNG_COLOR_MASK_COLOR) != 0;
      out->opacity = (colour & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
      out->channels = (out->colour ? 3 : 1) + (out->opacity ? 1 : 0);
      out->sized = png_get_valid(png, info, PNG_INFO_sCAL) != 0;
      out->calibrated = png_get_valid(png, info, PNG_INFO_pCAL) != 0;
      out->passes = png_get_interlace_type(png, info) == PNG_INTERLACE_NONE ? 1 : 7;
    });
  }

  /// Deflate cannot shrink by more than 1032 to 1; an image beyond that is a claim, not a picture.
  void check_claim() const {
    const double pixels = static_cast<double>(header_.width) * static_cast<double>(header_.height);
    if (pixels * header_.file_bits / 8 > 1032.0 * static_cast<double>(bytes_))
      refuse(fmt::format("'{}' claims {} x {} pixels, but its {} cannot hold them", path_, header_.width,
                         header_.height, bytes_text(static_cast<double>(bytes_))));
    // An interlaced picture is held twice: as it comes and as samples.
    const double needed = pixels * (4 + (header_.passes > 1 ? header_.channels * header_.bits / 8.0 : 0));
    if (needed > static_cast<double>(physical_memory()))
      refuse(fmt::format("'{}' claims {} x {} pixels, which need {}; this machine has {}", path_, header_.width,
                         header_.height, bytes_text(needed), bytes_text(static_cast<double>(physical_memory()))));
  }

  void begin() {
    png_structp png = png_;
    png_infop info = info_;
    const size_t bytes = row_bytes();
    const int64_t height = header_.height;
    run([png, info, bytes] {
      if (png_set_interlace_handling(png) < 1) png_error(png, "no passes");
      png_read_update_info(png, info);
      if (png_get_rowbytes(png, info) != bytes) png_error(png, "unexpected size of a row");
    });
    // An interlaced picture is gathered in seven passes over all its rows.
    rows_.resize(bytes * (header_.passes > 1 ? static_cast<size_t>(height) : 1));
    uint8_t* first = rows_.data();
    for (int pass = 0; header_.passes > 1 && pass < header_.passes; ++pass)
      run([png, first, bytes, height] {
        for (int64_t y = 0; y < height; ++y) png_read_row(png, first + static_cast<size_t>(y) * bytes, nullptr);
      });
  }

  std::string path_;
  size_t bytes_ = 0;
  PngSession session_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  Header header_;
  std::vector<uint8_t> rows_;
  png_uint_32 taken_ = 0;
};

[[noreturn]] void refuse_colours(const std::string& path) {
  refuse(fmt::format("'{}' is a colour image, not a height map", path),
         "if its colours encode heights, say how: encoding=terrarium or encoding=mapbox");
}

template <class From, class To>
void take_grey(const std::string& path, const From* from, const Header& header, To* to) {
  const int64_t width = header.width, step = header.channels;
  for (int64_t x = 0; x < width; ++x) {
    const From* pixel = from + step * x;
    if (header.colour && (pixel[0] != pixel[1] || pixel[1] != pixel[2])) {
      // What cannot be seen may have any colour.
      if (!header.opacity || pixel[3] != 0) refuse_colours(path);
    }
    to[x] = static_cast<To>(pixel[0]);
  }
}

template <class To>
void take_grey_row(const std::string& path, const Header& header, const uint8_t* row, To* to) {
  if (header.bits == 16)
    take_grey(path, reinterpret_cast<const uint16_t*>(row), header, to);
  else
    take_grey(path, row, header, to);
}

/// 0 where a pixel cannot be seen at all, else 1.
void take_opacity(const Header& header, const uint8_t* row, uint8_t* valid) {
  const int64_t width = header.width, step = header.channels;
  if (!header.opacity) {
    std::fill_n(valid, width, uint8_t{1});
  } else if (header.bits == 16) {
    const auto* wide = reinterpret_cast<const uint16_t*>(row);
    for (int64_t x = 0; x < width; ++x) valid[x] = wide[step * x + step - 1] != 0 ? 1 : 0;
  } else {
    for (int64_t x = 0; x < width; ++x) valid[x] = row[step * x + step - 1] != 0 ? 1 : 0;
  }
}

/// Heights packed into colours. Terrarium: Mapzen's terrain tiles; Mapbox: its Terrain-RGB.
enum class Packing { none, terrarium, mapbox };

template <class To>
void unpack(Packing packing, const uint8_t* from, int channels, To* to, int64_t width) {
  for (int64_t x = 0; x < width; ++x, from += channels) {
    const double number = 65536.0 * from[0] + 256.0 * from[1] + from[2];
    to[x] = static_cast<To>(packing == Packing::terrarium ? number / 256 - 32768 : number / 10 - 10000);
  }
}

Packing packing_of(const std::string& path, const Header& header, const std::string& encoding) {
  if (encoding.empty() || encoding == "grey") return Packing::none;
  if (!header.colour || header.bits != 8)
    refuse(fmt::format("'{}' cannot encode heights in colours: it has {} channel{} of {} bits", path,
                       header.colour ? 3 : 1, header.colour ? "s" : "", header.bits),
           "leave 'encoding' out");
  return encoding == "mapbox" ? Packing::mapbox : Packing::terrarium;
}

class PngRaster : public Raster {
 public:
  PngRaster(const std::string& path, const RasterOptions& options)
      : path_(path),
        stream_(std::make_unique<PngStream>(path)),
        packing_(packing_of(path, stream_->header(), options.encoding)) {
    info_.format = "PNG";
    info_.width = stream_->header().width;
    info_.height = stream_->header().height;
    RasterBand band;
    band.type = stream_->header().bits == 16 ? "UInt16" : "Byte";
    if (packing_ != Packing::none) {
      band.unit = "m";
      band.type = "Byte x 3";
      band.scaled = true;
      info_.place = map_tile_place(path, info_.width, info_.height);
      if (info_.place)
        info_.assumed.push_back(
            fmt::format("'{}' is named like a web map's tile: placed in EPSG:3857 accordingly", path));
    }
    if (stream_->header().calibrated)
      info_.assumed.push_back(
          fmt::format("'{}' says what its numbers mean (pCAL), which is not read; use 'scale' and 'offset'", path));
    if (stream_->header().sized)
      info_.assumed.push_back(
          fmt::format("'{}' says how large its pixels are (sCAL), which is not read; use 'cell'", path));
    info_.bands.push_back(band);
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
    if (first < next_) {
      stream_ = std::make_unique<PngStream>(path_);
      next_ = 0;
      if (stream_->header().width != info_.width || stream_->header().height != info_.height)
        refuse(fmt::format("'{}' changed while it was read", path_));
    }
    for (; next_ < first; ++next_) stream_->next_row();
    for (int64_t y = 0; y < rows; ++y, ++next_) {
      const uint8_t* row = stream_->next_row();
      if (packing_ == Packing::none)
        take_grey_row(path_, stream_->header(), row, values + y * info_.width);
      else
        unpack(packing_, row, stream_->header().channels, values + y * info_.width, info_.width);
      take_opacity(stream_->header(), row, valid + y * info_.width);
    }
  }

  std::string path_;
  std::unique_ptr<PngStream> stream_;
  Packing packing_ = Packing::none;
  int64_t next_ = 0;  ///< row of the stream
};

}  // namespace

PngSamples read_png(const std::string& path) {
  PngStream stream(path);
  const int64_t height = stream.header().height;
  PngSamples samples{Grid<uint16_t>(stream.header().width, height), stream.header().bits};
  for (int64_t y = height - 1; y >= 0; --y)
    take_grey_row(path, stream.header(), stream.next_row(), samples.grid.row(y));
  return samples;
}

std::unique_ptr<Raster> open_png(const std::string& path, const RasterOptions& options) {
  return std::make_unique<PngRaster>(path, options);
}

}  // namespace tepui
