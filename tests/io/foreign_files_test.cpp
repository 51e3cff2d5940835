#include <gdal/gdal_frmts.h>
#include <gdal/gdal_priv.h>
#include <png.h>

#include <chrono>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/io/export.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

// Files that nobody here would write: what they say is honoured, or refused or told by name.

namespace tepui::foreign_files_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::put_bytes;
using test::TemporaryFolder;
using test::WarningSink;

struct Reading {
  Terrain land;
  std::vector<std::string> warnings;
};
Reading read_with(const std::string& path, const std::function<void(ReadParams&)>& how = {}) {
  ReadParams p;
  p.file.path = path;
  if (how) how(p);
  WarningSink sink;
  Terrain land = read(p, sink.context());
  return {std::move(land), sink.warnings};
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
bool any_says(const std::vector<std::string>& texts, const std::string& part) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return says(text, part); });
}

/// A little-endian TIFF of one directory: tag, type (3: two bytes, 4: four), count, value or offset.
struct Entry {
  uint16_t tag, type;
  uint32_t count, value;
};
std::string tiff(const std::vector<Entry>& entries, const std::string& rest = {}) {
  std::string bytes("II*\0\10\0\0\0", 8);
  const auto add = [&](uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  };
  add(entries.size(), 2);
  for (const Entry& e : entries) {
    add(e.tag, 2);
    add(e.type, 2);
    add(e.count, 4);
    add(e.value, 4);
  }
  add(0, 4);
  return bytes + rest;
}

double seconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

TEST(TiffClaims, StripsBeyondTheFileAreRefusedAtOnce) {
  const TemporaryFolder folder;
  const uint32_t many = 16777215;
  const auto claim = [&](uint32_t count, uint32_t offset, const std::string& rest) {
    return tiff({{256, 4, 1, 1},
                 {257, 4, 1, many},
                 {258, 3, 1, 8},
                 {259, 3, 1, 1},
                 {262, 3, 1, 1},
                 {273, 4, count, offset},
                 {277, 3, 1, 1},
                 {278, 4, 1, 1},
                 {279, 4, count, offset}},
                rest);
  };
  for (const std::string& bytes : {claim(many, 122, std::string(45, '\7')), claim(many, 4000000000, ""),
                                   claim(1, 8, ""), claim(30, 122, std::string(200, '\7'))}) {
    put_bytes(folder / "a.tif", bytes);
    for (const bool whole : {true, false}) {
      std::string message;
      const double seconds = seconds_of([&] {
        message =
            error_of([&] { whole ? (void)read_with(folder / "a.tif") : (void)inspect(folder / "a.tif", Context()); });
      });
      EXPECT_TRUE(says(message, "a.tif") && says(message, "strips")) << message;
      EXPECT_LT(seconds, 1);
    }
  }
}

TEST(TiffClaims, TilesBeyondTheFileAreRefusedAtOnce) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.tif", tiff({{256, 4, 1, 100000},
                                    {257, 4, 1, 100000},
                                    {258, 3, 1, 8},
                                    {259, 3, 1, 8},
                                    {262, 3, 1, 1},
                                    {277, 3, 1, 1},
                                    {322, 4, 1, 16},
                                    {323, 4, 1, 16},
                                    {324, 4, 39062500, 8},
                                    {325, 4, 39062500, 8}}));
  EXPECT_TRUE(says(error_of([&] { read_with(folder / "a.tif"); }), "39062500 tiles"));
}

TEST(TiffClaims, DirectoriesInACircleEnd) {
  const TemporaryFolder folder;
  std::string bytes = tiff({{256, 4, 1, 1}});
  bytes[bytes.size() - 4] = 8;  // the next directory is this one
  put_bytes(folder / "a.tif", bytes);
  EXPECT_TRUE(says(error_of([&] { read_with(folder / "a.tif"); }), "a.tif"));
}

TEST(TiffClaims, StripsThatWereNeverWrittenAreSaid) {
  const TemporaryFolder folder;
  GDALRegister_GTiff();
  const char* const options[] = {"SPARSE_OK=TRUE", "BLOCKYSIZE=4", nullptr};
  for (const bool nodata : {false, true}) {
    {
      const std::unique_ptr<GDALDataset> dataset(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
          (folder / "a.tif").c_str(), 10, 12, 1, GDT_Int16, options));
      if (nodata) dataset->GetRasterBand(1)->SetNoDataValue(-1);
      std::vector<int16_t> row(10, 500);
      ASSERT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 10, 1, row.data(), 10, 1, GDT_Int16, 0, 0, nullptr),
                CE_None);
    }
    const Reading r = read_with(folder / "a.tif");
    EXPECT_EQ(any_says(r.warnings, "leaves out 2 of its 3 strips"), !nodata);
    EXPECT_EQ(r.land.find("void") != nullptr, nodata);
  }
}

TEST(Tiff, SignedBytesAreSigned) {
  const TemporaryFolder folder;
  GDALRegister_GTiff();
  const char* const options[] = {"PIXELTYPE=SIGNEDBYTE", nullptr};
  {
    const std::unique_ptr<GDALDataset> dataset(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), 3, 2, 1, GDT_Byte, options));
    dataset->GetRasterBand(1)->SetNoDataValue(-7);
    int8_t values[6] = {-124, 123, -1, 0, -7, 5};
    ASSERT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 3, 2, values, 3, 2, GDT_Byte, 0, 0, nullptr),
              CE_None);
  }
  const Reading r = read_with(folder / "a.tif");
  EXPECT_EQ(r.land.height()(0, 1), -124);
  EXPECT_EQ(r.land.height()(1, 1), 123);
  EXPECT_EQ(r.land.height()(2, 1), -1);
  EXPECT_EQ(r.land.layer("void").grid()(1, 0), 1);
  const FileInfo info = inspect(folder / "a.tif", Context());
  EXPECT_EQ(info.terrain->type, "Int8");
  EXPECT_EQ(info.terrain->min, -124);
  EXPECT_EQ(info.terrain->max, 123);
  EXPECT_EQ(info.terrain->nodata_cells, 1);
}

TEST(Tiff, TableOfColoursIsSaid) {
  const TemporaryFolder folder;
  GDALRegister_GTiff();
  {
    const std::unique_ptr<GDALDataset> dataset(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), 2, 1, 1, GDT_Byte, nullptr));
    GDALColorTable colours;
    const GDALColorEntry red{255, 0, 0, 255};
    colours.SetColorEntry(1, &red);
    dataset->GetRasterBand(1)->SetColorTable(&colours);
    uint8_t values[2] = {1, 9};
    ASSERT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 2, 1, values, 2, 1, GDT_Byte, 0, 0, nullptr),
              CE_None);
  }
  const Reading r = read_with(folder / "a.tif");
  EXPECT_EQ(r.land.height()(1, 0), 9);
  EXPECT_TRUE(any_says(r.warnings, "colour table"));
}

TEST(Tiff, OtherTurnsAndWhiteZerosAreSaid) {
  const TemporaryFolder folder;
  const auto picture = [&](uint32_t photometric, uint32_t orientation) {
    put_bytes(folder / "a.tif", tiff({{256, 4, 1, 3},
                                      {257, 4, 1, 1},
                                      {258, 3, 1, 8},
                                      {259, 3, 1, 1},
                                      {262, 3, 1, photometric},
                                      {273, 4, 1, 134},
                                      {274, 3, 1, orientation},
                                      {277, 3, 1, 1},
                                      {278, 4, 1, 1},
                                      {279, 4, 1, 3}},
                                     std::string("\1\2\3", 3)));
    return read_with(folder / "a.tif");
  };
  const Reading plain = picture(1, 1);
  EXPECT_EQ(plain.land.height()(2, 0), 3);
  EXPECT_FALSE(any_says(plain.warnings, "white") || any_says(plain.warnings, "first row"));
  EXPECT_TRUE(any_says(picture(0, 1).warnings, "0 is white"));
  EXPECT_TRUE(any_says(picture(1, 4).warnings, "first row is not its top (4)"));
}

TEST(Sidecars, WhatIsNotReadIsSaid) {
  const TemporaryFolder folder;
  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "a.tif"}, Context());
  put_bytes(folder / "a.tif.aux.xml", "<PAMDataset><PAMRasterBand band=\"1\"><Metadata/></PAMRasterBand></PAMDataset>");
  EXPECT_TRUE(read_with(folder / "a.tif").warnings.empty());
  put_bytes(folder / "a.tif.aux.xml",
            "<PAMDataset><PAMRasterBand "
            "band=\"1\"><NoDataValue>1</NoDataValue><Scale>2</Scale></PAMRasterBand></PAMDataset>");
  const Reading r = read_with(folder / "a.tif");
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(says(r.warnings[0], "a.tif.aux.xml") && says(r.warnings[0], "'nodata', 'scale'"));
}

TEST(Img, ErdasImagineIsRefusedByItsName) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.img", std::string("EHFA_HEADER_TAG\0", 16) + std::string(2048, '\1'));
  put_bytes(folder / "a.hdr",
            "BYTEORDER I\nLAYOUT BIL\nNROWS 2\nNCOLS 3\nNBANDS 1\nNBITS 16\nULXMAP 0\nULYMAP 0\nXDIM 1\nYDIM 1\n");
  EXPECT_TRUE(says(error_of([&] { read_with(folder / "a.img"); }), "ERDAS Imagine"));
  EXPECT_TRUE(says(error_of([&] {
                     read_with(folder / "a.img", [](ReadParams& p) {
                       p.size = {2, 2};
                       p.type = SampleType::int16;
                     });
                   }),
                   "ERDAS Imagine"));
  put_bytes(folder / "a.img", std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12));
  EXPECT_EQ(read_with(folder / "a.img").land.height()(2, 0), 6);
}

/// A PNG of one row; `channels` and `bits` as stored, `transparent` the number that tRNS names.
void make_png(const std::string& path, int colour, int bits, const std::vector<uint16_t>& samples, int channels,
              std::optional<uint16_t> transparent = {}, bool calibrated = false) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  const auto width = static_cast<png_uint_32>(samples.size() / static_cast<size_t>(channels));
  png_set_IHDR(png, info, width, 1, bits, colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_color palette[2] = {{10, 10, 10}, {20, 20, 20}};
  png_byte opacity[2] = {0, 255};
  if (colour == PNG_COLOR_TYPE_PALETTE) {
    png_set_PLTE(png, info, palette, 2);
    png_set_tRNS(png, info, opacity, 2, nullptr);
  }
  if (transparent) {
    png_color_16 named{0, *transparent, *transparent, *transparent, *transparent};
    png_set_tRNS(png, info, nullptr, 1, &named);
  }
  char purpose[] = "metres", unit[] = "m", low[] = "0", step[] = "0.5";
  char* parameters[2] = {low, step};
  if (calibrated) png_set_pCAL(png, info, purpose, 0, 255, PNG_EQUATION_LINEAR, 2, unit, parameters);
  png_write_info(png, info);
  std::vector<uint8_t> row;
  for (const uint16_t sample : samples) {
    if (bits == 16) row.push_back(static_cast<uint8_t>(sample >> 8));
    row.push_back(static_cast<uint8_t>(sample));
  }
  png_write_row(png, row.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

TEST(PngOpacity, WhatCannotBeSeenIsVoid) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.png";
  for (const int bits : {8, 16}) {
    make_png(path, PNG_COLOR_TYPE_GRAY_ALPHA, bits, {7, 255, 8, 0, 9, 1}, 2);
    const Terrain grey = read_with(path).land;
    EXPECT_EQ(void_cells(grey), 1);
    EXPECT_EQ(grey.layer("void").grid()(1, 0), 1);
    EXPECT_EQ(grey.relief(), (Relief{7, 9}));
    make_png(path, PNG_COLOR_TYPE_RGB_ALPHA, bits, {7, 7, 7, 255, 3, 200, 9, 0, 9, 9, 9, 1}, 4);
    EXPECT_EQ(void_cells(read_with(path).land), 1);
    make_png(path, PNG_COLOR_TYPE_GRAY, bits, {7, 0, 9}, 1, 0);
    EXPECT_EQ(read_with(path).land.layer("void").grid()(1, 0), 1);
    make_png(path, PNG_COLOR_TYPE_RGB, bits, {7, 7, 7, 0, 0, 0, 9, 9, 9}, 3, 0);
    EXPECT_EQ(void_cells(read_with(path).land), 1);
    EXPECT_EQ(inspect(path, Context()).terrain->nodata_cells, 1);
  }
  make_png(path, PNG_COLOR_TYPE_PALETTE, 8, {0, 1, 1}, 1);
  const Terrain palette = read_with(path).land;
  EXPECT_EQ(palette.layer("void").grid()(0, 0), 1);
  EXPECT_EQ(palette.relief(), (Relief{20, 21}));
  make_png(path, PNG_COLOR_TYPE_RGB_ALPHA, 8, {128, 10, 64, 255, 128, 11, 0, 0}, 4);
  const Terrain packed = read_with(path, [](ReadParams& p) { p.encoding = PngEncoding::terrarium; }).land;
  EXPECT_EQ(packed.height()(0, 0), 10.25f);
  EXPECT_EQ(void_cells(packed), 1);
  make_png(path, PNG_COLOR_TYPE_GRAY, 8, {7, 8, 9}, 1);
  EXPECT_EQ(read_with(path).land.find("void"), nullptr);
}

TEST(PngOpacity, CalibrationIsSaid) {
  const TemporaryFolder folder;
  make_png(folder / "a.png", PNG_COLOR_TYPE_GRAY, 8, {7, 8, 9}, 1, {}, true);
  EXPECT_TRUE(any_says(read_with(folder / "a.png").warnings, "pCAL"));
}

/// A text grid of 20 x 12 heights from 100 up, with `frame` around it where wanted.
std::string framed(const std::string& value, int left, int bottom) {
  std::string text = "ncols 20\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 20; ++x)
      text += (x < left || y >= 12 - bottom ? value : std::to_string(100 + 7 * x + y)) + (x == 19 ? "\n" : " ");
  return text;
}

TEST(Border, WholeColumnsAndRowsOfOneNumberGetAHint) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.asc";
  put_bytes(path, framed("0", 3, 0));
  EXPECT_TRUE(any_says(read_with(path).warnings, "first 3 columns is 0; if that is not a height, set 'nodata=0'"));
  EXPECT_TRUE(any_says(inspect(path, Context()).terrain->assumed, "'nodata=0'"));
  put_bytes(path, framed("-9999", 0, 1));
  EXPECT_TRUE(any_says(read_with(path).warnings, "its last row is -9999"));
  put_bytes(path, framed("0", 2, 2));
  EXPECT_TRUE(any_says(read_with(path).warnings, "first 2 columns, last 2 rows"));
  // Whoever has said what is nodata needs no hint, nor does land that ends in heights of its own.
  EXPECT_TRUE(read_with(path, [](ReadParams& p) { p.nodata = "0"; }).warnings.empty());
  EXPECT_TRUE(read_with(path, [](ReadParams& p) { p.nodata = "none"; }).warnings.empty());
  put_bytes(path, framed("150", 2, 2));
  EXPECT_TRUE(read_with(path).warnings.empty());
  put_bytes(path, framed("0", 20, 0));
  EXPECT_TRUE(read_with(path).warnings.empty());
  put_bytes(path, framed("nan", 3, 0));
  EXPECT_TRUE(read_with(path).warnings.empty());
}

}  // namespace
}  // namespace tepui::foreign_files_test
