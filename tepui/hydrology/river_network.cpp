#include "tepui/hydrology/river_network.h"

#include <algorithm>

namespace tepui {

namespace {

/// At each meeting the river that drains more goes on. Numbers are given from the largest mouth on.
void name_rivers(const Streams& streams, std::vector<RiverReach>& reaches) {
  const auto drained = [&](const RiverReach& r) {
    return streams.cells().data()[r.cells.size() > 1 && r.below >= 0 ? r.cells[r.cells.size() - 2] : r.cells.back()];
  };
  std::vector<int32_t> main(reaches.size(), -1);
  for (size_t i = 0; i < reaches.size(); ++i) {
    if (reaches[i].below < 0) continue;
    int32_t& best = main[static_cast<size_t>(reaches[i].below)];
    if (best < 0 || drained(reaches[i]) > drained(reaches[static_cast<size_t>(best)])) best = static_cast<int32_t>(i);
  }
  // The lowest reach of each river, then up its main stems.
  std::vector<int32_t> lowest;
  for (size_t i = 0; i < reaches.size(); ++i)
    if (reaches[i].below < 0 || main[static_cast<size_t>(reaches[i].below)] != static_cast<int32_t>(i))
      lowest.push_back(static_cast<int32_t>(i));
  std::stable_sort(lowest.begin(), lowest.end(), [&](int32_t a, int32_t b) {
    return drained(reaches[static_cast<size_t>(a)]) > drained(reaches[static_cast<size_t>(b)]);
  });
  for (size_t river = 0; river < lowest.size(); ++river)
    for (int32_t r = lowest[river]; r >= 0; r = main[static_cast<size_t>(r)])
      reaches[static_cast<size_t>(r)].river = static_cast<int32_t>(river);
}

}  // namespace

std::vector<RiverReach> river_network(const Streams& streams, const Context& context) {
  const ChannelCells channels = streams.channels(context);
  const Grid<uint8_t>& inflows = channels.inflows;
  const Grid<uint8_t> orders = streams.strahler(channels);
  std::vector<RiverReach> reaches;
  std::vector<int32_t> first_cells;
  for (int32_t i : channels.cells)
    if (inflows.data()[i] != 1) first_cells.push_back(i);
  // Upstream before downstream: the more a reach drains, the later it comes.
  std::stable_sort(first_cells.begin(), first_cells.end(),
                   [&](int32_t a, int32_t b) { return streams.cells().data()[a] < streams.cells().data()[b]; });
  std::vector<std::pair<int32_t, int32_t>> starts;  // first cell, reach
  for (int32_t first : first_cells) {
    context.check();
    RiverReach reach;
    reach.order = orders.data()[first];
    reach.cells.push_back(first);
    while (true) {
      const int64_t to = streams.order().receiver(reach.cells.back());
      if (to < 0) break;
      reach.cells.push_back(static_cast<int32_t>(to));
      if (inflows.data()[to] != 1) break;
    }
    starts.emplace_back(first, static_cast<int32_t>(reaches.size()));
    reaches.push_back(std::move(reach));
  }
  std::sort(starts.begin(), starts.end());
  for (RiverReach& reach : reaches) {
    const auto found = std::lower_bound(starts.begin(), starts.end(), std::pair{reach.cells.back(), int32_t{-1}});
    if (found != starts.end() && found->first == reach.cells.back() && reach.cells.size() > 1)
      reach.below = found->second;
  }
  name_rivers(streams, reaches);
  return reaches;
}

}  // namespace tepui
