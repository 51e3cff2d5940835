#include "tepui/generate/linear_faults.h"

#include "bench/bench.h"
#include "reference/linear_faults.h"

namespace tepui::bench {

// Table 2 of Warszawski et al. 2019: 9 million cells, 1000 faults, 416 ms on a GTX 780.
TEPUI_BENCH("generate/linear_faults/3000x3000") {
  const Frame world = make_world({2999, 2999}, 3000);
  LinearFaultsParams params;
  params.faults = 1000;
  Row row;
  row.fast = [=] { linear_faults(world, params, Context()); };
  row.reference = [=] { reference::linear_faults(world, params); };
  row.hash = [=] { return linear_faults(world, params, Context()).hash(); };
  row.size = "3000x3000";
  row.items = 9e6;
  row.paper_seconds = 0.416;
  return row;
}

}  // namespace tepui::bench
