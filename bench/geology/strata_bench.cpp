#include "tepui/geology/strata.h"

#include "bench/bench.h"
#include "reference/strata.h"
#include "tepui/generate/circular_faults.h"

namespace tepui::bench {

namespace {

Row surface_row(const Geology& rock, const Terrain& land, const std::function<double(Vec3)>& plain) {
  Row row;
  row.fast = [=] { surface_resistance(rock, land, Context()); };
  row.reference = [=] {
    const Grid<float>& z = land.height();
    Grid<float> rho(z.width(), z.height());
    for (int64_t y = 0; y < z.height(); ++y)
      for (int64_t x = 0; x < z.width(); ++x)
        rho(x, y) = static_cast<float>(plain({land.frame().x(x), land.frame().y(y), z(x, y)}));
  };
  row.hash = [=] { return cells_hash(surface_resistance(rock, land, Context())); };
  row.size = "1025x1025";
  row.items = 1025.0 * 1025.0;
  return row;
}

}  // namespace

TEPUI_BENCH("geology/strata/1025x1025") {
  const Frame world = make_world({2048, 2048}, 1025);
  StrataParams params;
  params.dip = {12};
  return surface_row(strata(world, params, Context()), circular_faults(world, {}, Context()),
                     [=](Vec3 at) { return reference::strata(world, params, at); });
}

}  // namespace tepui::bench
