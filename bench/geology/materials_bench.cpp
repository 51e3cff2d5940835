#include "tepui/geology/materials.h"

#include "bench/bench.h"
#include "reference/erode.h"
#include "reference/geology.h"
#include "tepui/erode/gradation.h"
#include "tepui/generate/circular_faults.h"

namespace tepui::bench {

// Table 3 of Warszawski et al. 2019: at most 20 ms to classify 9 million cells and 60 ms to grade them, on a GTX 780.
TEPUI_BENCH("geology/materials+gradation/3000x3000") {
  const Terrain land = circular_faults(make_world({2999, 2999}, 3000), {}, Context());
  const MaterialsParams nine{9};
  Row row;
  row.fast = [=] { gradation(materials(land, nullptr, nine, Context()), nullptr, {}, Context()); };
  row.reference = [=] { reference::gradation(reference::materials(land, nine), {}); };
  row.hash = [=] { return gradation(materials(land, nullptr, nine, Context()), nullptr, {}, Context()).hash(); };
  row.size = "3000x3000";
  row.items = 9e6;
  row.paper_seconds = 0.080;
  return row;
}

}  // namespace tepui::bench
