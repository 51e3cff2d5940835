#include "tepui/render/colour.h"

#include <algorithm>
#include <cmath>

#include "tests/support/support.h"

namespace tepui {

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

TEST(Colour, ToneMappingRisesAndNeverBlowsOut) {
  float last = -1;
  for (int i = 0; i < 2000; ++i) {
    const float v = 0.005f * static_cast<float>(i), mapped = tone_map({v, v, v}).r;
    EXPECT_GT(mapped, last);
    EXPECT_LT(mapped, 1.0f);
    last = mapped;
  }
  EXPECT_EQ(tone_map({-1, 0, 0}).r, 0.0f);
}

TEST(Colour, UniformRampGrowsLighterEvenly) {
  float last = luminance(uniform_ramp(0));
  for (int i = 1; i <= 64; ++i) {
    const float now = luminance(uniform_ramp(static_cast<float>(i) / 64));
    EXPECT_GT(now, last);
    // No step is more than three times the even one in lightness, about the cube root of luminance.
    EXPECT_LT(std::cbrt(now) - std::cbrt(last),
              3 * (std::cbrt(luminance(uniform_ramp(1))) - std::cbrt(luminance(uniform_ramp(0)))) / 64);
    last = now;
  }
}

TEST(Colour, RampsHoldTheirEndsBeyondTheRange) {
  EXPECT_EQ(distance(uniform_ramp(-3), uniform_ramp(0)), 0.0f);
  EXPECT_EQ(distance(uniform_ramp(7), uniform_ramp(1)), 0.0f);
  EXPECT_EQ(distance(height_ramp(-3), height_ramp(0)), 0.0f);
  EXPECT_EQ(distance(height_ramp(7), height_ramp(1)), 0.0f);
}

TEST(Colour, CategoriesAreDistinct) {
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < i; ++j) EXPECT_GT(distance(category_colour(i), category_colour(j)), 0.07f) << i << " and " << j;
}

}  // namespace tepui
