#include <gdal/gdal_frmts.h>
#include <gdal/gdal_priv.h>

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/io/netcdf_bytes.h"
#include "tests/support/support.h"

// Every attribute that changes what a netCDF variable's numbers mean.

namespace tepui::netcdf_test {
namespace {

using test::NcArray;
using test::NcAttributes;
using test::NcKind;
using test::NcNumbers;
using test::NcText;
using test::put_bytes;
using test::TemporaryFolder;
using test::WarningSink;

const NcArray lat{"lat", NcKind::float64, {0}, {10, 10.5}, {{"units", NcText{"degrees_north"}}}};
const NcArray lon{"lon", NcKind::float64, {1}, {20, 20.5, 21}, {{"units", NcText{"degrees_east"}}}};

/// Two rows, south first, of three.
std::string map_of(NcKind kind, const std::vector<double>& values, const NcAttributes& attributes) {
  const bool wide = kind == NcKind::uint8 || kind == NcKind::uint16;
  return test::classic_netcdf({{"lat", 2}, {"lon", 3}}, {lat, lon, {"z", kind, {0, 1}, values, attributes}}, wide);
}

struct Reading {
  Terrain land;
  std::vector<std::string> warnings;
};
Reading land_of(const TemporaryFolder& folder, const std::string& bytes) {
  put_bytes(folder / "a.nc", bytes);
  ReadParams p;
  p.file.path = folder / "a.nc";
  WarningSink sink;
  Terrain land = read(p, sink.context());
  return {std::move(land), sink.warnings};
}

/// Heights from the south-west, row by row; NaN where void.
std::vector<double> heights(const Terrain& land) {
  std::vector<double> values;
  const Layer* voids = land.find("void");
  for (int64_t i = 0; i < land.height().size(); ++i)
    values.push_back(voids != nullptr && voids->grid().data()[i] != 0 ? std::nan("")
                                                                      : static_cast<double>(land.height().data()[i]));
  return values;
}

void expect_heights(const Terrain& land, const std::vector<double>& expected) {
  const std::vector<double> found = heights(land);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i]) : std::abs(found[i] - expected[i]) < 1e-4)
        << i << ": " << found[i] << ", not " << expected[i];
}

const double none = std::nan("");

TEST(NetCdfNumbers, UnsignedSaysWhatSignedTypesHold) {
  const TemporaryFolder folder;
  const NcAttributes as_unsigned{{"_Unsigned", NcText{"true"}}, {"_FillValue", NcNumbers{NcKind::int8, {-1}}}};
  expect_heights(land_of(folder, map_of(NcKind::int8, {1, -2, -1, 127, -128, 0}, as_unsigned)).land,
                 {1, 254, none, 127, 128, 0});
  expect_heights(land_of(folder, map_of(NcKind::int16, {1, -2, 3, 4, 5, 6}, {{"_Unsigned", NcText{"TRUE"}}})).land,
                 {1, 65534, 3, 4, 5, 6});
  // CDF-5 has unsigned types, whose sign the attribute can give back.
  expect_heights(land_of(folder, map_of(NcKind::uint8, {1, 254, 3, 4, 5, 6}, {{"_Unsigned", NcText{"false"}}})).land,
                 {1, -2, 3, 4, 5, 6});
  EXPECT_EQ(inspect(folder / "a.nc", Context()).terrain->min, -2);
}

TEST(NetCdfNumbers, FillAndMissingValuesAreVoid) {
  const TemporaryFolder folder;
  // Both attributes count, and missing_value may be several numbers.
  expect_heights(land_of(folder, map_of(NcKind::int16, {1, -9, -8, -7, 5, 6},
                                        {{"_FillValue", NcNumbers{NcKind::int16, {-9}}},
                                         {"missing_value", NcNumbers{NcKind::int16, {-8, -7}}}}))
                     .land,
                 {1, none, none, none, 5, 6});
  // Without either, what was never written has netCDF's own number.
  expect_heights(land_of(folder, map_of(NcKind::int16, {1, -32767, 3, 4, 5, 6}, {})).land, {1, none, 3, 4, 5, 6});
  expect_heights(land_of(folder, map_of(NcKind::int32, {1, -2147483647, 3, 4, 5, 6}, {})).land, {1, none, 3, 4, 5, 6});
  expect_heights(land_of(folder, map_of(NcKind::uint16, {1, 65535, 3, 4, 5, 6}, {})).land, {1, none, 3, 4, 5, 6});
  expect_heights(land_of(folder, map_of(NcKind::float32, {1, 9.969209968386869e36, 3, 4, 5, 6}, {})).land,
                 {1, none, 3, 4, 5, 6});
  // Bytes have none, and a fill value of one's own replaces it.
  expect_heights(land_of(folder, map_of(NcKind::int8, {1, -127, -128, 4, 5, 127}, {})).land,
                 {1, -127, -128, 4, 5, 127});
  expect_heights(
      land_of(folder, map_of(NcKind::int16, {1, -32767, 3, 4, 5, 6}, {{"_FillValue", NcNumbers{NcKind::int16, {6}}}}))
          .land,
      {1, -32767, 3, 4, 5, none});
  ReadParams p;
  p.file.path = folder / "a.nc";
  p.nodata = "none";
  EXPECT_EQ(read(p, Context()).find("void"), nullptr);
}

TEST(NetCdfNumbers, BeyondTheValidRangeIsVoid) {
  const TemporaryFolder folder;
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  const auto with = [&](const NcAttributes& attributes) {
    return land_of(folder, map_of(NcKind::int16, values, attributes)).land;
  };
  expect_heights(with({{"valid_range", NcNumbers{NcKind::int16, {2, 5}}}}), {none, 2, 3, 4, 5, none});
  expect_heights(with({{"valid_min", NcNumbers{NcKind::int16, {3}}}}), {none, none, 3, 4, 5, 6});
  expect_heights(with({{"valid_max", NcNumbers{NcKind::int16, {3}}}}), {1, 2, 3, none, none, none});
  // Of packed numbers: stored where it has their type, unpacked where it has that of the scale.
  const NcNumbers tenth{NcKind::float32, {0.1}}, hundred{NcKind::float32, {100}};
  expect_heights(with({{"scale_factor", tenth}, {"add_offset", hundred}, {"valid_max", NcNumbers{NcKind::int16, {3}}}}),
                 {100.1, 100.2, 100.3, none, none, none});
  expect_heights(
      with({{"scale_factor", tenth}, {"add_offset", hundred}, {"valid_max", NcNumbers{NcKind::float32, {100.3}}}}),
      {100.1, 100.2, 100.3, none, none, none});
  expect_heights(
      with({{"scale_factor", NcNumbers{NcKind::float64, {-2}}}, {"valid_range", NcNumbers{NcKind::float64, {-8, -4}}}}),
      {none, -4, -6, -8, none, none});
  // The limits are unsigned where the numbers are.
  expect_heights(
      land_of(folder, map_of(NcKind::int8, {1, -2, -6, 4, 5, 6},
                             {{"_Unsigned", NcText{"true"}}, {"valid_range", NcNumbers{NcKind::int8, {2, -3}}}}))
          .land,
      {none, none, 250, 4, 5, 6});
}

TEST(NetCdfNumbers, WhatCountsDownwardsIsTurnedAndSaid) {
  const TemporaryFolder folder;
  const Reading depth = land_of(
      folder, map_of(NcKind::int16, {1, 2, 3, 4, 5, 6}, {{"positive", NcText{"down"}}, {"units", NcText{"km"}}}));
  expect_heights(depth.land, {-1000, -2000, -3000, -4000, -5000, -6000});
  ASSERT_EQ(depth.warnings.size(), 1u);
  EXPECT_NE(depth.warnings[0].find("downwards"), std::string::npos);
}

TEST(NetCdfPlace, CoordinatesMayBePackedAndUnsigned) {
  const TemporaryFolder folder;
  const NcArray packed_lat{"lat",
                           NcKind::int16,
                           {0},
                           {-1000, -900},
                           {{"units", NcText{"degrees_north"}},
                            {"scale_factor", NcNumbers{NcKind::float64, {0.01}}},
                            {"add_offset", NcNumbers{NcKind::float64, {55}}}}};
  const NcArray byte_lon{
      "lon", NcKind::int8, {1}, {126, 127, -128}, {{"units", NcText{"degrees_east"}}, {"_Unsigned", NcText{"true"}}}};
  const Reading r =
      land_of(folder, test::classic_netcdf({{"lat", 2}, {"lon", 3}},
                                           {packed_lat, byte_lon, {"z", NcKind::float32, {0, 1}, {1, 2, 3, 4, 5, 6}}}));
  ASSERT_TRUE(r.land.frame().geo);
  EXPECT_NEAR(r.land.frame().geo->origin.x, 126, 1e-9);
  EXPECT_NEAR(r.land.frame().geo->origin.y, 45, 1e-9);
  EXPECT_NEAR(r.land.frame().geo->step.x, 1, 1e-9);
  EXPECT_NEAR(r.land.frame().geo->step.y, 1, 1e-9);
  EXPECT_TRUE(r.warnings.empty());
}

/// A map over x and y with a grid mapping.
std::string projected(const std::string& unit, const NcAttributes& mapping, const char* name = "crs",
                      double step = 100) {
  const NcArray y{"y", NcKind::float64, {0}, {5 * step, 4 * step}, {{"units", NcText{unit}}}};
  const NcArray x{"x", NcKind::float64, {1}, {step, 2 * step, 3 * step}, {{"units", NcText{unit}}}};
  const NcArray z{"z", NcKind::float32, {0, 1}, {1, 2, 3, 4, 5, 6}, {{"grid_mapping", NcText{name}}}};
  return test::classic_netcdf({{"y", 2}, {"x", 3}}, {y, x, z, {"crs", NcKind::int32, {}, {0}, mapping}});
}

std::string crs_of(const TemporaryFolder& folder) { return inspect(folder / "a.nc", Context()).terrain->crs; }

NcNumbers real(double value) { return {NcKind::float64, {value}}; }

TEST(NetCdfPlace, GridMappingNamesTheSystem) {
  const TemporaryFolder folder;
  const NcAttributes utm{{"grid_mapping_name", NcText{"transverse_mercator"}},
                         {"scale_factor_at_central_meridian", real(0.9996)},
                         {"longitude_of_central_meridian", real(-117)},
                         {"latitude_of_projection_origin", real(0)},
                         {"false_easting", real(500000)},
                         {"false_northing", real(0)},
                         {"semi_major_axis", real(6378137)},
                         {"inverse_flattening", real(298.257223563)}};
  const Reading metric = land_of(folder, projected("m", utm));
  EXPECT_EQ(crs_of(folder), "EPSG:32611");
  EXPECT_EQ(metric.land.frame().origin, (Vec2{100, 400}));
  EXPECT_EQ(metric.land.height()(0, 1), 1);
  EXPECT_TRUE(metric.warnings.empty());
  NcAttributes kilometres = utm;
  kilometres[4] = {"false_easting", real(500)};
  const Reading far = land_of(folder, projected("km", kilometres, "crs: x y", 0.1));
  EXPECT_EQ(crs_of(folder), "EPSG:32611");
  EXPECT_NEAR(far.land.frame().cell.x, 100, 1e-9);
}

TEST(NetCdfPlace, WktOfAGridMappingCounts) {
  const TemporaryFolder folder;
  for (const char* key : {"crs_wkt", "spatial_ref"}) {
    const Reading feet = land_of(folder, projected("US_survey_foot", {{key, NcText{"EPSG:2227"}}}));
    EXPECT_EQ(crs_of(folder), "EPSG:2227");
    EXPECT_NEAR(feet.land.frame().cell.x, 100 * 1200.0 / 3937, 1e-9);
    // The same lengths in metres are other coordinates of that system.
    const Reading metres = land_of(folder, projected("m", {{key, NcText{"EPSG:2227"}}}));
    EXPECT_NEAR(metres.land.frame().cell.x, 100, 1e-9);
  }
}

TEST(NetCdfPlace, EveryKnownMappingIsASystem) {
  const TemporaryFolder folder;
  for (const char* name :
       {"mercator", "lambert_conformal_conic", "albers_conical_equal_area", "polar_stereographic",
        "lambert_azimuthal_equal_area", "azimuthal_equidistant", "stereographic", "orthographic", "sinusoidal"}) {
    const Reading r = land_of(folder, projected("m", {{"grid_mapping_name", NcText{name}},
                                                      {"standard_parallel", NcNumbers{NcKind::float64, {30, 60}}},
                                                      {"latitude_of_projection_origin", real(90)},
                                                      {"earth_radius", real(6371229)}}));
    EXPECT_TRUE(r.land.frame().geo) << name;
    EXPECT_TRUE(r.warnings.empty()) << name << (r.warnings.empty() ? "" : r.warnings[0]);
  }
}

TEST(NetCdfPlace, MappingThatIsNotKnownIsSaid) {
  const TemporaryFolder folder;
  for (const auto& [bytes, part] :
       {std::pair<std::string, std::string>{projected("m", {{"grid_mapping_name", NcText{"geostationary"}}}),
                                            "geostationary"},
        {projected("m", {{"crs_wkt", NcText{"PROJCS[rubbish"}}}), "crs"},
        {projected("m", {}, "nowhere"), "nowhere"},
        {projected("m", {{"grid_mapping_name", NcText{"latitude_longitude"}}}), "do not match"},
        {projected("parsecs", {}), "parsecs"}}) {
    const Reading r = land_of(folder, bytes);
    ASSERT_GE(r.warnings.size(), 1u) << part;
    EXPECT_NE(r.warnings[0].find(part), std::string::npos) << r.warnings[0];
    EXPECT_EQ(r.land.frame().geo, nullptr);
  }
}

TEST(NetCdfPlace, ColumnsBeforeRowsAreTurned) {
  const TemporaryFolder folder;
  const NcArray rows{"lat", NcKind::float64, {1}, {10, 10.5}, {{"units", NcText{"degrees_north"}}}};
  const NcArray columns{"lon", NcKind::float64, {0}, {20, 20.5, 21}, {{"units", NcText{"degrees_east"}}}};
  const Reading r =
      land_of(folder, test::classic_netcdf({{"lon", 3}, {"lat", 2}},
                                           {rows, columns, {"z", NcKind::float32, {0, 1}, {1, 4, 2, 5, 3, 6}}}));
  expect_heights(r.land, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(r.land.frame().width, 3);
}

TEST(NetCdfFile, CutFileSaysThatItIsCut) {
  const TemporaryFolder folder;
  const std::string whole = map_of(NcKind::float32, {1, 2, 3, 4, 5, 6}, {});
  for (size_t length = 4; length < whole.size(); ++length) {
    const std::string message = test::error_of([&] { land_of(folder, whole.substr(0, length)); });
    EXPECT_TRUE(message.find("ends") != std::string::npos) << length << ": " << message;
  }
}

/// The same through HDF5, which GDAL writes and reads.
TEST(NetCdf4, AttributesMeanTheSame) {
  const TemporaryFolder folder;
  GDALRegister_netCDF();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("netCDF");
  {
    const char* const options[] = {"FORMAT=NC4", nullptr};
    const std::unique_ptr<GDALDataset> dataset(
        driver->CreateMultiDimensional((folder / "a.nc").c_str(), nullptr, options));
    const auto group = dataset->GetRootGroup();
    const auto real64 = GDALExtendedDataType::Create(GDT_Float64), int16 = GDALExtendedDataType::Create(GDT_Int16);
    const auto text = GDALExtendedDataType::CreateString();
    const auto axis = [&](const char* name, const char* unit, std::vector<double> at, double scale) {
      const auto dimension = group->CreateDimension(name, "", "", at.size());
      const auto variable = group->CreateMDArray(name, {dimension}, int16);
      variable->SetUnit(unit);
      variable->SetScale(scale);
      const GUInt64 start = 0;
      const size_t count = at.size();
      variable->Write(&start, &count, nullptr, nullptr, real64, at.data());
      return dimension;
    };
    const auto y = axis("lat", "degrees_north", {100, 105}, 0.1), x = axis("lon", "degrees_east", {200, 205, 210}, 0.1);
    const auto z = group->CreateMDArray("z", {y, x}, int16);
    z->SetScale(0.5);
    z->SetOffset(100);
    const int16_t range[2] = {1, 5};
    z->CreateAttribute("valid_range", {2}, int16)->Write(range, sizeof(range));
    const std::vector<int16_t> values = {1, 2, 3, 4, -32767, 6};
    const GUInt64 start[2] = {0, 0};
    const size_t count[2] = {2, 3};
    z->Write(start, count, nullptr, nullptr, int16, values.data());
    z->CreateAttribute("missing_value", {}, int16)->Write(2);
  }
  ASSERT_TRUE(test::bytes_of(folder / "a.nc").starts_with("\x89HDF"));
  ReadParams p;
  p.file.path = folder / "a.nc";
  WarningSink sink;
  const Terrain land = read(p, sink.context());
  expect_heights(land, {100.5, none, 101.5, 102, none, none});
  ASSERT_TRUE(land.frame().geo);
  EXPECT_NEAR(land.frame().geo->origin.y, 10, 1e-9);
  EXPECT_NEAR(land.frame().geo->step.x, 0.5, 1e-9);
  EXPECT_TRUE(sink.warnings.empty());
}

}  // namespace
}  // namespace tepui::netcdf_test
