#include "tepui/io/table/geopackage.h"

#include <gdal/gdal_priv.h>
#include <gdal/ogrsf_frmts.h>

#include <chrono>
#include <thread>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"
#include "tepui/io/lines_write.h"
#include "tepui/io/table/geojson.h"
#include "tests/io/gdal_tools.h"
#include "tests/io/lines_files.h"
#include "tests/support/contains.h"

namespace tepui::geopackage_test {

namespace {

using test::read_quietly;
using test::TemporaryFolder;

std::string bytes_of(const Lines& lines) {
  const TemporaryFolder folder;
  write_lines_gpkg(folder / "a.gpkg", lines, {});
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"a.gpkg"});
  return test::bytes_of(folder / "a.gpkg");
}

Lines there_and_back(const Lines& lines) {
  const TemporaryFolder folder;
  write_lines_gpkg(folder / "a.gpkg", lines, {});
  return read_quietly(folder / "a.gpkg");
}

struct Close {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<GDALDataset, Close>;

/// A package as another program would write it: layers of one geometry each.
void make_package(const std::string& path, const std::vector<std::pair<std::string, std::string>>& layers,
                  const char* crs = "EPSG:32612") {
  RegisterOGRGeoPackage();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  const Dataset dataset(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  ASSERT_TRUE(dataset);
  OGRSpatialReference system;
  if (crs != nullptr) system.SetFromUserInput(crs);
  for (const auto& [name, wkt] : layers) {
    OGRLayer* layer = dataset->CreateLayer(name.c_str(), crs != nullptr ? &system : nullptr, wkbUnknown, nullptr);
    OGRGeometry* geometry = nullptr;
    ASSERT_EQ(OGRGeometryFactory::createFromWkt(wkt.c_str(), nullptr, &geometry), OGRERR_NONE);
    OGRFeature feature(layer->GetLayerDefn());
    feature.SetGeometryDirectly(geometry);
    ASSERT_EQ(layer->CreateFeature(&feature), OGRERR_NONE);
  }
}

std::string refusal(const std::string& path, const LinesFileParams& params = {}) {
  return test::error_of([&] { read_quietly(path, params); });
}

}  // namespace

RC_GTEST_PROP(GeoPackage, GivesBackWhatWasWritten, ()) {
  const Lines lines = test::any_lines();
  const Lines again = there_and_back(lines);
  test::expect_same_features(again, lines);
  RC_ASSERT(!again.geo().has_value());
}

TEST(GeoPackage, TheSameLinesAreTheSameBytesWhenever) {
  const Lines lines({{"a", {{1, 2, 3}, {4, 5, 6}}, true, {{"flow", "m3/s", {1, 2}}}}});
  const std::string bytes = bytes_of(lines);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(bytes_of(lines), bytes);
  EXPECT_NE(bytes_of(Lines({{"a", {{1, 2, 3}, {4, 5, 7}}, true, {}}})), bytes);
}

TEST(GeoPackage, KeepsItsReferenceSystem) {
  const Lines lines = test::with_geo(Lines({{"a", {{500000.125, 4000000, 7}, {500100, 4000200.1, 8}}, false, {}}}),
                                     {"EPSG:32612", {0, 0}, {1, 1}});
  const Lines again = there_and_back(lines);
  test::expect_same_features(again, lines);
  ASSERT_TRUE(again.geo().has_value());
  EXPECT_CONTAINS(again.geo()->crs, "32612");
  EXPECT_EQ(again.geo()->step, (Vec2{1, 1}));
}

TEST(GeoPackage, DegreesLeadBackBesideTheirLand) {
  Frame land = make_world({1000, 1000}, 11);
  land.geo = std::make_shared<const Georeference>(Georeference{"EPSG:4326", {-111, 36}, {1e-3, 1e-3}});
  const Lines lines = test::with_geo(Lines({{"a", {{100, 200, 7}, {300, 50, 8}}, false, {}}}), *lines_geo(land));
  const TemporaryFolder folder;
  write_lines_gpkg(folder / "a.gpkg", lines, {});
  const Lines beside = read_quietly(folder / "a.gpkg", {}, &land);
  for (size_t i = 0; i < 2; ++i) EXPECT_LT(length(beside.vertices()[i] - lines.vertices()[i]), 1e-6);
  write_lines_geojson(folder / "a.geojson", lines, {});
  const Lines through_text = read_quietly(folder / "a.geojson", {}, &land);
  for (size_t i = 0; i < 2; ++i) EXPECT_LT(length(through_text.vertices()[i] - lines.vertices()[i]), 2e-4);
}

TEST(GeoPackage, UnitsOfTheSystemBecomeMetres) {
  const TemporaryFolder folder;
  make_package(folder / "a.gpkg", {{"a", "LINESTRING (1000 2000, 1100 2000)"}}, "EPSG:2232");  // US survey feet
  const Lines lines = read_quietly(folder / "a.gpkg");
  EXPECT_NEAR(extent_of(lines).length, 100 * 1200.0 / 3937, 1e-6);
  write_lines_gpkg(folder / "b.gpkg", lines, {});
  const std::string told = test::output_of("ogrinfo -al '" + folder / "b.gpkg" + "' 2>/dev/null");
  EXPECT_CONTAINS(told, "(1000.000000, 2000.000000) - (1100.000000, 2000.000000)");
}

TEST(GeoPackage, WithoutASystemCoordinatesAreMetres) {
  const TemporaryFolder folder;
  make_package(folder / "a.gpkg", {{"a", "POINT Z (1 2 3)"}}, nullptr);
  const Lines lines = read_quietly(folder / "a.gpkg");
  EXPECT_EQ(lines.vertices()[0], (Vec3{1, 2, 3}));
  EXPECT_FALSE(lines.geo().has_value());
}

TEST(GeoPackage, SeveralLayersAreChosenByName) {
  const TemporaryFolder folder;
  make_package(folder / "a.gpkg", {{"rivers", "LINESTRING (0 0, 1 1)"}, {"trees", "POINT (5 6)"}});
  EXPECT_CONTAINS(refusal(folder / "a.gpkg"), "has 2 layers: 'rivers', 'trees'");
  EXPECT_EQ(read_quietly(folder / "a.gpkg", {"trees", ""}).feature(0).shape, FeatureShape::point);
  EXPECT_CONTAINS(refusal(folder / "a.gpkg", {"lakes", ""}), "it has 'rivers', 'trees'");
}

TEST(GeoPackage, OtherKindsAreRefusedByName) {
  const TemporaryFolder folder;
  int number = 0;
  for (const auto& [wkt, name] : std::vector<std::pair<std::string, std::string>>{
           {"CIRCULARSTRING (0 0, 1 1, 2 0)", "circularstring"},
           {"COMPOUNDCURVE ((0 0, 1 1))", "compoundcurve"},
           {"CURVEPOLYGON ((0 0, 1 1, 1 0, 0 0))", "curvepolygon"},
           {"TRIANGLE ((0 0, 1 1, 1 0, 0 0))", "triangle"},
           {"GEOMETRYCOLLECTION (POINT (0 0), MULTICURVE ((0 0, 1 1)))", "multicurve"}}) {
    const std::string path = folder / (std::to_string(number++) + ".gpkg");
    make_package(path, {{"a", wkt}});
    EXPECT_CONTAINS(refusal(path), "feature 1 of '" + path + "' is a " + name);
  }
}

TEST(GeoPackage, DamageIsAnErrorAndNeverACrash) {
  const TemporaryFolder folder;
  const Lines lines({{"a", {{1, 2, 3}, {4, 5, 6}}, true, {{"flow", "m3/s", {1, 2}}}}, {"b", {{1, 1, 1}}, false, {}}});
  const std::string bytes = bytes_of(lines);
  const auto attempt = [&](const std::string& damaged) {
    test::put_bytes(folder / "a.gpkg", damaged);
    try {
      read_quietly(folder / "a.gpkg");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request) << error.message();
    }
  };
  EXPECT_CONTAINS(test::error_of([&] {
                    test::put_bytes(folder / "a.gpkg", bytes.substr(0, bytes.size() / 3));
                    read_quietly(folder / "a.gpkg");
                  }),
                  "a.gpkg");
  for (size_t i = 0; i < 150; ++i) {
    std::string damaged = bytes;
    for (size_t k = 0; k < 4; ++k)
      damaged[(i * 7919 + k * 104729 + i * i) % bytes.size()] = static_cast<char>(37 * i + k);
    attempt(damaged);
  }
  test::put_bytes(folder / "b.gpkg", bytes);
  test::put_bytes(folder / "b.gpkg-wal", "changes");
  EXPECT_CONTAINS(refusal(folder / "b.gpkg"), "b.gpkg-wal");
  test::put_bytes(folder / "c.gpkg", "no package at all");
  EXPECT_CONTAINS(refusal(folder / "c.gpkg"), "as GeoPackage");
}

TEST(GeoPackage, AViewIsNotRead) {
  const TemporaryFolder folder;
  make_package(folder / "a.gpkg", {{"a", "POINT (1 2)"}});
  {
    const char* const drivers[] = {"GPKG", nullptr};
    const Dataset dataset(GDALDataset::Open((folder / "a.gpkg").c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE, drivers));
    ASSERT_TRUE(dataset);
    dataset->ExecuteSQL("CREATE VIEW v AS SELECT * FROM a", nullptr, nullptr);
    dataset->ExecuteSQL(
        "INSERT INTO gpkg_contents (table_name, identifier, data_type, srs_id) VALUES ('v', 'v', 'features', 32612)",
        nullptr, nullptr);
    dataset->ExecuteSQL("INSERT INTO gpkg_geometry_columns VALUES ('v', 'geom', 'GEOMETRY', 32612, 0, 0)", nullptr,
                        nullptr);
  }
  EXPECT_CONTAINS(refusal(folder / "a.gpkg", {"v", ""}), "views are not supported");
}

TEST(GeoPackage, StopsWhenCancelledAndLeavesNothing) {
  const TemporaryFolder folder;
  const CancelFlag stop{true};
  const Lines lines({{"a", {{}}, false, {}}});
  EXPECT_THROW(write_lines_gpkg(folder / "a.gpkg", lines, Context(nullptr, &stop)), Error);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
  write_lines_gpkg(folder / "a.gpkg", lines, {});
  EXPECT_THROW(lines_from_file(folder / "a.gpkg", {}, Context(nullptr, &stop)), Error);
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"a.gpkg"});
  EXPECT_CONTAINS(test::error_of([&] { write_lines_gpkg(folder / "no/a.gpkg", lines, {}); }), "no/a.gpkg");
}

TEST(GeoPackage, OtherProgramsCountTheSame) {
  const TemporaryFolder folder;
  write_lines_gpkg(folder / "a.gpkg", Lines({{"a", {{1, 2, 3}, {4, 5, 6}}, false, {}}, {"b", {{1, 2, 3}}, false, {}}}),
                   {});
  const std::string told = test::output_of("ogrinfo -al '" + folder / "a.gpkg" + "' 2>/dev/null");
  EXPECT_CONTAINS(told, "Layer name: lines");
  EXPECT_CONTAINS(told, "Feature Count: 2");
  EXPECT_CONTAINS(told, "Geometry: 3D Line String");
  EXPECT_CONTAINS(told, "Local metres");
  EXPECT_CONTAINS(told, "name (String) = b");
}

TEST(GeoPackage, HoldsAMillionPoints) {
  const TemporaryFolder folder;
  const Lines lines = test::a_million_points();
  write_lines_gpkg(folder / "a.gpkg", lines, {});
  test::expect_same_features(read_quietly(folder / "a.gpkg"), lines);
}

TEST(LinesWrite, GoesByTheEnding) {
  const TemporaryFolder folder;
  const Lines lines({{"a", {{1, 2, 3}, {4, 5, 6}}, false, {}}});
  EXPECT_EQ(write_lines(folder / "a.CSV", lines, {}), "CSV");
  EXPECT_EQ(write_lines(folder / "a.geojson", lines, {}), "GeoJSON");
  EXPECT_EQ(write_lines(folder / "a.gpkg", lines, {}), "GeoPackage");
  EXPECT_CONTAINS(test::error_of([&] { write_lines(folder / "a.shp", lines, {}); }), ".geojson");
  EXPECT_EQ(test::names_in(folder.path()).size(), 3u);
  for (const std::string& ending : writing_endings(Lines::kind_name)) {
    // A GLB of nothing is not valid.
    if (ending == ".glb") continue;
    EXPECT_NO_THROW(write_lines(folder / ("b" + ending), Lines(), {}));
  }
}

}  // namespace tepui::geopackage_test
