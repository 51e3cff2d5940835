#include "tepui/render/ground/ground.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/render/ground/biome.h"
#include "tepui/render/ground/covers.h"
#include "tepui/render/ground/slope.h"
#include "tepui/render/ground/solid_grain.h"

namespace tepui {

namespace {

using Shares = std::array<float, ground_kinds>;

float& share_of(Shares& shares, GroundKind kind) { return shares[static_cast<size_t>(kind)]; }

/// Lays `amount` of a kind over what is there.
void cover(Shares& shares, GroundKind kind, float amount) {
  for (float& share : shares) share *= 1 - amount;
  share_of(shares, kind) += amount;
}

Rgb between(const Tones& tones, float t) { return mix(tones.one, tones.other, smooth_step(-0.7f, 0.7f, t)); }

/// Within what the grain can count cells of.
Vec3 in_units(Vec3 at, double unit) {
  const auto bound = [unit](double v) { return std::clamp(v / unit, -1e9, 1e9); };
  return {bound(at.x), bound(at.y), bound(at.z)};
}

Rgb within_reflectance(Rgb c) {
  const auto bound = [](float v) { return std::clamp(v, 0.01f, 0.95f); };
  return {bound(c.r), bound(c.g), bound(c.b)};
}

}  // namespace

/// What many parts of a look need.
struct Ground::Spot {
  Vec3 at;              ///< in units of the largest detail
  float footprint = 0;  ///< the same
  float slope = 0;      ///< tangent
  float broad = 0;      ///< patches of a few to a side of the land
  SolidGrain grain;
  float tilt[3] = {};  ///< slopes of the small relief, gathered

  void add(const float (&slopes)[3], float amount) {
    for (int i = 0; i < 3; ++i) tilt[i] += amount * slopes[i];
  }
};

/// Of the dry kinds, in their order, and of what is wet.
constexpr std::array<float, ground_kinds> dry_roughness = {0.86f, 0.95f, 0.96f, 0.98f, 0.93f, 0.72f};
constexpr float wet_roughness = 0.35f;

std::string_view ground_kind_name(GroundKind kind) {
  static constexpr std::array<std::string_view, ground_kinds> names = {"rock",  "scree", "soil",
                                                                       "grass", "sand",  "snow"};
  return names[static_cast<size_t>(kind)];
}

Ground::Ground(Palette palette, double side, double relief)
    : palette_(palette),
      unit_(side > 0 ? side / 100 : 1),
      relief_(relief > 0 ? relief : 1),
      hiding_(hiding_thickness(relief_)),
      beds_(std::make_shared<const Beds>(biome(palette))) {}

namespace {

/// Open ground before slopes count: what covers level land.
Shares level_ground(Palette palette, const GroundPoint& p, float slope, float broad, const SolidGrain& grain) {
  const float fine = grain.value, pebbles = grain.pebbles;
  Shares s{};
  const float level = 1 - smooth_step(0.2f, 0.5f, slope);
  const float hollow = smooth_step(0.006f, 0.06f, -p.rise + 0.006f * fine);
  switch (palette) {
    case Palette::desert: {
      share_of(s, GroundKind::soil) = 1;
      cover(s, GroundKind::grass, 0.75f * level * smooth_step(0.0f, 0.6f, 0.6f * broad + 0.6f * fine + 1.2f * pebbles));
      cover(s, GroundKind::sand, 0.75f * level * hollow);
      // Level ground at the top, or well above its surroundings, is caprock.
      const float cap = std::max(smooth_step(0.01f, 0.06f, p.rise) * smooth_step(0.4f, 0.7f, p.level),
                                 smooth_step(0.8f, 0.92f, p.level));
      cover(s, GroundKind::rock, cap * (0.85f + 0.15f * smooth_step(-0.3f, 0.3f, fine)));
      break;
    }
    case Palette::alpine: {
      share_of(s, GroundKind::grass) = 1;
      cover(s, GroundKind::soil, 0.45f * smooth_step(0.1f, 0.8f, fine + 0.4f * broad));
      const float bare = smooth_step(0.38f, 0.62f, p.level + 0.10f * broad + 0.06f * fine);
      cover(s, GroundKind::scree, 0.75f * bare);
      cover(s, GroundKind::rock, 0.6f * bare * smooth_step(0.0f, 0.5f, fine + 4 * p.rise));
      cover(s, GroundKind::sand, 0.3f * hollow * level * (1 - bare));
      break;
    }
    case Palette::coast:
      share_of(s, GroundKind::grass) = 1;
      cover(s, GroundKind::soil, 0.5f * smooth_step(0.15f, 0.8f, fine + 0.5f * broad));
      cover(s, GroundKind::rock, 0.6f * smooth_step(0.6f, 1.0f, fine + 5 * p.rise + 0.8f * slope));
      break;
    case Palette::karst:
      share_of(s, GroundKind::grass) = 1;
      cover(s, GroundKind::soil, 0.8f * hollow * smooth_step(-0.5f, 0.4f, fine + 0.5f * broad));
      cover(s, GroundKind::rock, 0.85f * smooth_step(0.2f, 0.7f, fine + 4 * p.rise + 0.8f * slope + 0.3f * broad));
      break;
  }
  return s;
}

/// How much of the rock debris hides: hollows fill first, and knobs stand out of it longest.
float debris_cover(float thickness, float hiding, float fine) {
  const float knob = 0.6f * clamp01(0.5f + 0.5f * fine);
  return smooth_step(knob, knob + 0.4f, thickness / hiding);
}

/// Loose debris `deep` times as thick as hides the rock: blocks where it lies steep, fines where it lies gently, with
/// what grows on them.
Shares debris(Palette palette, float deep, float slope, float broad, const SolidGrain& grain) {
  const float fine = grain.value, pebbles = grain.pebbles;
  const float level = 1 - smooth_step(0.05f, 0.2f, slope + 0.04f * fine);
  const float grown = level * smooth_step(2.0f, 8.0f, deep);
  const float patches = 0.6f * broad + 0.8f * fine;
  Shares s{};
  share_of(s, GroundKind::sand) = 1;
  switch (palette) {
    case Palette::desert:
      cover(s, GroundKind::soil, 0.5f * smooth_step(-0.2f, 0.7f, patches));
      cover(s, GroundKind::grass, 0.45f * grown * smooth_step(0.2f, 0.8f, patches + 1.2f * pebbles));
      break;
    case Palette::alpine:
      cover(s, GroundKind::soil, 0.5f * smooth_step(-0.4f, 0.6f, patches));
      cover(s, GroundKind::grass, 0.9f * grown * smooth_step(-0.8f, 0.1f, patches));
      break;
    case Palette::coast:
      cover(s, GroundKind::soil, 0.4f * smooth_step(-0.2f, 0.6f, patches));
      cover(s, GroundKind::grass, 0.85f * grown * smooth_step(-0.7f, 0.2f, patches));
      break;
    case Palette::karst:
      cover(s, GroundKind::soil, 0.8f * smooth_step(-0.8f, 0.4f, patches));
      cover(s, GroundKind::grass, 0.85f * grown * smooth_step(-0.7f, 0.3f, patches));
      break;
  }
  // A thin sheet is dust and grit of the rock beneath, not yet sand.
  cover(s, GroundKind::soil, 0.7f * (1 - smooth_step(1.5f, 6.0f, deep)));
  // Single blocks have rolled beyond the foot of the slope.
  const float strewn = smooth_step(0.05f, 0.18f, slope) * smooth_step(0.15f, 0.5f, pebbles + 0.3f * fine);
  cover(s, GroundKind::scree, std::max(0.7f * strewn, smooth_step(0.14f, 0.36f, slope + 0.08f * fine)));
  return s;
}

}  // namespace

Ground::Shares Ground::shares(const GroundPoint& p, const Spot& spot) const {
  const Biome& c = biome(palette_);
  const float fine = spot.grain.value, slope = spot.slope;
  // With a layer of debris, all ground without it is rock, however gentle.
  const bool told = p.sediment >= 0;
  const float loose = told ? debris_cover(p.sediment, hiding_, fine) : 1;
  Shares s = told ? debris(palette_, p.sediment / hiding_, slope, spot.broad, spot.grain)
                  : level_ground(palette_, p, slope, spot.broad, spot.grain);
  if (told) cover(s, GroundKind::rock, 1 - loose);
  // A layer knows better than the palette.
  if (p.sand >= 0) share_of(s, GroundKind::soil) += std::exchange(share_of(s, GroundKind::sand), 0.0f);
  if (p.soil >= 0) {
    Shares bare{};
    const float known = share_of(s, GroundKind::soil) + share_of(s, GroundKind::grass);
    const float green = known > 0 ? share_of(s, GroundKind::grass) / known : 0;
    share_of(bare, GroundKind::rock) = 0.7f;
    share_of(bare, GroundKind::scree) = 0.3f;
    if (!told) s = bare;
    const float deep = smooth_step(0.0f, 0.4f, p.soil * (1 + 0.6f * fine));
    cover(s, GroundKind::soil, deep);
    cover(s, GroundKind::grass, deep * green);
  }
  if (!told) {
    cover(s, GroundKind::scree, smooth_step(c.scree_from, c.scree_to, slope + 0.05f * fine));
    const float hold = p.hardness >= 0 ? 0.3f * (p.hardness - 0.5f) : 0;
    cover(s, GroundKind::rock, smooth_step(c.rock_from, c.rock_to, slope + hold + 0.16f * fine));
  }

  const auto relief = static_cast<float>(relief_);
  if (palette_ == Palette::coast && p.sand < 0) {
    const float beach = std::min(0.03f * relief, std::max(6.0f, 3 * p.footprint));
    cover(s, GroundKind::sand,
          (1 - smooth_step(0.4f * beach, beach, p.above_water * (1 + 0.4f * fine))) *
              (1 - smooth_step(0.25f, 0.5f, slope)) * loose);
  }
  if (p.sand > 0) cover(s, GroundKind::sand, smooth_step(0.0f, 0.25f, p.sand * (1 + 0.6f * fine)));
  if (palette_ == Palette::alpine && p.snow < 0) {
    const float lie = 1 - smooth_step(0.75f, 1.2f, slope + 0.2f * fine);
    cover(s, GroundKind::snow,
          lie * smooth_step(0.58f, 0.68f, p.level + 0.08f * spot.broad + 0.05f * fine - 0.6f * p.rise));
  }
  if (p.above_water < 0) {
    const float deep = smooth_step(0, 0.01f * relief, -p.above_water);
    cover(s, GroundKind::sand, deep * (1 - smooth_step(0.5f, 1.0f, slope)) * loose);
  } else if (p.snow > 0) {
    cover(s, GroundKind::snow, smooth_step(0.0f, 0.2f, p.snow * (1 + 0.4f * fine)));
  }
  if (p.shelter > 0) {
    const float dark = smooth_step(0.2f, 0.8f, p.shelter + 0.15f * fine);
    const auto turn = [&](GroundKind from, GroundKind to) {
      const float share = dark * share_of(s, from);
      share_of(s, from) -= share;
      share_of(s, to) += share;
    };
    turn(GroundKind::grass, GroundKind::soil);
    turn(GroundKind::snow, GroundKind::scree);
    // Deep inside no soil forms: there are blocks and clay from the rock itself.
    const float barren = smooth_step(0.7f, 1.0f, p.shelter) * share_of(s, GroundKind::soil);
    share_of(s, GroundKind::soil) -= barren;
    share_of(s, GroundKind::scree) += 0.6f * barren;
    share_of(s, GroundKind::rock) += 0.4f * barren;
  }
  return s;
}

BedLook Ground::bed_of(const GroundPoint& p, float level, float extent, float wave) const {
  BedLook bed = beds_->at(level, extent);
  if (p.bed < 0) return bed;
  // Thin beds go on within a rock that is known, but its own colour stands for it.
  const BedLook known = beds_->at(p.bed + 0.5f * wave, 0.05f);
  bed.colour = mix(bed.colour, known.colour, 0.78f);
  bed.massive = 0.5f * (bed.massive + known.massive);
  bed.ledge *= 0.4f;
  return bed;
}

Rgb Ground::rock(const GroundPoint& p, Spot& spot, float share) const {
  const Biome& c = biome(palette_);
  const float fine = spot.grain.value;
  const float cliff = smooth_step(0.55f, 1.3f, spot.slope);
  const double dip = (c.dip.x * p.at.x + c.dip.y * p.at.y) / relief_;
  const float wave = 0.012f * spot.broad + 0.004f * fine;
  const float rise_of_pixel = p.footprint * (spot.slope / (1 + spot.slope) + 0.02f);
  const BedLook bed =
      bed_of(p, p.level - static_cast<float>(dip) + wave, rise_of_pixel / static_cast<float>(relief_), wave);
  const float hard = p.hardness >= 0 ? p.hardness - 0.5f : 0;
  const float massive = clamp01(bed.massive + 0.6f * hard);

  Rgb face = bed.colour;
  float joints = 0;
  if (cliff > 0.01f) {
    const float strength = share * cliff;
    if (massive > 0.02f) {
      const SolidGrain flutes = solid_grain(spot.at, {1.3, 1.3, 0.14}, {.octaves = 5, .footprint = spot.footprint});
      spot.add(flutes.tilt, 0.34f * massive * strength);
      joints = massive * flutes.cracks;
    }
    if (massive < 0.98f) {
      const SolidGrain laminae =
          solid_grain(spot.at, {0.22, 0.22, 1.8}, {.octaves = 5, .footprint = spot.footprint * 2});
      spot.add(laminae.tilt, 0.16f * (1 - massive) * strength);
      face = face * (1 + 0.25f * (1 - massive) * laminae.value);
    }
    spot.tilt[2] += 0.8f * bed.ledge * strength;
    const Vec3 hung{spot.at.x * 1.1, spot.at.y * 1.1, spot.at.z * 0.05};
    const float streak = solid_grain_value(hung, {.octaves = 6, .footprint = spot.footprint, .fall = 0.7f});
    const float stained = smooth_step(0.0f, 0.8f, streak + 0.35f * spot.broad + 0.2f * fine);
    // What runs down a face needs one that is sheer.
    const float sheer = smooth_step(1.0f, 2.4f, spot.slope);
    face = mix(face, c.stain, c.stains * (0.3f + 0.7f * massive) * stained * sheer);
  }
  const float bare = p.sediment >= 0 ? 1 - cliff : 0;
  Rgb colour = mix(mix(c.flat_rock, bed.colour, 0.3f + 0.25f * bare), face, cliff);
  if (bare > 0.01f) colour = colour * (1 + bare * (pavement(spot, bare * share) - 1));
  if (p.material >= 0) colour = mix(colour, beds_->at(0.15f + 0.8f * p.material, 0.08f).colour, 0.18f);
  colour = colour * ((1 + 0.2f * fine) * (1 + 0.2f * hard) * (1 - 0.35f * spot.grain.cracks) * (1 - 0.6f * joints));
  spot.add(spot.grain.tilt, (0.13f + 0.11f * cliff - 0.08f * bare) * share);
  return colour;
}

float Ground::pavement(Spot& spot, float share) const {
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

void Ground::add_ripples(Spot& spot, float share) const {
  // Crests across the wind, which blows 37 degrees off the east.
  const Vec3 turned{6 * (0.8 * spot.at.x + 0.6 * spot.at.y), 6 * (0.8 * spot.at.y - 0.6 * spot.at.x), 6 * spot.at.z};
  const SolidGrain ripples = solid_grain(turned, {1, 0.16, 0.3}, {.octaves = 6, .footprint = 6 * spot.footprint});
  const float wind[3] = {0.8f * ripples.tilt[0] - 0.6f * ripples.tilt[1],
                         0.6f * ripples.tilt[0] + 0.8f * ripples.tilt[1], ripples.tilt[2]};
  spot.add(wind, 0.09f * share);
}

GroundLook Ground::look(const GroundPoint& p) const {
  const Biome& c = biome(palette_);
  Spot spot;
  spot.at = in_units(p.at, unit_);
  spot.footprint = p.footprint / static_cast<float>(unit_);
  spot.slope = slope_of(p.normal);
  spot.broad = solid_grain_value(spot.at * 0.07, {.octaves = 3, .footprint = 0.07f * spot.footprint, .fall = 0.5f});
  spot.grain = solid_grain(spot.at, {1, 1, 1}, {.footprint = spot.footprint});

  GroundLook look;
  look.weights = shares(p, spot);
  const float fine = spot.grain.value, pebbles = spot.grain.pebbles;
  // Debris that a layer tells of is fresh: rough, and of the rock's own colour.
  const float fresh = p.sediment > 0 ? 1 : 0;
  Rgb albedo;
  const auto add = [&](GroundKind kind, auto colour, float smooth, float rough) {
    const float share = share_of(look.weights, kind);
    if (share < 0.002f) return;
    albedo = albedo + colour(share) * share;
    if (smooth > 0) spot.add(spot.grain.tilt, smooth * share);
    if (rough > 0) spot.add(spot.grain.pebble_tilt, rough * share);
  };
  add(
      GroundKind::rock, [&](float share) { return rock(p, spot, share); }, 0, 0.06f);
  add(
      GroundKind::scree,
      [&](float) {
        const Rgb own = beds_->at(p.level + 0.06f, 0.12f).colour;
        return mix(between(c.scree, spot.broad + 0.5f * fine), own, c.scree_of_rock + 0.15f * fresh) *
               (1 + 0.10f * fine + (0.4f + 0.5f * fresh) * pebbles);
      },
      0.02f, 0.32f + 0.3f * fresh);
  add(
      GroundKind::soil,
      [&](float) { return between(c.soil, spot.broad + 0.6f * fine) * (1 + 0.10f * fine + 0.12f * pebbles); }, 0.05f,
      0.08f);
  add(
      GroundKind::grass,
      [&](float) { return between(c.grass, 0.6f * spot.broad + fine) * (1 + 0.2f * fine + 0.4f * pebbles); }, 0.06f,
      0.22f);
  add(
      GroundKind::sand,
      [&](float share) {
        add_ripples(spot, share);
        return between(c.sand, spot.broad + 0.5f * fine) * (1 + 0.05f * fine);
      },
      0.02f, 0);
  add(
      GroundKind::snow, [&](float) { return c.snow * (1 + 0.03f * fine); }, 0.025f, 0);

  const auto relief = static_cast<float>(relief_);
  const float line = std::min(0.008f * relief, std::max(1.5f, 1.5f * p.footprint));
  const float wet = (1 - smooth_step(0.2f * line, line, p.above_water * (1 + 0.5f * fine))) *
                    (1 - 0.6f * smooth_step(0, 0.02f * relief, -p.above_water));
  look.albedo = within_reflectance(albedo * (1 - 0.42f * wet));
  look.roughness = 0;
  for (size_t k = 0; k < ground_kinds; ++k) look.roughness += look.weights[k] * dry_roughness[k];
  look.roughness = clamp01(look.roughness + 0.8f * wet * (wet_roughness - look.roughness));

  // The part of the slopes that lies in the surface.
  const Vec3 n = p.normal, tilt{static_cast<double>(spot.tilt[0]), static_cast<double>(spot.tilt[1]),
                                static_cast<double>(spot.tilt[2])};
  Vec3 along = tilt - n * dot(tilt, n);
  along = along * (1 / std::sqrt(1 + 0.5 * dot(along, along)));
  const Vec3 turned = n - along;
  look.normal = turned * (1 / length(turned));
  return look;
}

Rgb Ground::cut(const GroundPoint& p) const {
  const Biome& c = biome(palette_);
  const Vec3 at = in_units(p.at, unit_);
  const float footprint = p.footprint / static_cast<float>(unit_);
  const float broad = solid_grain_value(at * 0.07, {.octaves = 3, .footprint = 0.07f * footprint, .fall = 0.5f});
  const SolidGrain laminae = solid_grain(at, {0.3, 0.3, 1.2}, {.octaves = 8, .footprint = footprint});
  const double dip = (c.dip.x * p.at.x + c.dip.y * p.at.y) / relief_;
  const float level = p.level - static_cast<float>(dip) + 0.012f * broad + 0.003f * laminae.value;
  const BedLook bed = bed_of(p, level, p.footprint / static_cast<float>(relief_), 0.012f * broad);
  const Rgb rock = within_reflectance(bed.colour * ((0.98f + 0.16f * laminae.value) * (1 - 0.25f * laminae.cracks)));
  if (!(p.sediment > 0)) return rock;
  // As sharp as the pixels show it, with a dark line along the contact.
  const float soft = std::max(0.6f * p.footprint, 1e-3f * hiding_), over = p.sediment - p.depth;
  const float thick = clamp01(p.sediment / soft);
  const float line = 2.5f * soft + 0.003f * static_cast<float>(relief_);
  const float contact = thick * (1 - smooth_step(0.5f * line, line, std::abs(over)));
  const Rgb seen = mix(rock, fill(at, broad, footprint), thick * smooth_step(-soft, soft, over));
  return within_reflectance(seen * (1 - 0.45f * contact));
}

Rgb Ground::fill(Vec3 at, float broad, float footprint) const {
  const Biome& c = biome(palette_);
  const SolidGrain grain = solid_grain(at * 1.5, {1, 1, 1}, {.octaves = 8, .footprint = 1.5f * footprint});
  const Rgb fines = mix(between(c.sand, broad), between(c.soil, grain.value), 0.45f);
  const Rgb blocks = mix(between(c.scree, grain.value), beds_->at(0.6f, 1).colour, c.scree_of_rock);
  const float shade = 0.92f + 0.1f * grain.value + 0.9f * grain.pebbles;
  return within_reflectance(mix(fines, blocks, smooth_step(-0.05f, 0.2f, grain.pebbles)) * shade);
}

}  // namespace tepui
