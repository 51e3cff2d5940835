#include "bench/bench.h"
#include "reference/rock.h"
#include "reference/strata.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/geology/strata.h"

namespace tepui::bench {

namespace {

constexpr int64_t side = 1025;

const Frame world = make_world({2048, 2048}, side);

/// Resistance all over a surface, beside the plain twin.
Row surface_row(const Geology& rock, const reference::Resistance& plain) {
  const Terrain land = circular_faults(world, {}, Context());
  Row row;
  row.fast = [=] { surface_resistance(rock, land, Context()); };
  row.reference = [=] {
    const Grid<float>& z = land.height();
    Grid<float> rho(z.width(), z.height());
    for (int64_t y = 0; y < z.height(); ++y)
      for (int64_t x = 0; x < z.width(); ++x)
        rho(x, y) = static_cast<float>(std::clamp(plain({world.x(x), world.y(y), z(x, y)}), 0.0, 1.0));
  };
  row.hash = [=] { return cells_hash(surface_resistance(rock, land, Context())); };
  row.size = "1025x1025";
  row.items = static_cast<double>(side * side);
  return row;
}

Geology beds() { return strata(world, {}, Context()); }
reference::Resistance plain_beds() {
  return [](Vec3 at) { return reference::strata(world, {}, at); };
}

}  // namespace

TEPUI_BENCH("geology/turbulence/1025x1025") {
  const TurbulenceParams params{TurbulenceAlong::space, percent(5), 5, 3, {0, 1}, {}};
  return surface_row(turbulence(world, params, Context()), reference::turbulence(world, params));
}

TEPUI_BENCH("geology/rock_planes/1025x1025") {
  return surface_row(rock_planes(world, {}, Context()), reference::rock_planes(world, {}));
}

/// A curve of 1,000 points: most of its segments are never looked at.
TEPUI_BENCH("geology/rock_body/1025x1025") {
  RockBodyParams params;
  params.shape = BodyShape::curve;
  params.radius = metres(60);
  params.points.clear();
  for (int i = 0; i < 1000; ++i) {
    const double t = i / 1000.0;
    params.points.push_back({percent(90 * t - 45), percent(40 * (4 * t * (1 - t)) - 20), percent(7)});
  }
  const Geology in = beds();
  return surface_row(rock_body(world, &in, nullptr, params, Context()),
                     reference::rock_body(world, plain_beds(), nullptr, params));
}

TEPUI_BENCH("geology/fold/1025x1025") {
  return surface_row(fold(world, beds(), {}, Context()), reference::fold(world, plain_beds(), {}));
}

TEPUI_BENCH("geology/taper/1025x1025") {
  return surface_row(taper(world, beds(), {}, Context()), reference::taper(world, plain_beds(), {}));
}

TEPUI_BENCH("geology/fault/1025x1025") {
  return surface_row(fault(world, beds(), nullptr, {}, Context()), reference::fault(world, plain_beds(), nullptr, {}));
}

TEPUI_BENCH("geology/rock_blend/1025x1025") {
  return surface_row(rock_blend(beds(), {turbulence(world, {}, Context())}, nullptr, {}, Context()),
                     reference::rock_blend(plain_beds(), {reference::turbulence(world, {})}, nullptr, {}));
}

}  // namespace tepui::bench
