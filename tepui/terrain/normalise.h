#pragma once

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/core/params.h"
#include "tepui/terrain/min_max.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Where a generator measures the range that becomes its unit interval.
enum class Normalise {
  world,    ///< on the world's measuring lattice: the same for every resolution, crop and tile
  samples,  ///< on the samples at hand: the papers' literal form
  none,     ///< nowhere: the generator's own full range
};

/// The reach of a generator whose samples stand alone, but for the range that makes them heights.
template <class P>
void reach_of_normalised(Fields<P>& f) {
  f.reach(Reach::point);
  f.reach_by([](const P& params) { return params.normalise == Normalise::samples ? Reach::whole : Reach::point; },
             "whole with normalise=samples");
}

/// Land whose height is (raw - low) / (high - low) * height metres, with the relief {0, height}. Samples outside
/// `range` lie below 0 or above `height`; one at range.high lies at `height` exactly. An empty range gives flat land at
/// 0.
Terrain normalised_land(const Frame& world, Grid<float> raw, MinMax range, double height, const Context& context);

/// The work of a generator that computes its samples, measures their range and scales them, in this order.
struct LandStages {
  Context samples, measure, scale;
};
/// Where the range is measured `on_lattice`, the world's measuring lattice, its samples weigh as much as the others.
LandStages land_stages(const Frame& world, bool on_lattice, const Context& context);

}  // namespace tepui
