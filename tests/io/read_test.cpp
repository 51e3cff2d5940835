#include "tepui/io/read.h"

#include <cmath>
#include <filesystem>

#include "tepui/io/manifest.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::read_test {
namespace {

using test::error_of;
using test::TemporaryFolder;
using test::WarningSink;

void ramp(const std::string& path) {
  Grid<uint16_t> grid(3, 2, uint16_t{0});
  grid(1, 0) = 1000;
  grid(2, 1) = 65535;
  write_png(path, grid);
}

ReadParams params(const std::string& path) {
  ReadParams p;
  p.file.path = path;
  return p;
}

TEST(Read, PngWithoutScaleIsMetresAndSaysSo) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  WarningSink sink;
  const Terrain land = read(params(folder / "a.png"), sink.context());
  EXPECT_EQ(land.height()(1, 0), 1000);
  EXPECT_EQ(land.frame().cell, (Vec2{1, 1}));
  EXPECT_EQ(land.frame().size, (Vec2{2, 1}));
  EXPECT_EQ(land.relief(), (Relief{0, 65535}));
  EXPECT_EQ(sink.warnings.size(), 2u);
}

TEST(Read, OfADamagedFileOnlyTheDamageIsTold) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  const std::string whole = test::bytes_of(folder / "a.png");
  for (size_t length = 0; length < whole.size(); ++length) {
    test::put_bytes(folder / "a.png", whole.substr(0, length));
    WarningSink sink;
    test::error_of([&] { read(params(folder / "a.png"), sink.context()); });
    EXPECT_TRUE(sink.warnings.empty()) << length << ": " << sink.warnings.front();
  }
}

TEST(Read, RangeIsWhatTheSmallestAndLargestNumberMean) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  ReadParams p = params(folder / "a.png");
  p.range = {454, 4810};
  p.cell = metres(92.7);
  WarningSink sink;
  const Terrain land = read(p, sink.context());
  EXPECT_EQ(land.height()(0, 0), 454);
  EXPECT_EQ(land.height()(2, 1), 4810);
  EXPECT_EQ(land.frame().cell, (Vec2{92.7, 92.7}));
  EXPECT_TRUE(sink.warnings.empty());

  write_png(folder / "b.png", Grid<uint8_t>(1, 1, uint8_t{255}));
  p.file.path = folder / "b.png";
  EXPECT_EQ(read(p, Context()).height()(0, 0), 4810);
}

TEST(Read, ScaleAndOffsetAreApplied) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  ReadParams p = params(folder / "a.png");
  p.scale = 0.1;
  p.offset = -50;
  EXPECT_EQ(read(p, Context()).height()(1, 0), 50);
  p.range = {0, 1};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("together with"), std::string::npos);

  const Terrain land = test::sample_land(5, 4, 1);
  export_terrain(land, {.path = folder / "a.tif"}, Context());
  p = params(folder / "a.tif");
  p.scale = -2;
  p.offset = 1000;
  p.cell = metres(7);
  const Terrain back = read(p, Context());
  EXPECT_EQ(back.height()(2, 3), static_cast<float>(1000 - 2 * static_cast<double>(land.height()(2, 3))));
  EXPECT_LT(back.relief().base, back.relief().top);
  EXPECT_EQ(back.frame().cell, (Vec2{7, 7}));
  EXPECT_EQ(back.frame().size, (Vec2{28, 21}));
  p.range = {0, 1};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("does not apply to"), std::string::npos);
}

TEST(Read, HeightsBeyondALayersReachAreRefused) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  ReadParams p = params(folder / "a.png");
  p.range = {0, 1e39};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("too large with"), std::string::npos);
  p.range = {};
  test::put_bytes(folder / "m.manifest.json",
                  R"({"tepui_manifest":1,"files":[{"name":"a.png","scale":1e300,"metres_per_sample":[1e300,-1]}]})");
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("too large with"), std::string::npos);
  p.scale = 1;
  EXPECT_EQ(read(p, Context()).frame().cell, (Vec2{1, 1}));

  const Terrain land = test::sample_land(2, 2, 1).with_height(Grid<float>(2, 2, 3e38f));
  export_terrain(land, {.path = folder / "a.tif"}, Context());
  p.file.path = folder / "a.tif";
  EXPECT_EQ(read(p, Context()).height()(0, 0), 3e38f);
  p.scale = 10;
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("too large with"), std::string::npos);
}

TEST(Read, ManifestBesideAPngGivesItsScaleAndCell) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(20, 15, 4, 12.5, {-40, 900});
  ManifestInfo info;
  info.files.push_back(export_terrain(land, {.path = folder / "land.png"}, Context()));
  const Hash alone = read_key(folder / "land.png");
  test::put_bytes(folder / "another.manifest.json", "[[[");
  test::put_bytes(folder / "deep.manifest.json", std::string(100000, '['));
  write_manifest(folder / "land.manifest.json", info);
  WarningSink sink;
  const Terrain back = read(params(folder / "land.png"), sink.context());
  EXPECT_TRUE(sink.warnings.empty());
  EXPECT_EQ(back.frame(), land.frame());
  EXPECT_LE(test::max_difference(back.height(), land.height()), 0.51 * *info.files[0].scale);
  EXPECT_NE(read_key(folder / "land.png"), alone);

  ReadParams p = params(folder / "land.png");
  p.cell = metres(3);
  p.scale = 1;
  EXPECT_EQ(read(p, Context()).frame().cell, (Vec2{3, 3}));
  EXPECT_EQ(read(p, Context()).relief().base, 0);

  ramp(folder / "land.png");
  const Terrain changed = read(params(folder / "land.png"), sink.context());
  ASSERT_EQ(sink.warnings.size(), 3u);
  EXPECT_NE(sink.warnings[0].find("changed"), std::string::npos);
  EXPECT_EQ(changed.height()(1, 0), 1000);
  EXPECT_EQ(changed.frame().cell, (Vec2{1, 1}));
  const Hash stale = read_key(folder / "land.png");
  std::filesystem::remove(folder / "land.manifest.json");
  EXPECT_EQ(read_key(folder / "land.png"), stale);
}

TEST(Read, CellsBeyondMeasureAreRefused) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  export_terrain(test::sample_land(3, 3, 1), {.path = folder / "a.tif"}, Context());
  for (const char* name : {"a.png", "a.tif"}) {
    ReadParams p = params(folder / name);
    for (const double cell : {1e-320, 9e-7, 1.1e7, 9e8}) {
      p.cell = metres(cell);
      EXPECT_NE(error_of([&] { read(p, Context()); }).find("1e-06 to 1e+07 m"), std::string::npos) << cell;
    }
    p.cell = metres(1e-6);
    EXPECT_EQ(read(p, Context()).frame().cell, (Vec2{1e-6, 1e-6}));
  }
}

TEST(Read, UnknownEndingsAndMissingFilesAreRefused) {
  EXPECT_NE(error_of([] { read(params(""), Context()); }).find("needs a file"), std::string::npos);
  EXPECT_NE(error_of([] { read(params("land.xyz"), Context()); }).find(".tif, .tiff, .png"), std::string::npos);
  EXPECT_NE(error_of([] { read(params("no.png"), Context()); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([] { read(params("no.tif"), Context()); }).find("No such file"), std::string::npos);
  ReadParams p = params("no.tif");
  p.cell = percent(1);
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("not a percentage"), std::string::npos);
}

/// 3 x 2 with numbers as a viewer shows them: 0 1 2 above 3 4 5.
void numbered(const std::string& path) {
  Grid<uint16_t> grid(3, 2);
  for (int64_t y = 0; y < 2; ++y)
    for (int64_t x = 0; x < 3; ++x) grid(x, y) = static_cast<uint16_t>(3 * (1 - y) + x);
  write_png(path, grid);
}

TEST(Read, OrientationBringsNorthToTheTop) {
  const TemporaryFolder folder;
  numbered(folder / "a.png");
  // As a viewer shows the result, row after row from the top.
  const std::vector<std::vector<float>> shown = {{0, 1, 2, 3, 4, 5}, {2, 5, 1, 4, 0, 3}, {3, 0, 4, 1, 5, 2},
                                                 {5, 4, 3, 2, 1, 0}, {3, 4, 5, 0, 1, 2}, {2, 1, 0, 5, 4, 3},
                                                 {0, 3, 1, 4, 2, 5}, {5, 2, 4, 1, 3, 0}};
  for (size_t i = 0; i < shown.size(); ++i) {
    ReadParams p = params(folder / "a.png");
    p.orientation = static_cast<Orientation>(i);
    const Terrain land = read(p, Context());
    std::vector<float> rows;
    for (int64_t y = land.frame().height - 1; y >= 0; --y)
      for (int64_t x = 0; x < land.frame().width; ++x) rows.push_back(land.height()(x, y));
    EXPECT_EQ(rows, shown[i]) << i;
  }
  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "a.tif"}, Context());
  ReadParams p = params(folder / "a.tif");
  p.orientation = Orientation::flip_rows;
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("orientation"), std::string::npos);
}

TEST(Read, UnitNodataAndSystemAreTheCallersWhereTheFileIsSilent) {
  const TemporaryFolder folder;
  numbered(folder / "a.png");
  ReadParams p = params(folder / "a.png");
  p.unit = HeightUnit::ft;
  p.nodata = "4";
  const Terrain land = read(p, Context());
  EXPECT_FLOAT_EQ(land.height()(2, 0), 5 * 0.3048f);
  EXPECT_EQ(land.layer("void").grid()(1, 0), 1);
  p.nodata = "four";
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("number or 'none'"), std::string::npos);
  p = params(folder / "a.png");
  p.crs = "EPSG:32611";
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("no coordinates"), std::string::npos);

  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "a.tif"}, Context());
  p.file.path = folder / "a.tif";
  EXPECT_NE(read(p, Context()).frame().geo->crs.find("32611"), std::string::npos);
  for (const char* crs : {"/etc/passwd", "http://localhost/crs", "EPSG:999999", "nonsense"}) {
    p.crs = crs;
    EXPECT_NE(error_of([&] { read(p, Context()); }).find("reference system"), std::string::npos) << crs;
  }
}

TEST(Read, SmoothTakesStepsOutOfWholeNumbersOnly) {
  const TemporaryFolder folder;
  Grid<uint8_t> stairs(90, 4);
  for (int64_t y = 0; y < 4; ++y)
    for (int64_t x = 0; x < 90; ++x) stairs(x, y) = static_cast<uint8_t>(x / 30);
  write_png(folder / "a.png", stairs);
  ReadParams p = params(folder / "a.png");
  p.scale = 10;
  WarningSink sink;
  EXPECT_EQ(read(p, sink.context()).height()(44, 1), 10);
  EXPECT_NE(sink.warnings.back().find("steps of 10 m"), std::string::npos);
  p.smooth = true;
  const Terrain land = read(p, Context());
  EXPECT_GT(land.height()(55, 1) - land.height()(35, 1), 4);
  for (int64_t x = 0; x < 90; ++x)
    EXPECT_LE(std::abs(land.height()(x, 2) - 10.0f * static_cast<float>(x / 30)), 5.001f);
  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "a.tif"}, Context());
  p.file.path = folder / "a.tif";
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("whole numbers"), std::string::npos);
}

TEST(Read, KeyKnowsWhatAFilesNameSays) {
  const TemporaryFolder folder;
  const std::string tile(size_t{1201} * 1201 * 2, '\0');
  for (const char* name : {"N10W030.hgt", "N60W030.hgt"}) test::put_bytes(folder / name, tile);
  EXPECT_NE(read_key(folder / "N10W030.hgt"), read_key(folder / "N60W030.hgt"));
  for (const char* name : {"1_0_0.png", "1_1_0.png", "a.png", "b.png"}) numbered(folder / name);
  EXPECT_NE(read_key(folder / "1_0_0.png"), read_key(folder / "1_1_0.png"));
  EXPECT_EQ(read_key(folder / "a.png"), read_key(folder / "b.png"));
}

TEST(Read, OptionsOfOtherFormatsAreRefused) {
  const TemporaryFolder folder;
  export_terrain(test::sample_land(3, 2, 1), {.path = folder / "a.tif"}, Context());
  const auto refused = [&](const std::function<void(ReadParams&)>& set) {
    ReadParams p = params(folder / "a.tif");
    set(p);
    return error_of([&] { read(p, Context()); });
  };
  EXPECT_NE(refused([](ReadParams& p) { p.encoding = PngEncoding::mapbox; }).find("'encoding'"), std::string::npos);
  EXPECT_NE(refused([](ReadParams& p) { p.order = ByteOrder::big; }).find("'order'"), std::string::npos);
  EXPECT_NE(refused([](ReadParams& p) { p.layer = "zzz"; }).find("zzz"), std::string::npos);
}

TEST(Read, DescribesEveryParameter) {
  Fields<ReadParams> fields;
  describe(fields);
  EXPECT_EQ(fields.table().fields.size(), 16u);
  EXPECT_EQ(fields.table().reach, Reach::whole);
  for (const Field& field : fields.table().fields) check_range(field, field.fallback);
}

}  // namespace
}  // namespace tepui::read_test
