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
  Length detail = percent(0.05);
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<BrownianParams>& f);

/// A fractional Brownian surface: heights a distance d apart differ by d^H in the root mean square, for d between
/// `detail` and `size` (Mandelbrot and Van Ness 1968; as land, Mandelbrot 1975). H = 1/2 is the Brownian surface that
/// Rankin's Fig. 9 sets against his uplift model: jagged at every scale.
///
/// The sum of Musgrave 1994: octaves of simplex noise, each twice as fine as the one before and 2^-H as high, from
/// `size` to the first at or below `detail`. How many there are is a matter of these lengths, never of the samples, so
/// that every resolution, crop and tile shows the same land. Where we differ: beyond `size` heights no longer part, and
/// below `detail` the land is smooth; a true Brownian surface has no such ends.
Terrain brownian(const Frame& world, const BrownianParams& params, const Context& context);

/// The octaves of a fractional Brownian noise, lengths in metres. Refuses H outside (0, 1).
NoiseSpec brownian_spec(double hurst, double size, double detail, uint64_t key);

/// What the operator and its plain twin sum up.
NoiseRecipe brownian_recipe(const Frame& world, const BrownianParams& params);

}  // namespace tepui
