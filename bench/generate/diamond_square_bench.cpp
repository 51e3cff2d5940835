#include "tepui/generate/diamond_square.h"

#include <memory>

#include "bench/bench.h"
#include "reference/diamond_square.h"

namespace tepui::bench {

namespace {

Row diamond_square_row(int64_t side) {
  const Frame world = make_world({8192, 8192}, side);
  const auto land = std::make_shared<Terrain>();
  Row row;
  row.size = std::to_string(side) + "x" + std::to_string(side);
  row.items = static_cast<double>(side) * static_cast<double>(side);
  row.fast = [=] { *land = diamond_square(world, {}, {}); };
  row.hash = [=] { return land->hash(); };
  return row;
}

}  // namespace

TEPUI_BENCH("generate/diamond_square/4097x4097") {
  Row row = diamond_square_row(4097);
  const Frame world = make_world({8192, 8192}, 4097);
  row.reference = [=] { reference::diamond_square(world, {}); };
  return row;
}

// No sample but the corners lies on a lattice point; the plain twin would need all of the finest lattice.
TEPUI_BENCH("generate/diamond_square/4000x4000") { return diamond_square_row(4000); }

}  // namespace tepui::bench
