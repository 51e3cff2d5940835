#pragma once  // internal

#include <cstdint>
#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/ice_balance.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Ice that flows through a land in balance with its climate, on the samples of a lattice.
///
/// Above the snow line every sample adds what falls on its area. All flows along the steepest way over the land with
/// its pits filled, so that there are no circles, and is taken by whole quanta from the highest sample down: what was
/// added is exactly what melted and what left the land or reached the sea (Mieloszyk 2017, Eq. 13, with sums that stop
/// at 0). Below the snow line a glacier melts over its whole width, which follows from its flow, and on its surface,
/// which stands above its bed.
struct GlacierFlow {
  Lattice lattice;
  Grid<float> bed;                ///< Heights at the samples, metres.
  std::vector<int32_t> receiver;  ///< Of each sample; -1 where the flow ends.
  std::vector<int32_t> order;     ///< All samples of land, upstream before downstream.
  std::vector<int64_t> entering;  ///< Quanta of ice a year.
  std::vector<int64_t> leaving;
  std::vector<uint8_t> is_land;  ///< 0: sea, and what is outside the land.
  double quanta = 1;             ///< That make 1 m3 a year.
  int64_t added = 0, melted = 0, left = 0;

  double flux(int64_t cell) const { return static_cast<double>(leaving[static_cast<size_t>(cell)]) / quanta; }
  /// Metres from a sample to its receiver.
  double way(int64_t cell) const;
};

GlacierFlow glacier_flow(const Terrain& land, const Lattice& lattice, const IceClimate& climate,
                         std::optional<double> sea_level, const Context& context);

}  // namespace tepui
