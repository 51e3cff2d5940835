#include "tepui/hydrology/streams.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/gather.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

// What is known of a cell's inflow: twice the highest order, and one where it came more than once.
uint8_t order_of(uint8_t inflow) { return inflow == 0 ? 1 : static_cast<uint8_t>((inflow >> 1) + (inflow & 1)); }

}  // namespace

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
    if (!is_channel(cell)) return;
    const uint8_t order = order_of(inflow[cell]);
    if (order > inflow[to] >> 1)
      inflow[to] = static_cast<uint8_t>(order << 1);
    else if (order == inflow[to] >> 1)
      inflow[to] |= 1;
  });
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) inflow[i] = is_channel(i) ? order_of(inflow[i]) : uint8_t{0};
  });
  return orders;
}

}  // namespace tepui
