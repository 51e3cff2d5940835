#pragma once

#include "tepui/volume/region.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct WarpParams : RegionParams {
  Length amplitude = percent(0.4);
  Length scale = percent(8);
  int octaves = 2;
  Seed seed;
};
void describe(Fields<WarpParams>& f);

/// Bends space, so that smooth rock becomes rugged and walls overhang (Paris et al. 2019, section 5.3):
///
///   v'(p) = v(p + delta(p) f_D(p)),   delta = amplitude (n_1, n_2, n_3),
///
/// n_i being three simplex noises of their own, each within [-1, 1] (the paper speaks of one turbulence; a point must
/// be able to go any way), and f_D the weight of the region. Nothing tears or folds over: with L = 6.967 metre by metre
/// the steepest simplex noise of one metre a unit, w_k and s_k octave k's share and scale, and F the steepest f_D,
///
///   Lipschitz constant of delta f_D <= sqrt(3) amplitude (L sum w_k / s_k + F) < 1,
///
/// so that p + delta f_D is one to one. A larger amplitude is refused with the largest that is allowed.
///
/// Gradients go by the chain rule; the derivatives of delta f_D in it are central differences over 1/64 of the finest
/// octave's scale. The rock does not move: geology is of the world, and the shape is bent through it.
Volume warp(const Frame& world, const Volume& in, const WarpParams& params, const Context& context);

}  // namespace tepui
