#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"

namespace tepui {

struct OrographicRain {
  double mean = 1200;   ///< of the land
  double from = 0;      ///< radians from north, clockwise: where the wind comes from
  double strength = 1;  ///< 0: as much rain everywhere
  double carry = 1000;  ///< metres
};

/// Rain with windward and lee sides; its mean over the samples is `mean`.
///
/// Air that rises with the land loses water: first to cloud, then to the ground, each over `carry` metres of its way,
/// the two delays of Smith and Barstad 2004 (Eqs 4, 5: their times, times the wind), solved along the wind by one sweep
/// instead of in the plane of waves, which would need land without borders. Their waves in the air above are left out:
/// they matter for land of many `carry`. Rain grows by exp(3.5 times the rise that arrives). Behind a crest air comes
/// down dry: by exp(-(crest - height) / 2500 m), the scale height of its water; it forgets a crest over ten `carry`.
/// Rain comes with wind from 60 degrees around: five directions are swept.
Grid<float> orographic_rain(const Grid<float>& surface, Vec2 cell, const OrographicRain& params,
                            const Context& context);

}  // namespace tepui
