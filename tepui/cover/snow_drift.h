#pragma once  // internal

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How much a sample stands in the wind: positive on crests and windward brows, negative behind them. 1.2 times how far
/// the steepest line to ground upwind, 10 to 300 m away, falls (after Winstral et al. 2002, Eq. 1; mean of three winds
/// 20 degrees apart), and 0.09 for every metre above the mean of the ground within 70 m.
Grid<float> wind_exposure(const Terrain& ground, double wind_from, const Context& context);

/// Snow moved by wind from what stands in it to what lies behind, in whole quanta.
///
/// A month's wind takes the share min(0.85, 2.2 drift e) of the snow where the exposure e is positive. What it carries
/// is swept downwind from row to row, split between two samples where it comes between them; each keeps the share
/// 1 - exp(-step / L) of what arrives, L being 25 m in shelter (e below -0.1), 4 km in the open (above 0.1), and in
/// between by its logarithm. What reaches the border is blown away. More snow anywhere never means less anywhere.
class SnowDrift {
 public:
  SnowDrift(const Terrain& ground, double wind_from, double drift, const Context& context);

  /// Moves the snow of a month with this share of a winter month's wind; returns what was blown away.
  int64_t blow(double wind, const Context& context, Grid<int64_t>& snow) const;

 private:
  bool along_x_ = false, forward_ = true;
  int64_t split_ = 0;             ///< of 65536: what goes to the farther of the two samples
  int64_t shift_ = 0;             ///< the nearer one's place across
  Grid<uint16_t> loss_, caught_;  ///< of 65536; turned over where the wind blows along x, so that it blows along rows
};

}  // namespace tepui
