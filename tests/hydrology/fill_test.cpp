#include "tepui/hydrology/fill.h"

#include <algorithm>

#include "reference/hydrology.h"
#include "tepui/core/random.h"
#include "tests/hydrology/water_lands.h"
#include "tests/support/support.h"

namespace tepui::fill_test {
namespace {

using test::any_land;

RC_GTEST_PROP(Fill, IsThePlainFloodToTheBit, ()) {
  const Terrain land = any_land();
  const Terrain filled = fill(land, {}, Context());
  RC_ASSERT(test::same_cells(filled.height(), reference::fill(land.height())));
}

RC_GTEST_PROP(Fill, WithASeaIsThePlainFloodToTheBit, ()) {
  const Terrain land = any_land();
  FillParams params;
  params.sea_level = *rc::gen::inRange(0, 500);
  const Terrain filled = fill(land, params, Context());
  RC_ASSERT(test::same_cells(filled.height(), reference::fill(land.height(), params.sea_level)));
}

RC_GTEST_PROP(Fill, TwiceChangesNothingAndNothingSinks, ()) {
  const Terrain land = any_land();
  const Terrain once = fill(land, {}, Context());
  RC_ASSERT(test::same_cells(once.height(), fill(once, {}, Context()).height()));
  for (int64_t i = 0; i < land.height().size(); ++i) RC_ASSERT(once.height().data()[i] >= land.height().data()[i]);
}

RC_GTEST_PROP(Fill, WithASlopeIsThePlainFlood, ()) {
  const Terrain land = any_land();
  FillParams params;
  params.slope = *rc::gen::element(0.01, 0.5, 5.0);
  const double tangent = std::tan(params.slope * 3.14159265358979323846 / 180);
  const Grid<float> plain = reference::fill_with_slope(land.height(), land.frame().cell, tangent);
  RC_ASSERT(test::max_difference(fill(land, params, Context()).height(), plain) < 1e-2);
}

RC_GTEST_PROP(Fill, MirroredLandIsFilledAlike, ()) {
  const Terrain land = any_land();
  RC_ASSERT(test::same_cells(test::mirrored(fill(land, {}, Context()).height()),
                             fill(land.with_height(test::mirrored(land.height())), {}, Context()).height()));
}

RC_GTEST_PROP(Fill, TurnedLandIsFilledAlike, ()) {
  const Terrain land = any_land();
  RC_ASSERT(test::same_cells(test::turned(fill(land, {}, Context()).height()),
                             fill(test::turned(land), {}, Context()).height()));
}

TEST(Fill, ASeaAboveTheTopLeavesAllAsItIs) {
  const Terrain land = test::rough_land(30, 30, 2);
  FillParams params;
  params.sea_level = 1e5;
  params.slope = 1;
  EXPECT_TRUE(test::same_cells(fill(land, params, Context()).height(), land.height()));
}

TEST(Fill, SameBitsForAnyThreadCountAndLevel) {
  const Terrain land = test::rough_land(700, 900, 3);
  test::expect_same_bits([&] { return fill(land, {}, Context()).hash(); });
}

TEST(Fill, KeepsWhatIsDeeperOrLarger) {
  // Two bowls, 30 and 5 m deep, in a plain; the deep one has a pit of 2 m on its flank.
  Grid<float> z(64, 32, 100);
  for (int64_t y = 0; y < 32; ++y)
    for (int64_t x = 0; x < 64; ++x) {
      const double a = std::hypot(x - 16, y - 16), b = std::hypot(x - 48, y - 16);
      if (a < 10) z(x, y) = static_cast<float>(70 + 3 * a);
      if (b < 10) z(x, y) = static_cast<float>(95 + 0.5 * b);
    }
  z(20, 16) -= 8;
  const Terrain land(make_world({63, 31}, 64), {0, 100}, std::move(z));
  FillParams deep;
  deep.keep_deeper = 10;
  const Grid<float> filled = fill(land, deep, Context()).height().clone();
  EXPECT_EQ(filled(16, 16), 70);
  EXPECT_EQ(filled(48, 16), 100);
  EXPECT_GT(filled(20, 16), land.height()(20, 16));
  FillParams large;
  large.keep_larger = 1000;
  EXPECT_EQ(fill(land, large, Context()).height()(16, 16), 100);
  large.keep_larger = 200;
  EXPECT_EQ(fill(land, large, Context()).height()(16, 16), 70);
  EXPECT_EQ(fill(land, large, Context()).height()(48, 16), 95);
}

TEST(Fill, EveryShapeOfLand) {
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {200, 3}, {3, 300}}) {
    const Terrain land = test::rough_land(w, h, 5);
    EXPECT_TRUE(test::same_cells(fill(land, {}, Context()).height(), reference::fill(land.height()))) << w << "x" << h;
  }
}

TEST(Fill, VoidsAtTheBorderAreOutsideAndThoseWithinAreLand) {
  Terrain land = test::rough_land(40, 40, 9);
  Grid<float> voids(40, 40, 0);
  Grid<float> z = land.height().clone();
  for (int64_t y = 0; y < 40; ++y)
    for (int64_t x = 0; x < 10; ++x) voids(x, y) = 1, z(x, y) = 9000;
  voids(25, 20) = 1, z(25, 20) = -50;
  land = land.with_height(std::move(z)).with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  const Terrain filled = fill(land, {}, Context());
  EXPECT_EQ(filled.height()(5, 20), 9000);
  EXPECT_GT(filled.height()(25, 20), -50);
  // The column beside the voids is an edge.
  for (int64_t y = 0; y < 40; ++y) EXPECT_EQ(filled.height()(10, y), land.height()(10, y));
}

TEST(Fill, StopsWhenAsked) {
  CancelFlag flag{true};
  EXPECT_THROW(fill(test::rough_land(300, 300, 1), {}, Context(nullptr, &flag)), std::exception);
}

}  // namespace
}  // namespace tepui::fill_test
