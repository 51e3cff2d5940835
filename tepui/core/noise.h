#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// Lattice noise: simplex (Perlin 2001; Gustavson 2005) and value noise, in the plane and in space, summed over octaves.
// Positions are doubles in metres; each octave splits them into a lattice cell and a fraction in double and goes on in
// float, so that noise is as fine 1,000 km from the origin as at it, and a position has the same bits in every grid or
// batch. Lattice values come from a hash: nothing repeats within 70,000 cells.

namespace tepui {

enum class NoiseKind { simplex, value };

/// How octaves add up; a_k is the share of octave k, n_k its noise.
enum class NoiseSum {
  fbm,     ///< sum a_k n_k
  ridged,  ///< 2 sum a_k w_k c_k^2 - 1, c_k = 1 - |n_k|, w_0 = 1, w_k+1 = min(1, 2 w_k c_k): crests, valleys smoother
  billow,  ///< 2 sum a_k |n_k| - 1: rounded lumps, sharp valleys
};

struct NoiseSpec {
  NoiseKind kind = NoiseKind::simplex;
  NoiseSum sum = NoiseSum::fbm;
  double scale = 1;       ///< metres a lattice unit of the first octave: about the distance between its hills
  int octaves = 1;        ///< from 1 to 32
  double lacunarity = 2;  ///< an octave's frequency over that of the one before
  double gain = 0.5;      ///< an octave's amplitude over that of the one before
  uint64_t key = 0;       ///< of a Stream: every key is another noise
};

/// One octave, made ready. Each has its own hash seeds, its own offset, so that lattices do not meet at the origin, and
/// in the plane its own rotation, so that they do not line up.
struct NoiseOctave {
  double frequency = 1;         ///< lattice units per metre
  double cosine = 1, sine = 0;  ///< of the rotation in the plane
  double offset[3] = {};        ///< in lattice units, in [0, 1)
  uint32_t seed = 0, twist = 0;
  double share = 1;  ///< of the sum; all shares add up to 1
};

/// The octaves of a noise. Refuses what is outside the ranges of NoiseSpec.
std::vector<NoiseOctave> noise_octaves(const NoiseSpec& spec);

/// How steep simplex noise in space can be at most, summed as fbm: |n(p) - n(q)| <= slope |p - q|, per metre.
double steepest_slope_in_space(const NoiseSpec& spec);

struct Frame;

/// Refuses a noise whose finest octave is too fine for how far the frame's world, moved by up to `warp` metres, lies
/// from the origin: a position would have no fraction of a lattice unit left.
void require_fine_positions(const Frame& world, const NoiseSpec& spec, double warp);

namespace noise_detail {
struct Plan;
}

/// A noise made ready: immutable, cheap to copy. Values lie in [-1, 1]. Positions in lattice units of the last octave
/// must stay below 2^51.
class Noise {
 public:
  explicit Noise(const NoiseSpec& spec);

  /// out[i] = noise(x[i], y[i]), in the plane.
  void points(std::span<const double> x, std::span<const double> y, std::span<float> out) const;
  /// out[i] = noise(x[i], y[i], z[i]), in space.
  void points(std::span<const double> x, std::span<const double> y, std::span<const double> z,
              std::span<float> out) const;
  /// out[i] = noise(x[i], y): a row of a grid, with the same bits as the points.
  void row(std::span<const double> x, double y, std::span<float> out) const;

 private:
  std::shared_ptr<const noise_detail::Plan> plan_;
};

namespace lattice {

// The hash of a cell corner: i and j enter linearly, with factors chosen for a long shortest repeat (70,404 cells), k
// through a mixer; then two rounds of Wellons' lowbias32. Only its high bits are used.

inline constexpr uint32_t factor_i = 0xac166467, factor_j = 0xaaf2869b, factor_k = 0x9e3779b1;
inline constexpr uint32_t mix_1 = 0x7feb352d, mix_2 = 0x846ca68b;

constexpr uint32_t layer(uint32_t k) {
  const uint32_t m = k * factor_k;
  return m ^ (m >> 15);
}

constexpr uint32_t hash(uint32_t i, uint32_t j, uint32_t k, uint32_t seed, uint32_t twist) {
  uint32_t h = i * factor_i + j * factor_j + layer(k) + seed;
  h = (h ^ (h >> 16)) * mix_1 ^ twist;
  return (h ^ (h >> 15)) * mix_2;
}

/// One over the largest value simplex noise can reach: every corner's best gradient at the worst position.
inline constexpr double simplex_scale_2d = 99.2, simplex_scale_3d = 76.88;

/// The steepest an octave of simplex noise in space can be, per lattice unit: every corner's worst gradient at the
/// worst position and in the worst direction, 6.966873, rounded up.
inline constexpr double simplex_slope_3d = 6.967;

}  // namespace lattice

}  // namespace tepui
