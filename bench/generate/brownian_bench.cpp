#include "tepui/generate/brownian.h"

#include "bench/bench.h"
#include "reference/brownian.h"

namespace tepui::bench {

TEPUI_BENCH("generate/brownian/1024x1024") {
  const Frame world = make_world({10'000, 10'000}, 1024);
  Row row;
  row.fast = [=] { brownian(world, {}, Context()); };
  row.reference = [=] { reference::brownian(world, {}); };
  row.hash = [=] { return brownian(world, {}, Context()).hash(); };
  row.size = "1024x1024";
  row.items = 1024.0 * 1024.0;
  return row;
}

}  // namespace tepui::bench
