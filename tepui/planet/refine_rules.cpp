#include "tepui/planet/refine_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr double concavity = 0.45;
constexpr double steepest = 0.62;     // the angle of repose
constexpr double channel_head = 2e4;  // m2: smaller cells are slopes, not channels
constexpr double most_shift = 0.17;   // of barycentric coordinates: keeps every child triangle upright

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

}  // namespace

double quick_power(double x, double y) { return exp2_of(std::clamp(y * log2_of(x), -1000.0, 1000.0)); }

LevelScale level_scale(int level, int global_level) {
  LevelScale scale;
  scale.level = level;
  scale.length = edge_of_level(level) * earth_radius;
  scale.spacing = scale.length / 2;
  scale.cell = scale.spacing * scale.spacing * 0.8660254037844386;
  scale.source_slope = math::pow(scale.cell, -concavity);
  scale.bending = level < global_level + 4 ? 1.5 : 1;
  return scale;
}

Draws draws_of(uint64_t key, VertexId id) {
  const Stream stream(key);
  const uint64_t first = stream.bits(id.low, 3) ^ mix_bits(id.high), second = mix_bits(first + id.low);
  return {unit_of_bits(first, 0),  unit_of_bits(first, 21),  unit_of_bits(first, 42),
          unit_of_bits(second, 0), unit_of_bits(second, 21), unit_of_bits(second, 42)};
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

double channel_width(double discharge) {
  constexpr double seconds = 3.156e7;
  return 4.5 * std::sqrt(discharge / seconds);
}

}  // namespace

Vec2 birthplace(const LevelScale& scale, const Diamond& diamond, const Draws& draws) {
  double w = 0.27 * draws.aside * scale.bending;
  if (diamond.stream != StreamAlong::none) {
    const double flow = std::min(diamond.a.discharge, diamond.b.discharge);
    const double share = flow / (flow + 1e8);
    const double width = channel_width(flow);
    w *= (1 + share) * std::min(1.0, diamond.length / (6 * width + 1e-9));
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

Birth born_on_stream(const LevelScale& scale, const Diamond& diamond, Vec2 place, const Draws& draws) {
  const bool down = diamond.stream == StreamAlong::to_second;
  const Corner &upper = down ? diamond.a : diamond.b, &lower = down ? diamond.b : diamond.a;
  const double top = upper.height, bottom = lower.water(), fall = top - bottom;
  const double to_upper = down ? place.x : diamond.length - place.x;
  const double share = std::clamp(1 - to_upper / diamond.length, 0.2, 0.8);
  // Slopes fall with discharge: the lower half carries the brooks that join here.
  const double gain = lower.sea ? 1 : std::clamp(upper.discharge / std::max(lower.discharge, 1.0), 0.1, 1.0);
  const double flatter = quick_power(0.5 + 0.5 * gain, 2 * concavity);
  double part = share * flatter / (share * flatter + (1 - share));
  part = std::clamp(part * (1 + 0.15 * draws.fall), 0.15, 0.85);
  Birth birth;
  birth.height = bottom + fall * part;
  if (lower.sea) {
    const double ground = (1 - share) * top + share * lower.height + 0.25 * draws.rough * (top - lower.height);
    if (ground < 0) return {ground, 0, true};
    birth.height = std::min(std::max(ground * 0.5, 0.1 * top), 0.9 * top);
    return birth;
  }
  const double depth = 0.5 * (upper.depth + lower.depth);
  if (lower.depth > 0) {
    const double ground = 0.5 * (upper.ground() + lower.ground()) + 0.2 * draws.bed * std::max(depth, 1.0);
    if (ground < bottom) {
      birth.height = bottom + fall * std::min(part, 1e-3 + (upper.depth > 0 ? 0.5 : 0.0));
      birth.depth = std::max(birth.height - ground, 0.0);
    }
  }
  static_cast<void>(scale);
  return birth;
}

namespace {

/// Beside the sea or on its floor: the ground's own relief says whether it is land.
Birth born_at_sea(const LevelScale& scale, const Diamond& diamond, const Draws& draws) {
  const double a = diamond.a.height, b = diamond.b.height, mean = 0.5 * (a + b);
  const double opposite = 0.5 * (diamond.c.height + diamond.d.height);
  const bool coast = diamond.a.sea != diamond.b.sea;
  const double rough = coast ? 0.3 * std::fabs(a - b)
                             : 0.12 * std::fabs(a - b) + 0.1 * std::fabs(opposite - mean) + 0.002 * scale.spacing;
  const double ground = mean + 0.12 * (opposite - mean) + rough * draws.rough;
  Birth birth{ground, 0, ground <= 0};
  if (ground > 0 && coast) birth.height = std::max(ground, 1e-3);
  return birth;
}

}  // namespace

Birth born_on_land(const LevelScale& scale, const Diamond& diamond, Vec2 place, const Outlet* outlets, int count,
                   const Draws& draws) {
  static_cast<void>(place);
  const Corner &a = diamond.a, &b = diamond.b;
  if (a.sea || b.sea) return born_at_sea(scale, diamond, draws);
  const double low = std::min(a.height, b.height), mean = 0.5 * (a.height + b.height);
  const double opposite = 0.5 * (diamond.c.height + diamond.d.height);
  const double little = 1e-5 * scale.spacing;
  double height = 0;
  const double slope = std::min(steepest, diamond.steepness * scale.source_slope);
  if (scale.cell > channel_head) {
    double stream = 1e30;
    for (int k = 0; k < count; ++k) stream = std::min(stream, outlets[k].water + slope * outlets[k].distance);
    const double rise = stream - mean;
    height =
        mean + (rise > 0 ? 0.65 : 0.35) * rise + 0.12 * (opposite - mean) + 0.4 * slope * scale.spacing * draws.rough;
  } else {
    height = mean + 0.28 * (opposite - mean) + 0.05 * scale.spacing * slope / steepest * draws.rough;
  }
  Birth birth;
  birth.height = std::max(height, low + little);
  if (a.depth > 0 || b.depth > 0) {
    const double surface = a.depth > 0 && b.depth > 0 ? std::max(a.height, b.height)
                           : a.depth > 0              ? a.height
                                                      : b.height;
    double ground = 0.5 * (a.ground() + b.ground());
    ground += 0.25 * draws.bed * std::min(std::fabs(a.ground() - b.ground()) + 0.01 * scale.spacing, 100.0);
    if (ground < surface) {
      birth.height = low + little;
      birth.depth = birth.height - ground;
    } else {
      birth.height = std::max(std::min(height, ground), low + little);
    }
    birth.depth = std::max(birth.depth, 0.0);
  }
  return birth;
}

}  // namespace tepui
