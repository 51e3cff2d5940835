#include "tepui/io/png.h"

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <csetjmp>
#include <cstring>
#include <exception>
#include <functional>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/atomic_file.h"

// libpng leaves by longjmp, which must not skip destructors: what may jump runs inside guarded(), whose bodies hold
// plain values and pointers only, and everything with a destructor lives outside. Our own callbacks never let an
// exception into libpng: they keep it and make libpng jump.

namespace tepui {

namespace {

constexpr int64_t rows_between_checks = 32;

/// What libpng's callbacks see.
struct Session {
  std::string message;         // of libpng's last error
  std::exception_ptr failure;  // of our own input or output
  std::function<void(const void*, size_t)> write;
  std::string_view input;
};

void on_error(png_structp png, png_const_charp message) {
  auto* session = static_cast<Session*>(png_get_error_ptr(png));
  try {
    session->message = message;
  } catch (...) {
  }
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep data, png_size_t bytes) {
  auto* session = static_cast<Session*>(png_get_io_ptr(png));
  bool written = false;
  try {
    session->write(data, bytes);
    written = true;
  } catch (...) {
    session->failure = std::current_exception();
  }
  if (!written) png_error(png, "write error");
}

void on_flush(png_structp) {}

void on_read(png_structp png, png_bytep data, png_size_t bytes) {
  auto* session = static_cast<Session*>(png_get_io_ptr(png));
  if (bytes > session->input.size()) png_error(png, "the file ends too early");
  std::memcpy(data, session->input.data(), bytes);
  session->input.remove_prefix(bytes);
}

/// Runs `body`, which must not own anything; false if libpng gave up.
template <class Body>
bool guarded(png_structp png, const Body& body) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  body();
  return true;
}

class Writer {
 public:
  explicit Writer(Session& session) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) fail("out of memory: no PNG writer");
    png_set_write_fn(png_, &session, on_write, on_flush);
  }
  ~Writer() { png_destroy_write_struct(&png_, &info_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

class Reader {
 public:
  explicit Reader(Session& session) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) fail("out of memory: no PNG reader");
    png_set_read_fn(png_, &session, on_read);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

/// A picture about to be written: any row of it, top first.
struct Raster {
  int64_t width = 0, height = 0;
  int bits = 8;
  int colour = PNG_COLOR_TYPE_GRAY;
  std::function<const void*(int64_t)> row;
};

std::vector<png_text> text_chunks(const PngText& text) {
  std::vector<png_text> chunks;
  for (const auto& [key, value] : text) {
    png_text chunk{};
    chunk.compression = PNG_TEXT_COMPRESSION_NONE;
    chunk.key = const_cast<char*>(key.c_str());
    chunk.text = const_cast<char*>(value.c_str());
    chunk.text_length = value.size();
    chunks.push_back(chunk);
  }
  return chunks;
}

void encode(const Raster& raster, const PngText& text, const std::string& shown, const Context& context,
            std::function<void(const void*, size_t)> write) {
  if (raster.width < 1 || raster.height < 1 || raster.width > PNG_UINT_31_MAX || raster.height > PNG_UINT_31_MAX)
    refuse(fmt::format("cannot write '{}': a PNG of {} x {} is not possible", shown, raster.width, raster.height));
  Session session;
  session.write = std::move(write);
  const Writer writer(session);
  std::vector<png_text> chunks = text_chunks(text);
  png_structp png = writer.png();
  png_infop info = writer.info();
  const Raster* source = &raster;
  const Context* told = &context;
  const bool done = guarded(png, [png, info, source, told, &chunks] {
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // On 4096 x 4096 heights this takes a third of the time of libpng's own choice (level 6, filtered strategy) and
    // gives smaller files: neighbours differ little, so that the difference to the left repeats well.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_level(png, 4);
    png_set_compression_strategy(png, Z_DEFAULT_STRATEGY);
    png_set_IHDR(png, info, static_cast<png_uint_32>(source->width), static_cast<png_uint_32>(source->height),
                 source->bits, source->colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!chunks.empty()) png_set_text(png, info, chunks.data(), static_cast<int>(chunks.size()));
    png_write_info(png, info);
    if (source->bits == 16) png_set_swap(png);  // the file is big-endian
    for (int64_t y = 0; y < source->height; ++y) {
      // Between libpng's calls, so that leaving by an exception is no jump out of one.
      if (y % rows_between_checks == 0) {
        told->progress(static_cast<double>(y) / static_cast<double>(source->height));
        told->check();
      }
      png_write_row(png, static_cast<png_const_bytep>(source->row(y)));
    }
    png_write_end(png, nullptr);
  });
  if (session.failure) std::rethrow_exception(session.failure);
  if (!done) fail(fmt::format("cannot write '{}': {}", shown, session.message));
}

void write(const std::string& path, const Raster& raster, const PngText& text, const Context& context) {
  write_atomically(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    encode(raster, text, path, context, [&](const void* data, size_t bytes) { file.write(data, bytes); });
    file.close();
  });
}

Raster raster_of(const Image& image) {
  const size_t expected =
      static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * static_cast<size_t>(image.channels);
  if ((image.channels != 1 && image.channels != 3 && image.channels != 4) || image.pixels.size() != expected)
    fail(fmt::format("a picture of {} x {} with {} channels cannot have {} bytes", image.width, image.height,
                     image.channels, image.pixels.size()));
  const int colour = image.channels == 1   ? PNG_COLOR_TYPE_GRAY
                     : image.channels == 3 ? PNG_COLOR_TYPE_RGB
                                           : PNG_COLOR_TYPE_RGBA;
  return {image.width, image.height, 8, colour, [&image](int64_t y) { return image.at(0, static_cast<int>(y)); }};
}

template <class T>
Raster raster_of(const Grid<T>& grid) {
  return {grid.width(), grid.height(), static_cast<int>(8 * sizeof(T)), PNG_COLOR_TYPE_GRAY,
          [&grid](int64_t y) { return grid.row(grid.height() - 1 - y); }};
}

/// The header's numbers, after the transformations that read_png asks for.
struct Header {
  png_uint_32 width = 0, height = 0;
  int bits = 8, channels = 1, passes = 1;
  int file_bits = 8;  // of a pixel, before any transformation
};

/// Deflate cannot shrink by more than 1032 to 1; an image beyond that is a claim, not a picture.
void check_claim(const std::string& path, size_t file_bytes, const Header& header) {
  const double pixels = static_cast<double>(header.width) * static_cast<double>(header.height);
  const double memory = static_cast<double>(physical_memory());
  // An interlaced picture is held twice: as it comes and as samples.
  const double row_samples = header.passes > 1 ? 1 + header.channels * header.bits / 16.0 : 1;
  const double needed = pixels * sizeof(uint16_t) * row_samples;
  if (needed > memory)
    refuse(fmt::format("'{}' says it is {} x {} pixels, which need {}; this machine has {}", path, header.width,
                       header.height, bytes_text(needed), bytes_text(memory)));
  if (pixels * header.file_bits / 8 > 1032.0 * static_cast<double>(file_bytes))
    refuse(fmt::format("'{}' says it is {} x {} pixels, but its {} cannot hold them", path, header.width, header.height,
                       bytes_text(static_cast<double>(file_bytes))));
}

template <class T>
void take_row(const std::string& path, const T* from, int channels, uint16_t* to, int64_t width) {
  if (channels == 1) {
    for (int64_t x = 0; x < width; ++x) to[x] = from[x];
    return;
  }
  for (int64_t x = 0; x < width; ++x) {
    const T* pixel = from + 3 * x;
    if (pixel[0] != pixel[1] || pixel[1] != pixel[2])
      refuse(fmt::format("'{}' is a picture in colour, not a map of heights", path), "heights are read from grey PNGs");
    to[x] = pixel[0];
  }
}

[[noreturn]] void refuse_broken(const std::string& path, const Session& session) {
  refuse(fmt::format("cannot read '{}' as PNG: {}", path, session.message));
}

Header read_header(const std::string& path, const Reader& reader, const Session& session) {
  Header header;
  Header* out = &header;
  png_structp png = reader.png();
  png_infop info = reader.info();
  const bool done = guarded(png, [png, info, out] {
    png_read_info(png, info);
    out->width = png_get_image_width(png, info);
    out->height = png_get_image_height(png, info);
    const int bits = png_get_bit_depth(png, info);
    const int colour = png_get_color_type(png, info);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
    if (colour == PNG_COLOR_TYPE_GRAY && bits < 8) png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_alpha(png);  // also what a palette's transparency would become
    if (bits == 16) png_set_swap(png);
    out->bits = bits == 16 ? 16 : 8;
    out->file_bits = bits * png_get_channels(png, info);
    out->channels = (colour & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
    out->passes = png_get_interlace_type(png, info) == PNG_INTERLACE_NONE ? 1 : 7;
  });
  if (!done) refuse_broken(path, session);
  return header;
}

}  // namespace

void write_png(const std::string& path, const Image& image, const PngText& text, const Context& context) {
  write(path, raster_of(image), text, context);
}
void write_png(const std::string& path, const Grid<uint8_t>& grid, const PngText& text, const Context& context) {
  write(path, raster_of(grid), text, context);
}
void write_png(const std::string& path, const Grid<uint16_t>& grid, const PngText& text, const Context& context) {
  write(path, raster_of(grid), text, context);
}

std::string encode_png(const Image& image, const PngText& text, const Context& context) {
  std::string bytes;
  encode(raster_of(image), text, "a picture", context,
         [&](const void* data, size_t count) { bytes.append(static_cast<const char*>(data), count); });
  return bytes;
}

PngSamples read_png(const std::string& path) {
  const std::string bytes = read_file(path, physical_memory() / 2);
  if (bytes.empty()) refuse(fmt::format("cannot read '{}' as PNG: the file is empty", path));
  Session session;
  session.input = bytes;
  const Reader reader(session);
  const Header header = read_header(path, reader, session);
  check_claim(path, bytes.size(), header);

  const size_t row_bytes = static_cast<size_t>(header.width) * static_cast<size_t>(header.channels * header.bits / 8);
  const int64_t height = header.height;
  const bool interlaced = header.passes > 1;
  // An interlaced picture is gathered in seven passes over all its rows.
  std::vector<uint8_t> buffer(row_bytes * (interlaced ? static_cast<size_t>(height) : 1));
  PngSamples samples{Grid<uint16_t>(header.width, height), header.bits};
  png_structp png = reader.png();
  png_infop info = reader.info();
  const auto take = [&](int64_t y, const uint8_t* row) {
    uint16_t* to = samples.grid.row(height - 1 - y);
    if (header.bits == 16)
      take_row(path, reinterpret_cast<const uint16_t*>(row), header.channels, to, header.width);
    else
      take_row(path, row, header.channels, to, header.width);
  };

  const auto run = [&](const auto& body) {
    if (!guarded(png, body)) refuse_broken(path, session);
  };
  run([png, info, row_bytes] {
    if (png_set_interlace_handling(png) < 1) png_error(png, "no passes");
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != row_bytes) png_error(png, "unexpected size of a row");
  });
  uint8_t* first = buffer.data();
  if (interlaced)
    for (int pass = 0; pass < header.passes; ++pass)
      run([png, first, row_bytes, height] {
        for (int64_t y = 0; y < height; ++y) png_read_row(png, first + static_cast<size_t>(y) * row_bytes, nullptr);
      });
  for (int64_t y = 0; y < height; ++y) {
    if (!interlaced) run([png, first] { png_read_row(png, first, nullptr); });
    take(y, interlaced ? first + static_cast<size_t>(y) * row_bytes : first);
  }
  run([png] { png_read_end(png, nullptr); });
  return samples;
}

}  // namespace tepui
