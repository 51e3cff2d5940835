#include "tepui/terrain/derivatives.h"

#include <memory>

#include "bench/bench.h"
#include "reference/derivatives.h"
#include "tepui/core/math.h"

namespace tepui {

TEPUI_BENCH("terrain/slope/3000x3000") {
  constexpr int64_t side = 3000;
  const Frame frame = make_world({side - 1, side - 1}, side);
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y) {
    const double wave = math::sin(frame.y(y) / 170);
    for (int64_t x = 0; x < side; ++x) z(x, y) = static_cast<float>(300 + 100 * wave + 0.3 * frame.x(x));
  }
  struct State {
    Terrain land;
    Grid<float> tangent;
  };
  const auto state = std::make_shared<State>(State{Terrain(frame, {0, 1300}, std::move(z)), Grid<float>()});
  bench::Row row;
  row.fast = [state] { state->tangent = slope_grid(state->land, Context()); };
  row.reference = [state] { reference::slope(state->land.height(), state->land.frame().cell); };
  row.hash = [state] { return hash_large(state->tangent.data(), state->tangent.bytes()); };
  row.size = "3000x3000";
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

}  // namespace tepui
