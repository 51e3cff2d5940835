#include "tepui/terrain/terrain.h"

#include <cmath>
#include <limits>

#include "tests/support/support.h"

namespace tepui::terrain_test {

namespace {

Terrain alone(const char* name, const char* unit, LayerKind kind, float value) {
  return test::sample_land(3, 2, 1).with(make_layer(name, unit, kind, Grid<float>(3, 2, value))).only(name);
}

std::string refusal(const Terrain& land) {
  return test::error_of([&] { mask_layer(land); });
}

}  // namespace

TEST(MaskLayer, HeightsAreNoMask) {
  const Terrain land = test::sample_land(3, 2, 1);
  for (const Terrain& given : {land, land.with(make_layer("void", "", LayerKind::mask, Grid<float>(3, 2, 0.0f)))}) {
    EXPECT_NE(refusal(given).find("this land has no layer 'mask'"), std::string::npos);
    EXPECT_NE(refusal(given).find("operator 'mask'"), std::string::npos);
  }
  EXPECT_NE(refusal(alone("depth", "m", LayerKind::continuous, 0.5f)).find("only 'depth'"), std::string::npos);
  EXPECT_NE(refusal(alone("material", "", LayerKind::category, 1)).find("only 'material'"), std::string::npos);
}

TEST(MaskLayer, TheOnlyLayerServesWhereItIsFromZeroToOne) {
  EXPECT_EQ(mask_layer(alone("void", "", LayerKind::mask, 1)).name, "void");
  EXPECT_EQ(mask_layer(alone("hardness", "", LayerKind::continuous, 0.25f)).name, "hardness");
  EXPECT_NE(refusal(alone("slope", "", LayerKind::continuous, 1.5f)).find("from 0 to 1"), std::string::npos);
  EXPECT_EQ(mask_layer(test::sample_land(3, 2, 1).with(alone("mask", "", LayerKind::mask, 1).layer("mask"))).name,
            "mask");
}

TEST(Terrain, WithoutALayerKeepsTheOthers) {
  const Terrain land = test::sample_land(3, 2, 1);
  const Terrain more = land.with(make_layer("mask", "", LayerKind::mask, Grid<float>(3, 2, 1.0f)));
  EXPECT_EQ(more.without("mask").hash(), land.hash());
  EXPECT_EQ(land.without("mask").hash(), land.hash());
}

TEST(Terrain, ReliefStaysWithinWhatALayerHolds) {
  const Relief relief = test::sample_land(3, 2, 1).with_relief({-INFINITY, 1e300}).relief();
  EXPECT_EQ(relief.base, -std::numeric_limits<float>::max());
  EXPECT_EQ(relief.top, std::numeric_limits<float>::max());
  test::error_of([] { test::sample_land(3, 2, 1).with_relief({NAN, 1}); });
}

}  // namespace tepui::terrain_test
