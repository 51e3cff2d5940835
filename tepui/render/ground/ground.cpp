#include "tepui/render/ground/ground.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/srgb.h"
#include "tepui/render/ground/ground_spot.h"
#include "tepui/render/ground/slope.h"

namespace tepui {

namespace {

using K = GroundKind;

constexpr float wet_roughness = 0.35f;

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

Rgb linear(const Colour& c) {
  return {static_cast<float>(linear_from_srgb(c.r)), static_cast<float>(linear_from_srgb(c.g)),
          static_cast<float>(linear_from_srgb(c.b))};
}

/// "material 2" -> 2.
std::optional<size_t> material_of(std::string_view name) {
  constexpr std::string_view word = "material ";
  size_t number = 0;
  if (!name.starts_with(word)) return std::nullopt;
  const char *first = name.data() + word.size(), *last = name.data() + name.size();
  const auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() && end == last && number < 4096 ? std::optional(number) : std::nullopt;
}

void put(std::vector<std::optional<Rgb>>& list, size_t at, Rgb colour) {
  if (list.size() <= at) list.resize(at + 1);
  list[at] = colour;
}

/// What lies in one of these may be a rock of another land of the recipe, but not a slip of the keys.
void require_known(const std::string& name, const std::vector<std::string>& rocks) {
  std::vector<std::string> known;
  for (const CoverRow& row : cover_rows())
    if (row.kind) known.emplace_back(row.name);
  known.insert(known.end(), rocks.begin(), rocks.end());
  if (name.empty()) refuse("a colour of one's own has no 'of'", suggest_name(name, known));
  if (const std::string near = nearest_name(name, known); !near.empty() && near != name)
    refuse(fmt::format("a colour is of '{}', which is no rock or cover here", name), suggest_name(name, known));
}

std::shared_ptr<const OwnTones> own_tones(const GroundSetting& setting, const BiomeLook& look) {
  const auto own = std::make_shared<OwnTones>();
  for (size_t k = 0; k < ground_kinds; ++k) own->tones[k] = tones_of(look, static_cast<GroundKind>(k), setting.season);
  for (const OwnColour& one : setting.colours) {
    const Rgb colour = linear(one.colour);
    bool found = false;
    for (const CoverRow& row : cover_rows())
      if (row.kind && one.of == row.name) {
        // Its other tone is as much lighter as the biome's.
        Tones& tones = own->tones[static_cast<size_t>(*row.kind)];
        const float lift = luminance(tones.other) / std::max(luminance(tones.one), 1e-3f);
        tones = {colour * (2 / (1 + lift)), colour * (2 * lift / (1 + lift))};
        if (row.kind == K::rock) own->rock = colour;
        found = true;
      }
    if (const auto material = material_of(one.of)) put(own->classes, *material, colour), found = true;
    for (size_t i = 0; i < setting.rocks.size(); ++i)
      if (setting.rocks[i] == one.of) put(own->rocks, i, colour), found = true;
    if (!found) require_known(one.of, setting.rocks);
  }
  return own;
}

/// How far snow comes down where only the biome says where it lies, as a share of the relief.
float snow_falls(Season season) {
  return season == Season::winter ? 0.45f : season == Season::spring ? 0.15f : season == Season::autumn ? 0.06f : 0;
}

}  // namespace

Ground::Ground(const GroundSetting& setting)
    : biome_(&biome_look(setting.biome)),
      which_(setting.biome),
      unit_(setting.side > 0 ? setting.side / 100 : 1),
      relief_(setting.relief),
      span_(setting.relief.span() > 0 ? setting.relief.span() : 1),
      hiding_(hiding_thickness(span_)),
      thin_(2 * hiding_),
      beds_(std::make_shared<const Beds>(*biome_)),
      own_(own_tones(setting, *biome_)) {
  const auto of_relief = [this](float share) {
    return static_cast<float>(std::clamp(relief_.base + static_cast<double>(share) * span_, -1e9, 1e9));
  };
  const auto span = static_cast<float>(std::min(span_, 1e9));
  const float line = setting.snow_line ? static_cast<float>(*setting.snow_line) : of_relief(biome_->snow_line);
  bare_ = line - 0.15f * span;
  woods_ = line - 0.26f * span;
  snow_ = setting.snow_line ? line : line - snow_falls(setting.season) * span;
  snows_ = setting.snow_line || biome_->snow_line < 5;
}

const Tones& Ground::tones(GroundKind kind) const { return own_->tones[static_cast<size_t>(kind)]; }

void Ground::add_ripples(GroundSpot& spot, float share) {
  // Crests across the wind, which blows 37 degrees off the east.
  const Vec3 turned{6 * (0.8 * spot.at.x + 0.6 * spot.at.y), 6 * (0.8 * spot.at.y - 0.6 * spot.at.x), 6 * spot.at.z};
  const SolidGrain ripples = solid_grain(turned, {1, 0.16, 0.3}, {.octaves = 6, .footprint = 6 * spot.footprint});
  const float wind[3] = {0.8f * ripples.tilt[0] - 0.6f * ripples.tilt[1],
                         0.6f * ripples.tilt[0] + 0.8f * ripples.tilt[1], ripples.tilt[2]};
  spot.add(wind, share);
}

/// Tufts and bare patches of the size that they have in nature.
Rgb Ground::turf(GroundKind kind, GroundSpot& spot, float share) const {
  const float fine = spot.grain.value, pebbles = spot.grain.pebbles;
  const SolidGrain tufts =
      solid_grain(spot.metres * 0.5, {1, 1, 0.7}, {.octaves = 8, .footprint = 0.5f * spot.pixel, .fall = 0.75f});
  spot.add(tufts.pebble_tilt, 0.5f * share);
  const Rgb colour = between(tones(kind), 0.6f * spot.broad + 0.8f * fine + 0.7f * tufts.value);
  return colour * (1 + 0.16f * fine + 0.25f * pebbles + 0.15f * tufts.value + 0.6f * tufts.pebbles);
}

/// Crowns where they are seen one by one, and what many of them look like from farther away: dark, in clumps.
Rgb Ground::canopy(GroundKind kind, GroundSpot& spot, float share) const {
  const float fine = spot.grain.value, pebbles = spot.grain.pebbles, spacing = crown_spacing(kind);
  const Crown& crown = spot.crowns[static_cast<size_t>(kind)];
  const SolidGrain clumps = solid_grain(spot.metres * (1 / (12.0 * static_cast<double>(spacing))), {1, 1, 0.3},
                                        {.octaves = 8, .footprint = spot.pixel / (12 * spacing), .fall = 0.85f});
  const float far = 1 - smooth_step(0.3f, 1.0f, spot.pixel / spacing) * 0.2f;
  spot.add(clumps.pebble_tilt, 0.55f * far * share);
  const float steep = kind == K::conifer ? 1.3f : 0.9f;
  const float tilt[3] = {crown.tilt[0], crown.tilt[1], 0};
  spot.add(tilt, steep * share);
  const Rgb colour = between(tones(kind), 0.5f * spot.broad + 0.5f * fine + 0.5f * clumps.value + 0.8f * crown.own);
  const float shade = 1 + 0.15f * crown.own;
  return colour * (shade * crown.light / crown_light * (1 + 0.15f * fine + 0.3f * pebbles + 0.7f * clumps.pebbles));
}

Rgb Ground::colour_of(GroundKind kind, const GroundPoint& p, GroundSpot& spot, float share) const {
  const float fine = spot.grain.value, pebbles = spot.grain.pebbles, broad = spot.broad;
  // Debris that a layer tells of is fresh: rough, and of the rock's own colour.
  const float fresh = p.sediment > 0 || p.of(K::scree) > 0 ? 1 : 0;
  switch (kind) {
    case K::rock:
      return rock(p, spot, share);
    case K::scree: {
      spot.add(spot.grain.pebble_tilt, 0.3f * fresh * share);
      const Rgb bed = beds_->at(level(p) + 0.06f, 0.12f).colour;
      return mix(between(tones(kind), broad + 0.5f * fine), own_->rock.value_or(bed),
                 biome_->scree_of_rock + 0.15f * fresh) *
             (1 + 0.10f * fine + (0.4f + 0.5f * fresh) * pebbles);
    }
    case K::grass:
      return turf(kind, spot, share);
    case K::shrub:
    case K::conifer:
    case K::broadleaf:
      return canopy(kind, spot, share);
    case K::gravel: {
      const SolidGrain stones =
          solid_grain(spot.metres * 2, {1, 1, 1}, {.octaves = 7, .footprint = 2 * spot.pixel, .fall = 0.8f});
      spot.add(stones.pebble_tilt, 0.35f * share);
      return between(tones(kind), broad + 0.5f * fine + 0.5f * stones.value) *
             (1 + 0.12f * fine + 0.2f * pebbles + 0.5f * stones.pebbles);
    }
    case K::mud:
      return between(tones(kind), 0.8f * broad + 0.4f * fine) * (1 + 0.06f * fine);
    case K::sand:
      return between(tones(kind), broad + 0.5f * fine) * (1 + 0.05f * fine);
    case K::soil:
      return between(tones(kind), broad + 0.6f * fine) * (1 + 0.10f * fine + 0.12f * pebbles);
    case K::ice:
      return between(tones(kind), broad + 0.6f * fine) * (1 + 0.08f * fine - 0.3f * spot.grain.cracks);
    case K::snow:
      return between(tones(kind), fine) * (1 + 0.03f * fine);
  }
  return {};
}

GroundLook Ground::look(const GroundPoint& p) const {
  GroundSpot spot;
  spot.at = in_units(p.at, unit_);
  spot.footprint = p.footprint / static_cast<float>(unit_);
  spot.metres = in_units(p.at, 1);
  spot.pixel = p.footprint;
  spot.slope = slope_of(p.normal);
  spot.broad = solid_grain_value(spot.at * 0.07, {.octaves = 3, .footprint = 0.07f * spot.footprint, .fall = 0.5f});
  spot.grain = solid_grain(spot.at, {1, 1, 1}, {.footprint = spot.footprint});

  GroundLook look;
  look.weights = shares(p, spot);
  look.roughness = 0;
  Rgb albedo;
  for (const CoverRow& row : cover_rows()) {
    if (!row.kind) continue;
    const float share = share_of(look.weights, *row.kind);
    look.roughness += share * row.roughness;
    if (share < 0.002f) continue;
    albedo = albedo + colour_of(*row.kind, p, spot, share) * share;
    if (row.smooth > 0) spot.add(spot.grain.tilt, row.smooth * share);
    if (row.rough > 0) spot.add(spot.grain.pebble_tilt, row.rough * share);
    if (row.ripples > 0) add_ripples(spot, row.ripples * share);
  }

  const auto relief = static_cast<float>(span_);
  const float line = std::min(0.008f * relief, std::max(1.5f, 1.5f * p.footprint));
  const float wet = (1 - smooth_step(0.2f * line, line, p.above_water * (1 + 0.5f * spot.grain.value))) *
                    (1 - 0.6f * smooth_step(0, 0.02f * relief, -p.above_water));
  look.albedo = within_reflectance(albedo * (1 - 0.42f * wet));
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
  const Vec3 at = in_units(p.at, unit_);
  const float footprint = p.footprint / static_cast<float>(unit_);
  const float broad = solid_grain_value(at * 0.07, {.octaves = 3, .footprint = 0.07f * footprint, .fall = 0.5f});
  const SolidGrain laminae = solid_grain(at, {0.3, 0.3, 1.2}, {.octaves = 8, .footprint = footprint});
  const double dip = (biome_->dip.x * p.at.x + biome_->dip.y * p.at.y) / span_;
  const float at_level = level(p) - static_cast<float>(dip) + 0.012f * broad + 0.003f * laminae.value;
  const BedLook bed = bed_of(p, at_level, p.footprint / static_cast<float>(span_), 0.012f * broad);
  const Rgb rock = within_reflectance(bed.colour * ((0.98f + 0.16f * laminae.value) * (1 - 0.25f * laminae.cracks)));
  // What lies on it from below, as sharp as the pixels show it, with a dark line along the contact.
  const float soft = std::max(0.6f * p.footprint, 1e-3f * hiding_);
  const float line = 2.5f * soft + 0.003f * static_cast<float>(span_);
  float over = -p.depth;
  for (const CoverRow& row : cover_rows())
    if (row.by == LaidBy::depth) over += std::max(0.0f, row.kind ? p.of(*row.kind) : p.sediment);
  Rgb seen = rock;
  const auto lay = [&](float metres, const auto& colour, bool marked) {
    if (!(metres > 0)) return;
    const float thick = clamp01(metres / soft);
    const float contact = marked ? thick * (1 - smooth_step(0.5f * line, line, std::abs(over))) : 0;
    if (over > -std::max(soft, line)) {
      seen = mix(seen, colour(), thick * smooth_step(-soft, soft, over)) * (1 - 0.45f * contact);
    }
    over -= metres;
  };
  lay(
      p.sediment, [&] { return fill(at, broad, footprint); }, true);
  lay(
      p.of(K::scree), [&] { return fill(at, broad, footprint); }, true);
  for (const K kind : {K::soil, K::mud, K::gravel, K::sand, K::ice, K::snow})
    lay(
        p.of(kind), [&] { return between(tones(kind), broad + laminae.value) * (1 + 0.1f * laminae.value); }, false);
  return within_reflectance(seen);
}

Rgb Ground::fill(Vec3 at, float broad, float footprint) const {
  const SolidGrain grain = solid_grain(at * 1.5, {1, 1, 1}, {.octaves = 8, .footprint = 1.5f * footprint});
  const Rgb fines = mix(between(tones(K::sand), broad), between(tones(K::soil), grain.value), 0.45f);
  const Rgb blocks = mix(between(tones(K::scree), grain.value), beds_->at(0.6f, 1).colour, biome_->scree_of_rock);
  const float shade = 0.92f + 0.1f * grain.value + 0.9f * grain.pebbles;
  return within_reflectance(mix(fines, blocks, smooth_step(-0.05f, 0.2f, grain.pebbles)) * shade);
}

}  // namespace tepui
