#include "tepui/io/read.h"

#include <cmath>
#include <filesystem>

#include "tepui/io/manifest.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui {
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
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("twice"), std::string::npos);

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
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("for PNG"), std::string::npos);
}

TEST(Read, HeightsBeyondALayersReachAreRefused) {
  const TemporaryFolder folder;
  ramp(folder / "a.png");
  ReadParams p = params(folder / "a.png");
  p.range = {0, 1e39};
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("out of bounds"), std::string::npos);
  p.range = {};
  test::put_bytes(folder / "m.manifest.json",
                  R"({"tepui_manifest":1,"files":[{"name":"a.png","scale":1e300,"metres_per_sample":[1e300,-1]}]})");
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("out of bounds"), std::string::npos);
  p.scale = 1;
  EXPECT_EQ(read(p, Context()).frame().cell, (Vec2{1, 1}));

  const Terrain land = test::sample_land(2, 2, 1).with_height(Grid<float>(2, 2, 3e38f));
  export_terrain(land, {.path = folder / "a.tif"}, Context());
  p.file.path = folder / "a.tif";
  EXPECT_EQ(read(p, Context()).height()(0, 0), 3e38f);
  p.scale = 10;
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("out of bounds"), std::string::npos);
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
  EXPECT_NE(error_of([] { read(params("land.asc"), Context()); }).find(".tif, .tiff, .png"), std::string::npos);
  EXPECT_NE(error_of([] { read(params("no.png"), Context()); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([] { read(params("no.tif"), Context()); }).find("No such file"), std::string::npos);
  ReadParams p = params("no.tif");
  p.cell = percent(1);
  EXPECT_NE(error_of([&] { read(p, Context()); }).find("share of a world"), std::string::npos);
}

TEST(Read, DescribesEveryParameter) {
  Fields<ReadParams> fields;
  describe(fields);
  EXPECT_EQ(fields.table().fields.size(), 6u);
  EXPECT_EQ(fields.table().reach, Reach::whole);
  for (const Field& field : fields.table().fields) check_range(field, field.fallback);
}

}  // namespace
}  // namespace tepui
