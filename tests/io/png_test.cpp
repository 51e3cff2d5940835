#include "tepui/io/raster/png.h"

#include <zlib.h>

#include <array>

#include "tepui/core/random.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::png_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::put_bytes;
using test::TemporaryFolder;

template <class T>
Grid<T> noise(int64_t width, int64_t height, uint64_t seed) {
  Grid<T> grid(width, height);
  for (int64_t i = 0; i < grid.size(); ++i)
    grid.data()[i] = static_cast<T>(Stream(seed).bits(static_cast<uint64_t>(i)));
  return grid;
}

template <class T>
bool same(const Grid<T>& written, const PngSamples& read) {
  if (read.bits != static_cast<int>(8 * sizeof(T)) || read.grid.width() != written.width() ||
      read.grid.height() != written.height())
    return false;
  return std::equal(written.cells().begin(), written.cells().end(), read.grid.cells().begin());
}

void append_word(std::string& to, uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<char>(v >> shift & 255));
}

void append_chunk(std::string& to, const std::string& kind, const std::string& data) {
  append_word(to, static_cast<uint32_t>(data.size()));
  const std::string body = kind + data;
  to += body;
  append_word(
      to, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

std::string deflated(const std::string& raw) {
  uLongf size = compressBound(raw.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()), raw.size());
  out.resize(size);
  return out;
}

struct Header {
  uint32_t width = 1, height = 1;
  int bits = 8, colour = 0, interlace = 0;
};

/// A PNG made by hand: `rows` are raw scan lines with their filter bytes.
std::string make_png(const Header& h, const std::string& rows, const std::string& extra_kind = "",
                     const std::string& extra = "", const std::string& more_kind = "", const std::string& more = "") {
  std::string out = "\x89PNG\r\n\x1a\n", header;
  append_word(header, h.width);
  append_word(header, h.height);
  for (const int v : {h.bits, h.colour, 0, 0, h.interlace}) header.push_back(static_cast<char>(v));
  append_chunk(out, "IHDR", header);
  if (!extra_kind.empty()) append_chunk(out, extra_kind, extra);
  if (!more_kind.empty()) append_chunk(out, more_kind, more);
  append_chunk(out, "IDAT", deflated(rows));
  append_chunk(out, "IEND", "");
  return out;
}

RC_GTEST_PROP(Png, SixteenBitsComeBackExactly, (uint64_t seed)) {
  const TemporaryFolder folder;
  const auto grid = noise<uint16_t>(*rc::gen::inRange(1, 70), *rc::gen::inRange(1, 70), seed);
  write_png(folder / "a.png", grid);
  RC_ASSERT(same(grid, read_png(folder / "a.png")));
}

RC_GTEST_PROP(Png, EightBitsComeBackExactly, (uint64_t seed)) {
  const TemporaryFolder folder;
  const auto grid = noise<uint8_t>(*rc::gen::inRange(1, 70), *rc::gen::inRange(1, 70), seed);
  write_png(folder / "a.png", grid);
  RC_ASSERT(same(grid, read_png(folder / "a.png")));
}

TEST(Png, NorthIsAtTheTop) {
  const TemporaryFolder folder;
  Image image(1, 2, 1);
  image.pixels = {10, 20};  // top first
  write_png(folder / "a.png", image);
  const PngSamples samples = read_png(folder / "a.png");
  EXPECT_EQ(samples.grid(0, 1), 10);
  EXPECT_EQ(samples.grid(0, 0), 20);
}

TEST(Png, PicturesOfAnyChannelsAreWritten) {
  const TemporaryFolder folder;
  for (const int channels : {1, 3, 4}) {
    Image image(5, 4, channels);
    for (int i = 0; i < 20; ++i)
      for (int c = 0; c < channels; ++c)
        image.pixels[static_cast<size_t>(i * channels + c)] = static_cast<uint8_t>(7 * i);
    write_png(folder / "a.png", image);
    const PngSamples samples = read_png(folder / "a.png");
    EXPECT_EQ(samples.bits, 8);
    EXPECT_EQ(samples.grid(4, 0), 133) << channels;
    EXPECT_EQ(encode_png(image), bytes_of(folder / "a.png"));
  }
}

TEST(Png, SameContentSameBytes) {
  const TemporaryFolder folder;
  const auto grid = noise<uint16_t>(40, 30, 5);
  const PngText text = {{"Recipe", "mesa"}, {"Seed", "7"}};
  write_png(folder / "a.png", grid, text);
  write_png(folder / "b.png", grid, text);
  const std::string bytes = bytes_of(folder / "a.png");
  EXPECT_EQ(bytes, bytes_of(folder / "b.png"));
  EXPECT_NE(bytes.find(std::string("tEXtRecipe\0mesa", 15)), std::string::npos);
  EXPECT_EQ(bytes.find("tIME"), std::string::npos);
}

TEST(Png, EveryPrefixIsRefused) {
  const TemporaryFolder folder;
  write_png(folder / "a.png", noise<uint16_t>(9, 7, 1), {{"Seed", "7"}});
  const std::string whole = bytes_of(folder / "a.png");
  for (size_t length = 0; length < whole.size(); ++length) {
    put_bytes(folder / "b.png", whole.substr(0, length));
    EXPECT_NE(error_of([&] { read_png(folder / "b.png"); }).find("b.png"), std::string::npos) << length;
  }
}

TEST(Png, EveryDamagedByteIsRefused) {
  const TemporaryFolder folder;
  write_png(folder / "a.png", noise<uint8_t>(9, 7, 2), {{"Seed", "7"}});
  const std::string whole = bytes_of(folder / "a.png");
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    put_bytes(folder / "b.png", damaged);
    EXPECT_NE(error_of([&] { read_png(folder / "b.png"); }).find("b.png"), std::string::npos) << at;
  }
}

TEST(Png, ClaimsBeyondTheFileAreRefusedBeforeMemoryIsTaken) {
  const TemporaryFolder folder;
  for (const uint32_t side : {0x7fffffffu, 1000000u, 60000u}) {
    put_bytes(folder / "a.png", make_png({side, side, 16, 0, 0}, std::string(3, '\0')));
    pool_reset_peak();
    const size_t before = pool_use().peak;
    EXPECT_NE(error_of([&] { read_png(folder / "a.png"); }).find("a.png"), std::string::npos);
    EXPECT_EQ(pool_use().peak, before);
  }
}

TEST(Png, MissingRowsAreRefused) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.png", make_png({2, 3, 8, 0, 0}, std::string(6, '\0')));
  EXPECT_NE(error_of([&] { read_png(folder / "a.png"); }).find("a.png"), std::string::npos);
}

TEST(Png, GreyPaletteCountsAsGrey) {
  const TemporaryFolder folder;
  const std::string palette("\x00\x00\x00\x64\x64\x64\xff\xff\xff", 9), opacity("\x00\x80\xff", 3);
  put_bytes(folder / "a.png", make_png({3, 1, 8, 3, 0}, std::string("\0\2\1\0", 4), "PLTE", palette, "tRNS", opacity));
  const PngSamples samples = read_png(folder / "a.png");
  EXPECT_EQ(samples.grid(0, 0), 255);
  EXPECT_EQ(samples.grid(1, 0), 100);
  EXPECT_EQ(samples.grid(2, 0), 0);
}

TEST(Png, ColourIsRefused) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.png", make_png({1, 1, 8, 2, 0}, std::string("\0\1\2\3", 4)));
  EXPECT_NE(error_of([&] { read_png(folder / "a.png"); }).find("colour"), std::string::npos);
}

TEST(Png, FewBitsAreSpreadOverEight) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.png", make_png({4, 1, 2, 0, 0}, std::string("\0\x1b", 2)));
  const PngSamples samples = read_png(folder / "a.png");
  EXPECT_EQ(samples.bits, 8);
  for (int x = 0; x < 4; ++x) EXPECT_EQ(samples.grid(x, 0), 85 * x);
}

TEST(Png, InterlacedEqualsPlain) {
  const TemporaryFolder folder;
  const auto grid = noise<uint16_t>(13, 11, 9);
  constexpr std::array<std::array<int, 4>, 7> passes = {
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  std::string rows;
  for (const auto& [x0, y0, dx, dy] : passes)
    for (int64_t y = y0; y < grid.height(); y += dy) {
      if (x0 < grid.width()) rows.push_back('\0');
      for (int64_t x = x0; x < grid.width(); x += dx) {
        const uint16_t v = grid(x, grid.height() - 1 - y);
        rows.push_back(static_cast<char>(v >> 8));
        rows.push_back(static_cast<char>(v & 255));
      }
    }
  const std::string whole = make_png({13, 11, 16, 0, 1}, rows);
  put_bytes(folder / "a.png", whole);
  EXPECT_TRUE(same(grid, read_png(folder / "a.png")));
  for (size_t length = 0; length < whole.size(); length += 7) {
    put_bytes(folder / "b.png", whole.substr(0, length));
    EXPECT_NE(error_of([&] { read_png(folder / "b.png"); }).find("b.png"), std::string::npos) << length;
  }
}

}  // namespace
}  // namespace tepui::png_test
