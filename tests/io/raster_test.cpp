#include "tepui/io/raster/raster.h"

#include <gdal/gdal_frmts.h>
#include <gdal/gdal_priv.h>
#include <gdal/ogr_spatialref.h>

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/io/export.h"
#include "tepui/io/inspect.h"
#include "tepui/io/raster/map_tile.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

// Files of every format, as other programs write them.

namespace tepui::raster_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::put_bytes;
using test::TemporaryFolder;
using test::WarningSink;

ReadParams params(const std::string& path) {
  ReadParams p;
  p.file.path = path;
  return p;
}

Terrain land_of(const std::string& path) { return read(params(path), Context()); }

/// Every prefix but the whole, and damaged bytes, end in a request's error or in finite land.
void expect_hardy(const TemporaryFolder& folder, const std::string& name, const ReadParams& how, bool prefixes_fail) {
  const std::string whole = bytes_of(folder / name);
  const auto attempt = [&](const std::string& bytes, const std::string& what) {
    put_bytes(folder / name, bytes);
    ReadParams p = how;
    p.file.path = folder / name;
    try {
      const Terrain land = read(p, Context());
      for (const Layer& layer : land.layers())
        for (const float v : layer.grid().cells()) EXPECT_TRUE(std::isfinite(v)) << what;
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request) << what << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << what << ": " << error.what();
      return false;
    }
  };
  const size_t stride = 1 + whole.size() / 1500;
  for (size_t length = 0; length < whole.size(); length += stride) {
    const bool read = attempt(whole.substr(0, length), name + " cut at " + std::to_string(length));
    EXPECT_FALSE(prefixes_fail && read) << name << ", " << length;
  }
  for (uint64_t i = 0; i < 400; ++i) {
    std::string damaged = whole;
    for (uint64_t k = 0; k <= i % 3; ++k)
      damaged[Stream(i).bits(k) % whole.size()] = static_cast<char>(Stream(i).bits(k, 1));
    attempt(damaged, name + " damaged " + std::to_string(i));
  }
  put_bytes(folder / name, whole);
}

constexpr const char* asc =
    "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -1\n"
    "1 2 3\n4 -1 6.5\n";

TEST(Asc, GridWithNodataIsRead) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.asc", asc);
  const Terrain land = land_of(folder / "a.asc");
  EXPECT_EQ(land.frame().origin, (Vec2{105, 205}));
  EXPECT_EQ(land.frame().cell, (Vec2{10, 10}));
  EXPECT_EQ(land.height()(0, 1), 1);
  EXPECT_EQ(land.height()(2, 0), 6.5f);
  EXPECT_EQ(land.layer("void").grid()(1, 0), 1);
  EXPECT_EQ(land.frame().geo, nullptr);
  // The last number may lose its last digits unseen, nothing else.
  const std::string whole = bytes_of(folder / "a.asc");
  for (size_t length = 0; length + 6 < whole.size(); ++length) {
    put_bytes(folder / "b.asc", whole.substr(0, length));
    EXPECT_NE(error_of([&] { land_of(folder / "b.asc"); }).find("b.asc"), std::string::npos) << length;
  }
  expect_hardy(folder, "a.asc", {}, false);
}

TEST(Asc, DecimalsAfterAnyNumberOfWholeNumbersCount) {
  const TemporaryFolder folder;
  std::string text = "ncols 400\nnrows 400\nxllcenter 0\nyllcenter 0\ncellsize 1\n";
  for (int i = 0; i < 400 * 400 - 1; ++i) text += i % 400 == 399 ? "7\n" : "7 ";
  put_bytes(folder / "a.asc", text + "2.75\n");
  EXPECT_EQ(land_of(folder / "a.asc").height()(399, 0), 2.75f);
  EXPECT_EQ(land_of(folder / "a.asc").frame().origin, (Vec2{0, 0}));
}

TEST(Asc, SystemStandsInThePrjBesideIt) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.asc", asc);
  const Hash alone = read_key(folder / "a.asc");
  put_bytes(
      folder / "a.prj",
      R"(PROJCS["WGS_1984_UTM_Zone_46N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",93],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["Meter",1]])");
  EXPECT_EQ(inspect(folder / "a.asc", Context()).terrain->crs, "EPSG:32646");
  EXPECT_TRUE(land_of(folder / "a.asc").frame().geo);
  EXPECT_NE(read_key(folder / "a.asc"), alone);
  ASSERT_EQ(read_files(folder / "a.asc").size(), 2u);
  put_bytes(folder / "a.prj", std::string(100000, '['));
  EXPECT_EQ(land_of(folder / "a.asc").frame().width, 3);
}

TEST(Hgt, TileIsPlacedByItsName) {
  const TemporaryFolder folder;
  std::string bytes(size_t{1201} * 1201 * 2, '\0');
  bytes[1] = 7;                                       // north-west
  bytes[bytes.size() - 2] = static_cast<char>(0x80);  // south-east: -32768
  put_bytes(folder / "S03W072.hgt", bytes);
  const Terrain land = land_of(folder / "S03W072.hgt");
  EXPECT_EQ(land.height()(0, 1200), 7);
  EXPECT_EQ(land.layer("void").grid()(1200, 0), 1);
  EXPECT_NEAR(land.frame().geo->origin.x, -72, 1e-9);
  EXPECT_NEAR(land.frame().geo->origin.y, -3, 1e-9);
  EXPECT_NEAR(land.frame().cell.y, 92.1, 0.1);
  put_bytes(folder / "b.hgt", bytes);
  EXPECT_NE(error_of([&] { land_of(folder / "b.hgt"); }).find("b.hgt"), std::string::npos);
  put_bytes(folder / "N01E001.hgt", bytes.substr(0, 24021));
  EXPECT_NE(error_of([&] { land_of(folder / "N01E001.hgt"); }).find("N01E001.hgt"), std::string::npos);
}

constexpr const char* envi =
    "ENVI\nsamples = 3\nlines = 2\nbands = 1\nheader offset = 0\nfile type = ENVI Standard\ndata type = 2\n"
    "interleave = bsq\nbyte order = 0\nmap info = {UTM, 1, 1, 330000, 2828463, 50, 40, 46, North, WGS-84}\n"
    "data ignore value = 9\n";

TEST(Bil, SamplesWithAnEnviLabelAreRead) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.bil", std::string("\1\0\2\0\3\0\4\0\x9\0\6\0", 12));
  EXPECT_NE(error_of([&] { land_of(folder / "a.bil"); }).find(".hdr"), std::string::npos);
  put_bytes(folder / "a.hdr", envi);
  const Terrain land = land_of(folder / "a.bil");
  EXPECT_EQ(land.height()(0, 1), 1);
  EXPECT_EQ(land.height()(2, 0), 6);
  EXPECT_EQ(land.layer("void").grid()(1, 0), 1);
  EXPECT_EQ(land.frame().cell, (Vec2{50, 40}));
  EXPECT_EQ(land.frame().origin, (Vec2{330025, 2828463 - 60}));
  EXPECT_EQ(inspect(folder / "a.bil", Context()).terrain->crs, "EPSG:32646");
  expect_hardy(folder, "a.bil", {}, true);
  for (size_t length = 0; length < std::string(envi).size(); ++length) {
    put_bytes(folder / "a.hdr", std::string(envi).substr(0, length));
    try {
      land_of(folder / "a.bil");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
    }
  }
}

TEST(Bil, SamplesWithAnEsriLabelAreRead) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.bil", std::string("\0\1\0\2\0\3\0\4\0\5\0\6", 12));
  put_bytes(folder / "a.hdr",
            "BYTEORDER M\nLAYOUT BIL\nNROWS 2\nNCOLS 3\nNBANDS 1\nNBITS 16\nPIXELTYPE SIGNEDINT\nULXMAP 1000\n"
            "ULYMAP 2000\nXDIM 30\nYDIM 30\nNODATA -9999\n");
  const Terrain land = land_of(folder / "a.bil");
  EXPECT_EQ(land.height()(0, 1), 1);
  EXPECT_EQ(land.height()(2, 0), 6);
  EXPECT_EQ(land.frame().origin, (Vec2{1000, 1970}));
}

/// A netCDF grid, south first, of the GMT sort.
void make_netcdf(const std::string& path, bool two_variables, bool classic = true) {
  GDALRegister_netCDF();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("netCDF");
  const char* const options[] = {classic ? "FORMAT=NC" : "FORMAT=NC4", nullptr};
  const std::unique_ptr<GDALDataset> dataset(driver->CreateMultiDimensional(path.c_str(), nullptr, options));
  const auto group = dataset->GetRootGroup();
  const auto axis = [&](const char* name, const char* unit, std::vector<double> at) {
    const auto dimension = group->CreateDimension(name, "", "", at.size());
    const auto variable = group->CreateMDArray(name, {dimension}, GDALExtendedDataType::Create(GDT_Float64));
    variable->SetUnit(unit);
    const GUInt64 start = 0;
    const size_t count = at.size();
    variable->Write(&start, &count, nullptr, nullptr, variable->GetDataType(), at.data());
    return dimension;
  };
  const auto lat = axis("lat", "degrees_north", {10, 10.5}), lon = axis("lon", "degrees_east", {20, 20.5, 21});
  for (const char* name : two_variables ? std::vector{"z", "quality"} : std::vector{"z"}) {
    const auto variable = group->CreateMDArray(name, {lat, lon}, GDALExtendedDataType::Create(GDT_Float32));
    const std::vector<float> values = {1, 2, 3, 4, 5, *name == 'z' ? 6.0f : 60.0f};
    const GUInt64 start[2] = {0, 0};
    const size_t count[2] = {2, 3};
    variable->Write(start, count, nullptr, nullptr, variable->GetDataType(), values.data());
  }
}

TEST(NetCdf, GridIsReadSouthFirst) {
  const TemporaryFolder folder;
  make_netcdf(folder / "a.nc", false);
  const Terrain land = land_of(folder / "a.nc");
  EXPECT_EQ(land.height()(0, 0), 1);
  EXPECT_EQ(land.height()(2, 1), 6);
  ASSERT_TRUE(land.frame().geo);
  EXPECT_NEAR(land.frame().geo->origin.x, 20, 1e-9);
  EXPECT_NEAR(land.frame().geo->origin.y, 10, 1e-9);
  EXPECT_NEAR(land.frame().cell.x, 54787, 60);
  EXPECT_EQ(inspect(folder / "a.nc", Context()).terrain->crs, "EPSG:4326");
}

TEST(NetCdf, OneOfSeveralVariablesIsChosenByName) {
  const TemporaryFolder folder;
  make_netcdf(folder / "a.nc", true);
  EXPECT_NE(error_of([&] { land_of(folder / "a.nc"); }).find("quality"), std::string::npos);
  ReadParams p = params(folder / "a.nc");
  p.layer = "quality";
  EXPECT_EQ(read(p, Context()).height()(2, 1), 60);
  p.layer = "height";
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("no gridded variable 'height'"), std::string::npos);
}

TEST(Asc, SystemOfAnotherLandOfThatNameDoesNotStay) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.asc", asc);
  ReadParams p = params(folder / "a.asc");
  p.crs = "EPSG:32611";
  export_terrain(read(p, Context()), {.path = folder / "b.asc"}, Context());
  EXPECT_EQ(inspect(folder / "b.asc", Context()).terrain->crs, "EPSG:32611");
  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "b.asc"}, Context());
  EXPECT_EQ(inspect(folder / "b.asc", Context()).terrain->crs, "");
}

TEST(Asc, LongitudesBeyondHalfATurnAreTurnedBack) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.asc", "ncols 3\nnrows 2\nxllcenter 234\nyllcenter 48\ncellsize 0.5\n1 2 3\n4 5 6\n");
  ReadParams p = params(folder / "a.asc");
  p.crs = "EPSG:4326";
  EXPECT_NEAR(read(p, Context()).frame().geo->origin.x, -126, 1e-9);
}

TEST(NetCdf, CoordinatesInOtherUnitsAreNotTakenForMetres) {
  const TemporaryFolder folder;
  make_netcdf(folder / "a.nc", false);
  std::string bytes = bytes_of(folder / "a.nc");
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"degrees_north", "rad__________"}, {"degrees_east", "rad_________"}})
    bytes.replace(bytes.find(from), from.size(), to);
  put_bytes(folder / "a.nc", bytes);
  WarningSink sink;
  const Terrain land = read(params(folder / "a.nc"), sink.context());
  EXPECT_EQ(land.frame().cell, (Vec2{1, 1}));
  EXPECT_NE(sink.warnings.at(0).find("coordinates in"), std::string::npos);
}

TEST(NetCdf, DamagedFilesNeverCrash) {
  const TemporaryFolder folder;
  for (const bool classic : {true, false}) {
    make_netcdf(folder / "a.nc", false, classic);
    EXPECT_EQ(bytes_of(folder / "a.nc").starts_with("CDF"), classic);
    expect_hardy(folder, "a.nc", {}, false);
  }
}

TEST(NetCdf, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  for (const char* bytes : {"", "CDF\1", "\x89HDF\r\n\x1a\n", "http://localhost/a.nc", "<VRTDataset></VRTDataset>"}) {
    put_bytes(folder / "a.nc", bytes);
    EXPECT_NE(error_of([&] { land_of(folder / "a.nc"); }).find("a.nc"), std::string::npos) << bytes;
  }
}

TEST(Raw, SquareIsAssumedAndSaid) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.r16", std::string("\1\0\2\0\3\0\0\1", 8));
  WarningSink sink;
  const Terrain land = read(params(folder / "a.r16"), sink.context());
  EXPECT_EQ(land.height()(0, 1), 1);
  EXPECT_EQ(land.height()(1, 0), 256);
  ASSERT_EQ(sink.warnings.size(), 3u);
  EXPECT_NE(sink.warnings[0].find("2 x 2"), std::string::npos);
  put_bytes(folder / "a.r16", std::string(6, '\0'));
  EXPECT_NE(error_of([&] { land_of(folder / "a.r16"); }).find("size="), std::string::npos);
}

TEST(Raw, SizeTypeAndOrderAreTheCallers) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.raw", std::string("\xff\xfe\0\2\0\3\0\4\0\5\0\6", 12));
  ReadParams p = params(folder / "a.raw");
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("'type'"), std::string::npos);
  p.size = {3, 2};
  p.type = SampleType::int16;
  p.order = ByteOrder::big;
  const Terrain land = read(p, Context());
  EXPECT_EQ(land.height()(0, 1), -2);
  EXPECT_EQ(land.height()(2, 0), 6);
  p.size = {3, 3};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("18"), std::string::npos);
  p.size = {1.5, 4};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("whole numbers"), std::string::npos);
  p = params(folder / "b.tif");
  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "b.tif"}, Context());
  p.size = {3, 2};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("its own size"), std::string::npos);
}

TEST(Raw, FloatsThatAreNoneAreVoids) {
  const TemporaryFolder folder;
  const float values[4] = {1.5f, NAN, INFINITY, -2};
  put_bytes(folder / "a.r32", std::string(reinterpret_cast<const char*>(values), sizeof(values)));
  const Terrain land = land_of(folder / "a.r32");
  EXPECT_EQ(land.relief(), (Relief{-2, 1.5}));
  EXPECT_EQ(land.layer("void").grid()(1, 1), 1);
  EXPECT_EQ(land.layer("void").grid()(0, 0), 1);
  ReadParams p = params(folder / "a.r32");
  p.range = {100, 300};
  EXPECT_EQ(read(p, Context()).height()(0, 1), 400);
}

TEST(PackedPng, HeightsAreUnpacked) {
  const TemporaryFolder folder;
  Image image(2, 1, 3);
  image.pixels = {128, 10, 64, 1, 134, 160};
  write_png(folder / "12_654_1582.png", image);
  EXPECT_NE(error_of([&] { land_of(folder / "12_654_1582.png"); }).find("encoding=terrarium"), std::string::npos);
  ReadParams p = params(folder / "12_654_1582.png");
  p.encoding = PngEncoding::terrarium;
  EXPECT_EQ(read(p, Context()).height()(0, 0), 10.25f);
  p.encoding = PngEncoding::mapbox;
  EXPECT_EQ(read(p, Context()).height()(1, 0), 0);
  p.range = {0, 1};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("does not apply to"), std::string::npos);
  write_png(folder / "grey.png", Grid<uint8_t>(1, 1, uint8_t{3}));
  p = params(folder / "grey.png");
  p.encoding = PngEncoding::mapbox;
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("1 channel"), std::string::npos);
}

TEST(PackedPng, TileIsPlacedByItsNameWithMetresOnTheGround) {
  const std::optional<RasterPlace> place = map_tile_place("a/goldengate_12_654_1582.png", 256, 256);
  ASSERT_TRUE(place);
  EXPECT_NEAR(place->step.x, 38.2185, 1e-4);
  EXPECT_TRUE(map_tile_place("12/654/1582.png", 256, 256));
  for (const char* name : {"land.png", "12/654.png", "1/2/0.png", "30/1/1.png", "12x654x1582.png", "-1/2/3.jpg", "",
                           "99999999999999999999/1/1.png"})
    EXPECT_FALSE(map_tile_place(name, 256, 256)) << name;
  EXPECT_FALSE(map_tile_place("0/0/0.png", 256, 128));

  const TemporaryFolder folder;
  Image image(2, 2, 3);
  image.pixels.assign(12, 128);
  write_png(folder / "12_654_1582.png", image);
  ReadParams p = params(folder / "12_654_1582.png");
  p.encoding = PngEncoding::terrarium;
  const Terrain land = read(p, Context());
  EXPECT_NEAR(land.frame().cell.x * 2 / 256, 30.2, 0.1);  // at 37.8 degrees north
  EXPECT_EQ(land.frame().origin, (Vec2{0, 0}));
  EXPECT_TRUE(land.frame().geo);
}

}  // namespace
}  // namespace tepui::raster_test
