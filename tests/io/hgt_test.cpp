#include "tepui/io/export.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/io/raster_files.h"
#include "tests/support/support.h"

namespace tepui::hgt_test {
namespace {

using test::put_bytes;
using test::TemporaryFolder;

/// A tile of 1201 x 1201: its column, and a void at its first sample.
std::string tile() {
  std::string bytes;
  for (int y = 0; y < 1201; ++y)
    for (int x = 0; x < 1201; ++x) {
      const int z = x == 0 && y == 0 ? -32768 : x - 200;
      bytes += static_cast<char>((z >> 8) & 255);
      bytes += static_cast<char>(z & 255);
    }
  return bytes;
}

Terrain land_of(const std::string& path) {
  ReadParams p;
  p.file.path = path;
  return read(p, Context());
}

void expect_tile(const Terrain& land, Vec2 corner) {
  ASSERT_EQ(land.frame().width, 1201);
  EXPECT_EQ(land.height()(0, 0), -200);
  EXPECT_EQ(land.height()(1200, 7), 1000);
  EXPECT_EQ(land.layer("void").grid()(0, 1200), 1);
  EXPECT_EQ(void_cells(land), 1);
  EXPECT_NEAR(land.frame().geo->origin.x, corner.x, 1e-12);
  EXPECT_NEAR(land.frame().geo->origin.y, corner.y, 1e-12);
  EXPECT_NEAR(land.frame().geo->step.x, 1.0 / 1200, 1e-15);
}

TEST(Hgt, TileIsPlacedByItsName) {
  const TemporaryFolder folder;
  for (const auto& [name, corner] :
       {std::pair<std::string, Vec2>{"N36W113.hgt", {-113, 36}}, {"s01e010.HGT", {10, -1}}}) {
    put_bytes(folder / name, tile());
    expect_tile(land_of(folder / name), corner);
  }
}

TEST(Hgt, ZippedTileIsReadAsWhatItIs) {
  const TemporaryFolder folder;
  put_bytes(folder / "S02E030.hgt", tile());
  for (const char* method : {"ZIP_STORED", "ZIP_DEFLATED"}) {
    const test::Answer zipped = test::run_python(
        folder / "", "import zipfile\nz = zipfile.ZipFile('S02E030.SRTMGL3.hgt.zip', 'w', zipfile." +
                         std::string(method) + ")\nz.writestr('readme.txt', 'x')\nz.write('S02E030.hgt')\nz.close()\n");
    ASSERT_EQ(zipped.code, 0) << zipped.text;
    expect_tile(land_of(folder / "S02E030.SRTMGL3.hgt.zip"), {30, -2});
    EXPECT_EQ(inspect(folder / "S02E030.SRTMGL3.hgt.zip", Context()).terrain->crs, "EPSG:4326");
    const std::string whole = test::bytes_of(folder / "S02E030.SRTMGL3.hgt.zip");
    for (const size_t length : {size_t{0}, size_t{10}, whole.size() / 2, whole.size() - 1}) {
      put_bytes(folder / "N00E000.hgt.zip", whole.substr(0, length));
      EXPECT_NE(test::error_of([&] { land_of(folder / "N00E000.hgt.zip"); }).find("N00E000.hgt.zip"),
                std::string::npos);
    }
  }
}

TEST(Hgt, ArchiveWithNoTileOrSeveralIsRefused) {
  const TemporaryFolder folder;
  put_bytes(folder / "S02E030.hgt", tile());
  ASSERT_EQ(test::run_python(folder / "",
                             "import zipfile\nfor name, files in (('none', ['a.txt']), ('two', ['N01E001.hgt', "
                             "'N01E002.hgt']), ('odd', ['land.hgt'])):\n z = zipfile.ZipFile(name + '.hgt.zip', 'w')\n "
                             "for f in files: z.write('S02E030.hgt', f)\n z.close()\n")
                .code,
            0);
  EXPECT_NE(test::error_of([&] { land_of(folder / "none.hgt.zip"); }).find("not contain an .hgt"), std::string::npos);
  EXPECT_NE(test::error_of([&] { land_of(folder / "two.hgt.zip"); }).find("several"), std::string::npos);
  EXPECT_NE(test::error_of([&] { land_of(folder / "odd.hgt.zip"); }).find("not named after"), std::string::npos);
}

}  // namespace
}  // namespace tepui::hgt_test
