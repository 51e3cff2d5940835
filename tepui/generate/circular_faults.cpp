#include "tepui/generate/circular_faults.h"

#include "tepui/generate/circular_fault_sum.h"

namespace tepui {

Terrain circular_faults(const Frame& world, const CircularFaultsParams& params, const Context& context) {
  const bool on_lattice = params.normalise != Normalise::samples;
  const LandStages stages = land_stages(world, on_lattice, context);
  Grid<float> raw = sum_circular_faults(world, params, stages.samples);
  const MinMax range = on_lattice
                           ? min_max(sum_circular_faults(world.measuring_lattice(), params, stages.measure), Context())
                           : min_max(raw, stages.measure);
  return normalised_land(world, std::move(raw), range, params.height.in(world), stages.scale);
}

}  // namespace tepui
