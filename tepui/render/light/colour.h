#pragma once

#include <cstdint>

namespace tepui {

/// Linear light with the primaries of sRGB. All shading happens here; pictures are encoded at the very end.
struct Rgb {
  float r = 0, g = 0, b = 0;
};

constexpr Rgb operator+(Rgb a, Rgb b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
constexpr Rgb operator*(Rgb a, Rgb b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
constexpr Rgb operator*(Rgb a, float s) { return {a.r * s, a.g * s, a.b * s}; }
constexpr Rgb mix(Rgb a, Rgb b, float t) { return a * (1 - t) + b * t; }
constexpr float luminance(Rgb c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; }

constexpr float clamp01(float v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
/// 0 below `low`, 1 above `high`, smooth between.
constexpr float smooth_step(float low, float high, float v) {
  const float t = clamp01((v - low) / (high - low));
  return t * t * (3 - 2 * t);
}

/// 0xRRGGBB as sRGB, and back.
Rgb from_hex(uint32_t hex);
uint32_t to_hex(Rgb linear);

/// An sRGB component in [0, 1] to linear light and back.
float srgb_decode(float encoded);
float srgb_encode(float linear);

/// Scene light, in which a white plate on level ground has a luminance of 1, as a film shows it: darker shadows, a
/// middle of slightly more contrast that keeps 18 % grey, and highlights that roll off and pale towards white, so that
/// nothing is blown. Never falls with more light, and stays below 1 or reaches it in the limit.
Rgb tone_map(Rgb scene);

/// The encoded bytes; `dither` in [0, 1) decides the rounding (0.5 is to nearest).
void store_srgb(Rgb display, float dither, uint8_t* pixel);

/// Distinct colours of classes 0, 1, 2, ...: the first nine safe for the colour-blind, then hues a golden angle apart
/// on alternating lightness, in Oklab.
Rgb category_colour(int64_t index);

}  // namespace tepui
