#include "tepui/render/light/colour.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tepui/core/math.h"

namespace tepui {

namespace {

/// Muted colours for areas: any two are at least 17 apart in L*a*b*, also for eyes that lack a kind of cone.
constexpr uint32_t class_scheme[] = {0x487aa1, 0x913932, 0xd29058, 0xf4e3a0, 0x707f6d,
                                     0xa79fb2, 0x4f4a58, 0xbad3c8, 0xc8a88a};

/// Toe, line and shoulder, joined with equal slopes.
float film_curve(float v) {
  constexpr float toe = 0.08f, shoulder = 0.5f, start = 0.72f, slope = 1.15f;
  if (v < toe) return v * (start + v * ((slope - start) / (2 * toe)));
  if (v < shoulder) return slope * v - (slope - start) * (toe / 2);
  constexpr float room = 1 - (slope * shoulder - (slope - start) * (toe / 2));
  const float s = 1 + (v - shoulder) * (slope / (2 * room));
  return 1 - room / (s * s);
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

uint32_t to_hex(Rgb c) {
  uint8_t bytes[3];
  store_srgb(c, 0.5f, bytes);
  return (uint32_t{bytes[0]} << 16) | (uint32_t{bytes[1]} << 8) | bytes[2];
}

Rgb tone_map(Rgb c) {
  c = {std::max(c.r, 0.0f), std::max(c.g, 0.0f), std::max(c.b, 0.0f)};
  // A film's richer colours in the middle tones; bright ones move towards white of their luminance, slowly enough that
  // no channel ever falls with more light.
  constexpr float rich = 0.08f;
  const float excess = std::max(std::max({c.r, c.g, c.b}) - 0.5f, 0.0f), grey = luminance(c);
  const float pale = (1 + rich) * excess / (excess + 6) - rich;
  const auto paled = [&](float v) { return std::max(v + (grey - v) * pale, 0.0f); };
  c = {paled(c.r), paled(c.g), paled(c.b)};
  const float peak = std::max({c.r, c.g, c.b});
  if (peak <= 0) return {};
  // The curve on each channel turns bright reds yellow, on the brightest alone it keeps them too deep: half of each.
  const float whole = 0.5f * film_curve(peak) / peak;
  return {0.5f * film_curve(c.r) + whole * c.r, 0.5f * film_curve(c.g) + whole * c.g,
          0.5f * film_curve(c.b) + whole * c.b};
}

void store_srgb(Rgb c, float dither, uint8_t* pixel) {
  const auto byte = [&](float v) {
    return static_cast<uint8_t>(std::clamp(srgb_encode(v) * 255 + dither, 0.0f, 255.0f));
  };
  pixel[0] = byte(c.r);
  pixel[1] = byte(c.g);
  pixel[2] = byte(c.b);
}

Rgb category_colour(int64_t index) {
  if (index >= 0 && index < std::ssize(class_scheme)) return from_hex(class_scheme[index]);
  static constexpr float lightness[] = {0.74f, 0.58f, 0.86f, 0.66f};
  const uint64_t i = static_cast<uint64_t>(std::max<int64_t>(index, 0));
  const double hue = math::radians(std::fmod(static_cast<double>(i) * 137.50776 + 40, 360.0));
  const float l = lightness[i % std::size(lightness)];
  const float a = 0.125f * static_cast<float>(math::cos(hue)), b = 0.125f * static_cast<float>(math::sin(hue));
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
