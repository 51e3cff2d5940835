// The uplift model of Rankin, which the paper gives no times for.
#include <fmt/format.h>

#include "bench/bench.h"
#include "reference/uplift.h"
#include "tepui/generate/uplift.h"

namespace tepui::bench {

namespace {

Row uplift_row(int64_t side, int64_t peaks) {
  const Frame world = make_world({static_cast<double>(side - 1), static_cast<double>(side - 1)}, side);
  UpliftParams params;
  params.peaks = peaks;
  Row row;
  row.size = fmt::format("{}x{}", side, side);
  row.items = static_cast<double>(side * side);
  row.fast = [=] { uplift(world, params, Context()); };
  // The twin visits every peak at every sample, which takes minutes on the largest.
  if (side * side * peaks <= int64_t{4'000'000'000}) row.reference = [=] { reference::uplift(world, params); };
  row.hash = [=] { return uplift(world, params, Context()).hash(); };
  return row;
}

[[maybe_unused]] const bool listed = [] {
  for (const int64_t side : {256, 512, 1024, 2048, 4096})
    for (const int64_t peaks : {10, 100, 1000, 10'000})
      Registrar(fmt::format("paper-001/uplift/{:04}/{:5} peaks", side, peaks), [=] { return uplift_row(side, peaks); });
  return true;
}();

}  // namespace

}  // namespace tepui::bench
