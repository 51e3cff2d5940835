#include "tepui/io/raster/png.h"

#include <fmt/format.h>
#include <zlib.h>

#include <functional>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/png_session.h"

namespace tepui {

namespace {

constexpr int64_t rows_between_checks = 32;

void on_write(png_structp png, png_bytep data, png_size_t bytes) {
  auto* session = static_cast<PngSession*>(png_get_io_ptr(png));
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

class Writer {
 public:
  explicit Writer(PngSession& session) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session, on_png_error, on_png_warning);
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

/// A picture about to be written: any row of it, top first.
struct Picture {
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

void encode(const Picture& picture, const PngText& text, const std::string& shown, const Context& context,
            std::function<void(const void*, size_t)> write) {
  if (picture.width < 1 || picture.height < 1 || picture.width > PNG_UINT_31_MAX || picture.height > PNG_UINT_31_MAX)
    refuse(fmt::format("cannot write '{}': a PNG of {} x {} is not possible", shown, picture.width, picture.height));
  PngSession session;
  session.write = std::move(write);
  const Writer writer(session);
  std::vector<png_text> chunks = text_chunks(text);
  png_structp png = writer.png();
  png_infop info = writer.info();
  const Picture* source = &picture;
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

void write(const FileTarget& to, const Picture& picture, const PngText& text, const Context& context) {
  to.write([&](ByteSink& file) {
    encode(picture, text, to.path(), context, [&](const void* data, size_t bytes) { file.write(data, bytes); });
  });
}

Picture picture_of(const Image& image) {
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
Picture picture_of(const Grid<T>& grid) {
  return {grid.width(), grid.height(), static_cast<int>(8 * sizeof(T)), PNG_COLOR_TYPE_GRAY,
          [&grid](int64_t y) { return grid.row(grid.height() - 1 - y); }};
}

}  // namespace

void write_png(const FileTarget& to, const Image& image, const PngText& text, const Context& context) {
  write(to, picture_of(image), text, context);
}
void write_png(const FileTarget& to, const Grid<uint8_t>& grid, const PngText& text, const Context& context) {
  write(to, picture_of(grid), text, context);
}
void write_png(const FileTarget& to, const Grid<uint16_t>& grid, const PngText& text, const Context& context) {
  write(to, picture_of(grid), text, context);
}

void write_png(const FileTarget& to, int64_t width, int64_t height, int bits,
               const std::function<const void*(int64_t y)>& row, const PngText& text, const Context& context) {
  write(to, {width, height, bits, PNG_COLOR_TYPE_GRAY, row}, text, context);
}

std::string encode_png(const Image& image, const PngText& text, const Context& context) {
  std::string bytes;
  encode(picture_of(image), text, "a picture", context,
         [&](const void* data, size_t count) { bytes.append(static_cast<const char*>(data), count); });
  return bytes;
}

}  // namespace tepui
