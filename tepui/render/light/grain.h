#pragma once  // internal

namespace tepui {

/// Smooth noise in [-1, 1] for surface detail in pictures only (land is made with core/noise): a repeating tile of
/// hashed values, read with smooth interpolation. One unit is one lattice cell; the tile repeats after 256.
float grain(double x, double y);

/// Octaves of grain, each turned against the one before so that the lattice does not show; in about [-1, 1].
float grain_sum(double x, double y, int octaves);

}  // namespace tepui
