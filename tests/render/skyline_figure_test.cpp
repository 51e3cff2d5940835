#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/generate/skyline.h"
#include "tepui/render/page/drawing_items.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/page/figure_parts.h"
#include "tests/render/well_formed.h"
#include "tests/support/support.h"

namespace tepui::skyline_figure_test {

namespace {

uint32_t pixel(const Image& image, double x, double y) {
  const uint8_t* p = image.at(static_cast<int>(x), static_cast<int>(y));
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}

double light(uint32_t rgb) { return 0.2126 * (rgb >> 16 & 255u) + 0.7152 * (rgb >> 8 & 255u) + 0.0722 * (rgb & 255u); }

FigureParams bare() {
  FigureParams params;
  params.kind = FigureKind::skyline;
  params.axes = false;
  return params;
}

Polyline level(const std::string& name, double y, double z) {
  return {name, {{0, y, z}, {500, y, z}, {1000, y, z}}, false, {}};
}

}  // namespace

RC_GTEST_PROP(Gradients, HaveTheirStopsColours, ()) {
  const double scale = *rc::gen::element(1.0, 2.0);
  Drawing drawing(20, 100);
  drawing.area({{0, 10}, {20, 10}, {20, 90}, {0, 90}}, {{90, 0x804000}, {10, 0x0000ff}, {50, 0xffffff}});
  const Image image = drawing.raster(scale);
  const std::vector<GradientStop> sorted{{10, 0x0000ff}, {50, 0xffffff}, {90, 0x804000}};
  for (int y = 0; y < image.height; ++y) {
    const double at = (y + 0.5) / scale;
    RC_ASSERT(pixel(image, 5, y) == (at < 10 || at > 90 ? 0xffffffu : gradient_colour(sorted, at)));
  }
}

TEST(Gradients, StayBeyondTheirEndsAndMoveWithTheirDrawing) {
  EXPECT_EQ(gradient_colour({{1, 0x112233}, {2, 0x445566}}, 0), 0x112233u);
  EXPECT_EQ(gradient_colour({{1, 0x112233}, {2, 0x445566}}, 9), 0x445566u);
  Drawing inner(10, 40), outer(30, 80);
  inner.area({{0, 0}, {10, 0}, {10, 40}, {0, 40}}, {{0, 0x000000}, {40, 0xff0000}});
  outer.place({7, 20}, inner);
  outer.place({20, 30}, inner);
  const Image alone = inner.raster(), placed = outer.raster();
  for (int y = 0; y < 40; ++y) EXPECT_EQ(pixel(alone, 5, y), pixel(placed, 12, y + 20));
  const std::string svg = outer.svg();
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_NE(svg.find("id=\"g2\""), std::string::npos);
  EXPECT_NE(svg.find("url(#g2)"), std::string::npos);
}

TEST(SkylineFigure, SkyDarkensUpwards) {
  const Image image = draw_figure(Lines({level("range 1", 0, 0.0)}), bare(), {}).raster();
  EXPECT_EQ(image.width, 960);
  EXPECT_EQ(image.height, 540);
  for (int y = 1; y < image.height - 2; ++y)
    EXPECT_GE(light(pixel(image, 480, y)), light(pixel(image, 480, y - 1)) - 1);
  EXPECT_GT(light(pixel(image, 480, 500)), light(pixel(image, 480, 0)) + 80);
  const uint32_t top = pixel(image, 480, 0);
  EXPECT_GT(top & 255u, (top >> 16 & 255u) + 60);
}

RC_GTEST_PROP(SkylineFigure, RidgesReachTheirHeights, ()) {
  const double z = *rc::gen::inRange(10, 900);
  FigureParams params = bare();
  params.size = {200, 400};
  params.range = {0, 1000};
  const Image image = draw_figure(Lines({level("range 1", 0, z)}), params, {}).raster();
  const double edge = 400 * (1 - z / 1000);
  Lines none({level("range 1", 0, 0.0)});
  const Image sky = draw_figure(none, params, {}).raster();
  for (int y = 0; y < 399; ++y) {
    if (std::abs(y + 0.5 - edge) < 1) continue;
    RC_ASSERT((pixel(image, 100, y) == pixel(sky, 100, y)) == (y + 0.5 < edge));
  }
}

TEST(SkylineFigure, FartherRidgesArePalerAndStandBehind) {
  FigureParams params = bare();
  params.size = {200, 400};
  params.range = {0, 400};
  // In any order.
  const Image image =
      draw_figure(Lines({level("near", 0, 100), level("far", 900, 300), level("middle", 500, 200)}), params, {})
          .raster();
  const double far = light(pixel(image, 100, 150)), middle = light(pixel(image, 100, 250)),
               near = light(pixel(image, 100, 350));
  EXPECT_GT(far, middle + 20);
  EXPECT_GT(middle, near + 20);
}

TEST(SkylineFigure, TentsAreThinLinesUnderTheBoldMean) {
  SkylineParams sky;
  sky.ranges = 1;
  sky.peaks = 2;
  sky.ruggedness = 1;
  sky.tents = true;
  const Frame world = make_world({1000, 1000}, 2);
  const Lines with = skyline(world, sky, {});
  const Drawing drawing = draw_figure(with, bare(), {});
  const std::string svg = drawing.svg();
  const auto count = [&](const std::string& part) {
    size_t n = 0;
    for (size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("stroke-width=\"1.6\""), 2u);
  EXPECT_EQ(count("stroke-width=\"3\""), 1u);
  EXPECT_GT(svg.find("stroke-width=\"3\""), svg.rfind("stroke-width=\"1.6\""));
  sky.tents = false;
  EXPECT_EQ(draw_figure(skyline(world, sky, {}), bare(), {}).svg().find("stroke-width"), std::string::npos);
}

TEST(SkylineFigure, AnyLinesAreDrawnWellFormed) {
  SkylineParams many;
  many.points = 20001;
  const std::vector<Lines> all{
      Lines({{"dot", {{3, 4, 5}}, false, {}}}),
      Lines({{"loop", {{0, 0, 10}, {5, 0, 20}, {2, 0, 5}}, true, {}}}),
      Lines({{"back", {{9, 0, 1}, {2, 0, 3}}, false, {}}, level("range", 3, -50)}),
      Lines({level("high", 0, 9000)}),
      Lines({level("huge", 0, 1e9)}),
      Lines({{"empty", {}, false, {}}, level("range", 0, 1e-6)}),
      skyline(make_world({1000, 500}, 9), many, {}),
  };
  for (const Lines& lines : all)
    for (const bool axes : {false, true}) {
      FigureParams params = bare();
      params.axes = axes;
      params.title = axes ? "T <&" : "";
      const Drawing drawing = draw_figure(lines, params, {});
      EXPECT_EQ(test::xml_fault(drawing.svg()), "");
      EXPECT_LT(drawing.svg().size(), 2000000u);
      EXPECT_EQ(drawing.raster().width > 960, false);
    }
}

TEST(SkylineFigure, RefusesWhatItCannotShow) {
  const Lines lines({level("range", 0, 300)});
  FigureParams params = bare();
  EXPECT_NE(test::error_of([&] { draw_figure(Lines(), params, {}); }).find("no lines"), std::string::npos);
  params.exaggeration = 50;
  EXPECT_NE(test::error_of([&] { draw_figure(lines, params, {}); }).find("do not fit"), std::string::npos);
  params.kind = FigureKind::section;
  EXPECT_NE(test::error_of([&] { draw_figure(lines, params, {}); }).find("skyline"), std::string::npos);
  params.kind = FigureKind::skyline;
  EXPECT_NE(test::error_of([&] { draw_figure(test::sample_land(9, 9, 1), params, {}); }).find("not land"),
            std::string::npos);
}

TEST(SkylineFigure, SameBytesForAnyThreads) {
  const Lines lines = skyline(make_world({1000, 500}, 9), {}, {});
  test::expect_same_bits([&] {
    const Drawing drawing = draw_figure(lines, bare(), {});
    const Image image = drawing.raster();
    const std::string svg = drawing.svg();
    return Hasher()
        .add(hash_bytes(image.pixels.data(), image.pixels.size()))
        .add(hash_bytes(svg.data(), svg.size()))
        .finish();
  });
}

}  // namespace tepui::skyline_figure_test
