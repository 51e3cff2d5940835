#include "tepui/render/ground/biome_look.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr size_t finest = 4096;

Rgb sequence_at(const BiomeLook& c, float level) {
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
void add_bed(const BiomeLook& c, const Stream& stream, uint64_t bed, float bottom, float thickness, float massive,
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

float bed_of_rock(float resistance, int which) {
  const float apart = which < 0 ? 0 : 0.05f * (static_cast<float>((static_cast<int64_t>(which) * 7) % 5) - 2) / 2;
  return std::clamp(0.1f + 0.8f * resistance + apart, 0.0f, 1.0f);
}

Beds::Beds(const BiomeLook& c) {
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
