#include "tepui/geology/geology_from_materials.h"

#include "bench/bench.h"
#include "reference/erode.h"
#include "reference/geology.h"
#include "tepui/erode/gradation.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/geology/materials.h"

namespace tepui::bench {

// The land of materials and gradation, by way of the rock.
TEPUI_BENCH("geology/geology_from_materials+gradation/3000x3000") {
  const Terrain land = circular_faults(make_world({2999, 2999}, 3000), {}, Context());
  const MaterialsParams nine{9};
  const auto grade = [=] {
    const Terrain sorted = materials(land, nullptr, nine, Context());
    const Geology rock = geology_from_materials(sorted, {}, Context());
    return gradation(sorted, &rock, {}, Context());
  };
  Row row;
  row.fast = [=] { grade(); };
  row.reference = [=] { reference::gradation(reference::hardness(reference::materials(land, nine), {}), {}); };
  row.hash = [=] { return grade().hash(); };
  row.size = "3000x3000";
  row.items = 9e6;
  return row;
}

}  // namespace tepui::bench
