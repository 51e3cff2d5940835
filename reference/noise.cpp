#include "reference/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace tepui::reference {

namespace {

/// A lattice position: cell and fraction.
struct Place {
  uint32_t cell;
  double fraction;
};

Place place(double coordinate) {
  const double below = std::floor(coordinate);
  return {static_cast<uint32_t>(static_cast<int64_t>(below)), coordinate - below};
}

/// A unit vector from a hash: the lowest 30 bits choose the angle within a quadrant, the two highest the quadrant.
std::array<double, 2> gradient_2d(uint32_t hash) {
  const double t = std::tan(std::numbers::pi / 8) * static_cast<double>(static_cast<int32_t>(hash << 2)) * 0x1p-31;
  double major = (1 - t * t) / (1 + t * t);
  const double minor = 2 * t / (1 + t * t);
  if ((hash & 0x40000000u) != 0) major = -major;
  if ((hash & 0x80000000u) != 0) return {minor, major};
  return {major, minor};
}

/// One of the twelve vectors from a cube's centre to the middles of its edges: the lowest 30 bits choose the axis left
/// out, the two highest the signs.
std::array<double, 3> gradient_3d(uint32_t hash) {
  const double share = static_cast<double>(static_cast<int32_t>(hash << 2)) * 0x1p-31;
  const double first = (hash & 0x80000000u) != 0 ? -1 : 1, second = (hash & 0x40000000u) != 0 ? -1 : 1;
  if (share < -1.0 / 3) return {first, second, 0};
  if (share > 1.0 / 3) return {0, first, second};
  return {first, 0, second};
}

double falloff(double square) {
  const double t = std::max(0.0, 0.5 - square);
  return t * t * t * t;
}

double simplex(const NoiseOctave& octave, Place u, Place v) {
  const double unskew = (3 - std::sqrt(3.0)) / 6;
  const bool lower = u.fraction >= v.fraction;
  const std::array<std::array<uint32_t, 2>, 3> corners{{{0, 0}, {lower ? 1u : 0u, lower ? 0u : 1u}, {1, 1}}};
  double sum = 0;
  for (const auto& [i, j] : corners) {
    const double du = u.fraction - i, dv = v.fraction - j;
    const double x = du - (du + dv) * unskew, y = dv - (du + dv) * unskew;
    const auto g = gradient_2d(lattice::hash(u.cell + i, v.cell + j, 0, octave.seed, octave.twist));
    sum += falloff(x * x + y * y) * (g[0] * x + g[1] * y);
  }
  return sum * lattice::simplex_scale_2d;
}

double simplex(const NoiseOctave& octave, Place u, Place v, Place w) {
  // From corner (0, 0, 0) to (1, 1, 1), one axis at a time, the largest fraction first.
  const std::array<double, 3> fraction{u.fraction, v.fraction, w.fraction};
  std::array<size_t, 3> order{0, 1, 2};
  std::ranges::stable_sort(order, std::greater(), [&](size_t axis) { return fraction[axis]; });
  std::array<uint32_t, 3> corner{0, 0, 0};
  double sum = 0;
  for (size_t step = 0; step < 4; ++step) {
    if (step > 0) corner[order[step - 1]] = 1;
    const double du = fraction[0] - corner[0], dv = fraction[1] - corner[1], dw = fraction[2] - corner[2];
    const double back = (du + dv + dw) / 6, x = du - back, y = dv - back, z = dw - back;
    const auto g = gradient_3d(
        lattice::hash(u.cell + corner[0], v.cell + corner[1], w.cell + corner[2], octave.seed, octave.twist));
    sum += falloff(x * x + y * y + z * z) * (g[0] * x + g[1] * y + g[2] * z);
  }
  return sum * lattice::simplex_scale_3d;
}

double fade(double t) { return t * t * t * (t * (6 * t - 15) + 10); }

double value(const NoiseOctave& octave, Place u, Place v, Place w) {
  double sum = 0;
  for (uint32_t corner = 0; corner < 8; ++corner) {
    const uint32_t i = corner & 1, j = (corner >> 1) & 1, k = corner >> 2;
    const double weight = (i != 0 ? fade(u.fraction) : 1 - fade(u.fraction)) *
                          (j != 0 ? fade(v.fraction) : 1 - fade(v.fraction)) *
                          (k != 0 ? fade(w.fraction) : 1 - fade(w.fraction));
    const uint32_t hash = lattice::hash(u.cell + i, v.cell + j, w.cell + k, octave.seed, octave.twist);
    sum += weight * static_cast<double>(static_cast<int32_t>(hash)) * 0x1p-31;
  }
  return sum;
}

double sum_up(const NoiseSpec& spec, const std::vector<NoiseOctave>& octaves,
              const std::function<double(const NoiseOctave&)>& noise_of) {
  double sum = 0, weight = 1;
  for (const NoiseOctave& octave : octaves) {
    const double n = noise_of(octave);
    if (spec.sum == NoiseSum::fbm) sum += octave.share * n;
    if (spec.sum == NoiseSum::billow) sum += octave.share * std::abs(n);
    if (spec.sum == NoiseSum::ridged) {
      const double crest = 1 - std::abs(n);
      sum += octave.share * weight * crest * crest;
      weight = std::min(1.0, 2 * weight * crest);
    }
  }
  return spec.sum == NoiseSum::fbm ? sum : 2 * sum - 1;
}

}  // namespace

double noise_octave(NoiseKind kind, const NoiseOctave& octave, double x, double y) {
  const double f = octave.frequency;
  const double u = f * (octave.cosine * x - octave.sine * y), v = f * (octave.sine * x + octave.cosine * y);
  const double skew = kind == NoiseKind::simplex ? (u + v) * (std::sqrt(3.0) - 1) / 2 : 0;
  const Place pu = place(u + skew + octave.offset[0]), pv = place(v + skew + octave.offset[1]);
  return kind == NoiseKind::simplex ? simplex(octave, pu, pv) : value(octave, pu, pv, {0, 0});
}

double noise_octave(NoiseKind kind, const NoiseOctave& octave, double x, double y, double z) {
  // Upright is the cell's diagonal (1, 1, 1).
  const double r2 = std::sqrt(2.0), r3 = std::sqrt(3.0), r6 = std::sqrt(6.0), f = octave.frequency;
  const double u = f * (x / r2 + y / r6 + z / r3), v = f * (-x / r2 + y / r6 + z / r3), w = f * (-2 * y / r6 + z / r3);
  const double skew = kind == NoiseKind::simplex ? (u + v + w) / 3 : 0;
  const Place pu = place(u + skew + octave.offset[0]), pv = place(v + skew + octave.offset[1]),
              pw = place(w + skew + octave.offset[2]);
  return kind == NoiseKind::simplex ? simplex(octave, pu, pv, pw) : value(octave, pu, pv, pw);
}

double noise(const NoiseSpec& spec, const std::vector<NoiseOctave>& octaves, double x, double y) {
  return sum_up(spec, octaves, [&](const NoiseOctave& octave) { return noise_octave(spec.kind, octave, x, y); });
}

double noise(const NoiseSpec& spec, const std::vector<NoiseOctave>& octaves, double x, double y, double z) {
  return sum_up(spec, octaves, [&](const NoiseOctave& octave) { return noise_octave(spec.kind, octave, x, y, z); });
}

Terrain noise(const Frame& world, const NoiseParams& params) {
  return noise_land(world, noise_recipe(world, params), params.normalise, noise_height(params).in(world));
}

Terrain noise_land(const Frame& world, const NoiseRecipe& recipe, Normalise normalise, double height) {
  const auto sum = noise_octaves(recipe.sum), warp_x = noise_octaves(recipe.warp_x),
             warp_y = noise_octaves(recipe.warp_y);
  const auto evaluate = [&](const Frame& frame) {
    Grid<double> raw(frame.width, frame.height);
    for (int64_t j = 0; j < frame.height; ++j)
      for (int64_t i = 0; i < frame.width; ++i) {
        const double x = frame.x(i), y = frame.y(j);
        const bool warped = recipe.warp > 0;
        const double moved_x = warped ? x + recipe.warp * noise(recipe.warp_x, warp_x, x, y) : x;
        const double moved_y = warped ? y + recipe.warp * noise(recipe.warp_y, warp_y, x, y) : y;
        raw(i, j) = noise(recipe.sum, sum, moved_x, moved_y);
      }
    return raw;
  };
  const Grid<double> raw = evaluate(world);
  double low = -1, high = 1;
  if (normalise != Normalise::none) {
    const Grid<double> measured = normalise == Normalise::world ? evaluate(world.measuring_lattice()) : raw.clone();
    low = *std::ranges::min_element(measured.cells());
    high = *std::ranges::max_element(measured.cells());
  }
  Grid<float> z(world.width, world.height);
  for (int64_t i = 0; i < raw.size(); ++i)
    z.data()[i] = high > low ? static_cast<float>((raw.data()[i] - low) / (high - low) * height) : 0.0f;
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference
