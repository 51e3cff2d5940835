#pragma once

#include "tepui/core/context.h"
#include "tepui/core/noise.h"
#include "tepui/core/params.h"
#include "tepui/generate/noise.h"
#include "tepui/terrain/normalise.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct BrownianParams {
  double hurst = 0.5;
  Length height = percent(15);
  Length size = percent(100);
  Length detail = percent(1);
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<BrownianParams>& f);

/// A fractional Brownian surface: heights a distance d apart differ by d^H in the root mean square (Mandelbrot and Van
/// Ness 1968; as land, Mandelbrot 1975). H = 1/2 is the Brownian surface that Rankin 2015, Fig. 9, sets against the
/// uplift model: jagged at every scale.
///
/// Made as Musgrave 1994 has it: the sum of octaves of simplex noise, each twice as fine as the one before and 2^-H as
/// high, from `size` to the first at or below `detail`. How many there are is a matter of these lengths, never of the
/// samples, so that every resolution, crop and tile shows the same land.
///
/// Where we differ: a true Brownian surface has no largest and no smallest hills. From 16 times `detail` to a sixteenth
/// of `size` the exponent of ours is within 0.06 of H; nearer it is smooth, farther it levels out.
Terrain brownian(const Frame& world, const BrownianParams& params, const Context& context);

/// The octaves of a fractional Brownian noise, lengths in metres. Refuses H outside (0, 1).
NoiseSpec brownian_spec(double hurst, double size, double detail, uint64_t key);

/// What the operator and its plain twin sum up.
NoiseRecipe brownian_recipe(const Frame& world, const BrownianParams& params);

}  // namespace tepui
