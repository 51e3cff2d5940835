#include "tepui/generate/brownian.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

/// Detail may be this much finer than the largest features, in octaves.
constexpr int most_octaves = 24;

}  // namespace

void describe(Fields<BrownianParams>& f) {
  f.about("A fractional Brownian surface, rough and craggy at every scale");
  reach_of_normalised(f);
  f("hurst", &BrownianParams::hurst, open_range(0, 1),
    "Hurst exponent, the smoothness of the land: 0.5 is Brownian motion, higher values roll, lower ones "
    "are spiky")
      .slider(0.1, 0.9)
      .sweep("0.25", "0.5", "0.8");
  f("height", &BrownianParams::height, Range{0, 1e6}, "height from the lowest to the highest point").slider(0, 40);
  f("size", &BrownianParams::size, Range{0.001, 1e9}, "distance between the largest hills")
      .slider(5, 200)
      .sweep("25%", "100%", "200%");
  f("detail", &BrownianParams::detail, Range{0.001, 1e9},
    "distance between the smallest crags; the land is smooth below this scale")
      .slider(0.02, 5);
  f("normalise", &BrownianParams::normalise, {"world", "samples", "none"},
    "where the range that becomes the height is measured: over the whole world, on these samples, or not at all");
  f.seed(&BrownianParams::seed);
}

NoiseSpec brownian_spec(double hurst, double size, double detail, uint64_t key) {
  if (!(hurst > 0 && hurst < 1))
    refuse(fmt::format("a Hurst exponent of {:g} is not between 0 and 1", hurst),
           "0.5 is Brownian motion, 0.8 rolling land, 0.2 spiky land");
  if (!(size > 0) || !(detail > 0)) refuse("a Brownian surface needs a positive size and detail");
  NoiseSpec spec;
  spec.scale = size;
  spec.gain = math::pow(2, -hurst);
  spec.key = key;
  // The small slack keeps an octave from being added where a share of the world misses its power of two by rounding.
  for (double finest = size; finest > detail * (1 + 0x1p-40); finest *= 0.5)
    if (++spec.octaves > most_octaves)
      refuse(fmt::format("detail of {:g} m is too fine for hills {:g} m apart", detail, size),
             fmt::format("use a detail of at least {:g} m", size * 0x1p-23));
  return spec;
}

NoiseRecipe brownian_recipe(const Frame& world, const BrownianParams& params) {
  NoiseRecipe recipe;
  recipe.sum = brownian_spec(params.hurst, params.size.in(world), params.detail.in(world),
                             params.seed.stream("brownian").bits(0));
  return recipe;
}

Terrain brownian(const Frame& world, const BrownianParams& params, const Context& context) {
  return noise_land(world, brownian_recipe(world, params), params.normalise, params.height.in(world), context);
}

}  // namespace tepui
