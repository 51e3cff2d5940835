#pragma once  // internal

#include <cstdint>
#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/hydrology/flow_order.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// What is known of the channels that flow into a cell: twice the highest of their orders, and one more where it came
/// more than once (Strahler 1957).
class StrahlerInflow {
 public:
  /// The cell's own: 1 at heads.
  static uint8_t order(uint8_t known) { return known == 0 ? 1 : static_cast<uint8_t>((known >> 1) + (known & 1)); }
  /// A channel of this order flows in. No bit depends on the order of calls.
  static void add(uint8_t& known, uint8_t order) {
    if (order > known >> 1)
      known = static_cast<uint8_t>(order << 1);
    else if (order == known >> 1)
      known |= 1;
  }
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
    const GroundKind kind = water_.ground.kind.data()[i];
    return cells_.data()[i] >= least_ && kind != GroundKind::sea && kind != GroundKind::outside;
  }
  /// Strahler's order, 0 where there is no channel: 1 from the heads on, one more where two of the highest order meet.
  Grid<uint8_t> strahler(const Context& context) const;

 private:
  Watercourses water_;
  FlowOrder order_;
  Grid<int32_t> cells_;
  int64_t least_ = 1;
};

}  // namespace tepui
