#include "tepui/hydrology/streams.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/gather.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

// What is known of a cell's inflow: twice the highest order, and one where it came more than once.
uint8_t order_of(uint8_t known) { return known == 0 ? 1 : static_cast<uint8_t>((known >> 1) + (known & 1)); }
void add_inflow(uint8_t& known, uint8_t order) {
  if (order > known >> 1)
    known = static_cast<uint8_t>(order << 1);
  else if (order == known >> 1)
    known |= 1;
}

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

ChannelCells Streams::channels(const Context& context) const {
  const int64_t w = cells_.width(), h = cells_.height(), rows = rows_per_chunk(w);
  ChannelCells channels{{}, Grid<uint8_t>(w, h)};
  uint8_t* inflows = channels.inflows.data();
  std::vector<std::vector<int32_t>> parts(static_cast<size_t>((h + rows - 1) / rows));
  parallel_chunks(h, rows, context, [&](int64_t begin, int64_t end) {
    std::vector<int32_t>& part = parts[static_cast<size_t>(begin / rows)];
    for (int64_t i = begin * w; i < end * w; ++i) {
      inflows[i] = is_channel(i) ? 0 : ChannelCells::none;
      if (inflows[i] == 0) part.push_back(static_cast<int32_t>(i));
    }
  });
  for (const std::vector<int32_t>& part : parts) channels.cells.insert(channels.cells.end(), part.begin(), part.end());
  for (int32_t i : channels.cells) {
    const int64_t to = order_.receiver(i);
    if (to >= 0 && inflows[to] != ChannelCells::none) ++inflows[to];
  }
  return channels;
}

Grid<uint8_t> Streams::strahler(const ChannelCells& channels) const {
  Grid<uint8_t> known(cells_.width(), cells_.height(), 0), waiting(cells_.width(), cells_.height());
  for (int32_t i : channels.cells) waiting.data()[i] = channels.inflows.data()[i];
  // From each head on, as far as all inflow is known.
  for (int32_t head : channels.cells) {
    if (channels.inflows.data()[head] != 0) continue;
    for (int64_t cell = head;;) {
      const uint8_t own = known.data()[cell] = order_of(known.data()[cell]);
      cell = order_.receiver(cell);
      if (cell < 0 || channels.inflows.data()[cell] == ChannelCells::none) break;
      add_inflow(known.data()[cell], own);
      if (--waiting.data()[cell] != 0) break;
    }
  }
  return known;
}

}  // namespace tepui
