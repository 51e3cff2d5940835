#include "tepui/io/raster/geotiff.h"

#include <gdal/gdal_frmts.h>
#include <gdal/gdal_priv.h>
#include <gdal/ogr_spatialref.h>

#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::geotiff_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::put_bytes;
using test::same_cells;
using test::TemporaryFolder;
using test::WarningSink;

/// A file as another program would write it: values in file order, north first.
struct Foreign {
  int width = 3, height = 2;
  GDALDataType type = GDT_Float32;
  std::vector<double> values = {1, 2, 3, 4, 5, 6};
  std::optional<std::array<double, 6>> transform{};
  int epsg = 0;
  std::optional<double> nodata{};
  std::string unit{};
  std::optional<double> scale{}, offset{};
  int bands = 1;
  bool point = false;
};

void make(const std::string& path, const Foreign& f) {
  GDALRegister_GTiff();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  auto* dataset = driver->Create(path.c_str(), f.width, f.height, f.bands, f.type, nullptr);
  if (f.point) dataset->SetMetadataItem("AREA_OR_POINT", "Point");
  if (f.transform) dataset->SetGeoTransform(const_cast<double*>(f.transform->data()));
  if (f.epsg != 0) {
    OGRSpatialReference crs;
    crs.importFromEPSG(f.epsg);
    dataset->SetSpatialRef(&crs);
  }
  for (int b = 1; b <= f.bands; ++b) {
    GDALRasterBand* band = dataset->GetRasterBand(b);
    if (f.nodata) band->SetNoDataValue(*f.nodata);
    if (!f.unit.empty()) band->SetUnitType(f.unit.c_str());
    if (f.scale) band->SetScale(*f.scale);
    if (f.offset) band->SetOffset(*f.offset);
    std::vector<double> values = f.values;
    for (double& v : values) v += 100 * (b - 1);
    ASSERT_EQ(
        band->RasterIO(GF_Write, 0, 0, f.width, f.height, values.data(), f.width, f.height, GDT_Float64, 0, 0, nullptr),
        CE_None);
  }
  GDALClose(dataset);
}

Terrain read_geotiff(const std::string& path, std::optional<int> band, const Context& context) {
  ReadParams p;
  p.file.path = path;
  p.band = band;
  return read(p, context);
}

TerrainInfo inspect_geotiff(const std::string& path) { return inspect(path, Context()).terrain.value(); }

std::vector<Layer> height_of(const Terrain& land) { return {land.layer("height")}; }

RC_GTEST_PROP(GeoTiff, HeightsComeBackBitByBit, (uint64_t seed)) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(*rc::gen::inRange(1, 80), *rc::gen::inRange(1, 80), seed, 2.5);
  RC_ASSERT(write_geotiff(folder / "a.tif", land, height_of(land), Context()) == 32);
  const Terrain back = read_geotiff(folder / "a.tif", {}, Context());
  RC_ASSERT(same_cells(back.height(), land.height()));
  RC_ASSERT(back.frame() == land.frame());
  RC_ASSERT(back.layers().size() == 1u);
}

TEST(GeoTiff, LandOfManyTilesComesBackBitByBit) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(700, 530, 4);
  write_geotiff(folder / "a.tif", land, height_of(land), Context());
  EXPECT_TRUE(same_cells(read_geotiff(folder / "a.tif", {}, Context()).height(), land.height()));
}

TEST(GeoTiff, SameLandSameBytesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(900, 600, 4);
  std::string first;
  for (const int threads : {1, 2, 7}) {
    with_threads(threads, [&] { write_geotiff(folder / "a.tif", land, height_of(land), Context()); });
    if (first.empty()) first = bytes_of(folder / "a.tif");
    EXPECT_TRUE(bytes_of(folder / "a.tif") == first) << threads;
  }
  EXPECT_EQ(first.find(folder.path()), std::string::npos);
}

TEST(GeoTiff, CropKeepsItsPlace) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(20, 10, 1, 5);
  const Frame frame = land.frame().window(4, 3, 6, 5);
  const Terrain crop(frame, land.relief(), Grid<float>(6, 5, 1.5f));
  write_geotiff(folder / "a.tif", crop, height_of(crop), Context());
  const Frame back = read_geotiff(folder / "a.tif", {}, Context()).frame();
  EXPECT_EQ(back.x(0), frame.x(0));
  EXPECT_EQ(back.y(4), frame.y(4));
}

TEST(GeoTiff, LandWithoutASystemIsInLocalMetres) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 3, 1);
  write_geotiff(folder / "a.tif", land, height_of(land), Context());
  auto* dataset = GDALDataset::Open((folder / "a.tif").c_str());
  ASSERT_NE(dataset, nullptr);
  const OGRSpatialReference* crs = dataset->GetSpatialRef();
  ASSERT_NE(crs, nullptr);
  EXPECT_TRUE(crs->IsLocal());
  const char* unit = nullptr;
  EXPECT_EQ(crs->GetLinearUnits(&unit), 1);
  EXPECT_STREQ(unit, "metre");
  GDALClose(dataset);
  EXPECT_EQ(inspect_geotiff(folder / "a.tif").crs, "");
  EXPECT_EQ(read_geotiff(folder / "a.tif", {}, Context()).frame().geo, nullptr);
}

TEST(GeoTiff, CellsBeyondMeasureAreRefused) {
  const TemporaryFolder folder;
  for (const double cell : {1e-320, 1e-7, 1e8, 1e300}) {
    Foreign file;
    file.transform = {{0, cell, 0, 0, 0, -cell}};
    make(folder / "a.tif", file);
    EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("1e-06 to 1e+07 m"),
              std::string::npos)
        << cell;
  }
  Foreign file;
  file.transform = {{1e300, 1, 0, 0, 0, -1}};
  make(folder / "a.tif", file);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("coordinates"), std::string::npos);
}

TEST(GeoTiff, InfoOfARotatedFileSaysSo) {
  const TemporaryFolder folder;
  Foreign file;
  file.transform = {{0, 3, 4, 0, 4, -3}};
  make(folder / "a.tif", file);
  EXPECT_TRUE(inspect_geotiff(folder / "a.tif").rotated);
  const FileInfo info = inspect(folder / "a.tif", Context());
  EXPECT_EQ(info.terrain->cell, (Vec2{5, 5}));
  EXPECT_NE(info_json(info).find("\"rotated\":true"), std::string::npos);
}

TEST(GeoTiff, SamplesAreAtThePixelsCentres) {
  const TemporaryFolder folder;
  const std::array<double, 6> transform = {500000, 30, 0, 4000000, 0, -30};
  for (const bool point : {false, true}) {
    Foreign file;
    file.transform = transform;
    file.epsg = 32611;
    file.point = point;
    make(folder / "a.tif", file);
    const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
    EXPECT_EQ(land.frame().origin, (Vec2{500015, 3999955}));
    EXPECT_EQ(land.frame().cell, (Vec2{30, 30}));
    EXPECT_EQ(land.frame().size, (Vec2{60, 30}));
    EXPECT_EQ(land.height()(0, 0), 4);  // south-west
    EXPECT_EQ(land.height()(2, 1), 3);  // north-east
    EXPECT_EQ(land.relief(), (Relief{1, 6}));

    write_geotiff(folder / "b.tif", land, height_of(land), Context());
    const TerrainInfo info = inspect_geotiff(folder / "b.tif");
    EXPECT_EQ(info.registration, "point");
    EXPECT_EQ(info.crs, "EPSG:32611");
    auto* dataset = GDALDataset::Open((folder / "b.tif").c_str());
    double written[6];
    dataset->GetGeoTransform(written);
    GDALClose(dataset);
    for (size_t i = 0; i < 6; ++i) EXPECT_EQ(written[i], transform[i]) << i;
  }
}

TEST(GeoTiff, DegreesBecomeMetresAtTheCentralLatitude) {
  const TemporaryFolder folder;
  Foreign file;
  file.epsg = 4326;
  file.transform = {{10, 0.01, 0, 60.01, 0, -0.01}};  // the two rows' centres straddle 60 degrees north
  make(folder / "a.tif", file);
  const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
  // WGS84 at 60 degrees: 55800 m and 111412 m of a degree.
  EXPECT_NEAR(land.frame().cell.x, 558.00, 0.005);
  EXPECT_NEAR(land.frame().cell.y, 1114.12, 0.005);
  EXPECT_EQ(land.frame().origin, (Vec2{0, 0}));
  ASSERT_TRUE(land.frame().geo);
  EXPECT_NEAR(land.frame().geo->origin.x, 10.005, 1e-12);
  EXPECT_NEAR(land.frame().geo->origin.y, 59.995, 1e-12);

  write_geotiff(folder / "b.tif", land, height_of(land), Context());
  const Terrain back = read_geotiff(folder / "b.tif", {}, Context());
  EXPECT_NEAR(back.frame().geo->origin.x, 10.005, 1e-12);
  EXPECT_NEAR(back.frame().geo->step.y, 0.01, 1e-15);
  EXPECT_EQ(back.frame().geo->crs, land.frame().geo->crs);
}

TEST(GeoTiff, PoleIsRefused) {
  const TemporaryFolder folder;
  Foreign file;
  file.epsg = 4326;
  file.transform = {{0, 1, 0, 91, 0, -1}};
  make(folder / "a.tif", file);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("latitude 90"), std::string::npos);
}

TEST(GeoTiff, FeetBecomeMetres) {
  const TemporaryFolder folder;
  Foreign file;
  file.epsg = 2225;  // California I, US survey feet
  file.transform = {{6000000, 10, 0, 2000000, 0, -10}};
  file.unit = "US survey foot";
  make(folder / "a.tif", file);
  const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
  EXPECT_NEAR(land.frame().cell.x, 12000.0 / 3937, 1e-9);
  EXPECT_NEAR(land.frame().origin.x, 6000005 * 1200.0 / 3937, 1e-6);
  EXPECT_NEAR(land.height()(2, 1), 3 * 1200.0 / 3937, 1e-6);
  EXPECT_EQ(land.frame().geo->step, (Vec2{10, 10}));
}

TEST(GeoTiff, ScaleAndOffsetOfABandCount) {
  const TemporaryFolder folder;
  Foreign file;
  file.type = GDT_UInt16;
  file.scale = 0.1;
  file.offset = 500;
  file.nodata = 6;
  make(folder / "a.tif", file);
  const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
  EXPECT_FLOAT_EQ(land.height()(2, 1), 500.3f);
  EXPECT_EQ(land.layer("void").grid()(2, 0), 1);
}

TEST(GeoTiff, WithoutPlaceOneMetreIsAssumedAndSaid) {
  const TemporaryFolder folder;
  make(folder / "a.tif", {});
  WarningSink sink;
  const Terrain land = read_geotiff(folder / "a.tif", {}, sink.context());
  EXPECT_EQ(land.frame().cell, (Vec2{1, 1}));
  EXPECT_EQ(land.frame().origin, (Vec2{0, 0}));
  EXPECT_EQ(land.height()(0, 0), 4);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_NE(sink.warnings[0].find("assuming 1 m"), std::string::npos);
}

TEST(GeoTiff, SouthUpAndMirroredFilesAreTurned) {
  const TemporaryFolder folder;
  Foreign file;
  file.transform = {{100, -10, 0, 50, 0, 10}};
  make(folder / "a.tif", file);
  const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
  EXPECT_EQ(land.frame().origin, (Vec2{75, 55}));
  EXPECT_EQ(land.height()(0, 0), 3);
  EXPECT_EQ(land.height()(2, 1), 4);
}

TEST(GeoTiff, RotatedAndComplexFilesAreRefused) {
  const TemporaryFolder folder;
  Foreign rotated;
  rotated.transform = {{0, 1, 0.5, 0, 0.5, -1}};
  make(folder / "a.tif", rotated);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("rotated"), std::string::npos);
  Foreign complex;
  complex.type = GDT_CFloat32;
  make(folder / "b.tif", complex);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "b.tif", {}, Context()); }).find("complex"), std::string::npos);
}

TEST(GeoTiff, NumbersBeyondALayersReachAreVoids) {
  const TemporaryFolder folder;
  Foreign file;
  file.type = GDT_Float64;
  file.values = {1, 2, 3, 1e300, -1e300, 4};
  make(folder / "a.tif", file);
  const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
  EXPECT_EQ(land.relief(), (Relief{1, 4}));
  EXPECT_EQ(land.layer("void").grid()(0, 0), 1);
  EXPECT_EQ(land.layer("void").grid()(1, 0), 1);
}

TEST(GeoTiff, EveryRealTypeIsRead) {
  const TemporaryFolder folder;
  for (const GDALDataType type :
       {GDT_Byte, GDT_UInt16, GDT_Int16, GDT_UInt32, GDT_Int32, GDT_UInt64, GDT_Int64, GDT_Float32, GDT_Float64}) {
    Foreign file;
    file.type = type;
    make(folder / "a.tif", file);
    const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
    EXPECT_EQ(land.height()(1, 1), 2) << GDALGetDataTypeName(type);
    EXPECT_EQ(land.find("void"), nullptr);
  }
}

TEST(GeoTiff, VoidsBecomeAMaskAreFilledAndComeBackAsNodata) {
  const TemporaryFolder folder;
  const double inf = std::numeric_limits<double>::infinity();
  Foreign file;
  file.width = 3;
  file.height = 3;
  file.values = {5, 5, 5, 7, -32768, NAN, inf, 5, -inf};
  file.nodata = -32768;
  make(folder / "a.tif", file);
  const Terrain land = read_geotiff(folder / "a.tif", {}, Context());
  EXPECT_EQ(land.relief(), (Relief{5, 7}));
  const Grid<float>& voids = land.layer("void").grid();
  EXPECT_EQ(land.layer("void").kind, LayerKind::mask);
  EXPECT_EQ(std::count(voids.cells().begin(), voids.cells().end(), 1.0f), 4);
  EXPECT_EQ(voids(1, 1), 1);
  EXPECT_EQ(voids(0, 0), 1);
  for (const float z : land.height().cells()) EXPECT_TRUE(z >= 5 && z <= 7) << z;

  write_geotiff(folder / "b.tif", land, height_of(land), Context());
  EXPECT_EQ(inspect_geotiff(folder / "b.tif").nodata_cells, 4);
  const Terrain back = read_geotiff(folder / "b.tif", {}, Context());
  EXPECT_TRUE(same_cells(back.layer("void").grid(), voids));
  EXPECT_EQ(back.relief(), land.relief());
}

TEST(GeoTiff, NodataIsNeverAHeightOfTheLand) {
  const TemporaryFolder folder;
  Grid<float> z(3, 1, -9999.0f), voids(3, 1, 0.0f);
  voids(0, 0) = 1;
  z(2, 0) = -99999;
  Terrain land = test::sample_land(3, 1, 1).with_height(std::move(z));
  land = land.with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  write_geotiff(folder / "a.tif", land, height_of(land), Context());
  const Terrain back = read_geotiff(folder / "a.tif", {}, Context());
  EXPECT_TRUE(same_cells(back.layer("void").grid(), land.layer("void").grid()));
  EXPECT_EQ(back.height()(1, 0), -9999);
}

TEST(GeoTiff, NothingButNodataIsRefused) {
  const TemporaryFolder folder;
  Foreign file;
  file.values = std::vector<double>(6, NAN);
  make(folder / "a.tif", file);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("every cell is nodata"),
            std::string::npos);
}

TEST(GeoTiff, FlatLandHasAReliefOfOneMetre) {
  const TemporaryFolder folder;
  Foreign file;
  file.values = std::vector<double>(6, 12);
  make(folder / "a.tif", file);
  EXPECT_EQ(read_geotiff(folder / "a.tif", {}, Context()).relief(), (Relief{12, 13}));
}

TEST(GeoTiff, LayersComeBackWithNameUnitAndKind) {
  const TemporaryFolder folder;
  Terrain land = test::sample_land(30, 20, 6);
  Grid<float> classes(30, 20);
  for (int64_t i = 0; i < classes.size(); ++i) classes.data()[i] = static_cast<float>(i % 5);
  Layer material = make_layer("material", "", LayerKind::category, std::move(classes));
  material.classes = 7;
  land = land.with(std::move(material));
  land = land.with(make_layer("slope", "deg", LayerKind::continuous, Grid<float>(30, 20, 0.25f)));
  EXPECT_EQ(write_geotiff(folder / "a.tif", land, land.layers(), Context()), 32);
  const Terrain back = read_geotiff(folder / "a.tif", {}, Context());
  ASSERT_EQ(back.layers().size(), 3u);
  for (const Layer& layer : land.layers()) {
    EXPECT_TRUE(same_cells(back.layer(layer.name).grid(), layer.grid())) << layer.name;
    EXPECT_EQ(back.layer(layer.name).unit, layer.unit);
    EXPECT_EQ(back.layer(layer.name).kind, layer.kind);
    EXPECT_EQ(back.layer(layer.name).classes, layer.classes);
  }
  EXPECT_EQ(read_geotiff(folder / "a.tif", 3, Context()).height()(0, 0), 0.25f);

  EXPECT_EQ(write_geotiff(folder / "b.tif", land, {land.layer("material")}, Context()), 8);
  const Terrain alone = read_geotiff(folder / "b.tif", {}, Context());
  EXPECT_TRUE(same_cells(alone.layer("material").grid(), land.layer("material").grid()));
  EXPECT_EQ(inspect_geotiff(folder / "b.tif").type, "Byte");
}

TEST(GeoTiff, ClassesTakeTheSmallestTypeThatHoldsThem) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(2, 1, 1);
  for (const auto& [largest, bits] : {std::pair{255.0f, 8}, {256.0f, 16}, {65535.0f, 16}, {65536.0f, 32}, {0.5f, 32}}) {
    Grid<float> classes(2, 1, 0.0f);
    classes(1, 0) = largest;
    const Layer layer = make_layer("class", "", LayerKind::category, std::move(classes));
    EXPECT_EQ(write_geotiff(folder / "a.tif", land, {layer}, Context()), bits);
    EXPECT_TRUE(same_cells(read_geotiff(folder / "a.tif", {}, Context()).layer("class").grid(), layer.grid()))
        << largest;
  }
}

TEST(GeoTiff, OtherProgramsBandsAreChosenByNumber) {
  const TemporaryFolder folder;
  Foreign file;
  file.bands = 3;
  make(folder / "a.tif", file);
  WarningSink sink;
  EXPECT_EQ(read_geotiff(folder / "a.tif", {}, sink.context()).height()(0, 1), 1);
  EXPECT_NE(sink.warnings.at(0).find("3 bands"), std::string::npos);
  EXPECT_EQ(read_geotiff(folder / "a.tif", 3, Context()).height()(0, 1), 201);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", 4, Context()); }).find("no band 4"), std::string::npos);
}

TEST(GeoTiff, EveryPrefixIsRefused) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(12, 9, 3);
  write_geotiff(folder / "a.tif", land, height_of(land), Context());
  make(folder / "c.tif", {});
  for (const char* name : {"a.tif", "c.tif"}) {
    const std::string whole = bytes_of(folder / name);
    for (size_t length = 0; length < whole.size(); ++length) {
      put_bytes(folder / "b.tif", whole.substr(0, length));
      EXPECT_NE(error_of([&] { read_geotiff(folder / "b.tif", {}, Context()); }).find("b.tif"), std::string::npos)
          << name << ", " << length;
    }
  }
}

TEST(GeoTiff, DamagedBytesNeverCrash) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(12, 9, 3);
  write_geotiff(folder / "a.tif", land, height_of(land), Context());
  const std::string whole = bytes_of(folder / "a.tif");
  int refused = 0;
  for (uint64_t i = 0; i < 1500; ++i) {
    std::string damaged = whole;
    for (uint64_t k = 0; k <= i % 3; ++k)
      damaged[Stream(i).bits(k) % whole.size()] = static_cast<char>(Stream(i).bits(k, 1));
    put_bytes(folder / "b.tif", damaged);
    try {
      const Terrain back = read_geotiff(folder / "b.tif", {}, Context());
      for (const Layer& layer : back.layers())
        for (const float v : layer.grid().cells()) ASSERT_TRUE(std::isfinite(v));
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(GeoTiff, BandsThatAFileMerelyClaimsTakeNoMemory) {
  const TemporaryFolder folder;
  GDALRegister_GTiff();
  const char* const options[] = {"SPARSE_OK=TRUE", "TILED=YES", nullptr};
  auto* dataset = GetGDALDriverManager()->GetDriverByName("GTiff")->Create((folder / "a.tif").c_str(), 2048, 2048, 150,
                                                                           GDT_Float32, const_cast<char**>(options));
  for (int i = 1; i <= 150; ++i) {
    dataset->GetRasterBand(i)->SetDescription(std::to_string(i).c_str());
    dataset->GetRasterBand(i)->SetMetadataItem("TEPUI_KIND", "continuous");
  }
  GDALClose(dataset);
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("cannot hold them"),
            std::string::npos);
}

TEST(GeoTiff, UsersSettingsOfGdalDoNotMoveLand) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 3, 1);
  write_geotiff(folder / "a.tif", land, height_of(land), {}, Context());
  const std::string before = bytes_of(folder / "a.tif");
  ASSERT_EQ(setenv("GTIFF_POINT_GEO_IGNORE", "TRUE", 1), 0);
  write_geotiff(folder / "a.tif", land, height_of(land), {}, Context());
  EXPECT_EQ(read_geotiff(folder / "a.tif", {}, Context()).frame(), land.frame());
  unsetenv("GTIFF_POINT_GEO_IGNORE");
  EXPECT_TRUE(bytes_of(folder / "a.tif") == before);
}

TEST(GeoTiff, VirtualAndOtherFilesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of([&] { read_geotiff("/vsimem/a.tif", {}, Context()); }).find("virtual"), std::string::npos);
  EXPECT_NE(error_of([&] { read_geotiff("GTIFF_DIR:1:a.tif", {}, Context()); }).find("No such file"),
            std::string::npos);
  put_bytes(folder / "a.tif", "<VRTDataset rasterXSize=\"1\" rasterYSize=\"1\"></VRTDataset>");
  EXPECT_NE(error_of([&] { read_geotiff(folder / "a.tif", {}, Context()); }).find("as TIFF"), std::string::npos);
  const Terrain land = test::sample_land(2, 2, 1);
  EXPECT_NE(error_of([&] { write_geotiff("/vsimem/a.tif", land, height_of(land), Context()); }).find("virtual"),
            std::string::npos);
}

}  // namespace
}  // namespace tepui::geotiff_test
