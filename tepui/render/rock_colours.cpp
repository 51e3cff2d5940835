#include "tepui/render/rock_colours.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/random.h"
#include "tepui/render/grain.h"

namespace tepui {

namespace {

constexpr size_t table_size = 2048;

/// The sequence of rocks from foot to top before beds vary it.
Rgb rock_sequence(float level) {
  static const Rgb foot = from_hex(0x8a4630), lower = from_hex(0xa65535), massive = from_hex(0xbd6a41),
                   upper = from_hex(0xc98353), cap = from_hex(0xc99c6c);
  if (level < 0.25f) return mix(foot, lower, smooth_step(0, 0.25f, level));
  if (level < 0.55f) return mix(lower, massive, smooth_step(0.25f, 0.5f, level));
  return mix(mix(massive, upper, smooth_step(0.55f, 0.85f, level)), cap, smooth_step(0.86f, 0.97f, level));
}

}  // namespace

RockColours::RockColours() : table_(table_size) {
  const Stream stream(0x6265'6473u);
  static const Rgb cream = from_hex(0xd9b68c), dark = from_hex(0x6b3526), violet = from_hex(0x85513f);
  uint64_t bed = 0;
  for (float bottom = 0; bottom < 1; ++bed) {
    // Thin beds low down, thick ones in the middle; thickness over a factor of five.
    const float middle = smooth_step(0.3f, 0.5f, bottom) * (1 - smooth_step(0.8f, 0.9f, bottom));
    const float spread = static_cast<float>(stream.uniform(bed, 0));
    const float thickness = (0.012f + 0.05f * spread * spread) * (1 + 2.2f * middle);
    const float kind = static_cast<float>(stream.uniform(bed, 1)), amount = static_cast<float>(stream.uniform(bed, 2));
    const float strength = (1 - 0.6f * middle) * (0.25f + 0.55f * amount);
    const Rgb tint = kind < 0.3f ? cream : kind < 0.62f ? dark : violet;
    const float shade = 0.88f + 0.24f * static_cast<float>(stream.uniform(bed, 3));
    const size_t from = static_cast<size_t>(bottom * table_size);
    const size_t to = std::min(table_size, static_cast<size_t>((bottom + thickness) * table_size) + 1);
    for (size_t i = from; i < to; ++i) {
      const float level = (static_cast<float>(i) + 0.5f) / table_size;
      const float laminae = 0.05f * static_cast<float>(stream.uniform(i / 3, 4) - 0.5);
      // A bed overhangs the next one a little: its foot is dark.
      const float up = (static_cast<float>(i) - bottom * table_size) / (thickness * table_size);
      const float foot = 1 - 0.22f * (1 - smooth_step(0, 0.22f, up));
      table_[i] = mix(rock_sequence(level), tint, strength * (kind < 0.8f ? 0.8f : 0.2f)) * ((shade + laminae) * foot);
    }
    bottom += thickness;
  }
}

Rgb RockColours::strata(float level) const {
  const float place = clamp01(level) * static_cast<float>(table_size - 1);
  const size_t at = std::min(static_cast<size_t>(place), table_size - 2);
  return mix(table_[at], table_[at + 1], place - static_cast<float>(at));
}

Rgb RockColours::bed(double along, float level) const {
  const float wave = 0.012f * grain_sum(along * 9, 0.37, 3);
  // Beds repeat in a mirror below the land.
  return strata(std::abs(level + wave)) * (0.94f + 0.08f * grain(along * 120, 3.7 + 60 * static_cast<double>(level)));
}

Rgb RockColours::at(const Place& p) const {
  static const Rgb sand = from_hex(0xcb9669), red_sand = from_hex(0xc28055), sage = from_hex(0x8d8462),
                   wash = from_hex(0xdcbd94), talus_tone = from_hex(0xcc9c73), cap_tone = from_hex(0xc69d70),
                   varnish = from_hex(0x4a2a22);
  const float broad = grain_sum(p.x * 7, p.y * 7, 3), fine = grain_sum(p.x * 60 + 9, p.y * 60, 3);
  const float level = p.level + 0.010f * broad + 0.004f * fine;
  const Rgb beds = strata(level);

  // Plains: red sand and tan, sage in patches, pale washes in hollows.
  Rgb ground = mix(red_sand, sand, smooth_step(-0.8f, 0.8f, broad + 0.4f * fine));
  ground = mix(ground, beds, 0.22f);
  const float scrub = grain(p.x * 210, p.y * 210) + 0.7f * fine + 0.5f * broad;
  ground = mix(ground, sage, 0.34f * smooth_step(0.15f, 0.95f, scrub) * (1 - smooth_step(0.1f, 0.3f, p.slope)));
  ground = mix(ground, wash, 0.24f * smooth_step(0.006f, 0.06f, -p.rise + 0.006f * fine));
  // Level ground at the top, or well above its surroundings, is caprock.
  const float cap = std::max(smooth_step(0.01f, 0.06f, p.rise) * smooth_step(0.45f, 0.75f, p.level),
                             smooth_step(0.8f, 0.92f, p.level));
  ground = mix(ground, mix(cap_tone, beds, 0.25f) * (1 + 0.10f * fine), cap);

  const Rgb talus = mix(talus_tone, beds, 0.40f) * (1 + 0.08f * fine);

  // Streaks depend on the plan position alone, so they run down the cliff.
  const float streak = grain_sum(p.x * 330, p.y * 330, 2);
  Rgb cliff = mix(beds, varnish, 0.36f * smooth_step(-0.1f, 0.8f, streak + 0.4f * fine));
  cliff = cliff * (0.97f + 0.10f * fine);

  const float to_talus = smooth_step(0.20f, 0.46f, p.slope + 0.04f * fine);
  const float to_cliff = smooth_step(0.62f, 1.25f, p.slope + 0.12f * fine);
  Rgb colour = mix(mix(ground, talus, to_talus), cliff, to_cliff);

  if (p.material >= 0) colour = mix(colour, rock_sequence(0.3f + 0.7f * p.material), 0.15f);
  if (p.hardness >= 0) colour = colour * (1.06f - 0.12f * p.hardness);
  return colour;
}

Vec2 RockColours::roughness(const Place& p) {
  const double strength = 0.03 + 0.05 * static_cast<double>(smooth_step(0.2f, 0.5f, p.slope)) +
                          0.30 * static_cast<double>(smooth_step(0.7f, 1.3f, p.slope));
  const double x = p.x * 170, y = p.y * 170, reach = 0.35;
  const double here = static_cast<double>(grain_sum(x, y, 3));
  return {strength * (static_cast<double>(grain_sum(x + reach, y, 3)) - here) / reach,
          strength * (static_cast<double>(grain_sum(x, y + reach, 3)) - here) / reach};
}

Rgb water_colour(Rgb bed, float depth) {
  static const Rgb deep = from_hex(0x0f3450), shallow = from_hex(0x4a93a0);
  // Red is lost first; even the shallows read as water.
  const float clear = 0.62f;
  const Rgb through{clear * std::exp(-depth * 16), clear * std::exp(-depth * 8), clear * std::exp(-depth * 6)};
  const Rgb body = mix(shallow, deep, 1 - std::exp(-depth * 3.2f));
  return bed * through + body * Rgb{1 - through.r, 1 - through.g, 1 - through.b};
}

}  // namespace tepui
