#include "tepui/erode/levelling.h"

#include <cmath>

#include "reference/erode.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tests/support/support.h"

namespace tepui::levelling_test {

namespace {

const Context quiet;

/// Land of any shape, level or rough, with square cells or not.
Terrain any_land(int64_t most = 40) {
  const auto side = rc::gen::resize(100, rc::gen::inRange<int64_t>(1, most + 1));
  const Relief relief =
      *rc::gen::element(Relief{0, 1}, Relief{100, 500}, Relief{-3000, 250}, Relief{0, 1e-30}, Relief{7, 7});
  const int64_t width = *side, height = *side;
  const Terrain land = test::sample_land(width, height, *rc::gen::arbitrary<uint64_t>(), 10, relief);
  Frame frame = land.frame();
  frame.cell.y *= *rc::gen::element(1.0, 0.4, 3.0);
  frame.size.y = frame.cell.y * static_cast<double>(std::max<int64_t>(height - 1, 1));
  return Terrain(frame, relief, land.height().clone());
}

/// From less than a cell to far beyond the land.
Length any_radius() { return metres(*rc::gen::element(0.0, 4.0, 6.0, 10.0, 31.0, 70.0, 200.0, 1e9)); }

Terrain crop(const Terrain& land, int64_t x0, int64_t y0, int64_t w, int64_t h) {
  Grid<float> z(w, h);
  for (int64_t y = 0; y < h; ++y) std::copy_n(land.height().row(y0 + y) + x0, w, z.row(y));
  return Terrain(land.frame().window(x0, y0, w, h), land.relief(), std::move(z));
}

}  // namespace

RC_GTEST_PROP(Levelling, EqualsTheReference, ()) {
  const Terrain land = any_land();
  const LevellingParams p{any_radius()};
  const Terrain fast = levelling(land, p, quiet), plain = reference::levelling(land, p);
  const Relief relief = land.relief();
  const double scale = std::max({std::abs(relief.base), std::abs(relief.top), relief.span()});
  // One float rounding each, and changes below two quanta of 2^-33 (at most, here) dropped.
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 2.01 * 0x1p-24 * scale);
}

TEST(Levelling, TallWindowsEqualTheReference) {
  // More rows than a strip of sums, windows shorter and taller than a block of rows.
  const Terrain land = test::sample_land(7, 300, 8);
  for (const double radius : {50.0, 630.0, 640.0, 1400.0, 1e9})
    EXPECT_LE(test::max_difference(levelling(land, {metres(radius)}, quiet).height(),
                                   reference::levelling(land, {metres(radius)}).height()),
              2.01 * 0x1p-24 * 500)
        << radius;
}

RC_GTEST_PROP(Levelling, KeepsConstants, ()) {
  const float value = *rc::gen::element(0.0f, -0.0f, 1.0f, 0.1f, 499.7f, -3e-7f, 1e30f);
  const Terrain land = any_land();
  const Terrain level = land.with_height(Grid<float>(land.frame().width, land.frame().height, value));
  const Terrain result = levelling(level, {any_radius()}, quiet);
  for (const float z : result.height().cells()) RC_ASSERT(z == value);
}

RC_GTEST_PROP(Levelling, NeverWidensTheRange, ()) {
  const Terrain land = any_land();
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  for (const float z : levelling(land, {any_radius()}, quiet).height().cells()) RC_ASSERT(z >= low && z <= high);
}

RC_GTEST_PROP(Levelling, NeverWidensARangeOfAFewQuanta, ()) {
  // Heights that differ by less than levelling resolves.
  const auto side = rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 20));
  Grid<float> z(*side, *side);
  const float step = *rc::gen::element(0x1p-24f, 0x1p-33f, 0x1p-34f, 0x1p-36f, 0x1p-50f);
  const float offset = *rc::gen::element(0.0f, 0x1p-34f, 0x1.8p-33f);
  const Stream stream(*rc::gen::arbitrary<uint64_t>());
  for (int64_t i = 0; i < z.size(); ++i)
    z.data()[i] = offset + step * static_cast<float>(stream.bits(static_cast<uint64_t>(i)) % 7) - 3 * step;
  const auto [low, high] = std::ranges::minmax(z.cells());
  const Frame frame = test::sample_land(z.width(), z.height(), 0).frame();
  const Terrain land(frame, {0, 1}, std::move(z));
  for (const float v : levelling(land, {any_radius()}, quiet).height().cells()) RC_ASSERT(v >= low && v <= high);
}

RC_GTEST_PROP(Levelling, CropWithAHaloEqualsTheWhole, ()) {
  const Terrain land = any_land(70);
  const LevellingParams p{metres(*rc::gen::element(0.0, 6.0, 10.0, 31.0, 70.0))};
  const Frame& frame = land.frame();
  const auto kx = static_cast<int64_t>(std::round(p.radius.value / frame.cell.x));
  const auto ky = static_cast<int64_t>(std::round(p.radius.value / frame.cell.y));
  const auto x0 = *rc::gen::resize(100, rc::gen::inRange<int64_t>(0, frame.width));
  const auto y0 = *rc::gen::resize(100, rc::gen::inRange<int64_t>(0, frame.height));
  const auto w = *rc::gen::resize(100, rc::gen::inRange<int64_t>(1, frame.width - x0 + 1));
  const auto h = *rc::gen::resize(100, rc::gen::inRange<int64_t>(1, frame.height - y0 + 1));
  const int64_t west = std::max<int64_t>(x0 - kx, 0), south = std::max<int64_t>(y0 - ky, 0);
  const int64_t east = std::min(x0 + w + kx, frame.width), north = std::min(y0 + h + ky, frame.height);
  const Terrain whole = levelling(land, p, quiet);
  const Terrain haloed = levelling(crop(land, west, south, east - west, north - south), p, quiet);
  RC_ASSERT(test::same_cells(crop(whole, x0, y0, w, h).height(), crop(haloed, x0 - west, y0 - south, w, h).height()));
}

TEST(Levelling, CropEqualsTheWholeWhereWindowsCoarsenThePrecision) {
  // A window of more than 2^22 samples; the haloed corner holds far fewer.
  Frame frame;
  frame.width = frame.height = 2100;
  frame.size = {2099, 2099};
  Grid<float> z(frame.width, frame.height);
  const Stream stream(5);
  for (int64_t i = 0; i < z.size(); ++i) z.data()[i] = static_cast<float>(stream.uniform(static_cast<uint64_t>(i)));
  const Terrain land(frame, {0, 1}, std::move(z));
  const LevellingParams p{metres(1100)};
  const Terrain whole = levelling(land, p, quiet), haloed = levelling(crop(land, 0, 0, 1300, 1300), p, quiet);
  EXPECT_TRUE(test::same_cells(crop(whole, 0, 0, 200, 200).height(), crop(haloed, 0, 0, 200, 200).height()));
}

TEST(Levelling, MeansTheNeighboursThenThePoint) {
  Grid<float> z(3, 3, 0.0f);
  z(1, 1) = 8;
  z(0, 0) = 4;
  const Terrain land(test::sample_land(3, 3, 0).frame(), {0, 8}, std::move(z));
  const Terrain result = levelling(land, {metres(10)}, quiet);
  EXPECT_FLOAT_EQ(result.height()(1, 1), (8 + 4.0f / 8) / 2);
  EXPECT_FLOAT_EQ(result.height()(0, 0), (4 + 8.0f / 3) / 2);
  EXPECT_FLOAT_EQ(result.height()(2, 1), (0 + 8.0f / 5) / 2);
}

TEST(Levelling, RadiusBelowHalfACellReturnsTheLand) {
  const Terrain land = test::sample_land(20, 10, 1);
  EXPECT_EQ(levelling(land, {metres(4.9)}, quiet).hash(), land.hash());
  EXPECT_NE(levelling(land, {metres(5)}, quiet).hash(), land.hash());
}

TEST(Levelling, ASinglePointHasNoNeighbours) {
  const Terrain land = test::sample_land(1, 1, 1);
  EXPECT_EQ(levelling(land, {metres(1e6)}, quiet).hash(), land.hash());
}

TEST(Levelling, OneAxisMayHaveNoNeighbours) {
  // Cells of 10 x 100 m: a radius of 20 m reaches along x only.
  Terrain land = test::sample_land(30, 20, 1);
  Frame frame = land.frame();
  frame.cell.y = 100;
  frame.size.y = 1900;
  land = Terrain(frame, land.relief(), land.height().clone());
  const Terrain result = levelling(land, {metres(20)}, quiet);
  const Terrain row = levelling(crop(land, 0, 7, 30, 1), {metres(20)}, quiet);
  EXPECT_TRUE(test::same_cells(crop(result, 0, 7, 30, 1).height(), row.height()));
}

TEST(Levelling, KeepsTheOtherLayersAndTheRelief) {
  const Terrain land =
      test::sample_land(20, 10, 1).with(make_layer("mask", "", LayerKind::mask, Grid<float>(20, 10, 1.0f)));
  const Terrain result = levelling(land, {metres(30)}, quiet);
  EXPECT_EQ(result.relief(), land.relief());
  EXPECT_EQ(result.only("mask").hash(), land.only("mask").hash());
}

TEST(Levelling, LandFarBeyondItsReliefIsNotFlattened) {
  // A wrong relief costs smoothing, never height.
  const Terrain land = test::sample_land(50, 40, 1, 10, {0, 9e9}).with_relief({0, 1});
  const Terrain result = levelling(land, {metres(20)}, quiet);
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  for (int64_t i = 0; i < land.height().size(); ++i) {
    EXPECT_GE(result.height().data()[i], low);
    EXPECT_NEAR(result.height().data()[i], land.height().data()[i], 0.5 * (high - low));
  }
}

TEST(Levelling, PrecisionLeavesRoomForEveryWindow) {
  for (const double window : {2.0, 9.0, 441.0, 4096.0, 10201.0, 9e6, 1e10, 0x1p40}) {
    const LevellingPrecision p = levelling_precision({0, 1000}, window);
    EXPECT_LT(std::log2(p.limit) + std::log2(window), 63) << window;
    EXPECT_GE(p.limit * p.quantum, 64 * 1000) << window;
    EXPECT_LE(p.quantum, 1000 * (window <= 9e6 ? 0x1p-31 : 0x1p-13)) << window;
  }
  EXPECT_LE(levelling_precision({0, 1000}, 441).quantum, 1000 * 0x1p-33);
}

TEST(Levelling, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(317, 260, 4);
  for (const double radius : {10.0, 100.0, 1500.0, 1e9})
    test::expect_same_bits([&] { return levelling(land, {metres(radius)}, quiet).hash(); });
}

TEST(Levelling, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  for (const double radius : {10.0, 1e9})
    EXPECT_THROW(levelling(test::sample_land(90, 90, 5), {metres(radius)}, Context(nullptr, &cancel)), Error);
}

TEST(Levelling, TakesAtMostThreeGrids) {
  const Terrain land = test::sample_land(1500, 1000, 6);
  for (const double radius : {10.0, 1e9}) {
    pool_reset_peak();
    const size_t before = pool_use().used;
    const Terrain result = levelling(land, {metres(radius)}, quiet);
    EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
  }
}

}  // namespace tepui::levelling_test
