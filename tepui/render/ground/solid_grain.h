#pragma once  // internal

#include "tepui/core/vec.h"

namespace tepui {

/// Noise in space for the small things of a surface in pictures (land is made with core/noise): a repeating block of
/// hashed values, read smoothly, in octaves that are turned against each other so that the lattice does not show. The
/// same bits on every machine.
struct SolidGrain {
  float value = 0;            ///< in [-1, 1]; each octave at `fall` times the weight of the one before
  float pebbles = 0;          ///< humps with creases between them, mean about 0
  float cracks = 0;           ///< 0 to 1: thin lines
  float tilt[3] = {};         ///< slopes of a surface with as much relief at every size, about 0.5 an octave
  float pebble_tilt[3] = {};  ///< the same of the humps, growing towards the small ones
};

struct SolidGrainRange {
  int octaves = 14;     ///< at most
  float footprint = 0;  ///< in units of the largest octave: octaves below it fade out
  float fall = 0.8f;
};

/// `at` in units of the largest octave; `squeeze` scales the axes (below 1 stretches features along an axis).
SolidGrain solid_grain(Vec3 at, Vec3 squeeze, const SolidGrainRange& range);

/// The value alone.
float solid_grain_value(Vec3 at, const SolidGrainRange& range);

}  // namespace tepui
