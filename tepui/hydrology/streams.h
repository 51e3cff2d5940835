#pragma once  // internal

#include <cstdint>
#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/flow_order.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// The cells of channels.
struct ChannelCells {
  std::vector<int32_t> cells;  ///< In the order of their indices.
  Grid<uint8_t> inflows;       ///< How many channels flow into each; `none` elsewhere.
  static constexpr uint8_t none = 255;
};

/// The channels of a land: cells that drain at least a given area.
class Streams {
 public:
  /// `source` is the area in square metres from which water runs in channels; a five-hundredth of the land if it is not
  /// given. Keeps a pointer to the land's heights.
  Streams(const Terrain& land, std::optional<double> source, std::optional<double> sea_level, const Context& context);

  const Watercourses& water() const { return water_; }
  const FlowOrder& order() const { return order_; }
  /// How many cells drain through each.
  const Grid<int32_t>& cells() const { return cells_; }
  bool is_channel(int64_t i) const {
    const WaterCell kind = water_.ground.kind.data()[i];
    return cells_.data()[i] >= least_ && kind != WaterCell::sea && kind != WaterCell::outside;
  }
  ChannelCells channels(const Context& context) const;
  /// Strahler's order, 0 where there is no channel: 1 from the heads on, one more where two of the highest order meet.
  Grid<uint8_t> strahler(const ChannelCells& channels) const;

 private:
  Watercourses water_;
  FlowOrder order_;
  Grid<int32_t> cells_;
  int64_t least_ = 1;
};

}  // namespace tepui
