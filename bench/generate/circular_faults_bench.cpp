#include "tepui/generate/circular_faults.h"

#include "bench/bench.h"
#include "reference/circular_faults.h"

namespace tepui::bench {

// Table 2 of Warszawski et al. 2019: 9 million cells, 1000 faults of 250 cells, 290 ms on a GTX 780.
TEPUI_BENCH("generate/circular_faults/3000x3000") {
  const Frame world = make_world({2999, 2999}, 3000);
  CircularFaultsParams params;
  params.faults = 1000;
  params.radius = {metres(250), metres(250)};
  Row row;
  row.fast = [=] { circular_faults(world, params, Context()); };
  row.reference = [=] { reference::circular_faults(world, params); };
  row.hash = [=] { return circular_faults(world, params, Context()).hash(); };
  row.size = "3000x3000";
  row.items = 9e6;
  row.paper_seconds = 0.290;
  return row;
}

}  // namespace tepui::bench
