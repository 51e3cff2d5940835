#include "tepui/generate/uplift.h"

#include "bench/bench.h"
#include "reference/uplift.h"

namespace tepui::bench {

TEPUI_BENCH("generate/uplift/1024x1024") {
  const Frame world = make_world({10'230, 10'230}, 1024);
  UpliftParams params;
  params.peaks = 1000;
  Row row;
  row.fast = [=] { uplift(world, params, Context()); };
  row.reference = [=] { reference::uplift(world, params); };
  row.hash = [=] { return uplift(world, params, Context()).hash(); };
  row.size = "1024x1024";
  row.items = 1024.0 * 1024.0;
  return row;
}

}  // namespace tepui::bench
