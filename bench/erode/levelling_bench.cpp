#include "tepui/erode/levelling.h"

#include "bench/bench.h"
#include "reference/erode.h"
#include "tepui/erode/gradation.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/geology/materials.h"

namespace tepui::bench {

namespace {

/// Levelling over k cells each way; the plain twin visits (2k + 1)^2 of them and is left out where that takes minutes.
Row levelling_row(double k, bool with_reference) {
  const Context quiet;
  const Terrain land =
      gradation(materials(circular_faults(make_world({2999, 2999}, 3000), {}, quiet), nullptr, {}, quiet), nullptr, {},
                quiet)
          .only("height");
  const LevellingParams params{metres(k)};
  Row row;
  row.fast = [=] { levelling(land, params, Context()); };
  if (with_reference) row.reference = [=] { reference::levelling(land, params); };
  row.hash = [=] { return levelling(land, params, Context()).hash(); };
  row.size = "3000x3000";
  row.items = 9e6;
  return row;
}

}  // namespace

TEPUI_BENCH("erode/levelling/3000x3000/k1") { return levelling_row(1, true); }
TEPUI_BENCH("erode/levelling/3000x3000/k10") { return levelling_row(10, true); }
TEPUI_BENCH("erode/levelling/3000x3000/k50") { return levelling_row(50, false); }

}  // namespace tepui::bench
