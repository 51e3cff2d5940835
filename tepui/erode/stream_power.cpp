#include "tepui/erode/stream_power.h"

#include <algorithm>
#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/erode/stream_plan.h"
#include "tepui/erode/stream_result.h"
#include "tepui/erode/talus_limit.h"

namespace tepui {

Terrain stream_power(const Terrain& in, const Geology* rock, const Terrain* uplift, const Terrain* rain,
                     const Lines* inflow, const Lines* guides, const StreamPowerParams& params,
                     const Context& context) {
  if (in.height().empty()) return in;
  std::vector<Lattice> ladder = lattice_ladder(in.frame());
  if (params.levels == 1) ladder = {own_lattice(in.frame())};
  if (params.levels && ladder.size() > static_cast<size_t>(*params.levels))
    ladder.erase(ladder.begin(), ladder.end() - *params.levels);
  const StreamPlan plan =
      plan_streams({in, rock, uplift, rain, inflow, guides}, ladder, params, context.told_to(nullptr));
  if (!(plan.time > 0)) return unworn(in, params.sea_level, context);
  StreamedLand rivers = stream_levels(in, ladder, plan, context.stage("rivers", 0, 0.9));
  return stream_result(in, std::move(rivers), plan, params, context.stage("drainage", 0.9, 1));
}

}  // namespace tepui
