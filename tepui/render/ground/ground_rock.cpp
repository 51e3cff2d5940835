#include <algorithm>

#include "tepui/render/ground/ground.h"
#include "tepui/render/ground/ground_spot.h"

namespace tepui {

namespace {

/// One's own colour for rock, with the shades of the beds that it stands for.
Rgb shaded(Rgb own, Rgb bed, Rgb usual) {
  const float shade = luminance(bed) / std::max(luminance(usual), 1e-3f);
  return own * std::clamp(shade, 0.6f, 1.5f);
}

}  // namespace

BedLook Ground::bed_of(const GroundPoint& p, float level, float extent, float wave) const {
  BedLook bed = beds_->at(level, extent);
  if (p.bed >= 0) {
    // Thin beds go on within a rock that is known, but its own colour stands for it.
    const BedLook known = beds_->at(p.bed + 0.5f * wave, 0.05f);
    bed.colour = mix(bed.colour, known.colour, 0.78f);
    bed.massive = 0.5f * (bed.massive + known.massive);
    bed.ledge *= 0.4f;
  }
  std::optional<Rgb> own = own_->rock;
  const auto in = [](const std::vector<std::optional<Rgb>>& list, int i) {
    return i >= 0 && static_cast<size_t>(i) < list.size() ? list[static_cast<size_t>(i)] : std::nullopt;
  };
  if (const auto colour = in(own_->classes, p.material_class)) own = colour;
  if (const auto colour = in(own_->rocks, p.rock)) own = colour;
  if (own) bed.colour = shaded(*own, bed.colour, beds_->at(level, 0.3f).colour);
  return bed;
}

Rgb Ground::cliff_face(GroundSpot& spot, const BedLook& bed, float massive, float strength, float& joints) const {
  Rgb face = bed.colour;
  if (massive > 0.02f) {
    const SolidGrain flutes = solid_grain(spot.at, {1.3, 1.3, 0.14}, {.octaves = 5, .footprint = spot.footprint});
    spot.add(flutes.tilt, 0.34f * massive * strength);
    joints = massive * flutes.cracks;
  }
  if (massive < 0.98f) {
    const SolidGrain laminae = solid_grain(spot.at, {0.22, 0.22, 1.8}, {.octaves = 5, .footprint = spot.footprint * 2});
    spot.add(laminae.tilt, 0.16f * (1 - massive) * strength);
    face = face * (1 + 0.25f * (1 - massive) * laminae.value);
  }
  spot.tilt[2] += 0.8f * bed.ledge * strength;
  const Vec3 hung{spot.at.x * 1.1, spot.at.y * 1.1, spot.at.z * 0.05};
  const float streak = solid_grain_value(hung, {.octaves = 6, .footprint = spot.footprint, .fall = 0.7f});
  const float stained = smooth_step(0.0f, 0.8f, streak + 0.35f * spot.broad + 0.2f * spot.grain.value);
  // What runs down a face needs one that is sheer.
  const float sheer = smooth_step(1.0f, 2.4f, spot.slope);
  return mix(face, biome_->stain, biome_->stains * (0.3f + 0.7f * massive) * stained * sheer);
}

Rgb Ground::rock(const GroundPoint& p, GroundSpot& spot, float share) const {
  const float fine = spot.grain.value;
  const float cliff = smooth_step(0.55f, 1.3f, spot.slope);
  const double dip = (biome_->dip.x * p.at.x + biome_->dip.y * p.at.y) / span_;
  const float wave = 0.012f * spot.broad + 0.004f * fine;
  const float rise_of_pixel = p.footprint * (spot.slope / (1 + spot.slope) + 0.02f);
  const BedLook bed =
      bed_of(p, level(p) - static_cast<float>(dip) + wave, rise_of_pixel / static_cast<float>(span_), wave);
  const float hard = p.hardness >= 0 ? p.hardness - 0.5f : 0;
  const float massive = clamp01(bed.massive + 0.6f * hard);
  float joints = 0;
  Rgb face = bed.colour;
  if (cliff > 0.01f) face = cliff_face(spot, bed, massive, share * cliff, joints);
  const float bare = p.sediment >= 0 && biome_->arid ? 1 - cliff : 0;
  const bool own = own_->rock || !own_->rocks.empty() || !own_->classes.empty();
  Rgb colour = mix(mix(biome_->flat_rock, bed.colour, own ? 0.85f : 0.3f + 0.25f * bare), face, cliff);
  if (bare > 0.01f) colour = colour * (1 + bare * (pavement(spot, bare * share) - 1));
  if (p.material >= 0 && !own) colour = mix(colour, beds_->at(0.15f + 0.8f * p.material, 0.08f).colour, 0.18f);
  colour = colour * ((1 + 0.2f * fine) * (1 + 0.2f * hard) * (1 - 0.35f * spot.grain.cracks) * (1 - 0.6f * joints));
  spot.add(spot.grain.tilt, (0.13f + 0.11f * cliff - 0.08f * bare) * share);
  return colour;
}

float Ground::pavement(GroundSpot& spot, float share) const {
  const Vec3 at = spot.at;
  const SolidGrainRange range{.octaves = 7, .footprint = spot.footprint, .fall = 0.6f};
  // Joints at right angles, 20 degrees off the axes of the plan.
  const Vec3 turned{0.94 * at.x + 0.34 * at.y, 0.94 * at.y - 0.34 * at.x, at.z};
  const SolidGrain one = solid_grain(turned, {0.45, 0.07, 0.3}, range),
                   other = solid_grain(turned, {0.09, 0.4, 0.3}, range);
  const auto add = [&](const SolidGrain& set) {
    const float plan[3] = {0.94f * set.tilt[0] - 0.34f * set.tilt[1], 0.34f * set.tilt[0] + 0.94f * set.tilt[1],
                           set.tilt[2]};
    spot.add(plan, 0.14f * share);
  };
  add(one);
  add(other);
  const float slabs = smooth_step(-0.25f, 0.25f, one.value) + smooth_step(-0.25f, 0.25f, other.value) - 1;
  return (1 + 0.13f * slabs + 0.1f * spot.broad) * (1 - 0.6f * std::max(one.cracks, other.cracks));
}

}  // namespace tepui
