#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/noise.h"
#include "tepui/core/vec.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// Simplex noise over the unit sphere, every octave turned its own way, so that no lattice shows in a sum.
struct SphereNoiseSpec {
  double scale = 0.5;  ///< radians between the hills of the first octave, about
  int octaves = 6;
  double gain = 0.5;
  bool ridged = false;  ///< crests of 1 - 2 |noise| instead of hills
  uint64_t key = 0;
};

class SphereNoise {
 public:
  explicit SphereNoise(const SphereNoiseSpec& spec);

  /// Values in about [-1, 1], with a mean of 0 unless it is ridged.
  void points(std::span<const Vec3> places, std::span<float> out) const;
  double at(Vec3 place) const;

 private:
  struct Octave {
    Noise noise;
    Vec3 x, y, z;  ///< the turned axes
    double share;
  };
  std::vector<Octave> octaves_;
  bool ridged_;
};

/// The noise at every place, in parallel.
std::vector<float> noise_at(std::span<const Direction> places, const SphereNoiseSpec& spec, const Context& context);

/// Every place moved by `far` radians at most, about, along three noises of the spec, and back onto the sphere.
std::vector<Direction> warped(std::span<const Direction> places, double far, const SphereNoiseSpec& spec,
                              const Context& context);

/// A direction drawn evenly from the sphere.
class Stream;
Vec3 drawn_direction(const Stream& stream, uint64_t index, uint64_t channel);

}  // namespace tepui
