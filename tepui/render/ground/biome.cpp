#include "tepui/render/ground/biome.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tepui/core/random.h"
#include "tepui/core/srgb.h"

namespace tepui {

namespace {

constexpr size_t finest = 4096;

Biome desert() {
  Biome c{};
  c.sequence = {{{0, paint(0x7d3d2a)},
                 {0.3f, paint(0x8a4a37)},
                 {0.55f, paint(0x9f5a43)},
                 {0.945f, paint(0xae6e52)},
                 {0.965f, paint(0xc5a382)}}};
  c.bed_tints = {paint(0xd6b189), paint(0x5f2e22), paint(0x7d4a3c)};
  c.thinnest = 0.011f;
  c.spread = 0.04f;
  c.contrast = 1.25f;
  c.massive_from = 0.56f;
  c.massive_to = 0.93f;
  c.soil = {paint(0xab7657), paint(0xbc9374)};
  c.grass = {paint(0x7d7f5f), paint(0x938e6b)};
  c.sand = {paint(0xcfb593), paint(0xc09b79)};
  c.scree = {paint(0xb58868), paint(0xc2a084)};
  c.snow = {0.86f, 0.88f, 0.91f};
  c.flat_rock = paint(0xbe9d7b);
  c.stain = paint(0x43261f);
  c.stains = 0.62f;
  c.scree_from = 0.32f, c.scree_to = 0.55f, c.rock_from = 0.74f, c.rock_to = 1.05f;
  return c;
}

Biome alpine() {
  Biome c{};
  c.sequence = {{{0, paint(0x716b62)},
                 {0.3f, paint(0x7c766d)},
                 {0.55f, paint(0x87827a)},
                 {0.8f, paint(0x8b8884)},
                 {1, paint(0x96938f)}}};
  c.bed_tints = {paint(0xa39a8a), paint(0x56524e), paint(0x7a6a58)};
  c.thinnest = 0.02f;
  c.spread = 0.09f;
  c.contrast = 0.55f;
  c.ledges = 0.7f;
  c.dip = {0.22, 0.11};
  c.soil = {paint(0x6b5a45), paint(0x7e6d55)};
  c.grass = {paint(0x505b30), paint(0x6b6c3e)};
  c.sand = {paint(0xa89d8a), paint(0x978c7a)};
  c.scree = {paint(0x8d8880), paint(0xa09a90)};
  c.snow = {0.86f, 0.88f, 0.91f};
  c.scree_of_rock = 0.3f;
  c.flat_rock = paint(0x827d74);
  c.stain = paint(0x35332f);
  c.stains = 0.45f;
  c.scree_from = 0.48f, c.scree_to = 0.72f, c.rock_from = 0.78f, c.rock_to = 1.15f;
  return c;
}

Biome coast() {
  Biome c{};
  c.sequence = {{{0, paint(0x8e8371)},
                 {0.3f, paint(0xa39883)},
                 {0.55f, paint(0xb5ab95)},
                 {0.8f, paint(0xbbb29e)},
                 {1, paint(0xaf9f83)}}};
  c.bed_tints = {paint(0xd0c7b2), paint(0x746651), paint(0x96805f)};
  c.thinnest = 0.018f;
  c.spread = 0.07f;
  c.contrast = 0.7f;
  c.dip = {0.05, -0.03};
  c.soil = {paint(0x84694a), paint(0x96805c)};
  c.grass = {paint(0x53652f), paint(0x7b8048)};
  c.sand = {paint(0xd9c9a3), paint(0xcbb68d)};
  c.scree = {paint(0xa3957c), paint(0xb6aa92)};
  c.snow = {0.86f, 0.88f, 0.91f};
  c.flat_rock = paint(0xa29881);
  c.stain = paint(0x4b4337);
  c.stains = 0.4f;
  c.scree_from = 0.65f, c.scree_to = 0.9f, c.rock_from = 0.72f, c.rock_to = 1.05f;
  return c;
}

Biome karst() {
  Biome c{};
  c.sequence = {{{0, paint(0xa8a294)},
                 {0.3f, paint(0xb7b2a5)},
                 {0.55f, paint(0xc3bfb4)},
                 {0.8f, paint(0xc6c3ba)},
                 {1, paint(0xbdb8ad)}}};
  c.bed_tints = {paint(0xd8d4c8), paint(0x8a857a), paint(0xb3a284)};
  c.thinnest = 0.014f;
  c.spread = 0.05f;
  c.contrast = 0.6f;
  c.dip = {0.02, 0.03};
  c.soil = {paint(0x8a4a30), paint(0x9c6444)};
  c.grass = {paint(0x33451f), paint(0x56632f)};
  c.sand = {paint(0xcfc4a8), paint(0xbdae8d)};
  c.scree = {paint(0xb4aea0), paint(0xc4bfb2)};
  c.snow = {0.86f, 0.88f, 0.91f};
  c.flat_rock = paint(0xb4afa3);
  c.stain = paint(0x3c3b38);
  c.stains = 0.6f;
  c.scree_from = 0.7f, c.scree_to = 1.0f, c.rock_from = 0.75f, c.rock_to = 1.2f;
  return c;
}

Rgb sequence_at(const Biome& c, float level) {
  for (size_t i = 1; i < c.sequence.size(); ++i) {
    const auto &low = c.sequence[i - 1], &high = c.sequence[i];
    if (level < high.level) return mix(low.rock, high.rock, smooth_step(low.level, high.level, level));
  }
  return c.sequence.back().rock;
}

BedLook mean(const BedLook& a, const BedLook& b, float t) {
  return {mix(a.colour, b.colour, t), a.ledge + t * (b.ledge - a.ledge), a.massive + t * (b.massive - a.massive)};
}

/// One bed's share of the finest slice. Its foot lies back under it, dark; its top is a step.
void add_bed(const Biome& c, const Stream& stream, uint64_t bed, float bottom, float thickness, float massive,
             std::vector<BedLook>& slice) {
  const auto draw = [&](uint64_t channel) { return static_cast<float>(stream.uniform(bed, channel)); };
  const float kind = draw(1);
  const float strength = c.contrast * (1 - 0.85f * massive) * (0.2f + 0.6f * draw(2));
  const Rgb tint = c.bed_tints[kind < 0.3f ? 0 : kind < 0.65f ? 1 : 2];
  const float shade = 1 + c.contrast * (1 - 0.5f * massive) * 0.3f * (draw(3) - 0.5f);
  const float step = c.ledges * (0.25f + 0.75f * draw(5));
  const auto size = static_cast<float>(finest);
  const size_t to = std::min(finest, static_cast<size_t>((bottom + thickness) * size) + 1);
  for (auto i = static_cast<size_t>(bottom * size); i < to; ++i) {
    const float level = (static_cast<float>(i) + 0.5f) / size;
    const float up = clamp01((level - bottom) / thickness);
    // Partings are thinner in thick beds, which have few of them.
    const float edge = 0.22f - 0.12f * massive;
    const float foot = 1 - smooth_step(0, edge, up), top = smooth_step(1 - edge, 1, up);
    const float laminae =
        0.07f * c.contrast * (1 - 0.6f * massive) * (static_cast<float>(stream.uniform(i / 3, 4)) - 0.5f);
    slice[i].colour = mix(sequence_at(c, level), tint, strength * (kind < 0.85f ? 0.8f : 0.2f)) *
                      ((shade + laminae) * (1 - 0.28f * c.contrast * foot));
    slice[i].ledge = step * (1.1f * foot - 1.1f * top);
    slice[i].massive = massive;
  }
}

}  // namespace

Rgb paint(uint32_t hex) {
  const auto channel = [&](int shift) {
    return static_cast<float>(linear_from_srgb(static_cast<double>((hex >> shift) & 255u) / 255));
  };
  return {channel(16), channel(8), channel(0)};
}

const Biome& biome(Palette palette) {
  static const std::array<Biome, 4> all = {desert(), alpine(), coast(), karst()};
  return all[static_cast<size_t>(palette)];
}

Beds::Beds(const Biome& c) {
  std::vector<BedLook> slice(finest);
  const Stream stream(0x6265'6473u);
  uint64_t bed = 0;
  for (float bottom = 0; bottom < 1; ++bed) {
    const float massive = smooth_step(c.massive_from - 0.06f, c.massive_from + 0.06f, bottom) *
                          (1 - smooth_step(c.massive_to - 0.04f, c.massive_to + 0.04f, bottom));
    const auto draw = static_cast<float>(stream.uniform(bed, 0));
    const float thickness = (c.thinnest + c.spread * draw * draw) * (1 + 3.5f * massive);
    add_bed(c, stream, bed, bottom, thickness, massive, slice);
    bottom += thickness;
  }
  slices_.push_back(std::move(slice));
  while (slices_.back().size() > 1) {
    const std::vector<BedLook>& fine = slices_.back();
    std::vector<BedLook> coarse(fine.size() / 2);
    for (size_t i = 0; i < coarse.size(); ++i) coarse[i] = mean(fine[2 * i], fine[2 * i + 1], 0.5f);
    slices_.push_back(std::move(coarse));
  }
}

BedLook Beds::at(float level, float extent) const {
  // Into one period of the mirror.
  const float half = level * 0.5f;
  float t = 2 * (half - std::floor(half));
  t = t > 1 ? 2 - t : t;
  const auto read = [t](const std::vector<BedLook>& slice) {
    const float place = t * static_cast<float>(slice.size()) - 0.5f;
    if (place <= 0) return slice.front();
    const auto i = static_cast<size_t>(place);
    if (i + 1 >= slice.size()) return slice.back();
    return mean(slice[i], slice[i + 1], place - static_cast<float>(i));
  };
  const float entries = extent * static_cast<float>(finest);
  if (!(entries > 1)) return read(slices_.front());
  // The exponent and the mantissa of a float are a logarithm of base 2, near enough.
  const auto bits = std::bit_cast<uint32_t>(entries);
  const size_t fine = (bits >> 23) - 127;
  if (fine + 1 >= slices_.size()) return slices_.back().front();
  const float part = static_cast<float>(bits & 0x7fffffu) * 0x1p-23f;
  return mean(read(slices_[fine]), read(slices_[fine + 1]), part);
}

}  // namespace tepui
