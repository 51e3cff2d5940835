#include "tepui/generate/linear_faults.h"

#include "tepui/generate/linear_fault_count.h"

namespace tepui {

void describe(Fields<LinearFaultsParams>& f) {
  f.about("Break the land along many straight lines, one side of each rising: rough, blocky crags and scarps");
  f.reach(Reach::point);
  f("faults", &LinearFaultsParams::faults, Range{0, 1e7}, "how many faults").slider(0, 3000).sweep("10", "100", "1000");
  f("height", &LinearFaultsParams::height, Range{0, 1e6}, "height of the land from its lowest to its highest point")
      .slider(0, 50);
  f("normalise", &LinearFaultsParams::normalise, {"world", "samples"},
    "measure the range over the whole world, or on the samples at hand as the paper does");
  f.seed(&LinearFaultsParams::seed);
}

Terrain linear_faults(const Frame& world, const LinearFaultsParams& params, const Context& context) {
  const bool on_lattice = params.normalise != Normalise::samples;
  const LandStages stages = land_stages(world, on_lattice, context);
  Grid<float> raw = count_linear_faults(world, params, stages.samples);
  const MinMax range = on_lattice
                           ? min_max(count_linear_faults(world.measuring_lattice(), params, stages.measure), Context())
                           : min_max(raw, stages.measure);
  return normalised_land(world, std::move(raw), range, params.height.in(world), stages.scale);
}

}  // namespace tepui
