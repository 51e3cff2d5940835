#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/noise.h"
#include "tepui/core/params.h"
#include "tepui/terrain/normalise.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Rolling land, ridges or lumps from lattice noise summed over octaves (Perlin 2001; Musgrave 1994), its plane bent by
/// more noise (domain warping: Quilez 2002).
///
/// Ridges lie at the zeros of noise, twice as close as hills, and every octave adds its own to a crest: with the height
/// and gain of rolling land half of the ground would be steeper than 43 degrees, a forest of needles. So by default
/// ridged land is lower and its finer octaves weaker; where it rises to 9 % and the gain is 0.4 it is as steep as
/// rolling land.
struct NoiseParams {
  NoiseKind kind = NoiseKind::simplex;
  NoiseSum sum = NoiseSum::fbm;
  Length scale = percent(60);  ///< distance between the largest hills
  int octaves = 10;
  double lacunarity = 2;              ///< how much finer each octave is than the one before
  std::optional<double> gain = {};    ///< how much lower each octave is than the one before; auto: 0.46, of ridges 0.4
  std::optional<Length> height = {};  ///< of the land, from its lowest to its highest point; auto: 15 %, of ridges 9 %
  Length warp = percent(3);           ///< how far places are moved at most
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<NoiseParams>& f);
/// What is chosen where it is auto.
double noise_gain(const NoiseParams& params);
Length noise_height(const NoiseParams& params);

/// z = G height, G the noise brought to [0, 1] by the range measured on the world's lattice, on the samples, or by
/// noise's own range [-1, 1].
Terrain noise(const Frame& world, const NoiseParams& params, const Context& context);

/// The warped sum at any points: what the operator and its plain twin are made of. The two warps move x and y.
struct NoiseRecipe {
  NoiseSpec sum, warp_x, warp_y;
  double warp = 0;  ///< metres
};
NoiseRecipe noise_recipe(const Frame& world, const NoiseParams& params);

/// The recipe's land, brought to `height` metres by the range that `normalise` says.
Terrain noise_land(const Frame& world, const NoiseRecipe& recipe, Normalise normalise, double height,
                   const Context& context);

}  // namespace tepui
