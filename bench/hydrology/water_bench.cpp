#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/bench.h"
#include "reference/hydrology.h"
#include "tepui/core/random.h"
#include "tepui/erode/stream_power.h"
#include "tepui/generate/brownian.h"
#include "tepui/hydrology/fill.h"
#include "tepui/hydrology/flow.h"
#include "tepui/hydrology/gather.h"
#include "tepui/hydrology/rivers.h"
#include "tepui/hydrology/streams.h"
#include "tepui/hydrology/watershed_numbers.h"
#include "tepui/terrain/resample.h"

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

/// Land that rivers have worn, on a quarter of the samples along each side, and brought to all of them: between them
/// are a few pits.
Terrain eroded_land(int64_t side) {
  const Terrain worn =
      stream_power(fractal_land(side / 4 + 1), nullptr, nullptr, nullptr, nullptr, nullptr, {}, Context());
  ResampleParams params;
  params.resolution = static_cast<int>(side);
  return resample(worn.only("height"), nullptr, params, Context());
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

/// The flow of a land, for what follows from it.
struct Known {
  explicit Known(Terrain of) : land(std::move(of)), streams(land, {}, {}, Context()) {}

  Terrain land;
  Streams streams;
};

/// What follows from a known flow; it tells how long summing areas along the same flow takes.
bench::Row known_row(const std::function<void(const Known&)>& step) {
  const auto known = std::make_shared<Known>(drained_land(4096));
  bench::Row result;
  result.fast = [known, step] { step(*known); };
  result.size = "4096x4096";
  result.items = 4096.0 * 4096;
  result.tells = [known] {
    std::vector<double> seconds;
    for (int i = 0; i < 7; ++i) {
      const auto began = std::chrono::steady_clock::now();
      cells_upstream(known->streams.water(), known->streams.order(), Context());
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    std::ranges::sort(seconds);
    return fmt::format("an accumulation takes {:.1f} ms", 1e3 * seconds[3]);
  };
  return result;
}

}  // namespace

TEPUI_BENCH("hydrology/fill_fractal/4096x4096") { return fill_row(fractal_land(4096)); }
TEPUI_BENCH("hydrology/fill_eroded/4096x4096") { return fill_row(eroded_land(4096)); }
TEPUI_BENCH("hydrology/flow_d8/4096x4096") { return flow_row(drained_land(4096), FlowMethod::d8); }
TEPUI_BENCH("hydrology/flow_freeman/4096x4096") { return flow_row(drained_land(4096), FlowMethod::freeman); }
TEPUI_BENCH("hydrology/strahler/4096x4096") {
  return known_row([](const Known& known) { known.streams.strahler(known.streams.channels(Context())); });
}
TEPUI_BENCH("hydrology/watersheds/4096x4096") {
  return known_row([](const Known& known) {
    const std::vector<int32_t> outlets =
        outlets_of(known.streams.water(), known.streams.order(), known.streams.cells(), 0, Context());
    watershed_numbers(known.streams.order(), outlets, 4096, 4096, Context());
  });
}
TEPUI_BENCH("hydrology/river_lines/4096x4096") {
  return known_row([](const Known& known) { river_lines(known.land, known.streams, {}, Context()); });
}

}  // namespace tepui
