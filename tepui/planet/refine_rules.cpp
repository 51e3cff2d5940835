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
  scale.channel_steepness = 100 * math::pow(scale.cell / 1000, -1 / 1.8);
  scale.bending = level < global_level + 4 ? 1.4 : 1;
  return scale;
}

Draws draws_of(uint64_t key, VertexId id) {
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

Trough trough_of(double ice_flow, double bed) {
  Trough trough;
  if (!(ice_flow > 0)) return trough;
  trough.away = 0;
  trough.half = static_cast<float>(900 * quick_power(ice_flow * 1e-8, 0.4));
  trough.depth = static_cast<float>(320 * quick_power(ice_flow * 1e-8, 0.3));
  trough.bed = static_cast<float>(bed);
  return trough;
}

ValleyFloor between(const ValleyFloor& a, const ValleyFloor& b, double share) {
  const auto mix = [s = static_cast<float>(share)](float x, float y) { return x + (y - x) * s; };
  return {mix(a.away, b.away), mix(a.channel, b.channel), mix(a.flat, b.flat)};
}

Trough between(const Trough& a, const Trough& b, double share) {
  const auto mix = [s = static_cast<float>(share)](float x, float y) { return x + (y - x) * s; };
  return {mix(a.away, b.away), mix(a.half, b.half), mix(a.depth, b.depth), mix(a.bed, b.bed)};
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

Vec2 birthplace(const LevelScale& scale, const Diamond& diamond, const Draws& draws) {
  double w = 0.25 * draws.aside * scale.bending;
  if (diamond.stream != StreamAlong::none) {
    const double flow = std::min(diamond.a.discharge, diamond.b.discharge);
    const double share = flow / (flow + 1e8);
    const double wide = half_channel(flow);
    w *= (1 + share) * std::min(1.0, diamond.length / (12 * wide + 1e-9));
    if (scale.banks) {
      const double p = 0.5 * (diamond.a.height + diamond.b.height);
      const double left = std::max(diamond.c.height - p, 0.0), right = std::max(diamond.d.height - p, 0.0);
      // Eq. 5 tells how far from the left bank the river lies if both are as steep.
      if (left + right > 0) w += std::clamp(0.4 * (right - left) / (left + right), -0.2, 0.2);
    }
  }
  const Vec2 top = w > 0 ? diamond.at_c : diamond.at_d;
  Vec2 shift = Vec2{top.x - 0.5 * diamond.length, top.y} * (std::fabs(w) / 3);
  shift.x += 0.05 * draws.along * diamond.length;
  return Vec2{0.5 * diamond.length, 0} + shift * safe_share(diamond, shift);
}

namespace {

/// How much of what glaciers make shows at a distance, and the ground that they make there.
struct Carved {
  double share = 0, ground = 0;
};

Carved carved(const Trough& trough) {
  if (!(trough.half > 0)) return {};
  const double x = static_cast<double>(trough.away) / static_cast<double>(trough.half);
  if (x >= 1.8) return {};
  const double wall = x > 0 ? quick_power(x, 1.8) : 0;
  return {1 - math::smoothstep(1.1, 1.8, x),
          static_cast<double>(trough.bed) + static_cast<double>(trough.depth) * wall};
}

}  // namespace

double cutting(const LevelScale& scale, double steepness) {
  return math::smoothstep(0.7 * scale.channel_steepness, 1.4 * scale.channel_steepness, steepness);
}

bool is_crease(const LevelScale& scale, double steepness, double discharge, double runoff) {
  return steepness > scale.channel_steepness || discharge > 10 * runoff * scale.cell;
}

Birth born_on_stream(const LevelScale& scale, const Diamond& diamond, Vec2 place, const ValleyFloor& floor,
                     const Trough& trough, const Draws& draws) {
  const bool down = diamond.stream == StreamAlong::to_second;
  const Corner &upper = down ? diamond.a : diamond.b, &lower = down ? diamond.b : diamond.a;
  const double top = upper.height, bottom = lower.water(), fall = top - bottom;
  const double to_upper = down ? place.x : diamond.length - place.x;
  const double share = std::clamp(1 - to_upper / diamond.length, 0.2, 0.8);
  // Slopes fall with discharge: the lower half carries the brooks that join here.
  const double gain = lower.sea ? 1 : std::clamp(upper.discharge / std::max(lower.discharge, 1.0), 0.1, 1.0);
  const double flatter = quick_power(0.5 + 0.5 * gain, 2 * concavity);
  double part = share * flatter / (share * flatter + (1 - share));
  part *= 1 + 0.15 * draws.fall;
  // A stream of too small an area has no bed of its own.
  const double cells = upper.discharge / (diamond.runoff * scale.cell * 4);
  const double cuts = std::max(cutting(scale, diamond.steepness), math::smoothstep(1, 4, cells));
  if (cuts < 1 && fall > 0) part = mixed(share + diamond.bulge / fall, part, cuts);
  part = std::clamp(part, 0.15, 0.85);
  Birth birth;
  birth.height = bottom + fall * part;
  // A brook on the floor of a larger river's valley runs as flat as the floor.
  const double distance = diamond.length * share;
  if (const double inside = floor.inside();
      inside > 0 && static_cast<double>(floor.channel) > 1.5 * half_channel(upper.discharge)) {
    const double flat = bottom + std::min(0.5 * fall, floor_slope * distance);
    if (flat < birth.height)
      birth.height = mixed(birth.height, flat, math::smoothstep(0, 0.3 * static_cast<double>(floor.flat), inside));
  }
  if (const Carved ice = carved(trough); ice.share > 0 && ice.ground < birth.height)
    birth.height = std::max(mixed(birth.height, ice.ground, ice.share), bottom + 0.15 * fall);
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
      birth.height = bottom + fall * std::min(part, 1e-3 + (upper.depth > 0 ? 0.5 : 0.0));
      birth.depth = std::max(birth.height - ground, 0.0);
    }
  }
  return birth;
}

namespace {

/// Beside the sea or on its floor: the ground's own relief says whether it is land.
Birth born_at_sea(const LevelScale& scale, const Diamond& diamond, const Trough& trough, const Draws& draws) {
  const double a = diamond.a.height, b = diamond.b.height, mean = 0.5 * (a + b);
  const double opposite = 0.5 * (diamond.c.height + diamond.d.height);
  const bool coast = diamond.a.sea != diamond.b.sea;
  const double rough = coast ? 0.45 * std::fabs(a - b)
                             : 0.12 * std::fabs(a - b) + 0.1 * std::fabs(opposite - mean) + 0.002 * scale.spacing;
  double ground = mean + 0.12 * (opposite - mean) + rough * draws.rough;
  if (const Carved ice = carved(trough); ice.share > 0) ground = mixed(ground, ice.ground, ice.share);
  Birth birth{ground, 0, ground <= 0};
  if (ground > 0 && coast) birth.height = std::max(ground, 1e-3);
  return birth;
}

/// The height of a lake's shore or bed: of `birth` whatever stands higher than the water.
void settle_at_lake(const LevelScale& scale, const Diamond& diamond, const Draws& draws, double least, Birth& birth) {
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

}  // namespace

Birth born_on_land(const LevelScale& scale, const Diamond& diamond, const Outlet* outlets, int count,
                   const ValleyFloor& floor, const Trough& trough, const Draws& draws) {
  const Corner &a = diamond.a, &b = diamond.b;
  if (a.sea || b.sea) return born_at_sea(scale, diamond, trough, draws);
  const double mean = 0.5 * (a.height + b.height), opposite = 0.5 * (diamond.c.height + diamond.d.height);
  const double least = std::min(a.height, b.height) + 1e-5 * scale.spacing;
  const double slope = std::min(scale.steepest, diamond.steepness * scale.source_slope);
  const double cuts = cutting(scale, diamond.steepness);
  const double here = std::fabs(a.height - b.height) / diamond.length;
  double height = mean + diamond.bulge + scale.spacing * (0.02 + 0.08 * math::smoothstep(0.3, 0.9, here)) * draws.rough;
  double stream = 1e30;
  for (int k = 0; k < count; ++k) {
    const double flat = std::min(outlets[k].flat, outlets[k].distance);
    stream = std::min(stream, outlets[k].water + floor_slope * flat + slope * (outlets[k].distance - flat));
  }
  if (cuts > 0) {
    const double rise = stream - mean;
    const double cut =
        mean + (rise > 0 ? 0.65 : 0.35) * rise + 0.12 * (opposite - mean) + 0.4 * slope * scale.spacing * draws.rough;
    height = mixed(height, cut, cuts);
  }
  if (const double inside = floor.inside(); inside > 0 && stream < height)
    height = mixed(height, stream, math::smoothstep(0, 0.3 * static_cast<double>(floor.flat), inside));
  if (const Carved ice = carved(trough); ice.share > 0 && ice.ground < height)
    height = mixed(height, ice.ground + 0.02 * scale.spacing * draws.rough, ice.share);
  Birth birth;
  birth.height = std::max(height, least);
  if (a.depth > 0 || b.depth > 0) settle_at_lake(scale, diamond, draws, least, birth);
  return birth;
}

}  // namespace tepui
