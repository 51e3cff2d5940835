#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// A corner of a polygon in the plane.
struct PlanCorner {
  Length x, y;
};
void describe(Fields<PlanCorner>& f);

struct ImplicitizeParams {
  double threshold = Volume::usual_threshold;   ///< T
  double radius = 2 * Volume::usual_threshold;  ///< R, metres
  Length floor = percent(10);                   ///< depth below the lowest sample
  Length falloff = percent(0.5);                ///< of walls and floor
  double loose = 0.3;                           ///< resistance of the loose ground above the layer `bedrock`
  std::vector<PlanCorner> polygon{};            ///< from the world's south-west corner; empty: all of the land
};
void describe(Fields<ImplicitizeParams>& f);

/// Land as a solid: everything below the ground, down to a floor (Paris et al. 2019, section 5.1):
///
///   f = min(T + s(h(x, y) - z), 2T g(d))
///
/// with the land h continued smoothly between its samples, d the distance from the prism of the region above the floor,
/// and s the odd profile of `land_solid`, which grows from -T to T between R below and R above the ground; it rises
/// everywhere only while R <= 3T, and larger ones are refused.
///
/// The paper's formulas for sigma and the prism contradict their stated properties; these keep the properties: the land
/// is exactly where f = T. The region is the land's rectangle, a polygon or where `mask` is above one half; its walls
/// stand 0.454 falloff outside of it, so that the land is whole up to its border.
///
/// `rock` is kept as the volume's geology, and where the land has a layer `bedrock`, what is loose on it lies on that
/// rock (`with_loose_ground`). The land's other layers go with the volume (`Volume::land`).
Volume implicitize(const Terrain& in, const Terrain* mask, const Geology* rock, const ImplicitizeParams& params,
                   const Context& context);

}  // namespace tepui
