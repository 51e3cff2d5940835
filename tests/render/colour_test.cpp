#include "tepui/render/light/colour.h"

#include <algorithm>
#include <cmath>

#include "tests/support/support.h"

namespace tepui::colour_test {

namespace {

float distance(Rgb a, Rgb b) {
  const auto square = [](float x, float y) {
    return (srgb_encode(x) - srgb_encode(y)) * (srgb_encode(x) - srgb_encode(y));
  };
  return std::sqrt(square(a.r, b.r) + square(a.g, b.g) + square(a.b, b.b));
}

}  // namespace

TEST(Colour, EncodingUndoesDecoding) {
  for (int i = 0; i <= 255; ++i) {
    const float v = static_cast<float>(i) / 255;
    EXPECT_NEAR(srgb_encode(srgb_decode(v)), v, 1e-5f);
    uint8_t pixel[3];
    const uint32_t byte = static_cast<uint32_t>(i);
    store_srgb(from_hex(byte << 16 | (255 - byte) << 8 | byte), 0.5f, pixel);
    EXPECT_EQ(pixel[0], i);
    EXPECT_EQ(pixel[1], 255 - i);
    EXPECT_EQ(pixel[2], i);
  }
}

TEST(Colour, ToneMappingRisesWithoutAJumpAndNeverBlowsOut) {
  float last = -1;
  for (int i = 0; i < 20000; ++i) {
    const float v = 0.0005f * static_cast<float>(i), mapped = tone_map({v, v, v}).r;
    EXPECT_GT(mapped, last);
    EXPECT_LT(mapped - last, i ? 0.0006f : 2.0f);
    EXPECT_LT(mapped, 1.0f);
    last = mapped;
  }
  EXPECT_EQ(tone_map({0, 0, 0}).r, 0.0f);
  EXPECT_EQ(tone_map({-1, 0, 0}).r, 0.0f);
}

RC_GTEST_PROP(Colour, MoreLightNeverDarkensAChannel, ()) {
  const auto channel = [] { return static_cast<float>(*rc::gen::inRange(0, 1001)) / 1000; };
  const Rgb c{channel(), channel(), channel()};
  Rgb last{};
  for (float exposure = 1e-3f; exposure < 1e6f; exposure *= 1.05f) {
    const Rgb now = tone_map(c * exposure);
    RC_ASSERT(now.r >= last.r - 1e-6f && now.g >= last.g - 1e-6f && now.b >= last.b - 1e-6f);
    RC_ASSERT(std::max({now.r, now.g, now.b}) <= 1.0f);
    last = now;
  }
}

TEST(Colour, HighlightsPaleTowardsWhite) {
  for (const Rgb c : {Rgb{1, 0.4f, 0.2f}, Rgb{0.2f, 0.4f, 1}, Rgb{1, 0, 0}, Rgb{0, 0, 1}}) {
    float last = 2;
    for (const float exposure : {0.6f, 1.0f, 2.0f, 4.0f, 10.0f, 100.0f, 1e4f, 1e6f}) {
      const Rgb mapped = tone_map(c * exposure);
      const float colourful = 1 - std::min({mapped.r, mapped.g, mapped.b}) / std::max({mapped.r, mapped.g, mapped.b});
      EXPECT_LE(colourful, last);
      last = colourful;
    }
    EXPECT_LT(last, 0.01f);
  }
}

TEST(Colour, FilmShowsWhiteGreyAndRedRockAsTheyLook) {
  uint8_t white[3], grey[3], rock[3], lit[3];
  store_srgb(tone_map({0.85f, 0.85f, 0.85f}), 0.5f, white);
  store_srgb(tone_map({0.18f, 0.18f, 0.18f}), 0.5f, grey);
  store_srgb(tone_map({0.5f, 0.2f, 0.1f}), 0.5f, rock);
  store_srgb(tone_map({0.7f, 0.26f, 0.11f}), 0.5f, lit);
  EXPECT_GE(white[0], 225);
  EXPECT_LE(white[0], 243);
  EXPECT_GE(grey[0], 110);
  EXPECT_LE(grey[0], 125);
  // Rich, not neon and not chalky.
  for (const uint8_t* c : {rock, lit}) {
    const double saturation = 1 - static_cast<double>(c[2]) / c[0];
    EXPECT_GT(saturation, 0.5);
    EXPECT_LT(saturation, 0.75);
    EXPECT_LT(c[0], 235);
    EXPECT_GT(c[1], c[2] + 30);
  }
}

TEST(Colour, CategoriesAreDistinct) {
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < i; ++j) EXPECT_GT(distance(category_colour(i), category_colour(j)), 0.07f) << i << " and " << j;
}

}  // namespace tepui::colour_test
