#pragma once

#include <vector>

#include "tepui/core/noise.h"
#include "tepui/generate/noise.h"

// Noise from its definition: Perlin, "Noise Hardware" (2001), as described by Gustavson, "Simplex noise demystified"
// (2005); value noise on the same lattice. One point at a time, in double.

namespace tepui::reference {

/// One octave of noise in the plane, in [-1, 1].
double noise_octave(NoiseKind kind, const NoiseOctave& octave, double x, double y);
/// One octave of noise in space, in [-1, 1].
double noise_octave(NoiseKind kind, const NoiseOctave& octave, double x, double y, double z);

/// The sum over octaves; octaves = noise_octaves(spec).
double noise(const NoiseSpec& spec, const std::vector<NoiseOctave>& octaves, double x, double y);
double noise(const NoiseSpec& spec, const std::vector<NoiseOctave>& octaves, double x, double y, double z);

/// The operator `noise`.
Terrain noise(const Frame& world, const NoiseParams& params);

/// A noise's land, brought to `height` metres by the range that `normalise` says.
Terrain noise_land(const Frame& world, const NoiseRecipe& recipe, Normalise normalise, double height);

}  // namespace tepui::reference
