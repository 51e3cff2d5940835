#include "tepui/io/tiles.h"

#include <filesystem>
#include <map>

#include "tepui/io/export.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::tiles_test {
namespace {

using test::error_of;
using test::TemporaryFolder;

TEST(Tiles, NamesFollowThePattern) {
  EXPECT_EQ(tile_names("land.png", {1, 1}), std::vector<std::string>{"land.png"});
  EXPECT_EQ(tile_names("land.png", {2, 1}), (std::vector<std::string>{"land_x0_y0.png", "land_x1_y0.png"}));
  EXPECT_EQ(tile_names("a.b/land", {1, 2}), (std::vector<std::string>{"a.b/land_x0_y0", "a.b/land_x0_y1"}));
  EXPECT_EQ(tile_names("{y}/t{x}.r16", {2, 2}),
            (std::vector<std::string>{"0/t0.r16", "0/t1.r16", "1/t0.r16", "1/t1.r16"}));
  EXPECT_EQ(tile_names("t{x}.r16", {2, 1}), (std::vector<std::string>{"t0.r16", "t1.r16"}));
  EXPECT_EQ(tile_names("t{x}_{x}.r16", {1, 1}), std::vector<std::string>{"t0_0.r16"});
  EXPECT_NE(error_of([] { tile_names("t{x}.r16", {2, 2}); }).find("needs {y} too"), std::string::npos);
  EXPECT_NE(error_of([] { tile_names("t{y}.r16", {2, 2}); }).find("needs {x} too"), std::string::npos);
  EXPECT_NE(error_of([] { tile_names("t.r16", {1.5, 2}); }).find("whole numbers"), std::string::npos);
}

/// Tiles cover the land; neighbours have one row or column in common, and a shared sample is the same sample.
RC_GTEST_PROP(Tiles, ShareTheirEdgesAndNothingElse, (uint64_t seed)) {
  const int64_t columns = *rc::gen::inRange(1, 6), rows = *rc::gen::inRange(1, 6);
  const int64_t cells_x = *rc::gen::inRange(1, 6), cells_y = *rc::gen::inRange(1, 6);
  const Terrain land = test::sample_land(columns * cells_x + 1, rows * cells_y + 1, seed);
  const Vec2 tiles{static_cast<double>(columns), static_cast<double>(rows)};
  const auto windows = tile_windows("a.png", land.frame(), tiles);
  RC_ASSERT(windows.size() == static_cast<size_t>(columns * rows));
  std::map<std::pair<int64_t, int64_t>, int> seen;
  for (size_t i = 0; i < windows.size(); ++i) {
    const TileWindow& w = windows[i];
    RC_ASSERT(w.x == static_cast<int64_t>(i) % columns && w.y == static_cast<int64_t>(i) / columns);
    const Terrain part = cut_tile(land, w, {"height", "none"});
    RC_ASSERT(part.layers().size() == 1u);
    RC_ASSERT(part.frame().width == cells_x + 1 && part.frame().height == cells_y + 1);
    for (int64_t y = 0; y <= cells_y; ++y)
      for (int64_t x = 0; x <= cells_x; ++x) {
        const int64_t gx = part.frame().first_x + x, gy = part.frame().first_y + y;
        RC_ASSERT(part.frame().x(x) == land.frame().x(gx) && part.frame().y(y) == land.frame().y(gy));
        RC_ASSERT(part.height()(x, y) == land.height()(gx, gy));
        ++seen[{gx, gy}];
      }
  }
  RC_ASSERT(static_cast<int64_t>(seen.size()) == land.height().size());
  for (const auto& [at, count] : seen) {
    const bool on_x = at.first % cells_x == 0 && at.first > 0 && at.first < columns * cells_x;
    const bool on_y = at.second % cells_y == 0 && at.second > 0 && at.second < rows * cells_y;
    RC_ASSERT(count == (on_x ? 2 : 1) * (on_y ? 2 : 1));
  }
}

TEST(Tiles, NorthWestIsTheFirst) {
  const Terrain land = test::sample_land(9, 5, 1);
  const auto windows = tile_windows("a.png", land.frame(), {4, 2});
  EXPECT_EQ(windows[0].first_x, 0);
  EXPECT_EQ(windows[0].first_y, 2);
  EXPECT_EQ(windows[7].first_x, 6);
  EXPECT_EQ(windows[7].first_y, 0);
}

/// What the remedy names does fit, and nothing between it and the land's own resolution does.
RC_GTEST_PROP(Tiles, RefusalNamesTheNearestResolutionsThatFit, ()) {
  const int64_t resolution = *rc::gen::inRange(20, 400);
  const Vec2 size{static_cast<double>(*rc::gen::inRange(100, 1000)), static_cast<double>(*rc::gen::inRange(100, 1000))};
  const Vec2 tiles{static_cast<double>(*rc::gen::inRange(1, 9)), static_cast<double>(*rc::gen::inRange(1, 9))};
  const auto fits = [&](int64_t r) {
    const Frame f = make_world(size, r);
    const auto one = [](int64_t n, double t) {
      return t == 1 || (n > static_cast<int64_t>(t) && (n - 1) % static_cast<int64_t>(t) == 0);
    };
    return one(f.width, tiles.x) && one(f.height, tiles.y);
  };
  const Frame frame = make_world(size, resolution);
  if (fits(resolution)) {
    RC_ASSERT(tile_windows("a.png", frame, tiles).size() == static_cast<size_t>(tiles.x * tiles.y));
    return;
  }
  int64_t below = resolution - 1, above = resolution + 1;
  while (below >= 2 && !fits(below)) --below;
  while (!fits(above)) ++above;
  const std::string wanted = below >= 2 ? "a resolution of " + std::to_string(below) + " or " + std::to_string(above)
                                        : "a resolution of " + std::to_string(above);
  const std::string message = error_of([&] { tile_windows("a.png", frame, tiles); });
  RC_ASSERT(message.find(wanted + " would fit") != std::string::npos);
}

TEST(Tiles, ImportedLandIsToldItsSamples) {
  Frame frame = make_world({99, 99}, 100);
  frame.geo = std::make_shared<const Georeference>();
  const std::string message = error_of([&] { tile_windows("a.png", frame, {2, 1}); });
  EXPECT_NE(message.find("99 or 101 samples from west to east and 100 from south to north"), std::string::npos)
      << message;
}

TEST(Tiles, ShareOneRangeAndTellTheirClampedCellsOnce) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(9, 9, 3);
  const auto own = export_files(land, {.path = folder / "a.r16", .options = {.tiles = {2, 4}}}, Context());
  const FileRecord whole = export_terrain(land, {.path = folder / "w.r16"}, Context());
  ASSERT_EQ(own.size(), 8u);
  for (const FileRecord& record : own) {
    EXPECT_EQ(record.scale, whole.scale);
    EXPECT_EQ(record.offset, whole.offset);
    EXPECT_EQ(record.tile->columns, 2);
    EXPECT_EQ(record.tile->rows, 4);
  }
  EXPECT_EQ(own[3].name, "a_x1_y1.r16");
  EXPECT_TRUE(std::filesystem::exists(folder / "a_x1_y3.r16.hdr"));
  test::WarningSink sink;
  export_files(land, {.path = folder / "b.png", .options = {.range = Interval{200, 300}, .tiles = {2, 2}}},
               sink.context());
  EXPECT_EQ(sink.warnings.size(), 1u);
}

TEST(Tiles, VoidsAndClassesTravelWithTheirTiles) {
  const TemporaryFolder folder;
  Grid<float> voids(5, 5, 0.0f), classes(5, 5, 2.0f);
  voids(4, 4) = 1;
  classes(0, 0) = 300;
  const Terrain land = test::sample_land(5, 5, 3)
                           .with(make_layer("void", "", LayerKind::mask, std::move(voids)))
                           .with(make_layer("rock", "", LayerKind::category, std::move(classes)));
  const auto heights = export_files(land, {.path = folder / "h.asc", .options = {.tiles = {2, 2}}}, Context());
  for (const FileRecord& record : heights)
    EXPECT_EQ(test::bytes_of(folder / record.name).find("\n-9999 ") == std::string::npos &&
                  test::bytes_of(folder / record.name).find(" -9999\n") == std::string::npos,
              record.name != "h_x1_y0.asc")
        << record.name;
  for (const FileRecord& record :
       export_files(land, {.path = folder / "r.png", .layers = {"rock"}, .options = {.tiles = {2, 2}}}, Context()))
    EXPECT_EQ(record.bits, 16) << record.name;
}

TEST(Tiles, HaveOneNameTogether) {
  EXPECT_EQ(name_of_all("land.tif"), "land.tif");
  EXPECT_EQ(name_of_all("h_{x}_{y}.r16"), "h.r16");
  EXPECT_EQ(name_of_all("out/tile_x{x}_y{y}.png"), "out/tile.png");
  EXPECT_EQ(name_of_all("maps/t{x}/h_{y}.png"), "maps/h.png");
  EXPECT_EQ(name_of_all("{x}/{y}.png"), "all.png");
  EXPECT_EQ(name_of_all("life_{age}.webp"), "life.webp");
  EXPECT_EQ(name_of_all("{y}_north_{x}.tif"), "_north.tif");
}

}  // namespace
}  // namespace tepui::tiles_test
