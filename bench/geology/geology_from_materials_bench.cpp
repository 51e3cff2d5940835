#include "tepui/geology/geology_from_materials.h"

#include "bench/bench.h"
#include "reference/erode.h"
#include "tepui/erode/gradation.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/geology/materials.h"

namespace tepui::bench {

// Gradation through the rock port, beside the plain gradation of the layers themselves.
TEPUI_BENCH("geology/geology_from_materials+gradation/3000x3000") {
  const Terrain massif = circular_faults(make_world({2999, 2999}, 3000), {}, Context());
  const Terrain land = materials(massif, nullptr, {9}, Context());
  const auto grade = [=] {
    const Geology rock = geology_from_materials(land, {}, Context());
    return gradation(land, &rock, {}, Context());
  };
  Row row;
  row.fast = [=] { grade(); };
  row.reference = [=] { reference::gradation(land, {}); };
  row.hash = [=] { return grade().hash(); };
  row.size = "3000x3000";
  row.items = 9e6;
  return row;
}

}  // namespace tepui::bench
