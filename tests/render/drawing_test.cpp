#include "tepui/render/page/drawing.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/page/font.h"
#include "tests/render/well_formed.h"
#include "tests/support/support.h"

namespace tepui::drawing_test {

namespace {

uint32_t pixel(const Image& image, int x, int y) {
  const uint8_t* p = image.at(x, y);
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}

/// Area covered by black on white, in pixels.
double ink_of(const Image& image) {
  double sum = 0;
  for (size_t i = 0; i < image.pixels.size(); i += 3) sum += 1 - image.pixels[i] / 255.0;
  return sum;
}

Image random_picture(int w, int h, int channels, uint64_t seed) {
  Image image(w, h, channels);
  for (uint8_t& v : image.pixels) v = static_cast<uint8_t>((seed = seed * 6364136223846793005u + 1442695u) >> 56);
  return image;
}

std::string random_bytes() {
  const auto bytes = *rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>());
  return {bytes.begin(), bytes.end()};
}

}  // namespace

RC_GTEST_PROP(Drawing, RectangleCoversExactly, ()) {
  const int x = *rc::gen::inRange(-5, 30), y = *rc::gen::inRange(-5, 30);
  const int w = *rc::gen::inRange(1, 30), h = *rc::gen::inRange(1, 30), scale = *rc::gen::inRange(1, 4);
  Drawing drawing(31, 23, 0xfedcba);
  drawing.rectangle({static_cast<double>(x), static_cast<double>(y)}, {static_cast<double>(w), static_cast<double>(h)},
                    0x123456);
  const Image image = drawing.raster(scale);
  RC_ASSERT(image.width == 31 * scale);
  RC_ASSERT(image.height == 23 * scale);
  for (int j = 0; j < image.height; ++j)
    for (int i = 0; i < image.width; ++i) {
      const bool inside = i >= x * scale && i < (x + w) * scale && j >= y * scale && j < (y + h) * scale;
      RC_ASSERT(pixel(image, i, j) == (inside ? 0x123456u : 0xfedcbau));
    }
}

RC_GTEST_PROP(Drawing, EdgesCoverTheirShareOfAPixel, ()) {
  const double x = *rc::gen::inRange(0, 640) / 64.0, y = *rc::gen::inRange(0, 640) / 64.0;
  const double w = *rc::gen::inRange(1, 640) / 64.0, h = *rc::gen::inRange(1, 640) / 64.0;
  Drawing drawing(24, 24);
  drawing.rectangle({x, y}, {w, h}, 0x000000);
  RC_ASSERT(std::abs(ink_of(drawing.raster()) - w * h) < 0.02 * (w + h) + 0.02);
}

TEST(Drawing, AreasFillByEvenOdd) {
  Drawing drawing(20, 20);
  // A square with a square inside, joined by a line there and back.
  drawing.area({{2, 2}, {18, 2}, {18, 18}, {2, 18}, {2, 2}, {6, 6}, {14, 6}, {14, 14}, {6, 14}, {6, 6}}, 0x000000);
  const Image image = drawing.raster();
  EXPECT_EQ(pixel(image, 4, 10), 0x000000u);
  EXPECT_EQ(pixel(image, 10, 10), 0xffffffu);
  EXPECT_EQ(pixel(image, 0, 0), 0xffffffu);
}

RC_GTEST_PROP(Drawing, LinesHaveTheirWidth, ()) {
  const double width = *rc::gen::inRange(8, 400) / 64.0;
  const Vec2 a{*rc::gen::inRange(20, 60) * 1.0, *rc::gen::inRange(20, 60) * 1.0};
  const Vec2 b = a + Vec2{*rc::gen::inRange(10, 60) * 1.0, *rc::gen::inRange(-12, 60) * 1.0};
  Drawing drawing(140, 140);
  drawing.line({a, b}, {0x000000, width, false});
  const double expected = width * std::hypot(b.x - a.x, b.y - a.y);
  RC_ASSERT(std::abs(ink_of(drawing.raster()) - expected) < 0.03 * expected + 1.5);
}

RC_GTEST_PROP(Drawing, ThickScribblesAreDrawn, ()) {
  // More edges on a row than FreeType's pool holds.
  const double height = *rc::gen::inRange(1, 400) / 10.0, width = *rc::gen::inRange(1, 80) / 20.0;
  const int count = *rc::gen::inRange(2, 900);
  std::vector<Vec2> points;
  for (int i = 0; i < count; ++i)
    points.push_back({10 + 880.0 * i / (count - 1), 50 + height * *rc::gen::inRange(0, 1001) / 1000});
  Drawing drawing(900, 100);
  drawing.line(points, {0x000000, width, false});
  RC_ASSERT(ink_of(drawing.raster()) > 0.8 * std::min(width, 1.0) * 880);
}

TEST(Drawing, DashesLeaveGaps) {
  Drawing drawing(220, 9), plain(220, 9);
  drawing.line({{5, 4.5}, {215, 4.5}}, {0x000000, 1, true});
  plain.line({{5, 4.5}, {215, 4.5}}, {0x000000, 1, false});
  EXPECT_NEAR(ink_of(drawing.raster()) / ink_of(plain.raster()), 4.0 / 7, 0.02);
}

TEST(Drawing, WhatLiesBeyondThePageIsCut) {
  Drawing drawing(40, 30);
  drawing.rectangle({-1e12, -1e12}, {2e12, 2e12}, 0x336699);
  drawing.line({{-1e9, 15.5}, {1e9, 15.5}}, {0x000000, 1, false});
  drawing.line({{-1e9, 1e9}, {1e9, 2e9}}, {0xff0000, 3, true});
  drawing.text({1e9, 10}, "far away", {});
  drawing.picture({-1e6, -1e6}, {10, 10}, random_picture(3, 3, 3, 1));
  const Image image = drawing.raster();
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) EXPECT_EQ(pixel(image, x, y), y == 15 ? 0x000000u : 0x336699u);
}

TEST(Drawing, ManyPointsAreDrawn) {
  std::vector<Vec2> wave, area;
  for (int i = 0; i <= 200000; ++i) wave.push_back({i * 1e-3, 50 + 0.001 * (i % 2)});
  area = wave;
  area.push_back({200, 100});
  area.push_back({0, 100});
  Drawing lines(200, 100), areas(200, 100);
  lines.line(wave, {0x000000, 2, false});
  areas.area(area, 0x000000);
  EXPECT_NEAR(ink_of(lines.raster()), 400, 8);
  EXPECT_NEAR(ink_of(areas.raster()), 10000, 20);
}

RC_GTEST_PROP(Drawing, PictureAtItsOwnSizeIsCopied, ()) {
  const int w = *rc::gen::inRange(1, 30), h = *rc::gen::inRange(1, 30), channels = *rc::gen::element(1, 3);
  const int x = *rc::gen::inRange(-4, 20), y = *rc::gen::inRange(-4, 20);
  const Image source = random_picture(w, h, channels, *rc::gen::arbitrary<uint64_t>());
  const bool smooth = *rc::gen::arbitrary<bool>();
  Drawing drawing(40, 40, 0x010203);
  drawing.picture({static_cast<double>(x), static_cast<double>(y)}, {static_cast<double>(w), static_cast<double>(h)},
                  source, smooth);
  const Image image = drawing.raster();
  for (int j = 0; j < 40; ++j)
    for (int i = 0; i < 40; ++i) {
      const bool inside = i >= x && i < x + w && j >= y && j < y + h;
      for (int c = 0; c < 3; ++c)
        RC_ASSERT(image.at(i, j)[c] == (inside ? source.at(i - x, j - y)[channels == 1 ? 0 : c] : c + 1));
    }
}

RC_GTEST_PROP(Drawing, EnlargedHardPixelsStayHard, ()) {
  const int w = *rc::gen::inRange(1, 9), h = *rc::gen::inRange(1, 9), k = *rc::gen::inRange(1, 6);
  const Image source = random_picture(w, h, 3, *rc::gen::arbitrary<uint64_t>());
  Drawing drawing(w * k, h * k);
  drawing.picture({0, 0}, {static_cast<double>(w * k), static_cast<double>(h * k)}, source, false);
  const Image image = drawing.raster();
  for (int j = 0; j < h * k; ++j)
    for (int i = 0; i < w * k; ++i) RC_ASSERT(pixel(image, i, j) == pixel(source, i / k, j / k));
}

TEST(Drawing, ShrunkPicturesKeepTheirMean) {
  const Image source = random_picture(64, 48, 3, 5);
  Drawing drawing(8, 6);
  drawing.picture({0, 0}, {8, 6}, source, true);
  const Image image = drawing.raster();
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 8; ++i) {
      double sum = 0;
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) sum += source.at(8 * i + x, 8 * j + y)[1];
      EXPECT_NEAR(image.at(i, j)[1], sum / 64, 0.51);
    }
}

TEST(Drawing, TransparentPixelsShowWhatIsBelow) {
  Image source(2, 1, 4);
  source.pixels = {255, 0, 0, 0, 255, 0, 0, 255};
  Drawing drawing(2, 1, 0x00ff00);
  drawing.picture({0, 0}, {2, 1}, source, false);
  const Image image = drawing.raster();
  EXPECT_EQ(pixel(image, 0, 0), 0x00ff00u);
  EXPECT_EQ(pixel(image, 1, 0), 0xff0000u);
}

RC_GTEST_PROP(Drawing, PlacedDrawingLooksAsItDidAlone, ()) {
  Drawing inner(30, 20, 0xeeeeff);
  inner.line({{1, 1}, {17.3, 9.1}, {28, 18}}, {0x993311, 1.3, false});
  inner.text({4, 14}, "Mesa", {11});
  inner.picture({20, 2}, {7.5, 6}, random_picture(4, 4, 3, 9));
  const int x = *rc::gen::inRange(0, 30), y = *rc::gen::inRange(0, 30);
  Drawing middle(50, 50), outer(80, 80);
  middle.place({static_cast<double>(x), static_cast<double>(y)}, inner);
  outer.place({0, 0}, middle);
  const Image alone = inner.raster(), placed = outer.raster();
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 30; ++i) RC_ASSERT(pixel(placed, x + i, y + j) == pixel(alone, i, j));
  RC_ASSERT(test::xml_fault(outer.svg()) == "");
}

TEST(Drawing, RefusesWhatIsNoPage) {
  EXPECT_THROW(Drawing(0, 10), Error);
  EXPECT_THROW(Drawing(10, NAN), Error);
  EXPECT_THROW(Drawing(1e9, 10), Error);
  Drawing drawing(100, 100);
  EXPECT_THROW(drawing.line({{0, 0}, {NAN, 1}}, {}), Error);
  EXPECT_THROW(drawing.text({INFINITY, 0}, "a", {}), Error);
  EXPECT_THROW(drawing.raster(0), Error);
  EXPECT_THROW(drawing.raster(1000), Error);
}

RC_GTEST_PROP(Text, WidthIsLinearInSizeAndNearlyAdditive, ()) {
  const auto letters = rc::gen::container<std::string>(rc::gen::inRange<char>(32, 127));
  const std::string a = *letters, b = *letters;
  const bool bold = *rc::gen::arbitrary<bool>();
  const double size = *rc::gen::inRange(5, 40) * 1.0;
  const double wa = text_width(a, size, bold), wb = text_width(b, size, bold), both = text_width(a + b, size, bold);
  RC_ASSERT(std::abs(text_width(a, 3 * size, bold) - 3 * wa) < 1e-9 * (1 + wa));
  // Kerning moves a pair of letters by at most a quarter of an em.
  RC_ASSERT(std::abs(both - wa - wb) < 0.25 * size);
  if (!b.empty()) RC_ASSERT(both > wa - 1e-9);
}

RC_GTEST_PROP(Text, InkStaysWithinTheWidth, ()) {
  const std::string text = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>(33, 127)));
  const std::string part = text.substr(0, 20);
  const Anchor anchor = *rc::gen::element(Anchor::left, Anchor::middle, Anchor::right);
  const double size = 16, width = text_width(part, size);
  Drawing drawing(900, 40);
  drawing.text({450, 25}, part, {size, 0x000000, anchor});
  const Image image = drawing.raster();
  const double left = 450 - (anchor == Anchor::left ? 0 : anchor == Anchor::middle ? width / 2 : width);
  int first = 900, last = -1;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 900; ++x)
      if (image.at(x, y)[0] < 250) first = std::min(first, x), last = std::max(last, x);
  RC_ASSERT(last >= 0);
  RC_ASSERT(first > left - 0.2 * size);
  RC_ASSERT(last < left + width + 0.2 * size);
}

TEST(Text, QuarterTurnStandsUpright) {
  Drawing level(200, 200), turned(200, 200);
  level.text({20, 100}, "height (m)", {14, 0x000000});
  turned.text({100, 180}, "height (m)", {14, 0x000000, Anchor::left, false, 90});
  const Image a = level.raster(), b = turned.raster();
  // Counter-clockwise: x to the right becomes upwards.
  double difference = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) difference += std::abs(a.at(x, y)[0] - b.at(y, 199 - x)[0]);
  EXPECT_LT(difference, 0.02 * 255 * ink_of(a));
  EXPECT_GT(ink_of(a), 50);
}

RC_GTEST_PROP(Text, HostileBytesAreShownSafely, ()) {
  const std::string bytes = random_bytes();
  const std::string shown = shown_text(bytes);
  RC_ASSERT(shown_text(shown) == shown);
  RC_ASSERT(std::ranges::none_of(shown, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }));
  Drawing drawing(100, 20);
  drawing.text({2, 14}, bytes, {11});
  drawing.raster();
  RC_ASSERT(test::xml_fault(drawing.svg({{bytes, bytes}})) == "");
}

TEST(Text, WhatNobodySeesBecomesAReplacement) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(shown_text("a\tb\nc"), "a b c");
  EXPECT_EQ(shown_text(std::string("a\0b", 3)), "a" + mark + "b");
  EXPECT_EQ(shown_text("\x1b[31m"), mark + "[31m");
  EXPECT_EQ(shown_text("\xE2\x80\xAE"
                       "evil"),
            mark + "evil");
  EXPECT_EQ(shown_text("\xC0\xAF"), mark + mark);
  EXPECT_EQ(shown_text("\xED\xA0\x80"), mark + mark + mark);
  EXPECT_EQ(shown_text("\xEF\xBF\xBF"), mark);
  EXPECT_EQ(shown_text("caf\xC3\xA9 \xE2\x88\x92"
                       "12\xC2\xB0"),
            "caf\xC3\xA9 \xE2\x88\x92"
            "12\xC2\xB0");
}

TEST(Svg, EscapesAndIsWellFormed) {
  Drawing drawing(300, 100);
  drawing.text({10, 20}, "<script>alert('x & \"y\"')</script>", {12, 0x000000, Anchor::middle, true, 30});
  drawing.area({{0, 0}, {10, 0}, {5, 8}}, 0x00ff00, 0.25);
  drawing.line({{0, 1e-7}, {1.0 / 3, 1e7}}, {0x123456, 0.5, true});
  drawing.picture({1, 2}, {3, 4}, random_picture(3, 2, 3, 1), false);
  const std::string svg = drawing.svg({{"Recipe", "{\"a\": \"<&>\"}"}});
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(svg.find("L0.33 10000000\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("data:image/png;base64,iVBOR"), std::string::npos);
  EXPECT_EQ(svg, drawing.svg({{"Recipe", "{\"a\": \"<&>\"}"}}));
  // The checker can tell.
  EXPECT_NE(test::xml_fault(svg + "<a>"), "");
  EXPECT_NE(test::xml_fault("<svg><a></svg>"), "");
  EXPECT_NE(test::xml_fault("<svg a=1/>"), "");
  EXPECT_NE(test::xml_fault("<svg>&</svg>"), "");
  EXPECT_NE(test::xml_fault("<svg>\x01</svg>"), "");
}

}  // namespace tepui::drawing_test
