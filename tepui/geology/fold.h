#pragma once

#include <array>

#include "tepui/core/context.h"
#include "tepui/core/noise.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

namespace tepui {

enum class FoldBy {
  noise,  ///< every place its own way
  waves,  ///< arches and troughs side by side: anticlines and synclines
};

struct FoldParams {
  FoldBy by = FoldBy::noise;
  Length amplitude = percent(7);
  Length wavelength = percent(40);
  int octaves = 1;
  int steps = 4;
  Angle direction{90};
  Length x = metres(0), y = metres(0);
  Seed seed;
};
void describe(Fields<FoldParams>& f);

/// Folds rock: rho(p) = in(w(p)), w the way back to where the rock at p lay before. Paris et al. 2019, section 4.3, who
/// write the inverse of the warp as p + delta(p).
///
/// `noise`: w is made of N = `steps` moves, one after the other,
///
///   p <- p + (A / N) (n_1, n_2, n_3)(p / lambda)
///
/// A the `amplitude`, n_i three noises in [-1, 1] that know nothing of each other. A move can be undone, and so can all
/// of them, if it is a contraction beside the identity: (A / N) sqrt(3) slope < 1, with `slope` the steepest that the
/// noise can be (core/noise.h), 6.967 / lambda for one octave. Fields with that slope in all three channels at one
/// place do turn rock inside out, so the bound is sharp; what exceeds it is refused. One step is the paper's fold; more
/// follow the noise as a flow does, and so reach N times as far.
///
/// `waves`: w(p) = p - A cos(2 pi s / lambda) e_z, s the distance along `direction` from the place (x, y), from the
/// world's middle, on which a crest lies; crests run at right angles to it. Rock slides up and down only, so that its
/// volume stays and any amplitude will do.
Geology fold(const Frame& world, const Geology& in, const FoldParams& params, const Context& context);

/// The three noises that move rock by.
std::array<NoiseSpec, 3> fold_noise(const Frame& world, const FoldParams& params);

/// The largest amplitude, in metres, at which `noise` is not refused (it must stay below).
double largest_fold(const Frame& world, const FoldParams& params);

}  // namespace tepui
