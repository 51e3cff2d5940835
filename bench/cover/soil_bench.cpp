#include "tepui/cover/soil.h"

#include <memory>

#include "bench/bench.h"
#include "reference/plants.h"
#include "reference/soil.h"
#include "tepui/core/math.h"
#include "tepui/cover/climate.h"
#include "tepui/cover/plants.h"
#include "tepui/generate/noise.h"

namespace tepui {

namespace {

constexpr int64_t side = 2049;

Terrain hills() {
  NoiseParams params;
  params.sum = NoiseSum::ridged;
  params.height = metres(900);
  return noise(make_world({8000, 8000}, side), params, {});
}

struct State {
  Terrain land, made;
};

bench::Row row_of(const std::shared_ptr<State>& state, std::function<void()> fast, std::function<void()> plain,
                  const char* layer) {
  bench::Row row;
  row.fast = std::move(fast);
  row.reference = std::move(plain);
  row.hash = [state, layer] {
    const Grid<float>& cells = state->made.layer(layer).grid();
    return hash_large(cells.data(), cells.bytes());
  };
  row.size = "2049x2049";
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

}  // namespace

TEPUI_BENCH("cover/soil/2049x2049") {
  const auto state = std::make_shared<State>(State{hills(), {}});
  return row_of(
      state, [state] { state->made = soil(state->land, nullptr, nullptr, {}, {}); },
      [state] { reference::soil(state->land, nullptr, {}); }, "soil");
}

TEPUI_BENCH("cover/plants/2049x2049") {
  const Terrain land = climate(soil(hills(), nullptr, nullptr, {}, {}), {}, {});
  const auto state = std::make_shared<State>(State{land, {}});
  return row_of(
      state, [state] { state->made = plants(state->land, nullptr, {}, {}); },
      [state] { reference::plants(state->land, {}); }, "conifer");
}

}  // namespace tepui
