#include "tepui/io/read_mask.h"

#include <algorithm>
#include <cmath>

#include "tepui/io/raster/png.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::read_mask_test {
namespace {

using test::TemporaryFolder;
using test::WarningSink;

ReadMaskParams params(const std::string& path) {
  ReadMaskParams p;
  p.file.path = path;
  return p;
}

/// White where x is at least half; row 0 of the grid is the picture's lower edge.
void paint(const std::string& path, int64_t width, int64_t height) {
  Grid<uint8_t> grid(width, height, uint8_t{0});
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = width / 2; x < width; ++x) grid(x, y) = 255;
  write_png(path, grid);
}

/// A mask that depends on nothing but the share of the way to the east and north.
void paint_ramp(const std::string& path, int64_t width, int64_t height) {
  Grid<uint16_t> grid(width, height);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      grid(x, y) =
          static_cast<uint16_t>(std::lround(65535 * (0.5 * static_cast<double>(x) / static_cast<double>(width - 1) +
                                                     0.5 * static_cast<double>(y) / static_cast<double>(height - 1))));
  write_png(path, grid);
}

TEST(ReadMask, OfTheWorldsSamplesKeepsEveryPixel) {
  const TemporaryFolder folder;
  paint(folder / "m.png", 9, 9);
  WarningSink sink;
  const Frame world = make_world({800, 800}, 9, {100, 200});
  const Terrain land = read_mask(world, params(folder / "m.png"), sink.context());
  EXPECT_TRUE(land.frame() == world);
  ASSERT_EQ(land.layers().size(), 1u);
  EXPECT_EQ(land.layers().front().name, "mask");
  EXPECT_EQ(land.layers().front().kind, LayerKind::mask);
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 0; x < 9; ++x) EXPECT_EQ(land.layer("mask").grid()(x, y), x >= 4 ? 1.0f : 0.0f);
  EXPECT_TRUE(sink.warnings.empty()) << sink.warnings.front();
}

RC_GTEST_PROP(ReadMask, OfAnySizeFitsAnyWorldByItsCorners, ()) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange<int64_t>(2, 70), height = *rc::gen::inRange<int64_t>(2, 70);
  paint_ramp(folder / "m.png", width, height);
  const Vec2 size{*rc::gen::inRange(100, 900) * 1.0, *rc::gen::inRange(100, 900) * 1.0};
  const Frame world = make_world(size, *rc::gen::inRange<int64_t>(2, 60), {-50, 70});
  const Terrain land = read_mask(world, params(folder / "m.png"), Context());
  RC_ASSERT(land.frame() == world);
  const double pixel = 1.0 / static_cast<double>(std::min(width, height) - 1);
  const double sample = 1.0 / static_cast<double>(std::max<int64_t>(std::min(world.width, world.height) - 1, 1));
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const double share = 0.5 * (world.x(x) - world.origin.x) / size.x + 0.5 * (world.y(y) - world.origin.y) / size.y;
      const double value = static_cast<double>(land.layer("mask").grid()(x, y));
      RC_ASSERT(value >= 0);
      RC_ASSERT(value <= 1);
      // A coarse sample is a mean over its cell, half of which lies outside at a border.
      RC_ASSERT(std::abs(value - share) <= 0.5 * std::max(pixel, sample) + 1e-3);
    }
}

TEST(ReadMask, InvertsAndStretchesWithAWarning) {
  const TemporaryFolder folder;
  paint(folder / "m.png", 16, 8);
  ReadMaskParams p = params(folder / "m.png");
  p.invert = true;
  WarningSink sink;
  const Terrain land = read_mask(make_world({800, 800}, 9), p, sink.context());
  EXPECT_EQ(land.layer("mask").grid()(0, 0), 1.0f);
  EXPECT_EQ(land.layer("mask").grid()(8, 8), 0.0f);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_CONTAINS(sink.warnings[0], "16 x 8 pixels and is stretched");
}

TEST(ReadMask, RangeSaysWhichShadesAreItsEnds) {
  const TemporaryFolder folder;
  paint_ramp(folder / "m.png", 11, 11);
  ReadMaskParams p = params(folder / "m.png");
  p.range = {0.2, 0.4};
  const Terrain land = read_mask(make_world({100, 100}, 11), p, Context());
  for (int64_t i = 0; i < 11; ++i)
    EXPECT_NEAR(land.layer("mask").grid()(i, i), std::clamp((0.1 * static_cast<double>(i) - 0.2) / 0.2, 0.0, 1.0),
                1e-4);
  p.range = {0.4, 0.4};
  EXPECT_CONTAINS(test::error_of([&] { read_mask(make_world({100, 100}, 11), p, Context()); }), "darker shade");
}

TEST(ReadMask, RefusesWhatIsNoMask) {
  const TemporaryFolder folder;
  const Frame world = make_world({100, 100}, 5);
  EXPECT_CONTAINS(test::error_of([&] { read_mask(world, params(folder / "m.tif"), Context()); }), "painted mask");
  EXPECT_CONTAINS(test::error_of([&] { read_mask(world, params(""), Context()); }), "needs a file");
  test::put_bytes(folder / "m.png", "not a picture");
  EXPECT_CONTAINS(test::error_of([&] { read_mask(world, params(folder / "m.png"), Context()); }), "m.png");
}

}  // namespace
}  // namespace tepui::read_mask_test
