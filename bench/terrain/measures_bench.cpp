#include <memory>

#include "bench/bench.h"
#include "reference/measures.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

/// Waves with a rough grain.
Terrain waves(int64_t side) {
  const Frame frame = make_world({10 * static_cast<double>(side - 1), 10 * static_cast<double>(side - 1)}, side);
  const Stream stream(7);
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y) {
    const double wave = math::sin(frame.y(y) / 1700);
    for (int64_t x = 0; x < side; ++x)
      z(x, y) = static_cast<float>(500 + 300 * wave * math::sin(frame.x(x) / 900) +
                                   20 * stream.uniform(static_cast<uint64_t>(y * side + x)));
  }
  return Terrain(frame, {0, 1000}, std::move(z));
}

/// The plain twin goes through a smaller land.
template <class Params, class Fast, class Plain>
bench::Row row_of(const Params& params, const char* layer, const Fast& fast, const Plain& plain) {
  constexpr int64_t side = 2000, plain_side = 200;
  struct State {
    Terrain land, small, result;
  };
  const auto state = std::make_shared<State>(State{waves(side), waves(plain_side), Terrain()});
  bench::Row row;
  row.fast = [=] { state->result = fast(state->land, params, Context()); };
  row.reference = [=] { plain(state->small, params); };
  row.reference_part = static_cast<double>(plain_side * plain_side) / static_cast<double>(side * side);
  row.hash = [=] { return state->result.only(layer).hash(); };
  row.size = "2000x2000";
  row.items = static_cast<double>(side) * static_cast<double>(side);
  return row;
}

}  // namespace

TEPUI_BENCH("terrain/roughness/2000x2000/20_cells") {
  return row_of(RoughnessParams{RoughnessMeasure::residual, metres(200)}, "roughness", roughness, reference::roughness);
}

TEPUI_BENCH("terrain/relative_height/2000x2000/20_cells") {
  return row_of(RelativeHeightParams{RelativeHeightMeasure::mean, metres(200)}, "relative_height", relative_height,
                reference::relative_height);
}

TEPUI_BENCH("terrain/relative_height/2000x2000/20_cells_share") {
  return row_of(RelativeHeightParams{RelativeHeightMeasure::share, metres(200)}, "relative_height", relative_height,
                reference::relative_height);
}

TEPUI_BENCH("terrain/accessibility/2000x2000/100_cells") {
  return row_of(AccessibilityParams{AccessibilityMeasure::share, metres(1000), 16}, "accessibility", accessibility,
                reference::accessibility);
}

}  // namespace tepui
