#pragma once  // internal

#include "tepui/landforms/island_outline.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct IslandShape {
  double thickness = 0.5;  ///< of the underside, as a share of the width
  double relief = 0.15;    ///< of the hills, as a share of the width
  double roughness = 0.5;
  double roots = 0.5;
  double joints = 0;  ///< direction of the first set of joints, radians from east
};

/// The ground of an island and its underside, metres from the height of its shore. Outside of the shore the underside
/// rises above the ground.
struct IslandRelief {
  Terrain top, bottom;
};
IslandRelief island_relief(const IslandOutline& outline, const IslandShape& shape, const Stream& stream,
                           const Context& context);

}  // namespace tepui
