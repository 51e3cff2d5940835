#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/cover/soil_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Depths of what rivers and lakes lay down, in metres, and how wet the ground is: 1 under water.
struct WaterBeds {
  Grid<float> gravel, mud, wet;

  bool empty() const { return gravel.empty(); }
};

/// The beds of the land's rivers and lakes (soil.h); empty where no layer tells of any. `smooth` heights tell how fast
/// rivers flow, `slope` how gentle shores are.
WaterBeds water_beds(const Terrain& land, const Grid<float>& smooth, const Grid<float>& slope, const SoilParams& params,
                     const Context& context);

/// Samples on each side that beds depend on, but for those that the smooth heights and the slopes do.
Halo water_beds_halo(const Frame& frame, double smoothing);

}  // namespace tepui
