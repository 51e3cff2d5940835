#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/io/gdal_reading.h"
#include "tests/io/netcdf_bytes.h"
#include "tests/support/support.h"

// Our readers beside GDAL's own reading: every file of shared/data, and files that GDAL writes in all types, byte
// orders, tilings, compressions, scales, kinds of nodata and registrations.

namespace tepui::gdal_comparison_test {
namespace {

using test::gdal_sampled;
using test::our_sampled;
using test::Sampled;
using test::TemporaryFolder;

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// At every sample of ours: the same number, or none, at the same place.
void expect_alike(const Sampled& ours, const Sampled& theirs) {
  ASSERT_EQ(ours.width, theirs.width);
  ASSERT_EQ(ours.height, theirs.height);
  EXPECT_EQ(ours.placed, theirs.placed);
  EXPECT_EQ(ours.scale, theirs.scale);
  EXPECT_EQ(ours.offset, theirs.offset);
  EXPECT_EQ(lower_case(ours.unit), lower_case(theirs.unit));
  int64_t other = 0;
  for (int64_t row = 0; row < ours.height; ++row)
    for (int64_t column = 0; column < ours.width; ++column) {
      const double x = ours.transform[0] + (static_cast<double>(column) + 0.5) * ours.transform[1];
      const double y = ours.transform[3] + (static_cast<double>(row) + 0.5) * ours.transform[5];
      const std::optional<double> value = theirs.at(x, y);
      const double own = ours.values[static_cast<size_t>(row * ours.width + column)];
      if (value && same(own, *value)) continue;
      if (++other == 1) ADD_FAILURE() << column << ", " << row << ": " << own << ", not " << value.value_or(-0.5);
    }
  EXPECT_EQ(other, 0);
  // The middle of the first sample, to a thousandth of a cell.
  for (const int axis : {0, 1}) {
    const int start = 3 * axis, step = 1 + 4 * axis;
    const double cell = std::abs(theirs.transform[step]);
    EXPECT_NEAR(std::abs(ours.transform[step]), cell, 1e-9 * cell);
    const auto low = [&](const Sampled& s) {
      const double count = static_cast<double>(axis == 0 ? s.width : s.height);
      return std::min(s.transform[start], s.transform[start] + count * s.transform[step]);
    };
    EXPECT_NEAR(low(ours), low(theirs), 1e-3 * cell);
  }
}

/// The land that `read` makes of the numbers: the file's own values as heights.
void expect_heights(const std::string& path, const Sampled& theirs, double metres) {
  ReadParams p;
  p.file.path = path;
  const Terrain land = read(p, Context());
  const Layer* voids = land.find("void");
  for (int64_t row = 0; row < theirs.height; ++row)
    for (int64_t column = 0; column < theirs.width; ++column) {
      const double stored = theirs.values[static_cast<size_t>(row * theirs.width + column)];
      const int64_t x = theirs.transform[1] < 0 ? theirs.width - 1 - column : column;
      const int64_t y = theirs.placed && theirs.transform[5] > 0 ? row : theirs.height - 1 - row;
      const bool is_void = voids != nullptr && voids->grid()(x, y) != 0;
      ASSERT_EQ(is_void, std::isnan(stored)) << column << ", " << row;
      if (is_void) continue;
      const double z = metres * theirs.offset + metres * theirs.scale * stored;
      ASSERT_EQ(land.height()(x, y), static_cast<float>(z)) << column << ", " << row;
    }
}

/// One of the ways to write a file; `choice` draws what is not in its name.
struct Variant {
  GDALDataType type;
  const char* compression;
  const char* blocks;
  uint64_t choice;
};

const char* chosen(std::initializer_list<const char*> from, uint64_t choice) {
  return from.begin()[choice % from.size()];
}

/// Numbers over the whole of a type, with some that are nodata.
std::vector<double> numbers_of(const Variant& v, bool is_signed_byte, int cells) {
  const Stream stream(v.choice);
  std::vector<double> values;
  for (int i = 0; i < cells; ++i) {
    const double u = stream.uniform(static_cast<uint64_t>(i));
    switch (v.type) {
      case GDT_Byte:
        values.push_back(std::floor(u * 256));
        break;
      case GDT_UInt16:
        values.push_back(std::floor(u * 65536));
        break;
      case GDT_Int16:
        values.push_back(std::floor(u * 65536) - 32768);
        break;
      case GDT_UInt32:
        values.push_back(std::floor(u * 4294967296.0));
        break;
      case GDT_Int32:
        values.push_back(std::floor(u * 4294967296.0) - 2147483648.0);
        break;
      default:
        values.push_back(static_cast<double>(static_cast<float>(u * 9000 - 500)));
    }
    if (i % 7 == 3) values.back() = is_signed_byte ? 200 : 100;
    if (i % 11 == 5 && (v.type == GDT_Float32 || v.type == GDT_Float64))
      values.back() = std::array{std::nan(""), HUGE_VAL, -HUGE_VAL, -3.4028234663852886e38}[i % 4];
  }
  return values;
}

/// What a nodata tag may say.
std::optional<double> nodata_of(uint64_t choice, GDALDataType type) {
  const bool real = type == GDT_Float32 || type == GDT_Float64;
  const std::optional<double> kinds[] = {
      std::nullopt, 100, -9999, real ? std::nan("") : 0, real ? -3.4028234663852886e38 : 255, real ? -HUGE_VAL : -1};
  return kinds[choice % std::size(kinds)];
}

std::string write_tiff(const TemporaryFolder& folder, const Variant& v) {
  GDALRegister_GTiff();
  const int width = 37, height = 23;
  const bool is_signed_byte = v.type == GDT_Byte && (v.choice >> 3) % 2 == 0;
  const bool real = v.type == GDT_Float32 || v.type == GDT_Float64;
  CPLStringList options;
  options.SetNameValue("COMPRESS", v.compression);
  options.SetNameValue("ENDIANNESS", chosen({"LITTLE", "BIG"}, v.choice));
  options.SetNameValue("BIGTIFF", chosen({"NO", "YES"}, v.choice >> 1));
  options.SetNameValue("INTERLEAVE", chosen({"PIXEL", "BAND"}, v.choice >> 2));
  if (is_signed_byte) options.SetNameValue("PIXELTYPE", "SIGNEDBYTE");
  const std::string_view compression = v.compression, blocks = v.blocks;
  if (compression == "LZW" || compression == "DEFLATE" || compression == "ZSTD")
    options.SetNameValue("PREDICTOR", real ? chosen({"1", "3"}, v.choice >> 4) : chosen({"1", "2"}, v.choice >> 4));
  if (blocks == "tiles") {
    options.SetNameValue("TILED", "YES");
    options.SetNameValue("BLOCKXSIZE", "16");
    options.SetNameValue("BLOCKYSIZE", chosen({"16", "32"}, v.choice >> 5));
  } else {
    options.SetNameValue("BLOCKYSIZE", blocks == "rows" ? "1" : chosen({"5", "23"}, v.choice >> 5));
  }
  std::string path = folder / fmt::format("{}.tif", v.choice);
  const std::unique_ptr<GDALDataset> dataset(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
      path.c_str(), width, height, 1 + static_cast<int>((v.choice >> 6) % 2), v.type, options.List()));
  EXPECT_TRUE(dataset) << v.compression << ", " << GDALGetDataTypeName(v.type);
  if (!dataset) return path;
  const bool north_up = (v.choice >> 7) % 4 != 0, mirrored = (v.choice >> 9) % 4 == 0;
  double transform[6] = {440720, mirrored ? -60.0 : 60.0, 0, 3751320, 0, north_up ? -30.0 : 30.0};
  dataset->SetGeoTransform(transform);
  OGRSpatialReference crs;
  crs.importFromEPSG(32611);
  dataset->SetSpatialRef(&crs);
  dataset->SetMetadataItem("AREA_OR_POINT", chosen({"Area", "Point"}, v.choice >> 11));
  GDALRasterBand& band = *dataset->GetRasterBand(1);
  if (const std::optional<double> nodata = nodata_of(v.choice >> 12, v.type)) band.SetNoDataValue(*nodata);
  if ((v.choice >> 15) % 2 == 0) {
    band.SetScale(0.25);
    band.SetOffset(-12.5);
  }
  if ((v.choice >> 16) % 2 == 0) band.SetUnitType(chosen({"m", "ft"}, v.choice >> 17));
  if ((v.choice >> 18) % 4 == 0) {
    CPLConfigOptionSetter internal("GDAL_TIFF_INTERNAL_MASK", "YES", false);
    dataset->CreateMaskBand(GMF_PER_DATASET);
    std::vector<uint8_t> mask(static_cast<size_t>(width * height), 255);
    for (size_t i = 0; i < mask.size(); i += 9) mask[i] = 0;
    EXPECT_EQ(band.GetMaskBand()->RasterIO(GF_Write, 0, 0, width, height, mask.data(), width, height, GDT_Byte, 0, 0,
                                           nullptr),
              CE_None);
  }
  std::vector<double> values = numbers_of(v, is_signed_byte, width * height);
  EXPECT_EQ(band.RasterIO(GF_Write, 0, 0, width, height, values.data(), width, height, GDT_Float64, 0, 0, nullptr),
            CE_None);
  return path;
}

TEST(BesideGdal, TiffsOfEverySortAreReadAlike) {
  const TemporaryFolder folder;
  CPLConfigOptionSetter plain("GDAL_PAM_ENABLED", "NO", false);
  uint64_t index = 0;
  for (const GDALDataType type : {GDT_Byte, GDT_UInt16, GDT_Int16, GDT_UInt32, GDT_Int32, GDT_Float32, GDT_Float64})
    for (const char* compression : {"NONE", "LZW", "DEFLATE", "PACKBITS", "LZMA", "ZSTD", "LERC"})
      for (const char* blocks : {"strips", "rows", "tiles"})
        for (int again = 0; again < 2; ++again) {
          const Variant v{type, compression, blocks, Stream(7).bits(index++) >> 16};
          const std::string path = write_tiff(folder, v);
          SCOPED_TRACE(fmt::format("{} {} {} {:x}", GDALGetDataTypeName(type), compression, blocks, v.choice));
          const std::optional<Sampled> theirs = gdal_sampled(path);
          ASSERT_TRUE(theirs);
          expect_alike(our_sampled(path), *theirs);
          const bool land = std::ranges::any_of(theirs->values, [](double value) { return !std::isnan(value); });
          if (land) expect_heights(path, *theirs, theirs->unit == "ft" ? 0.3048 : 1);
          std::filesystem::remove(path);
          if (HasFailure()) return;
        }
}

TEST(BesideGdal, FewBitsAreReadAlike) {
  const TemporaryFolder folder;
  GDALRegister_GTiff();
  // 2001 rows and more in one strip GDAL reads line by line.
  for (const int height : {40, 2500})
    for (const char* bits : {"1", "2", "4", "7", "12", "16"})
      for (const char* strip : {"5", "4000"})
        for (const char* compression : {"NONE", "DEFLATE", "CCITTFAX4"}) {
          const std::string_view packed = compression;
          if (packed == "CCITTFAX4" && std::string_view(bits) != "1") continue;
          const GDALDataType type = std::stoi(bits) > 8 ? (bits[1] == '6' ? GDT_Float32 : GDT_UInt16) : GDT_Byte;
          CPLStringList options;
          options.SetNameValue("NBITS", bits);
          options.SetNameValue("BLOCKYSIZE", strip);
          options.SetNameValue("COMPRESS", compression);
          const std::string path = folder / "a.tif";
          const int width = 21;
          {
            const std::unique_ptr<GDALDataset> dataset(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
                path.c_str(), width, height, 1, type, options.List()));
            ASSERT_TRUE(dataset);
            std::vector<double> values(static_cast<size_t>(width * height));
            for (size_t i = 0; i < values.size(); ++i)
              values[i] = static_cast<double>(Stream(3).bits(i) % (uint64_t{1} << std::min(std::stoi(bits), 11)));
            ASSERT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, width, height, values.data(), width, height,
                                                          GDT_Float64, 0, 0, nullptr),
                      CE_None);
          }
          SCOPED_TRACE(fmt::format("{} bits, {} rows, strips of {}, {}", bits, height, strip, compression));
          const std::optional<Sampled> theirs = gdal_sampled(path);
          ASSERT_TRUE(theirs);
          expect_alike(our_sampled(path), *theirs);
          if (HasFailure()) return;
        }
}

/// Formats of bare samples with a label, as GDAL writes them.
TEST(BesideGdal, LabelledSamplesAreReadAlike) {
  const TemporaryFolder folder;
  GDALRegister_ENVI();
  GDALRegister_EHdr();
  const int width = 19, height = 13;
  for (const char* driver : {"ENVI", "EHdr"})
    for (const GDALDataType type : {GDT_Byte, GDT_UInt16, GDT_Int16, GDT_UInt32, GDT_Int32, GDT_Float32, GDT_Float64})
      for (const char* layout : {"BSQ", "BIP", "BIL"}) {
        if (std::string_view(driver) == "EHdr" && type == GDT_Float64) continue;
        const std::string path = folder / "a.bil";
        {
          CPLStringList options;
          if (std::string_view(driver) == "ENVI") options.SetNameValue("INTERLEAVE", layout);
          const bool is_signed = type == GDT_Byte && layout[1] == 'I' && std::string_view(driver) == "EHdr";
          if (is_signed) options.SetNameValue("PIXELTYPE", "SIGNEDBYTE");
          const std::unique_ptr<GDALDataset> dataset(GetGDALDriverManager()->GetDriverByName(driver)->Create(
              path.c_str(), width, height, std::string_view(driver) == "ENVI" ? 2 : 1, type, options.List()));
          ASSERT_TRUE(dataset) << driver << GDALGetDataTypeName(type);
          double transform[6] = {440720, 60, 0, 3751320, 0, -30};
          dataset->SetGeoTransform(transform);
          GDALRasterBand& band = *dataset->GetRasterBand(1);
          band.SetNoDataValue(100);
          std::vector<double> values = numbers_of({type, "", "", 5}, is_signed, width * height);
          ASSERT_EQ(
              band.RasterIO(GF_Write, 0, 0, width, height, values.data(), width, height, GDT_Float64, 0, 0, nullptr),
              CE_None);
        }
        SCOPED_TRACE(fmt::format("{} {} {}", driver, GDALGetDataTypeName(type), layout));
        const std::optional<Sampled> theirs = gdal_sampled(path);
        ASSERT_TRUE(theirs);
        expect_alike(our_sampled(path), *theirs);
        for (const char* beside : {"a.hdr", "a.bil", "a.stx", "a.bil.aux.xml", "a.prj"})
          std::filesystem::remove(folder / beside);
        if (HasFailure()) return;
      }
}

TEST(BesideGdal, TextGridsAreReadAlike) {
  const TemporaryFolder folder;
  GDALRegister_AAIGrid();
  for (const char* place :
       {"xllcorner 1000\nyllcorner -500\ncellsize 25\n", "xllcenter 1000\nyllcenter -500\ncellsize 25\n",
        "xllcorner 1000\nyllcorner -500\ndx 25\ndy 12.5\n"})
    for (const char* nodata : {"", "NODATA_value -9999\n", "nodata_value 999\n"}) {
      std::string text = std::string("ncols 12\nnrows 9\n") + place + nodata;
      for (int i = 0; i < 108; ++i)
        text += (i % 5 == 2   ? "-9999"
                 : i % 7 == 1 ? "999"
                              : fmt::format("{:.3f}", 17.7 * i - 300)) +
                (i % 12 == 11 ? "\n" : " ");
      test::put_bytes(folder / "a.asc", text);
      SCOPED_TRACE(text.substr(0, 100));
      const std::optional<Sampled> theirs = gdal_sampled(folder / "a.asc", {"DATATYPE=Float64"});
      ASSERT_TRUE(theirs);
      expect_alike(our_sampled(folder / "a.asc"), *theirs);
    }
}

TEST(BesideGdal, NetCdfOfEveryTypeIsReadAlike) {
  const TemporaryFolder folder;
  using test::NcArray;
  using test::NcAttributes;
  using test::NcKind;
  using test::NcNumbers;
  using test::NcText;
  int index = 0;
  for (const NcKind kind : {NcKind::int8, NcKind::int16, NcKind::int32, NcKind::float32, NcKind::float64})
    for (const bool south_first : {true, false})
      for (const bool scaled : {true, false})
        for (const bool filled : {true, false}) {
          NcAttributes attributes{{"units", NcText{"m"}}};
          if (scaled) {
            attributes.push_back({"scale_factor", NcNumbers{NcKind::float64, {0.5}}});
            attributes.push_back({"add_offset", NcNumbers{NcKind::float64, {40}}});
          }
          if (filled) attributes.push_back({"_FillValue", NcNumbers{kind, {-5}}});
          if (kind == NcKind::int8 && scaled) attributes.push_back({"_Unsigned", NcText{"true"}});
          std::vector<double> values, lat, lon;
          for (int i = 0; i < 60; ++i) values.push_back(i % 6 == 4 ? -5 : 3 * i - 90);
          for (int i = 0; i < 6; ++i) lat.push_back(south_first ? 40 + 0.5 * i : 42.5 - 0.5 * i);
          for (int i = 0; i < 10; ++i) lon.push_back(-110 + 0.25 * i);
          const std::string path = folder / fmt::format("{}.nc", index++);
          test::put_bytes(
              path, test::classic_netcdf({{"lat", 6}, {"lon", 10}},
                                         {{"lat", NcKind::float64, {0}, lat, {{"units", NcText{"degrees_north"}}}},
                                          {"lon", NcKind::float64, {1}, lon, {{"units", NcText{"degrees_east"}}}},
                                          {"z", kind, {0, 1}, values, attributes}}));
          SCOPED_TRACE(fmt::format("kind {}{}{}{}", static_cast<int>(kind), south_first ? " south" : "",
                                   scaled ? " scaled" : "", filled ? " filled" : ""));
          const std::optional<Sampled> theirs = gdal_sampled(path);
          ASSERT_TRUE(theirs);
          expect_alike(our_sampled(path), *theirs);
          if (HasFailure()) return;
        }
}

/// Where the two may differ, and why.
const std::vector<std::string> read_by_gdal_alone = {
    "tif_geomatrix.tif",  // rotated
    // Pictures in colour, unless 'encoding' says how they hold heights.
    "goldengate_terrarium_12_654_1582.png",
    "goldengate_terrarium_12_654_1583.png",
    "goldengate_terrarium_12_655_1582.png",
    "goldengate_terrarium_12_655_1583.png",
};
const std::vector<std::string> read_wrong_by_gdal = {
    "png_basi0g16_interlaced_valid.png",  // GDAL 3.6 takes its bytes in the other order
};
const std::vector<std::string> read_by_us_alone = {
    "asc_starting_with_nan.asc",  // valid, and a later GDAL reads it
};

TEST(BesideGdal, EveryFileOfSharedDataIsReadAlike) {
  const auto data = test::shared_data();
  if (!data) return;
  int compared = 0;
  for (const char* folder : {"/dem", "/bad"})
    for (const auto& entry : std::filesystem::directory_iterator(*data + folder)) {
      const std::string path = entry.path().string(), name = entry.path().filename(), ending = file_ending(path);
      const std::vector<std::string> kinds = {".tif", ".asc", ".hgt", ".bil", ".cdf", ".png"};
      if (std::ranges::find(kinds, ending) == kinds.end()) continue;
      SCOPED_TRACE(name);
      CPLConfigOptionSetter plain("GDAL_PAM_ENABLED", "NO", false);
      const std::optional<Sampled> theirs = gdal_sampled(
          path, ending == ".asc" ? std::vector<const char*>{"DATATYPE=Float64"} : std::vector<const char*>{});
      std::optional<Sampled> ours;
      std::string refusal;
      try {
        ours = our_sampled(path);
      } catch (const Error& error) {
        refusal = error.message();
      }
      const auto listed = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, name) != names.end();
      };
      if (listed(read_by_gdal_alone) || listed(read_wrong_by_gdal)) continue;
      EXPECT_TRUE(ours.has_value() == theirs.has_value() || listed(read_by_us_alone)) << refusal;
      if (!ours || !theirs) continue;
      expect_alike(*ours, *theirs);
      ++compared;
    }
  EXPECT_GE(compared, 20);
}

}  // namespace
}  // namespace tepui::gdal_comparison_test
