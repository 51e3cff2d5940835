#include "tepui/render/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

namespace tepui {

namespace {

template <size_t N>
Rgb ramp(const std::array<uint32_t, N>& stops, float t) {
  const float place = clamp01(t) * static_cast<float>(N - 1);
  const size_t at = std::min(static_cast<size_t>(place), N - 2);
  const float part = place - static_cast<float>(at);
  // Between neighbouring stops in encoded values, where equal steps look equal.
  const auto channel = [&](int shift) {
    const float a = static_cast<float>((stops[at] >> shift) & 255u),
                b = static_cast<float>((stops[at + 1] >> shift) & 255u);
    return srgb_decode((a + (b - a) * part) / 255);
  };
  return {channel(16), channel(8), channel(0)};
}

}  // namespace

float srgb_decode(float v) { return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f); }

float srgb_encode(float v) {
  v = clamp01(v);
  return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
}

Rgb from_hex(uint32_t hex) {
  return {srgb_decode(static_cast<float>((hex >> 16) & 255u) / 255),
          srgb_decode(static_cast<float>((hex >> 8) & 255u) / 255), srgb_decode(static_cast<float>(hex & 255u) / 255)};
}

Rgb tone_map(Rgb c) {
  constexpr float knee = 0.35f, toe = 0.05f;
  const auto curve = [](float v) {
    v = std::max(v, 0.0f);
    if (v <= knee) return v * (v + toe * 0.35f) / (v + toe) * ((knee + toe) / (knee + toe * 0.35f));
    const float s = (v - knee) / (1 - knee);
    return knee + (1 - knee) * s / (1 + s);
  };
  return {curve(c.r), curve(c.g), curve(c.b)};
}

void store_srgb(Rgb c, float dither, uint8_t* pixel) {
  const auto byte = [&](float v) {
    return static_cast<uint8_t>(std::clamp(srgb_encode(v) * 255 + dither, 0.0f, 255.0f));
  };
  pixel[0] = byte(c.r);
  pixel[1] = byte(c.g);
  pixel[2] = byte(c.b);
}

Rgb uniform_ramp(float t) {
  static constexpr std::array<uint32_t, 9> viridis = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                      0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
  return ramp(viridis, t);
}

Rgb height_ramp(float t) {
  static constexpr std::array<uint32_t, 8> tints = {0x6f8f72, 0x9aac7c, 0xc7c391, 0xddc48d,
                                                    0xcf9f6c, 0xb98065, 0xc7a99b, 0xf4efe9};
  return ramp(tints, t);
}

Rgb category_colour(int64_t index) {
  static constexpr float lightness[] = {0.74f, 0.58f, 0.86f, 0.66f};
  const uint64_t i = static_cast<uint64_t>(std::max<int64_t>(index, 0));
  const double hue = std::fmod(static_cast<double>(i) * 137.50776 + 40, 360.0) * std::numbers::pi / 180;
  const float l = lightness[i % std::size(lightness)];
  const float a = 0.125f * static_cast<float>(std::cos(hue)), b = 0.125f * static_cast<float>(std::sin(hue));
  // Oklab to linear sRGB (Ottosson 2020).
  const auto cube = [](float v) { return v * v * v; };
  const float p = cube(l + 0.3963377774f * a + 0.2158037573f * b);
  const float q = cube(l - 0.1055613458f * a - 0.0638541728f * b);
  const float s = cube(l - 0.0894841775f * a - 1.2914855480f * b);
  return {clamp01(4.0767416621f * p - 3.3077115913f * q + 0.2309699292f * s),
          clamp01(-1.2684380046f * p + 2.6097574011f * q - 0.3413193965f * s),
          clamp01(-0.0041960863f * p - 0.7034186147f * q + 1.7076147010f * s)};
}

}  // namespace tepui
