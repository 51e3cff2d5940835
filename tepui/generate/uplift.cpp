#include "tepui/generate/uplift.h"

#include "tepui/generate/uplift_mean.h"

namespace tepui {

Terrain uplift(const Frame& world, const UpliftParams& params, const Context& context) {
  const bool on_lattice = params.normalise != Normalise::samples;
  const LandStages stages = land_stages(world, on_lattice, context);
  Grid<float> mean = mean_uplift(world, params, stages.samples);
  const MinMax range = on_lattice ? min_max(mean_uplift(world.measuring_lattice(), params, stages.measure), Context())
                                  : min_max(mean, stages.measure);
  if (params.normalise == Normalise::none) return Terrain(world, {0, range.high}, std::move(mean));
  return normalised_land(world, std::move(mean), {0, range.high}, params.height.in(world), stages.scale);
}

}  // namespace tepui
