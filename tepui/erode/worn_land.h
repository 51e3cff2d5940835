#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/erode/debris.h"
#include "tepui/erode/height_quanta.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How a land becomes rock and debris.
struct WornLandStart {
  bool all_loose = false;  ///< there is no rock at all, and no layer tells of any
  /// Depth of debris where no layer `sediment` tells it; no more counts than the land is high, or 1 km.
  double cover = 0;
  bool resumed = false;  ///< the layers `sediment`, `wear` and `deposits` tell what an earlier run has done
};

/// A land that is being worn: its rock and debris in quanta, chosen from the land before anything wore it.
struct WornLand {
  WornLand(const Terrain& in, const WornLandStart& start, TileSize tile, const Context& context);

  /// What the land was before anything wore it, in quanta.
  Grid<float> first_rock(const Terrain& in, const Context& context) const;
  Grid<float> first_ground(const Terrain& in, const Context& context) const;

  /// Where debris rests at this slope.
  Talus talus(Angle angle, const Frame& frame) const;

  /// The land with the layers `height`, `bedrock`, `sediment`, `wear` and `deposits`; of a land that is all loose
  /// `height`, `deposits` and `talus`. Tells how far the sum of rock and debris has drifted since the land was rounded
  /// to quanta. The debris is used up.
  Terrain finish(const Terrain& in, const Context& context);

  WornLandStart start;
  HeightQuanta quanta;
  float relief = 0;  ///< of the rock before anything wore it: its highest in quanta
  Debris debris;
  int64_t first_sum = 0;  ///< of rock and debris, in quanta above the base
};

}  // namespace tepui
