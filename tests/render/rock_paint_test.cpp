// Land in the colours of the rock that it is made of: pictures and sections.
#include "tepui/render/page/figure.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/layer_scale.h"
#include "tepui/render/picture/land_paint.h"
#include "tepui/render/picture/picture.h"
#include "tests/render/well_formed.h"
#include "tests/support/beds.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::rock_paint_test {

namespace {

constexpr Vec3 up{0, 0, 1};

PictureParams by_rock() {
  PictureParams params;
  params.colour = PictureColour::rock;
  return params;
}

/// Whether it is the colour of rock of this resistance, within a step of the table.
bool is_colour_of(Rgb colour, double rho) {
  const Rgb low = from_hex(rock_scale(ColourMap::by_layer).colour(rho - 0.006)),
            high = from_hex(rock_scale(ColourMap::by_layer).colour(rho + 0.006));
  const auto between = [](float a, float v, float b) {
    return v >= std::min(a, b) - 2e-3f && v <= std::max(a, b) + 2e-3f;
  };
  return between(low.r, colour.r, high.r) && between(low.g, colour.g, high.g) && between(low.b, colour.b, high.b);
}

/// A wall of 100 m between two samples.
Terrain step() {
  Grid<float> z(4, 3);
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t x = 0; x < 4; ++x) z(x, y) = x < 2 ? -20.0f : 80.0f;
  return test::sample_land(4, 3, 1, 10, {-20, 80}).with_height(std::move(z));
}

}  // namespace

RC_GTEST_PROP(RockPaint, IsTheRockAtThePlaceAndHeightOfTheGround, ()) {
  const Terrain land = test::sample_land(9, 7, *rc::gen::arbitrary<uint64_t>(), 10, {-60, 160});
  const Geology rock = test::sample_rock();
  const LandPaint paint(land, by_rock(), {}, {}, &rock);
  const auto x = *rc::gen::inRange<int64_t>(0, 9), y = *rc::gen::inRange<int64_t>(0, 7);
  const auto rho = static_cast<double>(
      rock.resistance({land.frame().x(x), land.frame().y(y), static_cast<double>(land.height()(x, y))}));
  RC_ASSERT(is_colour_of(paint.look(static_cast<double>(x), static_cast<double>(y), up, 0).albedo, rho));
}

/// Between two samples, not only on them.
TEST(RockPaint, BandsACliff) {
  const Terrain land = step();
  const Geology rock = test::sample_rock();
  const LandPaint paint(land, by_rock(), {}, {}, &rock);
  // Granite up to 0 m, shale up to 50 m, sandstone above.
  EXPECT_TRUE(is_colour_of(paint.look(1.1, 1, up, 0).albedo, 0.95));
  EXPECT_TRUE(is_colour_of(paint.look(1.4, 1, up, 0).albedo, 0.2));
  EXPECT_TRUE(is_colour_of(paint.look(1.9, 1, up, 0).albedo, 0.6));
  EXPECT_TRUE(is_colour_of(paint.cut(3, 1, {30, 10, 25}, 0), 0.2));
  EXPECT_TRUE(is_colour_of(paint.cut(3, 1, {30, 10, -5}, 0), 0.95));
}

TEST(RockPaint, CoversHideRockAndAreExplained) {
  const Geology rock = test::sample_rock();
  const Terrain land = step().with(make_layer("snow", "m", LayerKind::continuous, Grid<float>(4, 3, 3.0f)));
  const LandPaint paint(land, by_rock(), {}, {}, &rock);
  EXPECT_EQ(to_hex(paint.look(3, 1, up, 0).albedo), 0xf6fafcu);
  EXPECT_TRUE(is_colour_of(paint.cut(3, 1, {30, 10, 60}, 0), 0.6));
  const PictureLegend legend = paint.legend();
  ASSERT_TRUE(legend.scale.has_value());
  EXPECT_EQ(legend.scale->name, "resistance");
  ASSERT_EQ(legend.classes.size(), 1u);
  EXPECT_EQ(legend.classes[0].label, "snow");
}

TEST(RockPaint, NeedsARock) {
  EXPECT_CONTAINS(test::error_of([] { LandPaint(step(), by_rock(), {}, {}); }), "\"rock\"");
  EXPECT_CONTAINS(test::error_of([] { draw_picture(step(), by_rock(), {}, {}); }), "\"rock\"");
}

TEST(RockPaint, PicturesAreTheSameForAnyThreads) {
  PictureParams params = by_rock();
  params.size = {48, 30};
  params.samples = 2;
  const Geology rock = test::sample_rock();
  test::expect_same_bits([&] {
    const Image image = draw_picture(step(), params, {}, {}, &rock).image;
    return hash_bytes(image.pixels.data(), image.pixels.size());
  });
}

TEST(LandSection, ShowsTheRockBeneathTheSurfaceAndAirAbove) {
  const Geology rock = test::sample_rock();
  FigureParams params;
  params.kind = FigureKind::section;
  params.size = {300, 240};
  const Drawing drawing = draw_figure(step(), params, {}, {}, &rock);
  EXPECT_EQ(test::xml_fault(drawing.svg()), "");
  for (const char* name : {"granite", "shale", "sandstone", "resistance"}) EXPECT_CONTAINS(drawing.svg(), name);
  const Image image = drawing.raster();
  const auto count = [&](uint32_t rgb) {
    int n = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const uint8_t* p = image.at(x, y);
        n += (static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2]) == rgb;
      }
    return n;
  };
  const ColourScale scale = rock_scale(ColourMap::by_layer);
  // East of the wall lie all three beds; of the sandstone there is none in the west.
  EXPECT_GT(count(scale.colour(0.95)), 3000);
  EXPECT_GT(count(scale.colour(0.2)), 5000);
  EXPECT_GT(count(scale.colour(0.6)), 3000);
  EXPECT_LT(count(scale.colour(0.6)), 12000);
  // Without rock it is as it was.
  EXPECT_EQ(draw_figure(step(), params, {}).svg().find("resistance"), std::string::npos);
}

TEST(LandSection, ShowsTheSeaOnRock) {
  const Geology rock = test::sample_rock();
  FigureParams params;
  params.kind = FigureKind::section;
  const Drawing drawing = draw_figure(step(), params, {}, 20.0, &rock);
  EXPECT_CONTAINS(drawing.svg(), "sea");
  EXPECT_CONTAINS(drawing.svg(), "shale");
}

}  // namespace tepui::rock_paint_test
