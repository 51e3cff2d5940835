#include <memory>

#include "bench/bench.h"
#include "reference/hydrology.h"
#include "tepui/generate/brownian.h"
#include "tepui/hydrology/fill.h"
#include "tepui/hydrology/flow.h"

namespace tepui {

namespace {

struct Lands {
  Terrain in, out;
};

/// Fractal land of a kilometre's relief, about a quarter of it in pits that fill.
Terrain fractal_land(int64_t side) {
  BrownianParams params;
  return brownian(make_world({8000, 8000}, side), params, Context());
}

/// Land without pits, as running water leaves it.
Terrain drained_land(int64_t side) {
  FillParams params;
  params.slope = 0.01;
  return fill(fractal_land(side), params, Context());
}

bench::Row row(Terrain land, std::function<Terrain(const Terrain&)> fast, std::function<void(const Terrain&)> plain) {
  const auto lands = std::make_shared<Lands>(Lands{std::move(land), Terrain()});
  bench::Row result;
  result.fast = [lands, fast] { lands->out = fast(lands->in); };
  result.reference = [lands, plain] { plain(lands->in); };
  result.hash = [lands] { return lands->out.hash(); };
  const int64_t side = lands->in.frame().width;
  result.size = std::to_string(side) + "x" + std::to_string(side);
  result.items = static_cast<double>(side) * static_cast<double>(side);
  return result;
}

bench::Row fill_row(Terrain land) {
  return row(
      std::move(land), [](const Terrain& in) { return fill(in, {}, Context()); },
      [](const Terrain& in) { reference::fill(in.height()); });
}

bench::Row flow_row(Terrain land, FlowMethod method) {
  return row(
      std::move(land),
      [method](const Terrain& in) {
        FlowParams params;
        params.method = method;
        return flow(in, nullptr, nullptr, params, Context());
      },
      [method](const Terrain& in) {
        const Grid<uint8_t> directions = reference::steepest(in.height(), in.frame().cell);
        if (method == FlowMethod::freeman)
          reference::freeman(in.height(), in.height(), directions, in.frame().cell, 1.1);
        else
          reference::drainage(directions, in.frame().cell);
      });
}

}  // namespace

TEPUI_BENCH("hydrology/fill_fractal/4096x4096") { return fill_row(fractal_land(4096)); }
TEPUI_BENCH("hydrology/fill_drained/4096x4096") { return fill_row(drained_land(4096)); }
TEPUI_BENCH("hydrology/flow_d8/4096x4096") { return flow_row(drained_land(4096), FlowMethod::d8); }
TEPUI_BENCH("hydrology/flow_freeman/4096x4096") { return flow_row(drained_land(4096), FlowMethod::freeman); }

}  // namespace tepui
