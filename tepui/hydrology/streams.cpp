#include "tepui/hydrology/streams.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/gather.h"
#include "tepui/terrain/cells.h"

namespace tepui {

Streams::Streams(const Terrain& land, std::optional<double> source, std::optional<double> sea_level,
                 const Context& context)
    : water_(watercourses(land, sea_level, context.stage("basins", 0, 0.6))),
      order_(water_.directions, context.stage("order", 0.6, 0.8)),
      cells_(cells_upstream(water_, order_, context.stage("drainage", 0.8, 1))) {
  const double area = land.frame().cell.x * land.frame().cell.y;
  const double wanted = source ? *source / area : static_cast<double>(land.height().size()) / 500;
  least_ = static_cast<int64_t>(std::clamp(std::ceil(wanted), 1.0, 9e18));
}

Grid<uint8_t> Streams::strahler(const Context& context) const {
  const int64_t w = cells_.width(), h = cells_.height();
  Grid<uint8_t> orders(w, h, 0);
  uint8_t* inflow = orders.data();
  order_.downstream(context, [&](int64_t cell, int64_t to) {
    if (is_channel(cell)) StrahlerInflow::add(inflow[to], StrahlerInflow::order(inflow[cell]));
  });
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i)
      inflow[i] = is_channel(i) ? StrahlerInflow::order(inflow[i]) : uint8_t{0};
  });
  return orders;
}

}  // namespace tepui
