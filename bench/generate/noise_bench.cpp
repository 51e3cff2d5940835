#include "tepui/generate/noise.h"

#include <memory>

#include "bench/bench.h"
#include "reference/noise.h"

namespace tepui {

TEPUI_BENCH("generate/noise/2048x2048") {
  const Frame world = make_world({10'000, 10'000}, 2048);
  const auto land = std::make_shared<Terrain>();
  bench::Row row;
  row.size = "2048x2048";
  row.items = 2048.0 * 2048.0;
  row.fast = [=] { *land = noise(world, {}, {}); };
  row.reference = [=] { reference::noise(world, {}); };
  row.hash = [=] { return land->hash(); };
  return row;
}

}  // namespace tepui
