#include "tepui/planet/refine_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr double concavity = 0.45;
constexpr double repose = 0.75;      // the steepest gullies
constexpr double most_shift = 0.15;  // of barycentric coordinates: keeps every child triangle upright
constexpr double floor_slope = 0.008;
constexpr double cliff = 1;  // the steepest walls that ice leaves
/// Streams begin to cut where steepness times the area above is larger.
constexpr double channel_head = 1.4e6;

double log2_of(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  auto exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // 2 atanh(z) / ln 2
  const double z = (m - 1) / (m + 1), q = z * z;
  const double series = 1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9))));
  return static_cast<double>(exponent) + 2.8853900817779268 * z * series;
}

double exp2_of(double x) {
  const double whole = std::floor(x + 0.5), f = (x - whole) * 0.6931471805599453;
  const double e = 1 + f * (1 + f * (1.0 / 2 + f * (1.0 / 6 + f * (1.0 / 24 + f * (1.0 / 120 + f * (1.0 / 720))))));
  return e * std::bit_cast<double>(static_cast<uint64_t>(static_cast<int64_t>(whole) + 1023) << 52);
}

double unit_of_bits(uint64_t bits, int from) {
  return static_cast<double>((bits >> from) & 0x1fffff) * (2.0 / 0x1fffff) - 1;
}

double mixed(double a, double b, double share) { return a + (b - a) * share; }

}  // namespace

double quick_power(double x, double y) { return exp2_of(std::clamp(y * log2_of(x), -1000.0, 1000.0)); }

LevelScale level_scale(int level, int global_level) {
  LevelScale scale;
  scale.level = level;
  scale.length = edge_of_level(level) * earth_radius;
  scale.spacing = scale.length / 2;
  scale.cell = scale.spacing * scale.spacing * 0.8660254037844386;
  scale.source_slope = math::pow(scale.cell, -concavity);
  scale.steepest = repose * math::pow(std::max(scale.cell / 500, 1.0), -0.1);
  scale.channel_steepness = channel_head / scale.cell;
  scale.bending = level < global_level + 4 ? 1.4 : 1;
  return scale;
}

BirthDraws draws_of(uint64_t key, VertexId id) {
  const Stream stream(key);
  const uint64_t first = stream.bits(id.low, 3) ^ mix_bits(id.high), second = mix_bits(first + id.low);
  return {unit_of_bits(first, 0),  unit_of_bits(first, 21),  unit_of_bits(first, 42),
          unit_of_bits(second, 0), unit_of_bits(second, 21), unit_of_bits(second, 42)};
}

double half_channel(double discharge) {
  constexpr double seconds = 3.156e7;
  return 2.25 * std::sqrt(discharge / seconds);
}

double channel_depth(double half_channel) { return 0.18 * quick_power(half_channel + 1e-6, 0.75); }

ValleyFloor floor_of(double discharge, double steepness) {
  ValleyFloor floor;
  floor.away = 0;
  const double channel = half_channel(discharge);
  floor.channel = static_cast<float>(channel);
  floor.flat = static_cast<float>(channel * (2 + 6 * 30 / (30 + steepness)));
  return floor;
}

double half_trough(double ice_flow) {
  if (!(ice_flow > 0)) return 0;
  const double root = quick_power(ice_flow * 1e-8, 0.2);
  return 1400 * root * root / (1 + root);
}

double least_host(double ice_flow) { return 1.25 * half_trough(ice_flow); }

GlacialTrough trough_of(double ice_flow, double steepness, double bed) {
  GlacialTrough trough;
  if (!(ice_flow > 0)) return trough;
  trough.away = 0;
  const double half = half_trough(ice_flow);
  trough.half = static_cast<float>(half);
  trough.depth = static_cast<float>(0.6 * half * steepness / (steepness + 120) * half / (half + 200));
  trough.bed = static_cast<float>(bed);
  return trough;
}

void vary_width(const LevelScale& scale, GlacialTrough& trough, const GlacialTrough& above, const GlacialTrough& below,
                const BirthDraws& draws) {
  const auto usual = static_cast<double>(trough.half);
  if (!(usual > 0)) return;
  const auto on_line = [](const GlacialTrough& t) { return t.away == 0 && t.half > 0; };
  const double there = on_line(above) && on_line(below)
                           ? 0.5 * (static_cast<double>(above.half) + static_cast<double>(below.half))
                           : usual;
  const double more = 1 + 0.3 * std::min(1.0, scale.spacing / (2 * usual)) * draws.rough;
  trough.half = static_cast<float>(std::clamp(there * more, 0.8 * usual, 1.2 * usual));
}

ValleyFloor between(const ValleyFloor& a, const ValleyFloor& b, double share) {
  const auto mix = [s = static_cast<float>(share)](float x, float y) { return x + (y - x) * s; };
  return {mix(a.away, b.away), mix(a.channel, b.channel), mix(a.flat, b.flat)};
}

GlacialTrough between(const GlacialTrough& a, const GlacialTrough& b, double share) {
  const auto mix = [s = static_cast<float>(share)](float x, float y) { return x + (y - x) * s; };
  return {mix(a.away, b.away), mix(a.half, b.half), mix(a.depth, b.depth),
          mix(a.bed, b.bed),   mix(a.ice, b.ice),   mix(a.ice_half, b.ice_half)};
}

namespace {

/// How much of a shift may be made so that no barycentric coordinate in either triangle changes by more than
/// `most_shift`.
double safe_share(const Diamond& diamond, Vec2 shift) {
  double worst = most_shift;
  for (const Vec2 top : {diamond.at_c, diamond.at_d}) {
    const double of_top = shift.y / top.y, of_b = (shift.x - of_top * top.x) / diamond.length;
    worst = std::max({worst, std::fabs(of_top), std::fabs(of_b), std::fabs(of_top + of_b)});
  }
  return most_shift / worst;
}

}  // namespace

Vec2 birthplace(const LevelScale& scale, const Diamond& diamond, const BirthDraws& draws) {
  double w = 0.25 * draws.aside * scale.bending;
  if (diamond.stream != StreamAlong::none) {
    const double flow = std::min(diamond.a.discharge, diamond.b.discharge);
    const double share = flow / (flow + 1e8);
    const double wide = half_channel(flow);
    // A glacier goes straight; on the floor that it has left a river may bend.
    const double ice = half_trough(std::min(diamond.a.ice_flow, diamond.b.ice_flow));
    const double straight = 12 * wide + (diamond.length > 0.2 * ice ? 4.5 * ice : 0);
    const double bends = std::min(1.0, diamond.length / (straight + 1e-9));
    w *= (1.8 + 0.4 * share) * bends;
    if (scale.banks) {
      const double p = 0.5 * (diamond.a.height + diamond.b.height);
      const double left = std::max(diamond.c.height - p, 0.0), right = std::max(diamond.d.height - p, 0.0);
      // Eq. 5 tells how far from the left bank the river lies if both are as steep.
      if (left + right > 0.05 * diamond.length)
        w += bends * std::clamp(0.4 * (right - left) / (left + right), -0.2, 0.2);
    }
  }
  const Vec2 top = w > 0 ? diamond.at_c : diamond.at_d;
  Vec2 shift = Vec2{top.x - 0.5 * diamond.length, top.y} * (std::fabs(w) / 3);
  shift.x += 0.05 * draws.along * diamond.length;
  return Vec2{0.5 * diamond.length, 0} + shift * safe_share(diamond, shift);
}

namespace {

/// How much of what glaciers make shows at a distance, and the ground that they make there; how little water has cut
/// it since: floors not at all, walls more and more.
struct Carved {
  double share = 0, ground = 0, smooth = 0;
};

Carved carved(const GlacialTrough& trough) {
  if (!(trough.half > 0)) return {};
  const double x = static_cast<double>(trough.away) / static_cast<double>(trough.half);
  if (x >= 1.8) return {};
  const double wall = x > 0 ? quick_power(x, 1.8) : 0;
  const double share = 1 - math::smoothstep(1.1, 1.8, x);
  return {share, static_cast<double>(trough.bed) + static_cast<double>(trough.depth) * wall,
          share * (1 - math::smoothstep(0.25, 0.7, x))};
}

/// A valley forms what is born in it while edges are not much shorter than it is wide; what it has formed is then only
/// drawn finer.
double forming(const LevelScale& scale, double half_width) {
  return math::smoothstep(0.07 * half_width, 0.25 * half_width, scale.spacing);
}

/// How far a place is on the floor of a valley: 0 outside, 1 away from its edge.
double on_floor(const ValleyFloor& floor) {
  const double flat = static_cast<double>(floor.flat);
  return flat > 0 ? math::smoothstep(0, 0.3 * flat, floor.inside()) : 0;
}

/// A hill that rises from a floor stays one: 1 where the higher end of an edge is such a hill.
double on_hill(const Diamond& diamond, const ValleyFloor& floor) {
  const Corner& high = diamond.a.height > diamond.b.height ? diamond.a : diamond.b;
  if (high.inside < 0.1 * static_cast<double>(floor.flat)) return 0;
  return math::smoothstep(0.04, 0.12, std::fabs(diamond.a.height - diamond.b.height) / diamond.length);
}

}  // namespace

double cutting(const LevelScale& scale, double steepness) {
  return math::smoothstep(0.7 * scale.channel_steepness, 1.4 * scale.channel_steepness, steepness);
}

bool is_crease(const LevelScale& scale, double steepness, double discharge, double runoff) {
  return steepness > scale.channel_steepness || discharge * steepness > 4 * runoff * channel_head;
}

bool needs_bulge(const LevelScale& scale, const Diamond& diamond) {
  return cutting(scale, diamond.steepness) < 1 || diamond.a.inside > 0 || diamond.b.inside > 0 ||
         diamond.a.ice_flow > 0 || diamond.b.ice_flow > 0 || diamond.a.sea || diamond.b.sea;
}

namespace {

/// Glaciers wear their beds into steps, of some times their width.
double steps_of_ice(const LevelScale& scale, const Diamond& diamond) {
  const double flow = std::min(diamond.a.ice_flow, diamond.b.ice_flow);
  if (!(flow > 0) || !scale.troughs) return 0;
  const double half = half_trough(flow), length = diamond.length;
  return 0.5 * math::smoothstep(0.5 * half, 1.5 * half, length) * (1 - math::smoothstep(6 * half, 12 * half, length));
}

/// The share of the fall of a stream's edge that lies below its new vertex.
double part_below(const LevelScale& scale, const Diamond& diamond, const Corner& upper, const Corner& lower,
                  double share, double quiet, const BirthDraws& draws) {
  const double fall = upper.height - lower.water();
  // Slopes fall with discharge: the lower half carries the brooks that join here.
  const double gain = lower.sea ? 1 : std::clamp(upper.discharge / std::max(lower.discharge, 1.0), 0.1, 1.0);
  const double flatter = quick_power(0.5 + 0.5 * gain, 2 * concavity);
  const double part =
      share * flatter / (share * flatter + (1 - share)) * (1 + (0.15 + steps_of_ice(scale, diamond)) * draws.fall);
  // A stream of too small an area has no bed of its own.
  const double heads = upper.discharge * diamond.steepness / (4 * diamond.runoff * channel_head);
  const double cuts = std::max(cutting(scale, diamond.steepness), math::smoothstep(0.5, 2, heads)) * (1 - quiet);
  return cuts < 1 && fall > 0 ? mixed(share + diamond.bulge / fall, part, cuts) : part;
}

}  // namespace

Birth born_on_stream(const LevelScale& scale, const Diamond& diamond, Vec2 place, const ValleyFloor& floor,
                     const GlacialTrough& trough, const BirthDraws& draws) {
  const bool down = diamond.stream == StreamAlong::to_second;
  const Corner &upper = down ? diamond.a : diamond.b, &lower = down ? diamond.b : diamond.a;
  const double top = upper.height, bottom = lower.water(), fall = top - bottom;
  const double to_upper = down ? place.x : diamond.length - place.x;
  const double share = std::clamp(1 - to_upper / diamond.length, 0.2, 0.8);
  // Brooks on the floor of a larger river's valley, or in the trough of a larger glacier, follow its ground.
  const bool guest = static_cast<double>(floor.channel) > 1.5 * half_channel(upper.discharge);
  const double level_ground = guest ? on_floor(floor) : 0;
  const Carved ice = carved(trough);
  double height =
      bottom + fall * part_below(scale, diamond, upper, lower, share, std::max(0.8 * level_ground, ice.smooth), draws);
  if (level_ground > 0) {
    const double flat = bottom + floor_slope * diamond.length * share;
    if (flat < height)
      height = mixed(height, flat,
                     level_ground * forming(scale, static_cast<double>(floor.flat)) * (1 - on_hill(diamond, floor)));
  }
  if (ice.share > 0) height = mixed(height, ice.ground, ice.share * forming(scale, static_cast<double>(trough.half)));
  Birth birth;
  const double least_part = ice.share > 0 ? 0.3 : 0.15;
  birth.height = bottom + fall * (fall > 0 ? std::clamp((height - bottom) / fall, least_part, 1 - least_part) : 0.5);
  if (lower.sea) {
    const double ground = (1 - share) * lower.height + share * top + 0.25 * draws.rough * (top - lower.height);
    if (ground < 0) return {ground, 0, true};
    birth.height = std::min(std::max(ground * 0.5, 0.1 * top), 0.9 * top);
    return birth;
  }
  if (lower.depth > 0) {
    const double depth = 0.5 * (upper.depth + lower.depth);
    const double ground = 0.5 * (upper.ground() + lower.ground()) + 0.2 * draws.bed * std::max(depth, 1.0);
    if (ground < bottom) {
      birth.height = bottom + fall * (upper.depth > 0 ? 0.5 : 1e-3);
      birth.depth = std::max(birth.height - ground, 0.0);
    }
  }
  return birth;
}

namespace {

/// Beside the sea or on its floor: the ground's own relief says whether it is land.
Birth born_at_sea(const LevelScale& scale, const Diamond& diamond, const GlacialTrough& trough,
                  const BirthDraws& draws) {
  const double a = diamond.a.height, b = diamond.b.height, mean = 0.5 * (a + b);
  const bool coast = diamond.a.sea != diamond.b.sea;
  // Coasts of plains are smooth, those of mountains are not.
  const double rocky = (0.2 + 0.25 * diamond.steepness / (diamond.steepness + 25)) * (scale.bending > 1 ? 1.5 : 1);
  const double rough = coast ? rocky * std::fabs(a - b)
                             : 0.12 * std::fabs(a - b) + 0.2 * std::fabs(diamond.bulge) + 0.002 * scale.spacing;
  double ground = mean + diamond.bulge + rough * draws.rough;
  if (const Carved ice = carved(trough); ice.share > 0 && ice.ground < ground)
    ground = mixed(ground, ice.ground, ice.share * forming(scale, static_cast<double>(trough.half)));
  Birth birth{ground, 0, ground <= 0};
  if (ground > 0 && coast) birth.height = std::max(ground, 1e-3);
  return birth;
}

/// The height of a lake's shore or bed: of `birth` whatever stands higher than the water.
void settle_at_lake(const LevelScale& scale, const Diamond& diamond, const BirthDraws& draws, double least,
                    Birth& birth) {
  const Corner &a = diamond.a, &b = diamond.b;
  const double surface = a.depth > 0 && b.depth > 0 ? std::max(a.height, b.height) : a.depth > 0 ? a.height : b.height;
  double ground = 0.5 * (a.ground() + b.ground());
  ground += 0.25 * draws.bed * std::min(std::fabs(a.ground() - b.ground()) + 0.01 * scale.spacing, 100.0);
  if (ground < surface) {
    birth.height = least;
    birth.depth = std::max(birth.height - ground, 0.0);
  } else {
    birth.height = std::max(std::min(birth.height, ground), least);
  }
}

/// Unevenness of ground on which no streams cut, as a share of the spacing: of rock on steep slopes, of soil elsewhere.
double unevenness(const Diamond& diamond, double flat) {
  const double here = std::fabs(diamond.a.height - diamond.b.height) / diamond.length;
  return mixed(0.03 + 0.1 * math::smoothstep(0.3, 0.9, here), 0.004, flat);
}

}  // namespace

Birth born_on_land(const LevelScale& scale, const Diamond& diamond, const Outlet* outlets, int count,
                   const ValleyFloor& floor, const GlacialTrough& trough, const BirthDraws& draws) {
  const Corner &a = diamond.a, &b = diamond.b;
  if (a.sea || b.sea) return born_at_sea(scale, diamond, trough, draws);
  const double mean = 0.5 * (a.height + b.height), opposite = 0.5 * (diamond.c.height + diamond.d.height);
  const double least = std::min(a.height, b.height) + 1e-5 * scale.spacing;
  const double slope = std::min(scale.steepest, diamond.steepness * scale.source_slope);
  const double level_ground = on_floor(floor);
  const Carved ice = carved(trough);
  double height = mean + diamond.bulge + scale.spacing * unevenness(diamond, level_ground) * draws.rough;
  double stream = 1e30, wall = 1e30;
  for (int k = 0; k < count; ++k) {
    const Outlet& outlet = outlets[k];
    const double flat = std::min(outlet.flat, outlet.distance), wet = std::min(outlet.wet, flat);
    stream = std::min(stream, outlet.water + floor_slope * (flat - wet) + slope * (outlet.distance - flat));
    wall = std::min(wall, outlet.water + cliff * outlet.distance);
  }
  const double cuts = cutting(scale, diamond.steepness) * (1 - std::max(level_ground, 0.9 * ice.smooth));
  if (cuts > 0) {
    const double rise = stream - mean;
    const double cut =
        mean + (rise > 0 ? 0.85 : 0.35) * rise + 0.12 * (opposite - mean) + 0.25 * slope * scale.spacing * draws.rough;
    height = mixed(height, cut, cuts);
  }
  if (level_ground > 0 && stream < height)
    height = mixed(height, stream,
                   level_ground * forming(scale, static_cast<double>(floor.flat)) * (1 - on_hill(diamond, floor)));
  if (ice.share > 0) {
    // As steep as walls stand, and no steeper.
    const double low = std::max(a.height, b.height) - 0.5 * cliff * diamond.length;
    // Spurs and hollows of walls; floors have none.
    const double spurs = 0.35 * static_cast<double>(trough.depth) * (ice.share - ice.smooth) * draws.fall;
    const double ground = std::max(std::min(ice.ground + spurs, wall), std::min(low, wall));
    height = mixed(height, ground, ice.share * forming(scale, static_cast<double>(trough.half)));
  }
  Birth birth;
  birth.height = std::max(height, least);
  if (a.depth > 0 || b.depth > 0) settle_at_lake(scale, diamond, draws, least, birth);
  return birth;
}

}  // namespace tepui
