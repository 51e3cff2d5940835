// Our files as GDAL's own programs read them.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tepui/io/export.h"
#include "tests/io/gdal_tools.h"
#include "tests/support/support.h"

namespace tepui::readback_test {
namespace {

using test::TemporaryFolder;

std::string wkt(const std::string& code) { return test::output_of("gdalsrsinfo -o wkt1 --single-line " + code); }

/// A window of a land in a reference system (none where empty), so that origin, step and first indices all count.
Terrain placed_land(const std::string& crs, Vec2 step, bool voids) {
  const Terrain all = test::sample_land(40, 30, 5, 30);
  Frame frame = all.frame();
  frame.origin = {1000, 2000};
  if (!crs.empty())
    frame.geo = std::make_shared<const Georeference>(
        Georeference{crs, step.x < 1 ? Vec2{-121.5, 46.25} : Vec2{376328.5, 3790000.25}, step});
  Grid<float> z(17, 11), hole(17, 11, 0.0f);
  for (int64_t y = 0; y < 11; ++y)
    for (int64_t x = 0; x < 17; ++x) z(x, y) = all.height()(x + 5, y + 7);
  hole(3, 4) = hole(16, 10) = 1;
  Terrain land(frame.window(5, 7, 17, 11), {100, 500}, std::move(z));
  return voids ? land.with(make_layer("void", "", LayerKind::mask, std::move(hole))) : land;
}

struct Case {
  std::string crs, code;
  Vec2 step;
};
std::vector<Case> cases() {
  return {{"", "", {30, 30}},
          {wkt("EPSG:32611"), "EPSG:32611", {30, 30}},
          {wkt("EPSG:4326"), "EPSG:4326", {0.0008333333333333334, 0.0008333333333333334}}};
}

/// Every sample has its value at its place; with a tolerance of 0 to the bit.
void expect_values(const std::string& path, const Terrain& land, double offset, double scale, double tolerance,
                   const std::string& scratch, int band = 1) {
  const std::vector<Vec2> points = test::sample_points(land.frame());
  const std::vector<double> stored = test::values_at(path, points, band, scratch);
  ASSERT_EQ(stored.size(), points.size()) << path;
  const Grid<float>& height = land.height();
  for (size_t i = 0; i < points.size(); ++i) {
    const float truth = height.data()[i];
    if (tolerance == 0) {  // the tool prints 15 digits, more than enough for a float
      ASSERT_EQ(static_cast<float>(stored[i]), truth) << path << " sample " << i;
    } else {
      ASSERT_LE(std::abs(offset + scale * stored[i] - static_cast<double>(truth)), tolerance)
          << path << " sample " << i;
    }
  }
}

void expect_place(const std::string& path, const Frame& frame, const std::string& code) {
  const auto info = test::gdalinfo(path);
  const std::vector<Vec2> points = test::sample_points(frame);
  const std::vector<double> transform = info["geoTransform"];
  const double step_x = transform[1], step_y = -transform[5];
  const Vec2 north_west = points[static_cast<size_t>((frame.height - 1) * frame.width)];
  EXPECT_NEAR(transform[0] + step_x / 2, north_west.x, 1e-6 * step_x) << path;
  EXPECT_NEAR(transform[3] - step_y / 2, north_west.y, 1e-6 * step_y) << path;
  EXPECT_NEAR(step_x, frame.geo ? frame.geo->step.x : frame.cell.x, 1e-12 * step_x) << path;
  if (!code.empty()) {
    EXPECT_NE(test::output_of("gdalsrsinfo -e -o epsg '" + path + "'").find(code), std::string::npos) << path;
  }
}

TEST(ReadBack, EverySampleLiesAtItsPlaceWithItsValue) {
  const TemporaryFolder folder;
  for (const Case& c : cases()) {
    const Terrain land = placed_land(c.crs, c.step, false);
    const std::pair<std::string, OutputParams> files[] = {{"a.tif", {}},
                                                          {"plain.tif", {.compression = Compression::none}},
                                                          {"cog.tif", {.cog = true}},
                                                          {"a.asc", {}},
                                                          {"a.r32", {}},
                                                          {"a.r16", {}}};
    for (const auto& [name, options] : files) {
      const FileRecord record = export_terrain(land, {.path = folder / name, .options = options}, Context());
      const bool own_way = name == "a.tif" || name == "a.asc" || name == "a.r16";  // of telling the system
      expect_place(folder / name, land.frame(), own_way ? c.code : "");
      const double scale = record.scale.value_or(1);
      expect_values(folder / name, land, record.offset.value_or(0), scale, record.scale ? 0.5000001 * scale : 0,
                    folder / "points");
    }
  }
}

TEST(ReadBack, HeadersCarryScaleAndNames) {
  const TemporaryFolder folder;
  const Terrain land = placed_land("", {30, 30}, false);
  const FileRecord record =
      export_terrain(land, {.path = folder / "a.r16", .options = {.range = Interval{0, 1000}}}, Context());
  const auto band = test::gdalinfo(folder / "a.r16")["bands"][0];
  EXPECT_EQ(band["type"], "UInt16");
  EXPECT_NEAR(band["scale"].get<double>(), *record.scale, 1e-14);  // the tool prints 15 digits
  EXPECT_EQ(band["offset"], 0);
  EXPECT_EQ(band["description"], "height");
  EXPECT_EQ(std::filesystem::file_size(folder / "a.r16"), 17u * 11 * 2);
  export_terrain(land, {.path = folder / "a.r32"}, Context());
  EXPECT_EQ(test::gdalinfo(folder / "a.r32")["bands"][0]["type"], "Float32");
}

TEST(ReadBack, VoidsAreNodata) {
  const TemporaryFolder folder;
  const Terrain land = placed_land(wkt("EPSG:32611"), {30, 30}, true);
  for (const auto& [name, cog] : {std::pair{"a.tif", false}, {"cog.tif", true}, {"a.asc", false}, {"a.r32", false}}) {
    export_terrain(land, {.path = folder / name, .options = {.cog = cog}}, Context());
    EXPECT_EQ(test::gdalinfo(folder / name)["bands"][0]["noDataValue"], -9999.0) << name;
    const std::vector<Vec2> points = test::sample_points(land.frame());
    const std::vector<double> values = test::values_at(folder / name, points, 1, folder / "points");
    EXPECT_EQ(std::count(values.begin(), values.end(), -9999.0), 2) << name;
    EXPECT_EQ(values[4 * 17 + 3], -9999) << name;
    EXPECT_EQ(values[10 * 17 + 16], -9999) << name;
  }
}

TEST(ReadBack, CloudOptimisedFilesHaveTheLayoutAndOverviews) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(1100, 700, 3);
  Grid<float> classes(1100, 700);
  for (int64_t i = 0; i < classes.size(); ++i) classes.data()[i] = static_cast<float>(i % 7 < 3 ? 1 : 6);
  const Terrain both = land.with(make_layer("rock", "", LayerKind::category, std::move(classes)));
  for (const std::vector<std::string>& layers : {std::vector<std::string>{"height"}, {"rock"}, {"height", "rock"}}) {
    const std::string path = folder / "a.tif";
    export_terrain(both, {.path = path, .layers = layers, .options = {.cog = true}}, Context());
    const auto info = test::gdalinfo(path);
    EXPECT_EQ(info["metadata"]["IMAGE_STRUCTURE"]["LAYOUT"], "COG");
    ASSERT_EQ(info["bands"].size(), layers.size());
    EXPECT_EQ(info["bands"][0]["description"], layers[0]);
    ASSERT_GE(info["bands"][0]["overviews"].size(), 1u);
    if (layers[0] != "rock") continue;
    // No class that is not there.
    test::output_of("gdal_translate -q -of XYZ -outsize 50% 50% -r nearest '" + path + "' '" + (folder / "o.xyz") +
                    "'");
    const std::string text = test::bytes_of(folder / "o.xyz");
    size_t lines = 0;
    for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1, ++lines)
      ASSERT_TRUE(text[end - 1] == '1' || text[end - 1] == '6') << text.substr(at, end - at);
    EXPECT_EQ(lines, 550u * 350);
  }
  EXPECT_EQ(test::names_in(folder.path()), (std::vector<std::string>{"a.tif", "o.xyz"}));
}

TEST(ReadBack, OverviewsOfHeightsAreMeans) {
  const TemporaryFolder folder;
  Grid<float> z(1024, 1024);
  for (int64_t y = 0; y < 1024; ++y)
    for (int64_t x = 0; x < 1024; ++x) z(x, y) = static_cast<float>((x + y) % 2 == 0 ? 100 : 300);
  const Terrain land = test::sample_land(1024, 1024, 1).with_height(std::move(z));
  export_terrain(land, {.path = folder / "a.tif", .options = {.cog = true}}, Context());
  const std::string told = test::output_of("gdalinfo -json -stats '" + (folder / "a.tif") + "'");
  const std::string overview =
      test::output_of("gdallocationinfo -overview 1 -valonly '" + (folder / "a.tif") + "' 500 300");
  EXPECT_EQ(overview.substr(0, 3), "200");
  EXPECT_NE(told.find("\"mean\":200"), std::string::npos);
}

TEST(ReadBack, TilesLieSideBySide) {
  const TemporaryFolder folder;
  for (const char* ending : {".tif", ".asc", ".r32", ".r16", ".png"}) {
    Terrain land = placed_land(wkt("EPSG:32611"), {30, 30}, false);  // 17 x 11
    const auto records = export_files(land, {.path = folder / "t" + ending, .options = {.tiles = {4, 5}}}, Context());
    ASSERT_EQ(records.size(), 20u);
    for (const FileRecord& record : records) {
      EXPECT_EQ(record.place->width, 5);
      EXPECT_EQ(record.place->height, 3);
      ASSERT_TRUE(record.tile);
      const int64_t first_x = record.tile->x * 4, first_y = (4 - record.tile->y) * 2;
      Grid<float> z(5, 3);
      for (int64_t y = 0; y < 3; ++y)
        for (int64_t x = 0; x < 5; ++x) z(x, y) = land.height()(first_x + x, first_y + y);
      const Terrain part(land.frame().window(first_x, first_y, 5, 3), land.relief(), std::move(z));
      EXPECT_EQ(record.offset, records[0].offset);
      EXPECT_EQ(record.scale, records[0].scale);
      if (std::string(ending) == ".png") continue;  // has no place of its own
      const std::string path = folder / record.name;
      const double scale = record.scale.value_or(1);
      if (record.tile->x == 3 && record.tile->y == 1) expect_place(path, part.frame(), "");
      if (record.tile->x == record.tile->y)
        expect_values(path, part, record.offset.value_or(0), scale, record.scale ? 0.5000001 * scale : 0,
                      folder / "points");
    }
  }
}

TEST(ReadBack, SeveralLayersAreNamedBands) {
  const TemporaryFolder folder;
  const Terrain land =
      placed_land("", {30, 30}, false).with(make_layer("wet", "", LayerKind::mask, Grid<float>(17, 11, 0.25f)));
  for (const bool cog : {false, true}) {
    export_terrain(land, {.path = folder / "a.tif", .layers = {"wet", "height"}, .options = {.cog = cog}}, Context());
    const auto info = test::gdalinfo(folder / "a.tif");
    EXPECT_EQ(info["bands"][0]["description"], "wet");
    EXPECT_EQ(info["bands"][1]["description"], "height");
    EXPECT_EQ(info["bands"][1]["unit"], "m");
    expect_values(folder / "a.tif", land, 0, 1, 0, folder / "points", 2);
  }
}

}  // namespace
}  // namespace tepui::readback_test
