#include "tepui/render/page/layer_scale.h"

#include "tepui/render/page/map_cells.h"
#include "tests/render/scenes.h"

namespace tepui::layer_scale_test {
namespace {

Layer named(const char* name) { return make_layer(name, "m", LayerKind::continuous, Grid<float>(2, 2, 0.0f)); }

TEST(LayerScale, SignedLayersHaveZeroInTheMiddle) {
  const ColourScale deposits = scale_of(named("deposits"), ColourMap::by_layer, {}, {-2, 7});
  EXPECT_EQ(deposits.map, ColourMap::difference);
  EXPECT_EQ(deposits.low, -7);
  EXPECT_EQ(deposits.high, 7);
  EXPECT_EQ(scale_of(named("loss"), ColourMap::by_layer, {}, {-9, 1}).low, -9);
  // A range that is asked for stays.
  const ColourScale asked = scale_of(named("deposits"), ColourMap::by_layer, Interval{-1, 4}, {-2, 7});
  EXPECT_EQ(asked.map, ColourMap::difference);
  EXPECT_EQ(asked.low, -1);
  EXPECT_EQ(asked.high, 4);
}

TEST(LayerScale, AllElseGoesFromItsLowestToItsHighest) {
  const auto expect_plain = [](const char* name, Interval own) {
    const ColourScale scale = scale_of(named(name), ColourMap::by_layer, {}, own);
    EXPECT_EQ(scale.map, ColourMap::viridis) << name;
    EXPECT_EQ(scale.low, own.low) << name;
    EXPECT_EQ(scale.high, own.high) << name;
  };
  expect_plain("wear", {0, 12});
  expect_plain("deposits", {-0.001, 12});
  expect_plain("deposits", {-12, -3});
  expect_plain("level", {0, 0});
  expect_plain("height", {-400, 900});
  expect_plain("bedrock", {-400, 900});
  EXPECT_EQ(scale_of(named("deposits"), ColourMap::cividis, {}, {-2, 7}).map, ColourMap::cividis);
}

TEST(LayerScale, AspectGoesAroundTheCompass) {
  const ColourScale scale = scale_of(named("aspect"), ColourMap::by_layer, {}, {-1, 341});
  EXPECT_EQ(scale.map, ColourMap::compass);
  EXPECT_EQ(scale.colour(0), scale.colour(360));
  EXPECT_EQ(scale.colour(-1), no_direction_rgb);
  EXPECT_EQ(scale_of(named("aspect"), ColourMap::grey, {}, {-1, 341}).map, ColourMap::grey);
  // A mean of 1 and 359 degrees would face south.
  Grid<float> facing(4, 4);
  for (int64_t i = 0; i < 16; ++i) facing.data()[i] = i % 2 == 0 ? 1 : 359;
  const Layer north = make_layer("aspect", "deg", LayerKind::continuous, std::move(facing));
  MapShape half;
  half.width = half.height = 2;
  const Grid<float> cells = reduced(north, half, Context());
  for (const float a : cells.cells()) EXPECT_TRUE(a == 1 || a == 359);
}

TEST(LayerScale, PicturesAgreeWithMaps) {
  Grid<float> deposits(8, 8, -1.0f);
  deposits(3, 3) = 4;
  const Terrain land =
      test::flat_land(8, 8).with(make_layer("deposits", "m", LayerKind::continuous, std::move(deposits)));
  PictureParams params;
  params.colour = PictureColour::layer;
  params.layer = "deposits";
  const PictureLegend legend = LandPaint(land, params, {}, Context()).legend();
  ASSERT_TRUE(legend.scale);
  EXPECT_EQ(legend.scale->map, ColourMap::difference);
  EXPECT_EQ(legend.scale->low, -4);
  EXPECT_EQ(legend.scale->high, 4);
}

}  // namespace
}  // namespace tepui::layer_scale_test
