#pragma once  // internal

#include <memory>

#include "tepui/volume/land_sheet.h"
#include "tepui/volume/plan_region.h"
#include "tepui/volume/solid.h"

namespace tepui {

struct LandSolidParams {
  double threshold = 7.5;  ///< T
  double radius = 15;      ///< R: metres from the land to where f is 0 or 2T; at most 3T
  double floor = 0;        ///< its height, metres
  double falloff = 1;      ///< F: metres from the region and the floor to where f is 0
};

/// Land as a field (Paris et al. 2019, section 5.1): v = min(s(h(x,y) - z), 2T g(d/F) - T), d the distance to all
/// places of the region above the floor, g(u) = (1 - u^2)^3,
///
///   s(x) = x + (3T - 2R)/R^2 x^2 + (R - 2T)/R^3 x^3 on [0, R], T beyond, and s(-x) = -s(x).
///
/// Above the region v = s(h - z) to the last bit, with the sign of h - z. Walls and floor stand 0.454 F outside.
///
/// Its sketch: `ground` is the region's box in plan, from the floor to R above the highest land. Of the walls around a
/// rectangle it tells nothing: they stand outside `ground`. Around any other region boxes hold all that is nearer than
/// F to the border, and the sheet lies below `ground` where there is no land.
SolidPointer land_solid(std::shared_ptr<const LandSheet> land, std::shared_ptr<const PlanRegion> region,
                        const LandSolidParams& params);

}  // namespace tepui
