#include "tepui/erode/thermal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/erode/worn_land.h"

namespace tepui {

void describe(Fields<ThermalParams>& f) {
  using P = ThermalParams;
  f.about("Let slopes that are too steep crumble and slide to their angle of rest");
  f.reach(Reach::whole);
  f.example("linear_faults | {}");
  f("steps", &P::steps, Range{0, 1e9}, "number of steps of sliding").slider(0, 2000).sweep("20", "200", "2000").age();
  f("from", &P::from, not_negative, "number of steps that an earlier run has already done on this land").start_age();
  f("talus", &P::talus, Range{0, 89.9}, "slope at which the ground comes to rest").sweep("10", "25", "40");
}

Terrain thermal(const Terrain& in, const ThermalParams& params, const Context& context) {
  if (params.from > static_cast<double>(params.steps) || params.from != std::floor(params.from))
    refuse(fmt::format("the run would start 'from' step {} and end at step {}", params.from, params.steps),
           "'from' is the number of steps already done on this land");
  const auto from = static_cast<int64_t>(params.from);
  const Context quiet = context.told_to(nullptr);
  WornLand land(in, {.all_loose = true, .resumed = params.from > 0}, {}, context);
  const Talus talus = land.talus(params.talus, in.frame());
  TileBoxes moved(land.debris.tiling());
  for (int64_t step = from; step < params.steps; ++step) {
    context.check();
    if (!land.debris.slide(talus, moved, quiet)) break;
    context.progress(static_cast<double>(step + 1 - from) / static_cast<double>(params.steps - from));
  }
  return land.finish(in, context);
}

}  // namespace tepui
