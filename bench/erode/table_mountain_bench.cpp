#include "tepui/erode/table_mountain.h"

#include "bench/bench.h"
#include "reference/circular_faults.h"
#include "reference/erode.h"
#include "reference/geology.h"

namespace tepui::bench {

TEPUI_BENCH("erode/table_mountain/1024x1024") {
  const Frame world = make_world({1023, 1023}, 1024);
  const TableMountainParams p;
  Row row;
  row.fast = [=] { table_mountain(world, p, Context()); };
  row.reference = [=] {
    const Terrain massif =
        reference::circular_faults(world, {.faults = p.faults, .radius = p.radius, .height = p.height, .seed = p.seed});
    const Terrain rock = reference::hardness(reference::materials(massif, {p.count}), {});
    reference::levelling(reference::gradation(rock, {p.erosion, p.caprock}), {p.levelling});
  };
  row.hash = [=] { return table_mountain(world, p, Context()).hash(); };
  row.size = "1024x1024";
  row.items = 1024.0 * 1024.0;
  return row;
}

}  // namespace tepui::bench
