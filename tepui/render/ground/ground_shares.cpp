#include <algorithm>
#include <utility>

#include "tepui/render/ground/ground.h"
#include "tepui/render/ground/ground_spot.h"

namespace tepui {

namespace {

using K = GroundKind;

constexpr K plants[] = {K::grass, K::shrub, K::conifer, K::broadleaf};

float plants_in(const GroundShares& s) {
  float sum = 0;
  for (const K kind : plants) sum += share_of(s, kind);
  return sum;
}

/// Plants by a rule, where a layer tells of the ground they stand on: their shares of ground that bears any.
GroundShares green_of(const GroundShares& open) {
  float fertile = plants_in(open);
  for (const K kind : {K::soil, K::mud, K::gravel, K::sand}) fertile += share_of(open, kind);
  GroundShares green{};
  for (const K kind : plants) share_of(green, kind) = fertile > 0 ? share_of(open, kind) / fertile : 0;
  return green;
}

/// Shares of several kinds that stand beside each other, `amount` of all.
void cover_all(GroundShares& s, const GroundShares& with, float amount) {
  float sum = 0;
  for (const float share : with) sum += share;
  for (size_t k = 0; k < s.size(); ++k) s[k] = s[k] * (1 - amount * sum) + amount * with[k];
}

void turn(GroundShares& s, K from, K to, float amount) {
  const float share = amount * share_of(s, from);
  share_of(s, from) -= share;
  share_of(s, to) += share;
}

/// How much of the rock debris hides: hollows fill first, and knobs stand out of it longest.
float debris_cover(float thickness, float hiding, float fine) {
  const float knob = 0.6f * clamp01(0.5f + 0.5f * fine);
  return smooth_step(knob, knob + 0.4f, thickness / hiding);
}

}  // namespace

float crown_spacing(GroundKind kind) {
  return kind == K::shrub ? 1.6f : kind == K::conifer ? 5.0f : kind == K::broadleaf ? 9.0f : 0;
}

float Ground::level(const GroundPoint& p) const { return static_cast<float>((p.at.z - relief_.base) / span_); }

float Ground::above_line(const GroundPoint& p, float line, float warmest) const {
  if (p.warmest) return (warmest - *p.warmest) / 0.0065f;
  return static_cast<float>(std::clamp(p.at.z, -1e9, 1e9)) - line;
}

float Ground::hidden(GroundKind kind, float metres, const GroundSpot& spot) const {
  const CoverRow& row = row_of(kind);
  return smooth_step(0, row.hides * thin_, metres * (1 + row.uneven * spot.grain.value));
}

float Ground::zone_share(const GroundPoint& p, const GroundSpot& spot, const Patch& patch) const {
  const auto span = static_cast<float>(span_);
  const float fine = spot.grain.value;
  switch (patch.zone) {
    case Zone::all:
      return 1;
    case Zone::cap:
      return smooth_step(0.68f, 0.9f, level(p) + 0.03f * spot.broad);
    case Zone::woods: {
      const float ragged = span * (0.07f * spot.broad + 0.05f * fine);
      return 1 - smooth_step(-0.06f * span, 0.05f * span, above_line(p, woods_, 10.5f) + ragged);
    }
    case Zone::turf:
    case Zone::bare: {
      const float ragged = span * (0.1f * spot.broad + 0.06f * fine);
      const float bare = smooth_step(-0.12f * span, 0.12f * span, above_line(p, bare_, 6.5f) + ragged);
      return patch.zone == Zone::bare ? bare : 1 - bare;
    }
  }
  return 1;
}

GroundShares Ground::open_ground(const GroundPoint& p, const GroundSpot& spot) const {
  GroundShares s{};
  for (const Patch& patch : biome_->open) {
    const float pattern = patch.broad * spot.broad + patch.fine * spot.grain.value +
                          patch.pebbles * spot.grain.pebbles + patch.slope * spot.slope;
    const float lies = 1 - smooth_step(patch.flat, patch.steep, spot.slope + 0.05f * spot.grain.value);
    const bool first = &patch == biome_->open.data();
    const float amount =
        first ? 1 : patch.amount * lies * smooth_step(patch.from, patch.to, pattern) * zone_share(p, spot, patch);
    if (amount > 0) cover(s, patch.kind, amount);
  }
  return s;
}

/// Loose debris `deep` times as thick as hides the rock: blocks where it lies steep, fines where it lies gently, with
/// what grows on them.
GroundShares Ground::debris(float deep, const GroundSpot& spot, const GroundShares& open) const {
  const float fine = spot.grain.value, pebbles = spot.grain.pebbles, slope = spot.slope;
  const float patches = 0.6f * spot.broad + 0.8f * fine;
  GroundShares s{};
  share_of(s, K::sand) = 1;
  cover(s, K::soil, (biome_->arid ? 0.5f : 0.8f) * smooth_step(-0.5f, 0.6f, patches));
  // A thin sheet is dust and grit of the rock beneath, not yet sand.
  cover(s, K::soil, 0.7f * (1 - smooth_step(1.5f, 6.0f, deep)));
  // Single blocks have rolled beyond the foot of the slope.
  const float strewn = smooth_step(0.05f, 0.18f, slope) * smooth_step(0.15f, 0.5f, pebbles + 0.3f * fine);
  if (biome_->arid) {
    const float level = 1 - smooth_step(0.05f, 0.2f, slope + 0.04f * fine);
    const float grown = level * smooth_step(2.0f, 8.0f, deep) * smooth_step(0.2f, 0.8f, patches + 1.2f * pebbles);
    cover_all(s, green_of(open), grown);
    cover(s, K::scree, std::max(0.7f * strewn, smooth_step(0.14f, 0.36f, slope + 0.08f * fine)));
    return s;
  }
  // Where rain falls, fans and plains are green but for the youngest of their gravel, and screes bare.
  cover(s, K::gravel, 0.5f * smooth_step(0.1f, 0.6f, pebbles - 0.5f * fine));
  const float lies = 1 - smooth_step(0.4f, 0.62f, slope + 0.12f * fine);
  cover(s, K::scree, std::max(0.3f * strewn, smooth_step(0.38f, 0.6f, slope + 0.12f * fine)));
  cover_all(s, green_of(open), lies * smooth_step(0.3f, 1.2f, deep) * smooth_step(-1.0f, 0.1f, patches));
  return s;
}

void Ground::lay_soil(GroundShares& s, const GroundPoint& p, const GroundSpot& spot, const GroundShares& open) const {
  const float soil = p.of(K::soil);
  if (p.of(K::scree) > 0) cover(s, K::scree, hidden(K::scree, p.of(K::scree), spot));
  if (soil > 0) {
    const float deep = hidden(K::soil, soil, spot);
    GroundShares grown = green_of(open);
    share_of(grown, K::soil) = std::max(0.0f, 1 - plants_in(grown));
    cover_all(s, grown, deep);
  }
  for (const K kind : {K::mud, K::gravel, K::sand})
    if (p.of(kind) > 0) cover(s, kind, hidden(kind, p.of(kind), spot));
}

/// Plants as layers tell them, and crowns of any as single ones where the picture shows that.
void Ground::lay_plants(GroundShares& s, const GroundPoint& p, GroundSpot& spot) {
  const bool told = std::ranges::any_of(plants, [&](K kind) { return p.of(kind) >= 0; });
  if (told) {
    for (const K kind : plants) turn(s, kind, K::soil, 1);
    float sum = 0;
    GroundShares shares{};
    for (const K kind : plants) {
      // Woods and meadows meet in bays and clumps, not along the lines between samples.
      const float share = clamp01(p.of(kind)), clump = std::clamp(1.8f * spot.grain.value, -1.0f, 1.0f);
      share_of(shares, kind) = share + (is_tree(kind) ? 0.96f : -0.48f) * clump * share * (1 - share);
      sum += share_of(shares, kind);
    }
    // What is bare among them is stones and outcrops with edges of their own, not a haze.
    sum = std::max(sum, 1e-6f);
    const float whole = std::min(sum, 1.0f),
                stones = std::clamp(1.5f * spot.grain.pebbles - spot.grain.value, -1.0f, 1.0f);
    const float all = whole - 0.9f * stones * whole * (1 - whole);
    for (const K kind : plants) share_of(shares, kind) *= all / sum;
    cover_all(s, shares, 1);
  }
  if (spot.pixel > 9) return;
  // The same shares, laid one over the other, with crowns in place of shares.
  float later = 0;
  std::array<float, 3> amounts{};
  constexpr K crowned[] = {K::shrub, K::conifer, K::broadleaf};
  for (size_t i = 3; i-- > 0;) {
    amounts[i] = later < 1 ? clamp01(share_of(s, crowned[i]) / (1 - later)) : 0;
    later += share_of(s, crowned[i]);
  }
  if (!(later > 0.002f)) return;
  for (const K kind : crowned) share_of(s, kind) = 0;
  const float ground = 1 - later;
  for (float& share : s) share = ground > 1e-4f ? share / ground : 0;
  if (!(ground > 1e-4f)) share_of(s, K::soil) = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (!(amounts[i] > 0)) continue;
    const float spacing = crown_spacing(crowned[i]);
    Crown& crown = spot.crowns[static_cast<size_t>(crowned[i])];
    crown = crown_at({spot.metres.x / static_cast<double>(spacing), spot.metres.y / static_cast<double>(spacing)},
                     amounts[i], spot.pixel / spacing, static_cast<uint64_t>(crowned[i]));
    cover(s, crowned[i], clamp01(crown.cover));
  }
}

void Ground::lay_shore(GroundShares& s, const GroundPoint& p, const GroundSpot& spot, float loose) const {
  if (p.of(K::sand) >= 0 || p.above_water > 1e8f) return;
  const auto relief = static_cast<float>(span_);
  const float fine = spot.grain.value;
  if (which_ == Biome::coast) {
    const float beach = std::min(0.03f * relief, std::max(6.0f, 3 * p.footprint));
    cover(s, K::sand,
          (1 - smooth_step(0.4f * beach, beach, p.above_water * (1 + 0.4f * fine))) *
              (1 - smooth_step(0.25f, 0.5f, spot.slope)) * loose);
  } else {
    const float strand = std::min(0.006f * relief, std::max(1.0f, 0.6f * p.footprint));
    cover(s, K::gravel,
          0.8f * (1 - smooth_step(0.3f * strand, strand, p.above_water * (1 + 0.8f * fine))) *
              (1 - smooth_step(0.3f, 0.6f, spot.slope)));
  }
  if (p.above_water < 0) {
    const float deep = smooth_step(0, 0.01f * relief, -p.above_water);
    cover(s, K::sand, deep * (1 - smooth_step(0.5f, 1.0f, spot.slope)) * loose);
  }
}

void Ground::lay_snow(GroundShares& s, const GroundPoint& p, const GroundSpot& spot) const {
  const float fine = spot.grain.value;
  if (p.of(K::ice) > 0) cover(s, K::ice, hidden(K::ice, p.of(K::ice), spot));
  if (p.above_water < 0) return;
  float lies = 0;
  if (p.of(K::snow) > 0) {
    lies = hidden(K::snow, p.of(K::snow), spot);
  } else if (p.of(K::snow) < 0 && snows_) {
    const auto span = static_cast<float>(span_);
    const float above = above_line(p, snow_, 3.5f) + span * (0.08f * spot.broad + 0.05f * fine);
    lies = (1 - smooth_step(0.75f, 1.2f, spot.slope + 0.2f * fine)) * smooth_step(-0.05f * span, 0.05f * span, above);
  }
  if (!(lies > 0)) return;
  // Trees stand out of it, and are dusted; but those of a rule give way to what a layer tells.
  const bool trees = p.of(K::snow) < 0 || p.of(K::conifer) >= 0 || p.of(K::broadleaf) >= 0;
  for (const K kind :
       {K::rock, K::scree, K::soil, K::mud, K::gravel, K::sand, K::grass, K::shrub, K::conifer, K::broadleaf, K::ice})
    turn(s, kind, K::snow, trees && is_tree(kind) ? 0.18f * lies : lies);
}

void Ground::shade_caves(GroundShares& s, const GroundPoint& p, const GroundSpot& spot) {
  if (!(p.shelter > 0)) return;
  const float dark = smooth_step(0.2f, 0.8f, p.shelter + 0.15f * spot.grain.value);
  for (const K kind : plants) turn(s, kind, K::soil, dark);
  turn(s, K::snow, K::scree, dark);
  // Deep inside no soil forms: there are blocks and clay from the rock itself.
  const float barren = smooth_step(0.7f, 1.0f, p.shelter) * share_of(s, K::soil);
  share_of(s, K::soil) -= barren;
  share_of(s, K::scree) += 0.6f * barren;
  share_of(s, K::rock) += 0.4f * barren;
}

GroundShares Ground::shares(const GroundPoint& p, GroundSpot& spot) const {
  const float fine = spot.grain.value, slope = spot.slope;
  const bool debris_told = p.sediment >= 0, soil_told = p.of(K::soil) >= 0, scree_told = p.of(K::scree) >= 0;
  GroundShares open = open_ground(p, spot);
  // A layer knows better than the biome.
  if (p.of(K::sand) >= 0) turn(open, K::sand, K::soil, 1);
  GroundShares s = open;
  float loose = 1;
  if (soil_told || (debris_told && biome_->arid)) {
    s = {};
    share_of(s, K::rock) = 1;
    if (soil_told && !scree_told) turn(s, K::rock, K::scree, 0.3f);
  } else {
    cover(s, K::scree, smooth_step(biome_->scree_from, biome_->scree_to, slope + 0.05f * fine));
    const float hold = p.hardness >= 0 ? 0.3f * (p.hardness - 0.5f) : 0;
    cover(s, K::rock, smooth_step(biome_->rock_from, biome_->rock_to, slope + hold + 0.16f * fine));
    if (scree_told) turn(s, K::scree, K::rock, 1);
  }
  if (debris_told) {
    loose = debris_cover(p.sediment, hiding_, fine);
    const GroundShares lying = debris(p.sediment / hiding_, spot, open);
    for (size_t k = 0; k < s.size(); ++k) s[k] += loose * (lying[k] - s[k]);
  }
  lay_shore(s, p, spot, loose);
  lay_soil(s, p, spot, open);
  lay_plants(s, p, spot);
  lay_snow(s, p, spot);
  shade_caves(s, p, spot);
  for (float& share : s) share = clamp01(share);
  return s;
}

}  // namespace tepui
