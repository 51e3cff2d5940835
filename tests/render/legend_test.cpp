#include "tepui/render/page/legend.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/number.h"
#include "tests/support/support.h"

namespace tepui::legend_test {

namespace {

uint32_t pixel(const Image& image, int x, int y) {
  const uint8_t* p = image.at(x, y);
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}

/// 1, 2 or 5 times a power of ten.
bool is_round(double v) {
  const double digit = v / std::pow(10.0, std::floor(std::log10(v) + 1e-9));
  return std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6;
}

double random_number(double most) { return *rc::gen::inRange(-1000000, 1000001) * most / 1e6; }

/// What tick_text wrote, as a number.
std::optional<double> read_back(std::string text) {
  for (const std::string space = "\xE2\x80\xAF"; text.find(space) != std::string::npos;)
    text.erase(text.find(space), space.size());
  if (text.starts_with("\xE2\x88\x92")) text.replace(0, 3, "-");
  return parse_number(text);
}

}  // namespace

RC_GTEST_PROP(Legend, TicksAreRoundAndWithinTheRange, ()) {
  const double size = *rc::gen::element(1e-3, 1.0, 100.0, 4000.0, 1e6);
  const double low = random_number(size), span = std::abs(random_number(size)) + 1e-4 * size;
  const int most = *rc::gen::inRange(1, 12);
  const Ticks ticks = round_ticks(low, low + span, most);
  RC_ASSERT(is_round(ticks.step));
  RC_ASSERT(ticks.step >= span / most * (1 - 1e-6));
  RC_ASSERT(ticks.step <= 2.5 * span / most * (1 + 1e-6));
  RC_ASSERT(static_cast<int>(ticks.values.size()) <= most + 1);
  std::string before;
  for (size_t i = 0; i < ticks.values.size(); ++i) {
    const double v = ticks.values[i];
    RC_ASSERT(v >= low - 1e-5 * ticks.step);
    RC_ASSERT(v <= low + span + 1e-5 * ticks.step);
    const std::string text = tick_text(v, ticks.step);
    RC_ASSERT(text != before);
    before = text;
    if (ticks.step >= 1e-4) RC_ASSERT(std::abs(read_back(text).value_or(1e300) - v) < 1e-6 * ticks.step);
  }
}

TEST(Legend, NumbersReadAsInPrint) {
  EXPECT_EQ(tick_text(-12.5, 0.5),
            "\xE2\x88\x92"
            "12.5");
  EXPECT_EQ(tick_text(1200, 200), "1200");
  EXPECT_EQ(tick_text(12000, 2000),
            "12\xE2\x80\xAF"
            "000");
  EXPECT_EQ(tick_text(-0.0001, 1), "0");
  EXPECT_EQ(tick_text(0.3, 0.1), "0.3");
  EXPECT_EQ(round_step(0, 5), 1);
  EXPECT_EQ(round_step(1000, 5), 200);
  EXPECT_EQ(name_with_unit("height", "m"), "height (m)");
  EXPECT_EQ(name_with_unit("mask", ""), "mask");
}

RC_GTEST_PROP(Legend, RoundBelowIsRoundAndBelow, ()) {
  const double value = std::abs(random_number(1e5)) + 1e-3, below = round_below(value);
  RC_ASSERT(is_round(below));
  RC_ASSERT(below <= value * (1 + 1e-9));
  RC_ASSERT(below > value / 2.5 * (1 - 1e-9));
}

TEST(Legend, ColourBarShowsItsMap) {
  const ColourScale scale{ColourMap::cividis, -50, 450, "height", "m"};
  Drawing tall(200, 320), wide(320, 100);
  const Vec2 room = draw_colour_bar(tall, {10, 10}, {14, 256}, scale);
  EXPECT_GT(room.x, 14);
  EXPECT_LT(10 + room.y, 320);
  draw_wide_colour_bar(wide, {10, 10}, {256, 10}, scale);
  const Image a = tall.raster(), b = wide.raster();
  int matches = 0;
  for (int i = 1; i < 255; ++i) {
    const uint32_t rgb = colour_table(scale.map)[static_cast<size_t>(i)];
    for (int y = 10; y < 60; ++y) {
      if (y + 255 - i < 320 && pixel(a, 17, y + 255 - i) == rgb) {
        ++matches;
        break;
      }
    }
    EXPECT_EQ(pixel(b, 10 + i, 10 + 27), rgb) << i;
  }
  EXPECT_EQ(matches, 254);
  EXPECT_EQ(scale.colour(-50), colour_at(scale.map, 0));
  EXPECT_EQ(scale.colour(200), colour_at(scale.map, 0.5));
  const ColourScale level{ColourMap::grey, 3, 3, "height", "m"};
  EXPECT_EQ(level.colour(3), colour_at(ColourMap::grey, 0.5));
  draw_colour_bar(tall, {10, 10}, {14, 256}, level);
}

RC_GTEST_PROP(Legend, ScaleBarIsAsLongAsItSays, ()) {
  const double metres_per_pixel = *rc::gen::inRange(1, 100000) * 1e-3, longest = *rc::gen::inRange(40, 200) * 1.0;
  Drawing drawing(300, 60);
  draw_scale_bar(drawing, {20, 10}, metres_per_pixel, longest);
  const double metres = round_below(metres_per_pixel * longest), length = metres / metres_per_pixel;
  const Image image = drawing.raster();
  int last = 0;
  for (int x = 0; x < 300; ++x)
    if (image.at(x, 12)[0] < 200) last = x;
  RC_ASSERT(std::abs(last + 0.5 - (20 + length)) <= 1.1);
  RC_ASSERT(length <= longest * (1 + 1e-9));
  const std::string label =
      metres >= 1000 ? tick_text(metres / 1000, metres / 1000) + " km" : tick_text(metres, metres) + " m";
  RC_ASSERT(drawing.svg().find(">" + label + "<") != std::string::npos);
}

TEST(Legend, ClassesThatDoNotFitAreCounted) {
  std::vector<LegendClass> classes;
  for (int i = 0; i < 40; ++i) classes.push_back({0x808080, std::to_string(i)});
  Drawing drawing(200, 300);
  const Vec2 room = draw_classes(drawing, {10, 10}, 200, "material", classes);
  EXPECT_LE(room.y, 200);
  EXPECT_NE(drawing.svg().find("and 31 more"), std::string::npos) << drawing.svg();
  EXPECT_NE(drawing.svg().find(">8<"), std::string::npos);
  EXPECT_EQ(drawing.svg().find(">9<"), std::string::npos);
}

TEST(Legend, StripsTakeOneToo) {
  for (const auto& [width, height] : {std::pair{16384, 3}, std::pair{3, 16384}}) {
    const Image picture(width, height, 3);
    EXPECT_EQ(with_legend(picture, {}).pixels, picture.pixels);
    PictureLegend legend;
    legend.note = "heights × 2";
    const Image noted = with_legend(picture, legend);
    EXPECT_EQ(noted.width, width);
    EXPECT_EQ(noted.height, height);
  }
}

RC_GTEST_PROP(Legend, OnAPictureItKeepsToItsCorner, ()) {
  const int w = *rc::gen::inRange(60, 400), h = *rc::gen::inRange(60, 300);
  Image picture(w, h, 3);
  for (size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<uint8_t>(i * 7919 >> 3);
  RC_ASSERT(with_legend(picture, {}).pixels == picture.pixels);
  PictureLegend legend;
  legend.note = "heights × 2";
  const Image noted = with_legend(picture, legend);
  RC_ASSERT(noted.width == w);
  RC_ASSERT(noted.height == h);
  RC_ASSERT(noted.pixels != picture.pixels);
  for (int y = 0; y < h - 60; ++y)
    for (int x = 0; x < w; ++x) RC_ASSERT(pixel(noted, x, y) == pixel(picture, x, y));
  legend.note.clear();
  legend.scale = ColourScale{ColourMap::viridis, 0, 400, "height", "m"};
  const Image barred = with_legend(picture, legend);
  RC_ASSERT(barred.pixels != picture.pixels);
  for (int y = 0; y < h; ++y) RC_ASSERT(pixel(barred, 0, y) == pixel(picture, 0, y));
}

}  // namespace tepui::legend_test
