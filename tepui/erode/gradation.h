#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct GradationParams {
  double erosion = 0.5;
  bool caprock = true;
};
void describe(Fields<GradationParams>& f);

/// Lowers each sample by erosion scaled by the softness of its rock: G' = G - E (1 - H), G the share of the relief, not
/// clamped, so that the softest rock sinks by E; where caprock is kept, rock of hardness 1 rises to the relief's top.
/// Warszawski et al. 2019, Eqs 6-8.
///
/// H is the resistance of `rock` at the ground, else the layer `hardness` (held within [0, 1]), else `material` evenly
/// from 0 to 1. In metres, z' = z - E (1 - H) (top - base): without erosion and caprock not a bit changes.
///
/// Where we differ: with a `rock` nothing is lifted. The paper's caprock is where its land is highest; beds that dip
/// have hard rock in valleys, too, and no process lifts that.
Terrain gradation(const Terrain& in, const Geology* rock, const GradationParams& params, const Context& context);

/// The same, but rock of resistance 1 is lifted as layers of hardness 1 are: for rock that is known to follow the
/// height.
Terrain gradation_with_caprock(const Terrain& in, const Geology* rock, const GradationParams& params,
                               const Context& context);

}  // namespace tepui
