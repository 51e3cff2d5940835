#include "tepui/generate/linear_faults.h"

#include "tepui/generate/linear_fault_count.h"

namespace tepui {

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
