#include "tepui/io/reproject.h"

#include <gdal/ogr_spatialref.h>
#include <sys/stat.h>

#include <cmath>
#include <numeric>

#include "reference/reproject.h"
#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/raster/geotiff.h"
#include "tepui/io/raster/source_positions.h"
#include "tepui/io/read.h"
#include "tepui/terrain/crop.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::reproject_test {
namespace {

using test::error_of;
using test::shared_data;

ReprojectParams to(const std::string& crs, std::optional<double> cell = {}) {
  ReprojectParams p;
  p.crs = crs;
  if (cell) p.cell = metres(*cell);
  return p;
}

/// The land's layers, placed on Earth.
Terrain placed(const Terrain& land, const std::string& crs, Vec2 origin, Vec2 step) {
  const OGRSpatialReference system = parse_crs(crs);
  Frame frame = land.frame();
  const Vec2 metres = metres_per_unit(system, origin.y + 0.5 * static_cast<double>(frame.height) * step.y);
  frame.cell = {step.x * metres.x, step.y * metres.y};
  frame.size = {frame.cell.x * static_cast<double>(std::max<int64_t>(frame.width - 1, 1)),
                frame.cell.y * static_cast<double>(std::max<int64_t>(frame.height - 1, 1))};
  if (!system.IsGeographic()) frame.origin = {origin.x * metres.x, origin.y * metres.y};
  frame.geo = std::make_shared<const Georeference>(Georeference{crs_wkt(system), origin, step});
  Terrain result(frame, land.relief());
  for (const Layer& layer : land.layers()) result = result.with(layer);
  return result;
}

constexpr double arc_seconds_3 = 1.0 / 1200;

Terrain land_at(double longitude, double latitude, int64_t width, int64_t height, uint64_t seed,
                double step = arc_seconds_3) {
  return placed(test::sample_land(width, height, seed), "EPSG:4326", {longitude, latitude}, {step, step});
}

/// With classes from 1 to 4, a mask and, in the middle, voids.
Terrain layered(const Terrain& land) {
  const Frame& f = land.frame();
  Grid<float> classes(f.width, f.height), weights(f.width, f.height), voids(f.width, f.height, 0.0f);
  for (int64_t y = 0; y < f.height; ++y)
    for (int64_t x = 0; x < f.width; ++x) {
      const float g = (land.height()(x, y) - 100) / 400;
      classes(x, y) = 1 + std::floor(3.999f * std::clamp(g, 0.0f, 1.0f));
      weights(x, y) = std::clamp(2 * g - 0.5f, 0.0f, 1.0f);
      voids(x, y) = x > f.width / 3 && x < f.width / 2 && y > f.height / 3 && y < f.height / 2;
    }
  Layer material = make_layer("material", "", LayerKind::category, std::move(classes));
  material.classes = 7;
  return land.with(material)
      .with(make_layer("mask", "", LayerKind::mask, std::move(weights)))
      .with(make_layer("void", "", LayerKind::mask, std::move(voids)));
}

int64_t any_side() { return *rc::gen::element<int64_t>(1, 2, 3, 17, 40, 75); }

/// The largest difference of a cell from the next, in each direction.
double steepest(const Grid<float>& z) {
  double most = 0;
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      if (x > 0) most = std::max(most, std::abs(static_cast<double>(z(x, y)) - static_cast<double>(z(x - 1, y))));
      if (y > 0) most = std::max(most, std::abs(static_cast<double>(z(x, y)) - static_cast<double>(z(x, y - 1))));
    }
  return most;
}

Grid<float> plain(const Terrain& land, const Frame& on) {
  CrsTransform way_back(parse_crs(on.geo->crs), parse_crs(land.frame().geo->crs), area_of(land.frame()));
  return reference::reproject(land.height(), land.frame(), on,
                              [&](std::span<double> x, std::span<double> y) { way_back(x, y); });
}

bool is_empty(const Terrain& land, int64_t x, int64_t y) {
  const Layer* voids = land.find("void");
  return voids != nullptr && voids->grid()(x, y) != 0;
}

double void_share(const Terrain& land) {
  const Layer* voids = land.find("void");
  if (voids == nullptr) return 0;
  const auto cells = voids->grid().cells();
  return std::accumulate(cells.begin(), cells.end(), 0.0) / static_cast<double>(cells.size());
}

/// Cubic convolution changes by at most 2 x 5/4 of the largest step from sample to sample, per cell and axis.
double height_bound(const Terrain& land) { return 2 * 2.5 * steepest(land.height()) * reproject_tolerance + 1e-3; }

/// Cells that both have; how many differ by more than the bound, and how many there are.
void expect_near(const Terrain& out, const Grid<float>& expected, double bound, double least_share) {
  ASSERT_EQ(out.frame().width, expected.width());
  ASSERT_EQ(out.frame().height, expected.height());
  int64_t shared = 0;
  double worst = 0;
  for (int64_t y = 0; y < expected.height(); ++y)
    for (int64_t x = 0; x < expected.width(); ++x) {
      if (is_empty(out, x, y) || !std::isfinite(expected(x, y))) continue;
      ++shared;
      worst = std::max(worst, std::abs(static_cast<double>(out.height()(x, y)) - static_cast<double>(expected(x, y))));
    }
  EXPECT_LE(worst, bound);
  EXPECT_GE(static_cast<double>(shared), least_share * static_cast<double>(expected.size()));
}

RC_GTEST_PROP(Reproject, AgreesWithThePlainTwin, (uint64_t seed)) {
  const double longitude = *rc::gen::inRange(-17900, 17700) / 100.0, latitude = *rc::gen::inRange(-7900, 8200) / 100.0;
  const double step = *rc::gen::element(arc_seconds_3, 0.01, 1e-5);
  const Terrain land = land_at(longitude, latitude, any_side(), any_side(), seed, step);
  const std::string crs = *rc::gen::element<std::string>("utm", "EPSG:3857");
  // Cells no larger than the old ones: others are means first.
  const double stretch = crs == "utm" ? 1 : land.frame().cell.y / land.frame().cell.x;
  const double cell = 0.9 * stretch * std::min(land.frame().cell.x, land.frame().cell.y);
  const Terrain out = reproject(land, to(crs, cell), Context());
  RC_ASSERT(out.relief() == land.relief());
  expect_near(out, plain(land, out.frame()), height_bound(land), 0.0);
}

TEST(Reproject, AgreesWithThePlainTwinWherePositionsBendMuch) {
  // Cells of a degree: between every 16th sample nothing is straight.
  const Terrain land = land_at(-40, 40, 80, 45, 3, 1);
  for (const char* crs : {"EPSG:3413", "ESRI:54030", "EPSG:3857"}) {
    const Terrain out = reproject(land, to(crs), Context());
    const SourcePositions positions(land.frame(), CrsTransform(parse_crs(crs), parse_crs("EPSG:4326")), 360,
                                    out.frame(), Context());
    EXPECT_GT(positions.exact_tiles(), 0) << crs;
    expect_near(out, plain(land, out.frame()), height_bound(land), 0.3);
  }
}

TEST(Reproject, InterpolatedPositionsAreWithinTheTolerance) {
  for (const double latitude : {-70.0, 0.0, 37.0, 83.0}) {
    const Terrain land = land_at(-113, latitude, 300, 200, 1);
    const Frame frame = reproject(land, to("utm"), Context()).frame();
    CrsTransform way_back(parse_crs(frame.geo->crs), parse_crs("EPSG:4326"), area_of(land.frame()));
    const SourcePositions positions(land.frame(), way_back.clone(), 360, frame, Context());
    EXPECT_EQ(positions.exact_tiles(), 0);
    double worst = 0;
    Tile tile;
    for (int64_t j = 0; j < positions.tile_rows(); ++j)
      for (int64_t i = 0; i < positions.tile_columns(); ++i) {
        positions.fill(i, j, tile);
        for (int64_t y = 0; y < tile.height; ++y) {
          std::vector<double> lon, lat(static_cast<size_t>(tile.width),
                                       frame.geo->origin.y + static_cast<double>(tile.y + y) * frame.geo->step.y);
          for (int64_t x = 0; x < tile.width; ++x)
            lon.push_back(frame.geo->origin.x + static_cast<double>(tile.x + x) * frame.geo->step.x);
          way_back(lon, lat);
          for (size_t x = 0; x < lon.size(); ++x) {
            const size_t k = static_cast<size_t>(y * tile_side) + x;
            worst = std::max(worst, std::abs(tile.u[k] - (lon[x] + 113) / arc_seconds_3));
            worst = std::max(worst, std::abs(tile.v[k] - (lat[x] - latitude) / arc_seconds_3));
          }
        }
      }
    EXPECT_LE(worst, reproject_tolerance / 2);
    EXPECT_GT(worst, 0);
  }
}

RC_GTEST_PROP(Reproject, KeepsConstants, (uint64_t seed)) {
  const double latitude = *rc::gen::inRange(-7900, 8200) / 100.0;
  const float value = *rc::gen::element(0.1f, -3e-5f, 8848.86f, 3e38f);
  const Terrain land = land_at(12.3, latitude, any_side(), any_side(), seed);
  const Terrain flat = land.with_height(Grid<float>(land.frame().width, land.frame().height, value));
  const auto cell = *rc::gen::element<std::optional<double>>(std::nullopt, 40.0, 400.0);
  for (const float z : reproject(flat, to("utm", cell), Context()).height().cells()) RC_ASSERT(z == value);
}

TEST(Reproject, APlaneComesBackAPlane) {
  Terrain land = placed(test::sample_land(220, 180, 1), "EPSG:32612", {310000, 4110000}, {90, 90});
  const auto height = [](double x, double y) { return 1500 + 0.3 * (x - 310000) - 0.2 * (y - 4110000); };
  Grid<float> z(220, 180);
  for (int64_t y = 0; y < 180; ++y)
    for (int64_t x = 0; x < 220; ++x) z(x, y) = static_cast<float>(height(land.frame().x(x), land.frame().y(y)));
  land = land.with_height(std::move(z));
  const Terrain there = reproject(land, to("EPSG:4326"), Context());
  EXPECT_NE(there.frame().cell.x, there.frame().cell.y);
  EXPECT_EQ(there.frame().geo->step.x, there.frame().geo->step.y);
  const Terrain back = reproject(there, to("EPSG:32612", 90), Context());
  EXPECT_EQ(back.frame().cell, (Vec2{90, 90}));
  int64_t compared = 0;
  for (int64_t y = 0; y < back.frame().height; ++y)
    for (int64_t x = 0; x < back.frame().width; ++x) {
      const double east = back.frame().x(x), north = back.frame().y(y);
      // Away from the corners that were filled and the border that is repeated.
      if (east < 310000 + 1000 || east > 310000 + 89.0 * 220 || north < 4110000 + 1000 || north > 4110000 + 88.0 * 180)
        continue;
      ++compared;
      // Two ways, each off by at most the tolerance on a slope of 0.3 and 0.2 over cells of 90 m.
      EXPECT_NEAR(static_cast<double>(back.height()(x, y)), height(east, north), 2 * reproject_tolerance * 90 * 0.5);
    }
  EXPECT_GT(compared, 30000);
}

RC_GTEST_PROP(Reproject, ToItsOwnSystemAndSamplesKeepsEveryCell, (uint64_t seed)) {
  const Terrain land =
      layered(placed(test::sample_land(any_side(), any_side(), seed), "EPSG:32612", {300000, 4110000}, {30, 30}));
  RC_ASSERT(reproject(land, to("EPSG:32612"), Context()).hash() == land.hash());
  const Terrain out = reproject(land, to("EPSG:32612", 30), Context());
  RC_ASSERT(out.frame() == land.frame());
  RC_ASSERT(out.frame().geo->crs == land.frame().geo->crs);
  for (const Layer& layer : land.layers()) RC_ASSERT(test::same_cells(out.layer(layer.name).grid(), layer.grid()));
}

TEST(Reproject, NeighboursShareTheirSamples) {
  const Terrain land = land_at(-113.2, 37.1, 200, 150, 5);
  const Terrain west = reproject(window(land, 0, 0, 120, 150, Context()), to("utm", 80), Context());
  const Terrain east = reproject(window(land, 80, 0, 120, 150, Context()), to("utm", 80), Context());
  const double shift_x = (east.frame().origin.x - west.frame().origin.x) / 80;
  const double shift_y = (east.frame().origin.y - west.frame().origin.y) / 80;
  EXPECT_EQ(shift_x, std::round(shift_x));
  EXPECT_EQ(shift_y, std::round(shift_y));
  int64_t shared = 0;
  for (int64_t y = 10; y < east.frame().height - 10; ++y)
    for (int64_t x = 10; x < east.frame().width - 10; ++x) {
      const int64_t i = x + static_cast<int64_t>(shift_x), j = y + static_cast<int64_t>(shift_y);
      if (i < 0 || j < 10 || i >= west.frame().width - 10 || j >= west.frame().height - 10) continue;
      ++shared;
      EXPECT_NEAR(static_cast<double>(east.height()(x, y)), static_cast<double>(west.height()(i, j)),
                  2 * height_bound(land));
    }
  EXPECT_GT(shared, 1000);
}

TEST(Reproject, LayersOfEveryKindComeAlong) {
  const Terrain land = layered(land_at(10, 60, 90, 70, 8));
  const Terrain out = reproject(land, to("utm"), Context());
  ASSERT_EQ(out.layers().size(), land.layers().size());
  EXPECT_EQ(out.layer("material").classes, 7);
  for (const float c : out.layer("material").grid().cells()) EXPECT_TRUE(c >= 1 && c <= 4 && c == std::floor(c));
  for (const float m : out.layer("mask").grid().cells()) EXPECT_TRUE(m >= 0 && m <= 1);
  for (const float v : out.layer("void").grid().cells()) EXPECT_TRUE(v == 0 || v == 1);
  for (const float z : out.height().cells()) EXPECT_TRUE(std::isfinite(z));
  EXPECT_EQ(out.layer("void").grid()(0, 0), 1);
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  for (int64_t i = 0; i < out.height().size(); ++i)
    EXPECT_TRUE(out.height().data()[i] > low - 100 && out.height().data()[i] < high + 100);
  // As much ground stays void as was.
  const double ground = static_cast<double>(out.height().size()) * out.frame().cell.x * out.frame().cell.y;
  const double was = static_cast<double>(land.height().size()) * land.frame().cell.x * land.frame().cell.y;
  EXPECT_NEAR((1 - void_share(out)) * ground, (1 - void_share(land)) * was, 0.02 * was);
}

TEST(Reproject, LargerCellsAreMeans) {
  Terrain land = land_at(10, 45, 200, 200, 8);
  Grid<float> z(200, 200);
  for (int64_t y = 0; y < 200; ++y)
    for (int64_t x = 0; x < 200; ++x) z(x, y) = (x + y) % 2 == 0 ? 100.0f : 200.0f;
  land = land.with_height(std::move(z));
  const Terrain out = reproject(land, to("utm", 900), Context());
  EXPECT_LT(out.frame().width, 25);
  for (const float height : out.height().cells()) EXPECT_NEAR(height, 150, 8);
}

TEST(Reproject, SmallestLandsHaveAPlace) {
  for (const auto& [width, height] : {std::pair<int64_t, int64_t>{1, 1}, {1, 40}, {40, 1}, {2, 2}})
    for (const std::optional<double> cell : {std::optional<double>(), std::optional(10.0), std::optional(5000.0)}) {
      const Terrain land = land_at(-113, 37, width, height, 1);
      const Terrain out = reproject(land, to("utm", cell), Context());
      EXPECT_GE(out.frame().width, 1);
      EXPECT_LT(void_share(out), 1);
      for (const float z : out.height().cells()) EXPECT_TRUE(std::isfinite(z));
      EXPECT_GT(out.frame().size.x, 0);
    }
}

TEST(Reproject, TheDateLineIsNoBorder) {
  // One zone to the west, all is the same but for rounding.
  for (const double longitude : {179.8, -180.25, 539.75, -179.9}) {
    const Terrain land = land_at(longitude, -17, 400, 300, 4);
    const Terrain out = reproject(land, to("utm"), Context());
    const Terrain west = reproject(land_at(longitude - 6, -17, 400, 300, 4), to("utm"), Context());
    EXPECT_EQ(out.frame(), west.frame());
    expect_near(out, west.height(), height_bound(land), 0.9);
    EXPECT_LT(void_share(out), 0.05);
  }
  const Terrain across = reproject(land_at(179.8, -17, 400, 300, 4), to("EPSG:32701"), Context());
  const Terrain degrees = reproject(across, to("EPSG:4326"), Context());
  EXPECT_LT(degrees.frame().width, 500);
}

TEST(Reproject, APoleIsAPlaceInAPolarSystemOnly) {
  const Terrain cap = land_at(-180, 60, 361, 31, 2, 1);
  const Terrain flat = reproject(cap, to("EPSG:3413"), Context());
  EXPECT_LT(void_share(flat), 0.25);  // the corners of a square around a disc
  EXPECT_FALSE(is_empty(flat, flat.frame().width / 2, flat.frame().height / 2));
  EXPECT_NE(error_of([&] { reproject(flat, to("EPSG:4326"), Context()); }).find("pole"), std::string::npos);
  const Terrain world = land_at(-180, -90, 361, 181, 2, 1);
  for (const char* crs : {"utm", "EPSG:3413", "EPSG:32612"})
    EXPECT_NE(error_of([&] { reproject(world, to(crs), Context()); }), "") << crs;
  EXPECT_NE(error_of([&] { reproject(cap, to("EPSG:3857"), Context()); }).find("EPSG:3857"), std::string::npos);
}

TEST(Reproject, SameBitsForAnyThreadsAndSimd) {
  const Terrain land = layered(land_at(-113.2, 37.1, 300, 200, 5));
  test::expect_same_bits([&] { return reproject(land, to("utm"), Context()).hash(); });
  const Terrain bent = land_at(-40, 40, 80, 45, 3, 1);
  test::expect_same_bits([&] { return reproject(bent, to("EPSG:3413"), Context()).hash(); });
}

TEST(Reproject, UsesAtMostThreeGridsBeyondItsInputs) {
  const Terrain land = land_at(-113.2, 37.1, 800, 800, 5);
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain out = reproject(land, to("utm"), Context());
  EXPECT_LE(static_cast<double>(pool_use().peak - before), 3 * 1.125 * static_cast<double>(out.height().bytes()));
}

TEST(Reproject, LandThatIsNowhereIsRefused) {
  const Terrain nowhere = test::sample_land(4, 3, 1);
  EXPECT_NE(error_of([&] { reproject(nowhere, to("utm"), Context()); }).find("crs=EPSG"), std::string::npos);
  const Terrain land = land_at(10, 45, 9, 9, 1);
  const auto with_crs = [&](const std::string& wkt, Vec2 origin) {
    Frame frame = land.frame();
    frame.geo = std::make_shared<const Georeference>(Georeference{wkt, origin, {1, 1}});
    return Terrain(frame, land.relief(), land.height().clone());
  };
  EXPECT_NE(error_of([&] { reproject(with_crs("", {}), to("utm"), Context()); }).find("crs=EPSG"), std::string::npos);
  EXPECT_NE(error_of([&] {
              reproject(with_crs("LOCAL_CS[\"Site\",UNIT[\"metre\",1]]", {}), to("utm"), Context());
            }).find("not on Earth"),
            std::string::npos);
  const std::string utm = crs_wkt(parse_crs("EPSG:32612"));
  for (const double far : {1e12, 1e300})
    EXPECT_NE(error_of([&] { reproject(with_crs(utm, {far, far}), to("utm"), Context()); }), "");
  EXPECT_NE(error_of([&] { reproject(land_at(10, 84.5, 9, 9, 1), to("utm"), Context()); }).find("EPSG:3413"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reproject(land_at(10, -81, 9, 9, 1), to("utm"), Context()); }).find("EPSG:3031"),
            std::string::npos);
  EXPECT_NE(error_of([&] { reproject(land_at(10, 300, 9, 9, 1), to("utm"), Context()); }), "");
}

TEST(Reproject, SystemsThatAreNoMapAreRefused) {
  const Terrain land = land_at(18.5, -33.9, 9, 9, 1);
  EXPECT_NE(error_of([&] { reproject(land, to("EPSG:4978"), Context()); }).find("projection"), std::string::npos);
  EXPECT_NE(error_of([&] { reproject(land, to("EPSG:5773"), Context()); }).find("EPSG:"), std::string::npos);
  EXPECT_NE(error_of([&] { reproject(land, to("EPSG:2048"), Context()); }).find("west or south"), std::string::npos);
  EXPECT_NE(error_of([&] { reproject(land, to("utm", 1e-9), Context()); }), "");
  EXPECT_NE(error_of([&] { reproject(land, to("utm", 1e-3), Context()); }).find("use a larger cell"),
            std::string::npos);
  // As heights are left alone, a vertical part changes nothing.
  EXPECT_EQ(reproject(land, to("EPSG:32734+5773"), Context()).hash(),
            reproject(land, to("EPSG:32734"), Context()).hash());
}

TEST(Reproject, UnitsAreTheSystemsOwn) {
  const Terrain land = land_at(-122.4, 37.7, 60, 60, 1);
  const Terrain feet = reproject(land, to("EPSG:2227", 60), Context());  // California zone 3, US survey feet
  EXPECT_NEAR(feet.frame().cell.x, 60, 1e-9);
  EXPECT_NEAR(feet.frame().geo->step.x, 60 * 3937 / 1200.0, 1e-9);
  EXPECT_NEAR(feet.frame().origin.x, feet.frame().geo->origin.x * 1200 / 3937.0, 1e-6);
  expect_near(feet, plain(land, feet.frame()), height_bound(land), 0.9);
}

TEST(Crs, KnowsItsNameAndItsUnits) {
  EXPECT_EQ(crs_name(parse_crs("EPSG:32612")), "EPSG:32612");
  EXPECT_EQ(crs_name(parse_crs("WGS84")), "EPSG:4326");
  EXPECT_EQ(crs_name(parse_crs(crs_wkt(parse_crs("EPSG:3413")))), "EPSG:3413");
  EXPECT_EQ(crs_name(parse_crs("urn:ogc:def:crs:EPSG::3031")), "EPSG:3031");
  EXPECT_NEAR(metres_per_unit(parse_crs("EPSG:4326"), 60).x, 55800, 1);
  EXPECT_NEAR(metres_per_unit(parse_crs("EPSG:4326"), -60).y, 111412, 1);
  EXPECT_NEAR(metres_per_unit(parse_crs("EPSG:4807"), 50).y, 0.9 * 111131, 20);  // grads
  EXPECT_NEAR(metres_per_unit(parse_crs("EPSG:2227"), 0).x, 0.3048006, 1e-7);
  EXPECT_NE(error_of([] { metres_per_unit(parse_crs("EPSG:4326"), 90); }).find("pole"), std::string::npos);
  parse_crs("+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext");
  EXPECT_EQ(crs_name(parse_crs("EPSG:32612+5703")), "EPSG:32612");
}

TEST(Crs, UtmZonesAreSixDegreesWide) {
  EXPECT_EQ(utm_epsg({-113, 37}), 32612);
  EXPECT_EQ(utm_epsg({-180, 0}), 32601);
  EXPECT_EQ(utm_epsg({180, 0}), 32601);
  EXPECT_EQ(utm_epsg({179.99, -0.1}), 32760);
  EXPECT_EQ(utm_epsg({539, -10}), 32760);
  EXPECT_EQ(utm_epsg({0, 84}), 32631);
  EXPECT_EQ(utm_epsg({5.999, -80}), 32731);
  for (const double latitude : {84.001, -80.001, 1e300, std::nan("")})
    EXPECT_NE(error_of([&] { utm_epsg({0, latitude}); }), "");
}

TEST(Crs, HostileTextIsRefusedAndOpensNothing) {
  const test::TemporaryFolder folder;
  test::put_bytes(folder / "system.wkt", crs_wkt(parse_crs("EPSG:32612")));
  // Whoever opens it waits for ever.
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string pipe = folder / "pipe", deep(60000, '[');
  std::string nested = "PROJCS[";
  for (int i = 0; i < 5000; ++i) nested += "A[\"x\",";
  for (const std::string& text : std::initializer_list<std::string>{std::string(),
                                                                    std::string("   "),
                                                                    std::string("/etc/passwd"),
                                                                    folder / "system.wkt",
                                                                    pipe,
                                                                    "file://" + pipe,
                                                                    "/vsistdin/",
                                                                    "/vsicurl/http://localhost:9/a",
                                                                    std::string("http://localhost:9/crs.wkt"),
                                                                    std::string("https://localhost:9/crs"),
                                                                    std::string(1 << 20, 'A'),
                                                                    std::string("EPSG:999999"),
                                                                    std::string("EPSG:"),
                                                                    std::string("EPSG:-1"),
                                                                    std::string("EPSG:99999999999999999999"),
                                                                    deep,
                                                                    nested,
                                                                    "+proj=longlat +ellps=clrk66 +nadgrids=" + pipe,
                                                                    "+proj=longlat +ellps=clrk66 +NADGRIDS=@" + pipe,
                                                                    "+proj=longlat +datum=WGS84 +geoidgrids=" + pipe,
                                                                    "+init=" + pipe + ":1",
                                                                    "proj=longlat init=" + pipe + ":1",
                                                                    "DICT:" + pipe + ",1",
                                                                    std::string("{\"type\":\"GeographicCRS\"}"),
                                                                    std::string("EPSG:4326\0/etc/passwd", 21),
                                                                    std::string("\xff\xfe\x01"),
                                                                    std::string("utm zone"),
                                                                    std::string("PROJCS[\"a\"")}) {
    const std::string message = error_of([&] { parse_crs(text); });
    EXPECT_FALSE(message.empty());
    EXPECT_LT(message.size(), 400u) << text.substr(0, 80);
  }
}

Terrain read_file_land(const std::string& path) {
  ReadParams params;
  params.file.path = path;
  return read(params, Context());
}

/// `gdalwarp` on these samples, or nothing where it fails.
Grid<float> warped(const std::string& file, const Frame& on, const std::string& crs,
                   const test::TemporaryFolder& folder) {
  const Vec2 low = on.geo->origin - on.geo->step * 0.5;
  const Vec2 high{low.x + on.geo->step.x * static_cast<double>(on.width),
                  low.y + on.geo->step.y * static_cast<double>(on.height)};
  const auto text = [](double v) {
    char buffer[64];
    return std::string(buffer, static_cast<size_t>(std::snprintf(buffer, sizeof buffer, "%.12g", v)));
  };
  const std::string out = folder / "warped.tif";
  const std::string command =
      "gdalwarp -q -overwrite -r cubic -et 0 -wo XSCALE=1 -wo YSCALE=1 -ot Float32 -dstnodata -99999 -t_srs '" + crs +
      "' -te " + text(low.x) + " " + text(low.y) + " " + text(high.x) + " " + text(high.y) + " -ts " +
      std::to_string(on.width) + " " + std::to_string(on.height) + " '" + file + "' '" + out + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const Terrain land = read_file_land(out);
  Grid<float> z = land.height().clone();
  for (int64_t i = 0; i < z.size(); ++i)
    if (const Layer* voids = land.find("void"); voids != nullptr && voids->grid().data()[i] != 0)
      z.data()[i] = std::nanf("");
  return z;
}

/// The land with wider voids: next to them GDAL weighs samples in its own way.
Terrain with_wide_voids(const Terrain& land) {
  const Layer* voids = land.find("void");
  if (voids == nullptr) return land;
  const Grid<float>& narrow = voids->grid();
  Grid<float> wide(narrow.width(), narrow.height(), 0.0f);
  for (int64_t y = 0; y < narrow.height(); ++y)
    for (int64_t x = 0; x < narrow.width(); ++x) {
      if (narrow(x, y) == 0) continue;
      for (int64_t j = std::max<int64_t>(y - 4, 0); j <= std::min(y + 4, narrow.height() - 1); ++j)
        for (int64_t i = std::max<int64_t>(x - 4, 0); i <= std::min(x + 4, narrow.width() - 1); ++i) wide(i, j) = 1;
    }
  return land.with(voids->holding(std::move(wide)));
}

/// Away from where either has voids, and from the border.
void expect_as_gdal(const Terrain& out, const Grid<float>& gdal, double bound, double mean_bound) {
  ASSERT_EQ(out.frame().width, gdal.width());
  ASSERT_EQ(out.frame().height, gdal.height());
  constexpr int64_t margin = 4, apart = 3;
  double worst = 0, sum = 0;
  int64_t count = 0;
  for (int64_t y = margin; y < gdal.height() - margin; y += apart)
    for (int64_t x = margin; x < gdal.width() - margin; x += apart) {
      bool clear = true;
      for (int64_t j = -margin; clear && j <= margin; ++j)
        for (int64_t i = -margin; clear && i <= margin; ++i)
          clear = !is_empty(out, x + i, y + j) && std::isfinite(gdal(x + i, y + j));
      if (!clear) continue;
      const double difference = static_cast<double>(out.height()(x, y)) - static_cast<double>(gdal(x, y));
      worst = std::max(worst, std::abs(difference));
      sum += std::abs(difference);
      ++count;
    }
  ASSERT_GT(count, gdal.size() / (2 * apart * apart));
  EXPECT_LE(worst, bound);
  EXPECT_LE(sum / static_cast<double>(count), mean_bound);
}

TEST(Reproject, HeightsAreThoseOfGdalwarp) {
  const test::TemporaryFolder folder;
  const Terrain land = land_at(-113.2, 37.1, 120, 100, 5);
  write_geotiff(folder / "in.tif", land, {land.layer("height")}, Context());
  for (const char* crs : {"EPSG:32612", "EPSG:3857", "EPSG:2163"}) {
    const Terrain out = reproject(land, to(crs, 70), Context());
    expect_as_gdal(out, warped(folder / "in.tif", out.frame(), crs, folder), height_bound(land), 0.05);
  }
}

double mean_slope(const Terrain& land) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t y = 1; y + 1 < land.frame().height; ++y)
    for (int64_t x = 1; x + 1 < land.frame().width; ++x) {
      if (is_empty(land, x, y)) continue;
      const Grid<float>& z = land.height();
      const double dx = static_cast<double>(z(x + 1, y) - z(x - 1, y)) / (2 * land.frame().cell.x);
      const double dy = static_cast<double>(z(x, y + 1) - z(x, y - 1)) / (2 * land.frame().cell.y);
      sum += std::sqrt(dx * dx + dy * dy);
      ++count;
    }
  return sum / static_cast<double>(count);
}

TEST(Reproject, RealElevationKeepsItsScale) {
  const auto data = shared_data();
  if (!data) return;
  const test::TemporaryFolder folder;
  for (const auto& [name, crs] : {std::pair{"zion_srtm90.tif", "EPSG:32612"},
                                  {"baltoro_srtm90.tif", "EPSG:32643"},
                                  {"rainier_srtm90_voids.tif", "EPSG:32610"}}) {
    SCOPED_TRACE(name);
    const std::string file = *data + "/dem/" + name;
    const Terrain land = read_file_land(file);
    const Terrain out = reproject(land, to("utm"), Context());
    EXPECT_EQ(crs_name(parse_crs(out.frame().geo->crs)), crs);
    const double ground = static_cast<double>(out.height().size()) * out.frame().cell.x * out.frame().cell.y;
    const double was = static_cast<double>(land.height().size()) * land.frame().cell.x * land.frame().cell.y;
    EXPECT_NEAR((1 - void_share(out)) * ground, (1 - void_share(land)) * was, 0.005 * was);
    EXPECT_NEAR(mean_slope(out), mean_slope(land), 0.03 * mean_slope(land));
    EXPECT_EQ(out.relief(), land.relief());
    expect_as_gdal(reproject(with_wide_voids(land), to("utm"), Context()), warped(file, out.frame(), crs, folder), 1.5,
                   0.05);
  }
}

TEST(Reproject, CellsAreThoseOfTheFileReadBack) {
  const test::TemporaryFolder folder;
  const Terrain land = placed(test::sample_land(20, 20, 1), "EPSG:4326", {10, 60}, {0.001, 0.001});
  for (const char* crs : {"EPSG:3857", "utm", "EPSG:4258"}) {
    ReprojectParams params;
    params.crs = crs;
    const Terrain there = reproject(land, params, Context());
    write_geotiff(folder / "a.tif", there, {there.layer("height")}, Context());
    const Vec2 back = read_file_land(folder / "a.tif").frame().cell, cell = there.frame().cell;
    EXPECT_NEAR(back.x, cell.x, 1e-6 * cell.x) << crs;
    EXPECT_NEAR(back.y, cell.y, 1e-6 * cell.y) << crs;
  }
}

TEST(Reproject, LandAcrossTheEdgeOfTheMapIsRefusedNotCutShort) {
  ReprojectParams params;
  params.crs = "EPSG:6933";
  const Terrain around = placed(test::sample_land(360, 40, 1), "EPSG:4326", {20, -20}, {1, 1});
  EXPECT_NE(test::error_of([&] { reproject(around, params, Context()); }).find("across the edge"), std::string::npos);
  const Terrain beside = placed(test::sample_land(150, 40, 1), "EPSG:4326", {20, -20}, {1, 1});
  EXPECT_GT(reproject(beside, params, Context()).frame().width, 100);
}

}  // namespace
}  // namespace tepui::reproject_test
