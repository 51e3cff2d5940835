#include "tepui/hydrology/carve.h"

#include <algorithm>
#include <array>

#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/flow_order.h"

namespace tepui {

void carve_ways_out(Grid<float>& height, const Watercourses& water, const std::function<float(int code)>& fall,
                    const Grid<float>& kept, const Context& context) {
  std::array<float, 8> falls{};
  for (size_t k = 0; k < 8; ++k) falls[k] = fall(static_cast<int>(k));
  const FlowOrder order(water.directions, context);
  float* z = height.data();
  order.downstream(context, [&](int64_t cell, int64_t to) {
    if (!kept.empty() && kept.data()[to] == 0) return;
    // The sea takes all water at its own level.
    if (water.ground.kind.data()[to] == WaterCell::sea) return;
    z[to] = std::min(z[to], z[cell] - falls[water.directions.data()[cell]]);
  });
}

}  // namespace tepui
